// Reduce.cpp: shapes and types of reductions; the numbered constraints are
// those of Reduce.td.
#include "ir/ops/Reduce.h"
#include "ir/Axes.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Reduce.cpp.inc"

void symc::sg::registerReduceOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Reduce.cpp.inc"
      >();
}

// Data's shape with the axes marked in `reduced` left out or made 1; [1] for nothing.
static Shape reducedShape(ShapeScope &scope, ArrayRef<bool> reduced, bool keep) {
  const Shape &data = scope.input(0);
  Shape output{size_t(0)};
  for (size_t i = 0; i < data.rank(); ++i)
    if (!reduced[i])
      output.push_back(data[i]);
    else if (keep)
      output.push_back(scope.dim(1));
  if (output.rank() == 0)
    output.push_back(scope.dim(1));
  return output;
}

// The mask of reduced axes: those named, all where none is.
static FailureOr<SmallVector<bool>>
reducedMask(ShapeScope &scope, std::optional<ArrayRef<int64_t>> axes, bool exclude = false) {
  const Shape &data = scope.input(0);
  if (!axes || axes->empty())
    return SmallVector<bool>(data.rank(), true);
  auto normal = normalAxes(scope, *axes, data);
  if (failed(normal))
    return failure();
  SmallVector<bool> mask(data.rank(), exclude);
  for (int64_t axis : *normal)
    mask[axis] = !exclude;
  return mask;
}

LogicalResult ReduceOp::inferShape(ShapeScope &scope) {
  if (!scope.input(0).isRanked())
    return success();
  auto mask = reducedMask(scope, getAxis(), getExclude()); // C1
  if (failed(mask))
    return failure();
  return scope.refineOutput(0, reducedShape(scope, *mask, getKeepdims())); // C2
}

LogicalResult NormOp::inferShape(ShapeScope &scope) {
  if (!scope.input(0).isRanked())
    return success();
  auto mask = reducedMask(scope, getAxis()); // C1
  if (failed(mask))
    return failure();
  return scope.refineOutput(0, reducedShape(scope, *mask, getKeepdims())); // C2
}

LogicalResult NormOp::inferType(TypeScope &scope) {
  if (std::optional<StringRef> dtype = getOutDtype())
    return scope.refineOutput(0, typeFromName(*dtype, scope.context()));
  return inferSameType(scope);
}

LogicalResult MomentsOp::inferShape(ShapeScope &scope) {
  if (!scope.input(0).isRanked())
    return success();
  auto mask = reducedMask(scope, getAxes()); // C1
  if (failed(mask))
    return failure();
  Shape output = reducedShape(scope, *mask, getKeepdims());
  if (failed(scope.refineOutput(0, output))) // C2
    return failure();
  return scope.refineOutput(1, output);
}

LogicalResult ArgReduceOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  SmallVector<bool> mask(data.rank(), !getAxis());
  if (getAxis()) {
    FailureOr<int64_t> axis = normalAxis(scope, *getAxis(), data); // C1
    if (failed(axis))
      return failure();
    mask[*axis] = true;
  }
  return scope.refineOutput(0, reducedShape(scope, mask, getKeepdims())); // C2
}

LogicalResult ArgReduceOp::inferType(TypeScope &scope) {
  if (failed(inferSameType(scope)))
    return failure();
  auto type = dyn_cast_or_null<IntegerType>(scope.input(0));
  Shape data = shapeOf(getData().getType());
  if (!type || type.getWidth() < 32 || !data.isFullyKnown())
    return success();
  CheckedSize count = 1;
  for (auto [extent, isReduced] : llvm::zip(data.list(), getReducedAxes()))
    if (isReduced)
      count *= extent.valueAt(largestSizes(getOperation()));
  bool isUnsigned = type.isUnsigned();
  int64_t most = type.getWidth() == 64 ? INT64_MAX : isUnsigned ? UINT32_MAX : INT32_MAX;
  if (count == 0 || !(count - 1 > most))
    return success();
  return scope.error() << "data is " << typeName(type) << ", which counts to " << most // C3
                       << ", but there are " << count.get() << " elements to choose from";
}

LogicalResult CumsumOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (getAxis()) {
    if (failed(scope.refineAllSame())) // C2
      return failure();
    if (!data.isRanked())
      return success();
    return LogicalResult(normalAxis(scope, *getAxis(), data, "a")); // C1
  }
  if (!data.isRanked())
    return success();
  return scope.refineOutput(0, Shape({data.product(0, data.rank(), scope.context())})); // C2
}

LogicalResult CumsumOp::inferType(TypeScope &scope) {
  if (std::optional<StringRef> dtype = getDtype())
    return scope.refineOutput(0, typeFromName(*dtype, scope.context()));
  return inferSameType(scope);
}

//===----------------------------------------------------------------------===//
// Reduced axes, rows of a batch
//===----------------------------------------------------------------------===//

SmallVector<bool> ReduceOp::getReducedAxes() {
  return maskOfAxes(getAxis(), rankOf(getData()), getExclude());
}

SmallVector<bool> NormOp::getReducedAxes() { return maskOfAxes(getAxis(), rankOf(getData())); }

SmallVector<bool> MomentsOp::getReducedAxes() { return maskOfAxes(getAxes(), rankOf(getData())); }

SmallVector<bool> ArgReduceOp::getReducedAxes() {
  int64_t rank = rankOf(getData());
  return getAxis() ? maskOfAxis(*getAxis(), rank) : maskFrom(0, rank);
}

int64_t ReduceOp::getRowAxis(RowScope &rows) {
  return rows.reduced(getReducedAxes(), getKeepdims());
}

int64_t NormOp::getRowAxis(RowScope &rows) { return rows.reduced(getReducedAxes(), getKeepdims()); }

int64_t MomentsOp::getRowAxis(RowScope &rows) {
  return rows.reduced(getReducedAxes(), getKeepdims());
}

int64_t ArgReduceOp::getRowAxis(RowScope &rows) {
  if (rows.alongOptional(getAxis()) == kNoRows)
    return kNoRows;
  return getKeepdims() ? rows.axis() : rows.without(*getAxis());
}
