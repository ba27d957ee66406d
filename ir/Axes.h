// Axes.h: axes as MXNet writes them, negative ones counted from the end.
#ifndef SYMC_IR_AXES_H
#define SYMC_IR_AXES_H

#include "ir/Inference.h"

namespace symc::sg {

/// `axis` as a number in [0, rank); an error at the scope's node where it lies outside.
/// `what` names the operand whose shape is asked ("data").
inline mlir::FailureOr<int64_t> normalAxis(ShapeScope &scope, int64_t axis, const Shape &shape,
                                           llvm::StringRef what = "data") {
  int64_t rank = static_cast<int64_t>(shape.rank());
  if (axis < -rank || axis >= rank)
    return scope.error() << "axis " << axis << " is outside " << what << "'s shape " << shape.str();
  return axis < 0 ? axis + rank : axis;
}

/// The same for a list, which may name no axis twice.
inline mlir::FailureOr<llvm::SmallVector<int64_t>>
normalAxes(ShapeScope &scope, llvm::ArrayRef<int64_t> axes, const Shape &shape,
           llvm::StringRef what = "data") {
  llvm::SmallVector<int64_t> result;
  for (int64_t axis : axes) {
    mlir::FailureOr<int64_t> normal = normalAxis(scope, axis, shape, what);
    if (mlir::failed(normal))
      return mlir::failure();
    if (llvm::is_contained(result, *normal))
      return scope.error() << "axis " << axis << " is named twice";
    result.push_back(*normal);
  }
  return result;
}

} // namespace symc::sg

#endif // SYMC_IR_AXES_H
