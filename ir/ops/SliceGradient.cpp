// SliceGradient.cpp: gradients of operators that cut and join: parts go back to where they were
// cut from, with zeros around them.
#include "ir/Gradient.h"
#include "ir/ops/Slice.h"

using namespace mlir;
using namespace symc::sg;

LogicalResult ConcatOp::buildGradient(GradientScope &scope) {
  int64_t axis = scope.axisOf(getDim(), getOutput()), first = 0;
  for (auto [i, part] : llvm::enumerate(getData())) {
    int64_t extent = scope.extent(shapeOf(part.getType())[axis]);
    if (scope.needs(i))
      scope.give(i, scope.core.slice(scope.of(), axis, first, first + extent));
    first += extent;
  }
  return success();
}

// Parts that no gradient reaches are zeros.
static Value joinParts(GradientScope &scope, Operation *op, int64_t axis, bool squeezed) {
  symc::CoreBuilder &core = scope.core;
  Shape data = shapeOf(op->getOperand(0).getType());
  axis = axis < 0 ? axis + data.rank() : axis;
  SmallVector<Value> parts;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    Value part = scope.of(i);
    if (squeezed) {
      Shape one = data;
      one[axis] = core.dim(1);
      part = core.reshape(part, one);
    }
    parts.push_back(part);
  }
  return core.concat(parts, axis);
}

LogicalResult SliceChannelOp::buildGradient(GradientScope &scope) {
  scope.give(0, joinParts(scope, getOperation(), getAxis(), getSqueezeAxis()));
  return success();
}

LogicalResult SplitV2Op::buildGradient(GradientScope &scope) {
  scope.give(0, joinParts(scope, getOperation(), getAxis(), getSqueezeAxis()));
  return success();
}

LogicalResult SliceOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.putIn(0, scope.of(), getBegin(), getEnd(), getStep()));
  return success();
}

LogicalResult SliceAxisOp::buildGradient(GradientScope &scope) {
  int64_t axis = scope.axisOf(getAxis(), getData());
  scope.give(0, scope.putAlong(0, scope.of(), axis, getBegin(),
                               getEnd() ? int64_t(*getEnd()) : kNoneElement));
  return success();
}

LogicalResult SliceLikeOp::buildGradient(GradientScope &scope) {
  Shape data = shapeOf(getData().getType()), part = shapeOf(getOutput().getType());
  SmallVector<int64_t> begin(data.rank(), 0), end;
  for (Dim extent : part.list())
    end.push_back(scope.extent(extent));
  if (scope.needs(0))
    scope.give(0, part.list() == data.list() ? scope.of() : scope.putIn(0, scope.of(), begin, end));
  return success();
}

LogicalResult SliceAssignOp::buildGradient(GradientScope &scope) {
  symc::CoreBuilder &core = scope.core;
  SmallVector<NamedAttribute> places{core.numbers("begin", getBegin()),
                                     core.numbers("end", getEnd()),
                                     core.numbers("step", getStep())};
  if (scope.needs(1))
    scope.give(1, core.make("slice", scope.of(), getRhs().getType(), places));
  if (scope.needs(0))
    scope.give(0, core.make("slice_assign_scalar", scope.of(), getLhs().getType(), places));
  return success();
}

LogicalResult SliceAssignScalarOp::buildGradient(GradientScope &scope) {
  symc::CoreBuilder &core = scope.core;
  scope.give(0, core.make("slice_assign_scalar", scope.of(), getData().getType(),
                          {core.numbers("begin", getBegin()), core.numbers("end", getEnd()),
                           core.numbers("step", getStep())}));
  return success();
}
