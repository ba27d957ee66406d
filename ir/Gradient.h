// Gradient.h: what the rules of gradients (GradientInterface, ir/ops/XGradient.cpp) work with.
// The walk over a graph (Differentiator.h) calls the rule of each node that a gradient reaches.
#ifndef SYMC_IR_GRADIENT_H
#define SYMC_IR_GRADIENT_H

#include "ir/CoreBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace symc::sg {

/// One node: the gradients that arrive at its results, and those that its rule makes for its
/// operands. A gradient has the type of its value.
class GradientScope {
public:
  /// `arriving`: by result, null where none does; `wanted`: by operand. Rules build at `core`.
  GradientScope(mlir::Operation *op, CoreBuilder core, llvm::ArrayRef<mlir::Value> arriving,
                llvm::ArrayRef<bool> wanted)
      : core(core), op(op), arriving(arriving), wanted(wanted), made(op->getNumOperands()) {}

  CoreBuilder core;

  mlir::Operation *operation() const { return op; }
  mlir::MLIRContext *context() const { return op->getContext(); }
  bool arrives(unsigned result = 0) const { return static_cast<bool>(arriving[result]); }
  /// The gradient of a result; zeros where none arrives.
  mlir::Value of(unsigned result = 0);
  bool needs(unsigned operand) const { return wanted[operand]; }
  /// The gradient of an operand that needs one; of others it is dropped.
  void give(unsigned operand, mlir::Value gradient);
  mlir::Value given(unsigned operand) const { return made[operand]; }
  /// A node of another operator that has this node's parameters, as far as it has any of these
  /// names, and those of `more`.
  mlir::Value makeLike(llvm::StringRef mnemonic, mlir::ValueRange operands, mlir::Type type,
                       llvm::ArrayRef<mlir::NamedAttribute> more = {});
  /// The new value of an auxiliary state, which backward computation sets.
  void update(unsigned operand, mlir::Value value) { updates.emplace_back(operand, value); }
  llvm::ArrayRef<std::pair<unsigned, mlir::Value>> getUpdates() const { return updates; }
  /// A sum that begins outside of this node and to which the gradient of an operand is added, or
  /// null. A rule that takes it gives the sum as the operand's gradient.
  mlir::Value takeSum(unsigned operand);
  void offerSum(unsigned operand, mlir::Value sum) { sums[operand] = sum; }
  bool tookSum(unsigned operand) const { return taken.contains(operand); }
  /// Values of another node take the place of this one's results; the node goes when the walk is
  /// over.
  void replace(mlir::ValueRange values);
  bool isReplaced() const { return replaced; }

  /// A gradient of a shape that an operand was repeated to, summed over what repeats;
  /// `type` is the operand's. Shapes are aligned at their last axes.
  mlir::Value sumTo(mlir::Value gradient, mlir::Type type);
  /// The value with extents of 1 at the axes of `reduced`, which a reduction of `like` left out,
  /// repeated to the shape of `like`.
  mlir::Value spread(mlir::Value value, llvm::ArrayRef<bool> reduced, mlir::Value like);
  /// The value with extents of 1 repeated to `shape`; refused where a run chooses how often.
  mlir::Value repeat(mlir::Value value, const Shape &shape);
  /// The extent of a rule that needs it as a number. The node is refused, and the answer 1, where a
  /// run chooses it.
  int64_t extent(Dim dim);
  /// The first of those, or unknown.
  Dim openExtent() const { return open; }
  /// Zeros of the operand's type.
  mlir::Value zerosLike(unsigned operand);
  /// gradient * (derivative of scalar function `fn` by its argument `by`) at `args`, one tensor or
  /// number for each argument; null where that derivative is 0 everywhere. The result has
  /// the gradient's type.
  struct Argument {
    Argument(mlir::Value value) : value(value) {}
    Argument(double number) : number(number) {}
    mlir::Value value;
    double number = 0;
  };
  mlir::Value slope(llvm::StringRef fn, unsigned by, llvm::ArrayRef<Argument> args,
                    mlir::Value gradient);
  /// Zeros in the operand's place with `part` in the places that these parameters of slice choose.
  mlir::Value putIn(unsigned operand, mlir::Value part, llvm::ArrayRef<int64_t> begin,
                    llvm::ArrayRef<int64_t> end, llvm::ArrayRef<int64_t> step = {});
  /// The same along one axis, from `begin` to `end`, where `part` is all along the others.
  mlir::Value putAlong(unsigned operand, mlir::Value part, int64_t axis, int64_t begin,
                       int64_t end);

  /// An axis parameter of that value as a number in [0, rank).
  static int64_t axisOf(int64_t axis, mlir::Value value) {
    return axis < 0 ? axis + static_cast<int64_t>(shapeOf(value.getType()).rank()) : axis;
  }

private:
  mlir::Operation *op;
  llvm::SmallVector<mlir::Value> arriving;
  llvm::SmallVector<bool> wanted;
  llvm::SmallVector<mlir::Value> made;
  llvm::SmallVector<std::pair<unsigned, mlir::Value>> updates;
  llvm::SmallDenseMap<unsigned, mlir::Value> sums; // by operand; looked up only
  llvm::SmallDenseSet<unsigned> taken;             // looked up only
  bool replaced = false;
  Dim open;
};

/// Whether the graph around `op` is computed as in training.
bool isTraining(mlir::Operation *op);

/// What the operator of a node declares: "rule", "zero", "none", "rewritten" or, where its gradient
/// is not written yet, "".
llvm::StringRef gradientKind(mlir::Operation *op);

/// An error at a node that has no rule; `end` completes the sentence.
mlir::LogicalResult refuseGradient(mlir::Operation *op, const llvm::Twine &end);

/// The location of what is computed for the gradients of a node, and whether it is one.
mlir::Location backwardLocation(mlir::Operation *op);
bool isBackward(mlir::Operation *op);

/// The attribute of a node that the backward part computes again (sg-recompute). MXNet's is
/// __force_mirroring__; what replaces such a node has this one.
inline constexpr llvm::StringLiteral kRecompute = "sg.recompute";
/// The attribute of such a copy, which keeps it apart from its node.
inline constexpr llvm::StringLiteral kRecomputed = "sg.recomputed";
/// Whether the node has the first or MXNet's.
bool isMirrored(mlir::Operation *op);

} // namespace symc::sg

#endif // SYMC_IR_GRADIENT_H
