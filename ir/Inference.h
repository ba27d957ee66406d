// Inference.h: the values that shape and type inference work on. A dimension
// is unknown, a constant, or an affine expression over the graph's symbolic
// sizes; a shape is of unknown rank or a list of dimensions. Refinement only
// ever adds knowledge; a contradiction is an error that names both sides.
#ifndef SYMC_IR_INFERENCE_H
#define SYMC_IR_INFERENCE_H

#include "ir/CheckedSize.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace symc::sg {

/// One extent: unknown, or an AffineExpr over symbols s0, s1, ...
class Dim {
public:
  Dim() = default; // unknown
  Dim(mlir::AffineExpr expr) : expr(expr) {}
  static Dim constant(int64_t value, mlir::MLIRContext *context) {
    return Dim(mlir::getAffineConstantExpr(value, context));
  }
  bool isKnown() const { return static_cast<bool>(expr); }
  bool isStatic() const { return expr && mlir::isa<mlir::AffineConstantExpr>(expr); }
  bool isStatic(int64_t value) const { return isStatic() && get() == value; }
  /// The constant; only where isStatic(), else the process ends with a sentence.
  int64_t get() const;
  mlir::AffineExpr getExpr() const { return expr; }
  /// The extent with the symbolic sizes `sizes`. Extents grow with every size, so that the
  /// largest sizes give the largest extent. One that the list lacks counts as 1.
  CheckedSize valueAt(llvm::ArrayRef<int64_t> sizes) const;
  bool operator==(const Dim &other) const { return expr == other.expr; }
  bool operator!=(const Dim &other) const { return expr != other.expr; }
  std::string str() const; // "?", "3", "(s0 - 2)"

private:
  mlir::AffineExpr expr;
};

// Arithmetic; unknown in, unknown out. What leaves int64 is the constant CheckedSize::kTooLarge,
// and so is all that follows from it; no shape holds it (ShapeScope).
Dim operator+(Dim a, Dim b);
Dim operator+(Dim a, int64_t b);
Dim operator-(Dim a, int64_t b);
Dim operator-(Dim a, Dim b);
Dim operator*(Dim a, Dim b);
Dim operator*(Dim a, int64_t b);
Dim floorDiv(Dim a, int64_t b);
Dim ceilDiv(Dim a, int64_t b);
Dim remainder(Dim a, int64_t b);

/// A shape of known or unknown rank.
class Shape {
public:
  Shape() = default; // unknown rank
  explicit Shape(size_t rank) : dims(llvm::SmallVector<Dim, 4>(rank)) {}
  Shape(llvm::ArrayRef<Dim> list) : dims(llvm::SmallVector<Dim, 4>(list)) {}
  Shape(std::initializer_list<Dim> list) : dims(llvm::SmallVector<Dim, 4>(list)) {}
  static Shape of(llvm::ArrayRef<int64_t> extents, mlir::MLIRContext *context);

  bool isRanked() const { return dims.has_value(); }
  size_t rank() const { return dims->size(); }
  Dim &operator[](size_t i) { return (*dims)[i]; }
  const Dim &operator[](size_t i) const { return (*dims)[i]; }
  /// Only of a shape that outlives the list.
  llvm::ArrayRef<Dim> list() const & { return *dims; }
  llvm::ArrayRef<Dim> list() const && = delete;
  void push_back(Dim dim) { dims->push_back(dim); }
  bool isFullyKnown() const; // ranked, every dimension known
  bool isStatic() const;     // ranked, every dimension a constant
  /// Product of dimensions [begin, end); unknown if one is.
  Dim product(size_t begin, size_t end, mlir::MLIRContext *context) const;
  std::string str() const; // "[32, 64]", "[?, 3]", "unknown"

private:
  std::optional<llvm::SmallVector<Dim, 4>> dims;
};

class Conditions;
class Need; // ir/Conditions.h

/// What one node sees of its operands' and results' shapes, and where it writes
/// what it learns.
class ShapeScope {
public:
  ShapeScope(mlir::Operation *op, llvm::MutableArrayRef<Shape> inputs,
             llvm::MutableArrayRef<Shape> outputs)
      : op(op), inputs(inputs), outputs(outputs) {}

  mlir::MLIRContext *context() const { return op->getContext(); }
  size_t numInputs() const { return inputs.size(); }
  size_t numOutputs() const { return outputs.size(); }
  const Shape &input(size_t i) const { return inputs[i]; }
  const Shape &output(size_t i) const { return outputs[i]; }
  Dim dim(int64_t value) const { return Dim::constant(value, context()); }

  /// Merges knowledge into operand or result `i`; on a contradiction emits one
  /// error: node, operand, its shape, the needed shape, notes at the operands. So it does
  /// where an extent is below 0 or the shape has more than kMostElements.
  /// `because` completes the sentence ("with num_hidden = 10").
  mlir::LogicalResult refineInput(size_t i, const Shape &shape, const llvm::Twine &because = "");
  mlir::LogicalResult refineOutput(size_t i, const Shape &shape, const llvm::Twine &because = "");
  /// All operands and results have one shape.
  mlir::LogicalResult refineAllSame();
  /// What has to hold of extents. Fails, with the message as an error at this node, where it holds
  /// for none of the sizes that the program may be run with; becomes a condition of the program
  /// where it holds for some of them. The message is a sentence about shapes as they are known.
  mlir::LogicalResult need(const Need &need, llvm::function_ref<void(llvm::raw_ostream &)> message);
  /// Fails with the same kind of message whatever the sizes.
  mlir::LogicalResult refuse(llvm::function_ref<void(llvm::raw_ostream &)> message);
  /// An error at this node: "'sg.x' op node 'n': <message>".
  mlir::InFlightDiagnostic error();
  mlir::Operation *operation() const { return op; }
  bool changed = false;
  Conditions *conditions = nullptr; // of the graph that is inferred; set before inferShape

private:
  mlir::LogicalResult refine(Shape &target, const Shape &shape, bool isInput, size_t i,
                             const llvm::Twine &because);
  mlir::LogicalResult checkCount(const Shape &shape, bool isInput, size_t i);
  mlir::Operation *op;
  llvm::MutableArrayRef<Shape> inputs, outputs;
};

/// The same for element types; a null type is unknown.
class TypeScope {
public:
  TypeScope(mlir::Operation *op, llvm::MutableArrayRef<mlir::Type> inputs,
            llvm::MutableArrayRef<mlir::Type> outputs)
      : op(op), inputs(inputs), outputs(outputs) {}
  mlir::MLIRContext *context() const { return op->getContext(); }
  size_t numInputs() const { return inputs.size(); }
  size_t numOutputs() const { return outputs.size(); }
  mlir::Type input(size_t i) const { return inputs[i]; }
  mlir::Type output(size_t i) const { return outputs[i]; }
  mlir::LogicalResult refineInput(size_t i, mlir::Type type);
  mlir::LogicalResult refineOutput(size_t i, mlir::Type type);
  mlir::InFlightDiagnostic error();
  mlir::Operation *operation() const { return op; }
  bool changed = false;

private:
  mlir::LogicalResult refine(mlir::Type &target, mlir::Type type, bool isInput, size_t i);
  mlir::Operation *op;
  llvm::MutableArrayRef<mlir::Type> inputs, outputs;
};

/// The largest extents of a node's operands and results, where sizes are known only at run
/// time; those of the types elsewhere.
struct LargestShapes {
  llvm::SmallVector<llvm::SmallVector<CheckedSize, 4>> operands, results;
  /// Elements of operand or result `i`.
  CheckedSize operandCount(size_t i) const;
  CheckedSize resultCount(size_t i) const;
  /// Of that operand or result which has most.
  CheckedSize largestCount() const;
};

/// Every operand and result has one element type.
mlir::LogicalResult inferSameType(TypeScope &scope);

/// MXNet's type flag <-> element type. uint8 is `ui8`, bool is `i1`, others
/// signless; a null type for an unknown flag or name.
mlir::Type typeFromFlag(int64_t flag, mlir::MLIRContext *context);
mlir::Type typeFromName(llvm::StringRef name, mlir::MLIRContext *context);

/// The number up to which the type of that name holds every one.
int64_t mostCounted(llvm::StringRef name);
std::optional<int64_t> flagFromType(mlir::Type type);
std::string typeName(mlir::Type type); // "float32"
/// Bytes of one element.
int64_t typeBytes(mlir::Type type);

/// The first extent of the shape that is below 0 whatever the symbolic sizes are, or what makes
/// it larger than kMostElements at their largest, as the end of a sentence: "the extent -3 along
/// axis 0, needs at least 0"; empty of a sound one. Extents of 0 count as 1.
std::string badExtents(const Shape &shape, llvm::ArrayRef<int64_t> largestSizes);
/// The largest values of the symbolic sizes of the graph around `op`.
llvm::ArrayRef<int64_t> largestSizes(mlir::Operation *op);

/// The shape and element type of a tensor type, and back.
Shape shapeOf(mlir::Type tensor);
mlir::Type elementTypeOf(mlir::Type tensor); // null if !sg.unknown
mlir::Type makeTensorType(const Shape &shape, mlir::Type elementType, mlir::MLIRContext *context);

/// The node's name (its location's), or "" for none.
llvm::StringRef nodeName(mlir::Operation *op);
/// An error at a node: "'sg.x' op node 'n': <message>".
mlir::InFlightDiagnostic nodeError(mlir::Operation *op);
/// What a value is to a user: "output 0 of node 'relu1'", "argument 'data'".
std::string describeValue(mlir::Value value);

} // namespace symc::sg

#endif // SYMC_IR_INFERENCE_H
