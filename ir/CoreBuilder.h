// CoreBuilder.h: builds core operators, at a node that is being rewritten or for a gradient. Shapes
// and types are known; each function makes a value of exactly the type that follows from its
// operands, so that no inference has to run afterwards.
#ifndef SYMC_IR_COREBUILDER_H
#define SYMC_IR_COREBUILDER_H

#include "ir/Inference.h"
#include "mlir/IR/Builders.h"

namespace symc::sg {
/// Whether a run chooses an extent of the tensor.
bool hasOpenExtent(mlir::Type type);
} // namespace symc::sg

namespace symc {

struct CoreBuilder {
  mlir::OpBuilder b;
  mlir::Location loc;
  bool mirrored = false;

  /// What is built stands for a node, so that it is mirrored as that is (ir/Gradient.h).
  explicit CoreBuilder(mlir::Operation *op);
  CoreBuilder(mlir::OpBuilder builder, mlir::Location loc) : b(builder), loc(loc) {}

  /// The first result of a new `sg.<mnemonic>`.
  mlir::Value make(llvm::StringRef mnemonic, mlir::ValueRange operands, mlir::Type type,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  /// All results of one.
  mlir::ResultRange makeAll(llvm::StringRef mnemonic, mlir::ValueRange operands,
                            mlir::TypeRange types,
                            llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  mlir::NamedAttribute number(llvm::StringRef name, int64_t value);
  mlir::NamedAttribute real(llvm::StringRef name, double value);
  mlir::NamedAttribute flag(llvm::StringRef name, bool value);
  mlir::NamedAttribute text(llvm::StringRef name, llvm::StringRef value);
  mlir::NamedAttribute numbers(llvm::StringRef name, llvm::ArrayRef<int64_t> values);

  /// A tensor type; the type of `like` with another shape or element type.
  mlir::Type typeOf(const sg::Shape &shape, mlir::Type elementType);
  mlir::Type withShape(mlir::Value like, const sg::Shape &shape);
  mlir::Type withElement(mlir::Value like, mlir::Type elementType);
  sg::Dim dim(int64_t value) { return sg::Dim::constant(value, b.getContext()); }

  mlir::Value reshapeTo(mlir::Value value, mlir::Type type);
  mlir::Value reshape(mlir::Value value, const sg::Shape &shape);
  mlir::Value cast(mlir::Value value, mlir::Type elementType);
  mlir::Value unary(llvm::StringRef fn, mlir::Value x);
  /// Operands of one shape and type; with a type given, they broadcast to it.
  mlir::Value binary(llvm::StringRef fn, mlir::Value x, mlir::Value y);
  mlir::Value broadcast(llvm::StringRef fn, mlir::Value x, mlir::Value y, const sg::Shape &shape);
  mlir::Value scalar(llvm::StringRef fn, mlir::Value x, double value, bool reverse = false);
  mlir::Value fillLike(mlir::Value x, double value);
  /// Of fixed extents.
  mlir::Value zeros(mlir::Type type);
  /// Of the value's extents, which a run may choose.
  mlir::Value zerosLike(mlir::Value like);
  mlir::Value where(mlir::Value condition, mlir::Value x, mlir::Value y);
  /// Whether the graph's steps predict, too (ir/Parts.h).
  bool predicts();
  /// What training has, or in such a graph prediction instead.
  mlir::Value byMode(mlir::Value training, mlir::Value prediction) {
    return predicts() ? make("by_mode", {training, prediction}, training.getType()) : training;
  }
  /// Extents of 1, and axes put in front, repeat to `shape`.
  mlir::Value broadcastTo(mlir::Value x, const sg::Shape &shape);
  /// The same to the shape of `like`, of which extents may be known only at run time.
  mlir::Value broadcastLike(mlir::Value x, mlir::Value like);
  mlir::Value transpose(mlir::Value x, llvm::ArrayRef<int64_t> axes);
  mlir::Value reverse(mlir::Value x, llvm::ArrayRef<int64_t> axes);
  /// Every `step`-th of [begin, end) along an axis whose extent is a constant.
  mlir::Value slice(mlir::Value x, int64_t axis, int64_t begin, int64_t end, int64_t step = 1);
  /// Every `step`-th from `begin` to `behind` before the end of an axis, `count` of them: of an
  /// extent that may be known only at run time.
  mlir::Value sliceToEnd(mlir::Value x, int64_t axis, int64_t begin, int64_t behind, int64_t step,
                         sg::Dim count);
  /// Operands behind each other.
  mlir::Value concat(mlir::ValueRange parts, int64_t axis);
  /// Along the axes of `axes`, which may be none; they stay as 1 with `keep`.
  mlir::Value reduce(llvm::StringRef kind, mlir::Value x, llvm::ArrayRef<int64_t> axes, bool keep);
  /// How many elements of x, floats, each result of such a reduction has.
  mlir::Value countReduced(mlir::Value x, llvm::ArrayRef<int64_t> axes, bool keep);
  /// The value over that number; `x` and the value broadcast.
  mlir::Value overCount(mlir::Value value, mlir::Value x, llvm::ArrayRef<int64_t> axes);
  /// start, start + step, ...: `count` of them.
  mlir::Value arange(double start, double step, int64_t count, mlir::Type elementType);
  /// `on` at the index and `off` elsewhere along a new last axis of `depth` places, in the type of
  /// `elementType`.
  mlir::Value oneHot(mlir::Value index, int64_t depth, mlir::Type elementType, double on = 1,
                     double off = 0);
  /// [n, rows, depth] x [n, depth, columns].
  mlir::Value batchDot(mlir::Value x, mlir::Value y);
};

} // namespace symc

#endif // SYMC_IR_COREBUILDER_H
