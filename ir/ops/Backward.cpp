// Backward.cpp: shapes, types and scalar bodies of the operators that gradients are made of; the
// numbered constraints are those of Backward.td.
#include "ir/ops/Backward.h"
#include "ir/Axes.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Backward.cpp.inc"

void symc::sg::registerBackwardOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Backward.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// slope
//===----------------------------------------------------------------------===//

LogicalResult SlopeOp::inferShape(ShapeScope &scope) {
  const Shape &gradient = scope.input(scope.numInputs() - 1);
  if (failed(scope.refineOutput(0, gradient))) // C1
    return failure();
  for (size_t i = 0; gradient.isRanked() && i + 1 < scope.numInputs(); ++i) {
    const Shape &operand = scope.input(i);
    if (!operand.isRanked())
      continue;
    bool fits = operand.rank() <= gradient.rank();
    for (size_t axis = 0; fits && axis < operand.rank(); ++axis) {
      Dim own = operand[axis], wide = gradient[gradient.rank() - operand.rank() + axis];
      fits = !own.isKnown() || !wide.isKnown() || own == wide || own.isStatic(1);
    }
    if (!fits)
      return scope.error() << "operand " << i << " has shape " << operand.str() // C2
                           << ", which does not repeat to the gradient's, " << gradient.str();
  }
  return success();
}

Scalar SlopeOp::buildScalar(ScalarBuilder &builder, ArrayRef<Scalar> operands) {
  const ScalarFn *function = lookupScalarFn(getFn());
  SmallVector<Scalar> args(function->operands);
  SmallVector<bool> isOperand(function->operands, false);
  for (auto [i, place] : llvm::enumerate(getPlaces())) {
    args[place] = operands[i];
    isOperand[place] = true;
  }
  for (size_t i = 0; i < args.size(); ++i)
    if (!isOperand[i])
      args[i] = builder.number(getNumbers()[i]);
  return builder.apply(ScalarPrimitive::mul,
                       {function->derivatives[getBy()](builder, args), operands.back()});
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

LogicalResult ConvolutionWeightsOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0), &gradient = scope.input(1);
  if (!data.isRanked() || !gradient.isRanked())
    return success();
  size_t rank = getKernel().size() + 2;
  if (data.rank() != rank || gradient.rank() != rank) // C2
    return scope.error() << "data has shape " << data.str() << " and gradient " << gradient.str()
                         << ", needs rank " << rank << " of a window over " << rank - 2 << " axes";
  if (data[0].isKnown() && gradient[0].isKnown() && data[0] != gradient[0]) // C2
    return scope.error() << "data has " << data[0].str() << " items and gradient "
                         << gradient[0].str() << ", needs as many";
  Shape weight({gradient[1], floorDiv(data[1], getNumGroup())});
  for (int64_t extent : getKernel())
    weight.push_back(scope.dim(extent));
  return scope.refineOutput(0, weight); // C1
}

CheckedSize ConvolutionWeightsOp::getReferenceWork(const LargestShapes &shapes) {
  CheckedSize work = shapes.resultCount(0);
  for (auto [axis, extent] : llvm::enumerate(shapes.operands[1]))
    if (axis != 1)
      work *= extent;
  return work;
}

LogicalResult PoolingGradientOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0)))) // C1
    return failure();
  return scope.refineInput(2, scope.input(1)); // C2
}

CheckedSize PoolingGradientOp::getReferenceWork(const LargestShapes &shapes) {
  CheckedSize work = shapes.operandCount(1);
  for (int64_t extent : getKernel())
    work *= extent;
  return getGlobalPool() ? shapes.operandCount(0) : work;
}

//===----------------------------------------------------------------------===//
// scatter_add
//===----------------------------------------------------------------------===//

LogicalResult ScatterAddOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0), &indices = scope.input(1);
  if (!data.isRanked() || !indices.isRanked())
    return success();
  size_t axis = getAxis();
  if (axis + indices.rank() > data.rank())
    return scope.error() << "data has shape " << data.str() << ", needs the extents of indices, "
                         << indices.str() << ", from axis " << axis << " on"; // C2
  Shape output{size_t(0)}, part = data;
  for (size_t i = 0; i < indices.rank(); ++i)
    part[axis + i] = indices[i];
  if (failed(scope.refineInput(0, part))) // C2
    return failure();
  for (size_t i = 0; i < axis; ++i)
    output.push_back(data[i]);
  output.push_back(scope.dim(getExtent()));
  for (size_t i = axis + indices.rank(); i < data.rank(); ++i)
    output.push_back(data[i]);
  return scope.refineOutput(0, output); // C1
}

LogicalResult ScatterAddOp::inferType(TypeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0))))
    return failure();
  return scope.refineInput(0, scope.output(0));
}

//===----------------------------------------------------------------------===//
// norm_sums, norm_gradient
//===----------------------------------------------------------------------===//

// Of slope, data, mean and inverse, normalised along `axes`, which are returned from 0 on; none
// before the data has a rank.
static FailureOr<SmallVector<int64_t>> inferNormOperands(ShapeScope &scope,
                                                         ArrayRef<int64_t> axes) {
  if (failed(scope.refineInput(0, scope.input(1))) || failed(scope.refineInput(1, scope.input(0))))
    return failure();
  const Shape &shape = scope.input(0);
  if (!shape.isRanked())
    return SmallVector<int64_t>();
  for (size_t i : {2, 3}) {
    const Shape &operand = scope.input(i);
    if (!operand.isRanked())
      continue;
    bool fits = operand.rank() == shape.rank();
    for (size_t axis = 0; fits && axis < shape.rank(); ++axis)
      fits = !operand[axis].isKnown() || !shape[axis].isKnown() || operand[axis].isStatic(1) ||
             operand[axis] == shape[axis];
    if (!fits)
      return scope.error() << (i == 2 ? "mean" : "inverse") << " has shape " << operand.str()
                           << ", which does not repeat to the data's, " << shape.str();
  }
  return normalAxes(scope, axes, shape);
}

static SmallVector<bool> maskOf(ArrayRef<int64_t> axes, size_t rank) {
  SmallVector<bool> mask(rank, false);
  for (int64_t axis : axes)
    mask[axis < 0 ? axis + int64_t(rank) : axis] = true;
  return mask;
}

LogicalResult NormSumsOp::inferShape(ShapeScope &scope) {
  auto axes = inferNormOperands(scope, getAxes()); // C1, C2, C3
  if (failed(axes))
    return failure();
  Shape shape = scope.input(0);
  if (!shape.isRanked())
    return success();
  for (int64_t axis : *axes)
    shape[axis] = scope.dim(1);
  if (failed(scope.refineOutput(0, shape))) // C4
    return failure();
  return scope.refineOutput(1, shape);
}

SmallVector<bool> NormSumsOp::getReducedAxes() { return maskOf(getAxes(), rankOf(getData())); }

LogicalResult NormGradientOp::inferShape(ShapeScope &scope) {
  if (failed(inferNormOperands(scope, getAxes()))) // C1, C2, C3
    return failure();
  return scope.refineOutput(0, scope.input(0)); // C4
}

SmallVector<bool> NormGradientOp::getReducedAxes() { return maskOf(getAxes(), rankOf(getData())); }

//===----------------------------------------------------------------------===//
// over_ranks
//===----------------------------------------------------------------------===//

LogicalResult OverRanksOp::inferShape(ShapeScope &scope) {
  return scope.refineAllSame(); // C1
}

//===----------------------------------------------------------------------===//
// by_mode
//===----------------------------------------------------------------------===//

LogicalResult ByModeOp::inferShape(ShapeScope &scope) {
  return scope.refineAllSame(); // C1
}

//===----------------------------------------------------------------------===//
// backward
//===----------------------------------------------------------------------===//

LogicalResult BackwardOp::verify() {
  uint64_t fixed = getOperandCount() + getResultCount();
  if (fixed + getArriving().size() != getValues().size() || !getResultCount())
    return emitOpError("has ") << getValues().size() << " values, needs " << getOperandCount()
                               << " operands, " << getResultCount() << " results and "
                               << getArriving().size() << " gradients";
  for (int64_t place : getArriving())
    if (place < 0 || uint64_t(place) >= getResultCount()) // C2
      return emitOpError("has a gradient of result ")
             << place << " of a node with " << getResultCount();
  if (getGradients().size() != getOperandCount()) // C1
    return emitOpError("has ") << getGradients().size() << " gradients of " << getOperandCount()
                               << " operands";
  return success();
}

// Of shapes or types: an operand has its gradient's, a result that of the one that arrives.
template <class Scope> static LogicalResult inferBackward(BackwardOp op, Scope &scope) {
  size_t operands = op.getOperandCount(), results = op.getResultCount();
  for (size_t i = 0; i < operands; ++i)
    if (failed(scope.refineOutput(i, scope.input(i))) || // C1
        failed(scope.refineInput(i, scope.output(i))))
      return failure();
  for (auto [i, place] : llvm::enumerate(op.getArriving())) {
    size_t arrived = operands + results + i;
    if (failed(scope.refineInput(arrived, scope.input(operands + place))) || // C2
        failed(scope.refineInput(operands + place, scope.input(arrived))))
      return failure();
  }
  return success();
}

LogicalResult BackwardOp::inferShape(ShapeScope &scope) { return inferBackward(*this, scope); }
LogicalResult BackwardOp::inferType(TypeScope &scope) { return inferBackward(*this, scope); }
