// SequenceGradient.cpp: gradients of operators over sequences of their own lengths.
#include "ir/Gradient.h"
#include "ir/ops/Sequence.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

LogicalResult SequenceMaskOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  if (!getUseSequenceLength())
    scope.give(0, scope.of());
  else if (scope.needs(0))
    scope.give(0,
               core.make("sequence_mask", {scope.of(), getSequenceLength()}, getData().getType(),
                         {core.flag("use_sequence_length", true), core.number("axis", getAxis())}));
  return success();
}

LogicalResult SequenceLastOp::buildGradient(GradientScope &scope) {
  if (!scope.needs(0))
    return success();
  CoreBuilder &core = scope.core;
  Type type = getData().getType();
  Shape shape = shapeOf(type), one = shape;
  int64_t axis = getAxis();
  one[axis] = core.dim(1);
  Value slope = core.reshape(scope.of(), one);
  int64_t steps = scope.extent(shape[axis]);
  if (!getUseSequenceLength()) {
    scope.give(0, scope.putAlong(0, slope, axis, steps - 1, steps));
    return success();
  }
  Value last = core.scalar("sub", getSequenceLength(), 1);
  Value isLast = core.oneHot(last, steps, elementTypeOf(type));
  Shape aligned(shape.rank());
  for (size_t i = 0; i < shape.rank(); ++i)
    aligned[i] = i < 2 ? shape[i] : core.dim(1);
  isLast = core.reshape(axis == 0 ? core.transpose(isLast, {1, 0}) : isLast, aligned);
  scope.give(0, core.binary("mul", core.broadcastLike(isLast, getData()),
                            core.broadcastLike(slope, getData())));
  return success();
}

LogicalResult SequenceReverseOp::buildGradient(GradientScope &scope) {
  if (!scope.needs(0))
    return success();
  SmallVector<Value> operands{scope.of()};
  if (getUseSequenceLength())
    operands.push_back(getSequenceLength());
  scope.give(0, scope.core.make("sequence_reverse", operands, getData().getType(),
                                scope.core.flag("use_sequence_length", getUseSequenceLength())));
  return success();
}
