// Axes.h: axes as MXNet writes them, negative ones counted from the end.
#ifndef SYMC_IR_AXES_H
#define SYMC_IR_AXES_H

#include "ir/Conditions.h"

namespace symc::sg {

/// `axis` as a number in [0, rank); an error at the scope's node where it lies outside.
/// `what` names the operand with that shape ("data").
inline mlir::FailureOr<int64_t> normalAxis(ShapeScope &scope, int64_t axis, const Shape &shape,
                                           llvm::StringRef what = "data") {
  int64_t rank = static_cast<int64_t>(shape.rank());
  if (axis < -rank || axis >= rank)
    return scope.error() << "axis " << axis << " is outside " << what << "'s shape " << shape.str();
  return axis < 0 ? axis + rank : axis;
}

/// The same for a list, which may name no axis twice.
inline mlir::FailureOr<llvm::SmallVector<int64_t>> normalAxes(ShapeScope &scope,
                                                              llvm::ArrayRef<int64_t> axes,
                                                              const Shape &shape,
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

/// The shape without the listed axes, or without all of them, or with 1 there. Ranked.
inline mlir::FailureOr<Shape> shapeWithout(ShapeScope &scope,
                                           std::optional<llvm::ArrayRef<int64_t>> axes, bool keep,
                                           const Shape &shape, llvm::StringRef what = "data") {
  llvm::SmallVector<bool> reduced(shape.rank(), !axes);
  if (axes) {
    auto normal = normalAxes(scope, *axes, shape, what);
    if (mlir::failed(normal))
      return mlir::failure();
    for (int64_t axis : *normal)
      reduced[axis] = true;
  }
  Shape left{size_t(0)};
  for (size_t i = 0; i < shape.rank(); ++i)
    if (!reduced[i])
      left.push_back(shape[i]);
    else if (keep)
      left.push_back(scope.dim(1));
  return left;
}

/// The shape without its axes of one element: the listed ones, or all. Nothing while it is
/// not known which axes they are; an error where a listed one has more elements.
inline mlir::FailureOr<std::optional<Shape>> squeezed(ShapeScope &scope,
                                                      std::optional<llvm::ArrayRef<int64_t>> axes,
                                                      const Shape &shape,
                                                      llvm::StringRef what = "data") {
  if (!shape.isRanked())
    return std::optional<Shape>();
  llvm::SmallVector<bool> removed(shape.rank());
  if (axes) {
    auto places = normalAxes(scope, *axes, shape, what);
    if (mlir::failed(places))
      return mlir::failure();
    for (int64_t place : *places) {
      if (shape[place].isKnown() && !shape[place].isStatic(1))
        return scope.error() << what << " has shape " << shape.str() << " with the extent "
                             << shape[place].str() << " along axis " << place << ", needs 1";
      removed[place] = true;
    }
  } else {
    for (size_t i = 0; i < shape.rank(); ++i) {
      if (!shape[i].isKnown())
        return std::optional<Shape>();
      removed[i] = shape[i].isStatic(1);
      if (!removed[i] &&
          failed(scope.need(differsFrom(shape[i], 1), [&](llvm::raw_ostream &message) {
            message << what << " has shape " << shape.str() << ", whose extent " << shape[i].str()
                    << " is left out where it is 1, which no size chosen at run time can be";
          })))
        return mlir::failure();
    }
  }
  Shape left{size_t(0)};
  for (size_t i = 0; i < shape.rank(); ++i)
    if (!removed[i])
      left.push_back(shape[i]);
  return std::optional<Shape>(left);
}

/// For each of `rank` axes whether the list names it, or with `exclude` whether it does not;
/// all of them without a list or with an empty one.
inline llvm::SmallVector<bool> maskOfAxes(std::optional<llvm::ArrayRef<int64_t>> axes, int64_t rank,
                                          bool exclude = false) {
  if (!axes || axes->empty())
    return llvm::SmallVector<bool>(rank, true);
  llvm::SmallVector<bool> mask(rank, exclude);
  for (int64_t axis : *axes)
    mask[axis < 0 ? axis + rank : axis] = !exclude;
  return mask;
}

inline llvm::SmallVector<bool> maskOfAxis(int64_t axis, int64_t rank) {
  return maskOfAxes(llvm::ArrayRef<int64_t>(axis), rank);
}

/// The axes from `first` on.
inline llvm::SmallVector<bool> maskFrom(int64_t first, int64_t rank) {
  llvm::SmallVector<bool> mask(rank, false);
  std::fill(mask.begin() + first, mask.end(), true);
  return mask;
}

/// The rank of a value whose shape is known.
inline int64_t rankOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getRank();
}

} // namespace symc::sg

#endif // SYMC_IR_AXES_H
