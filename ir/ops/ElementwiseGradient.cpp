// ElementwiseGradient.cpp: gradients of elementwise operators. Those of scalar functions are
// sg.slope of the derivatives in ir/ScalarFunctions.td; operands that repeat get sums.
#include "ir/Axes.h"
#include "ir/Gradient.h"
#include "ir/ops/Elementwise.h"

using namespace mlir;
using namespace symc::sg;

LogicalResult UnaryOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.slope(getFn(), 0, {getData()}, scope.of()));
  return success();
}

LogicalResult BinaryOp::buildGradient(GradientScope &scope) {
  for (unsigned i : {0, 1})
    if (scope.needs(i))
      if (Value slope = scope.slope(getFn(), i, {getLhs(), getRhs()}, scope.of()))
        scope.give(i, scope.sumTo(slope, getOperand(i).getType()));
  return success();
}

LogicalResult ScalarOp::buildGradient(GradientScope &scope) {
  double number = getScalar().convertToDouble();
  if (getReverse())
    scope.give(0, scope.slope(getFn(), 1, {number, getData()}, scope.of()));
  else
    scope.give(0, scope.slope(getFn(), 0, {getData(), number}, scope.of()));
  return success();
}

LogicalResult LeakyReLUOp::buildGradient(GradientScope &scope) {
  StringRef type = getActType();
  double slope = getSlope().convertToDouble();
  if (type == "rrelu")
    slope = (getLowerBound().convertToDouble() + getUpperBound().convertToDouble()) / 2;
  if (type == "prelu") {
    // gamma runs along the channels.
    Shape shape = shapeOf(getData().getType()), aligned(shape.rank());
    for (size_t axis = 0; axis < shape.rank(); ++axis)
      aligned[axis] = scope.core.dim(1);
    aligned[shape.rank() > 1 ? 1 : 0] = shapeOf(getGamma().getType())[0];
    Value gamma = scope.core.reshape(getGamma(), aligned);
    scope.give(0, scope.slope("leaky", 0, {getData(), gamma}, scope.of()));
    if (scope.needs(1)) {
      Value each = scope.slope("leaky", 1, {getData(), gamma}, scope.of());
      scope.give(1, scope.core.reshapeTo(scope.sumTo(each, gamma.getType()), getGamma().getType()));
    }
    return success();
  }
  if (type == "selu") {
    // Below 0 MXNet has scale * (alpha + y) of the result y, which is not the derivative.
    constexpr double kScale = 1.0507009873554805, kAlpha = 1.6732632423543772;
    CoreBuilder &core = scope.core;
    Value result = getResult(0);
    Value below = core.scalar("mul", core.scalar("add", result, kAlpha), kScale);
    Value slopes =
        core.where(core.scalar("greater", result, 0), core.fillLike(result, kScale), below);
    scope.give(0, core.binary("mul", scope.of(), slopes));
    return success();
  }
  if (type == "gelu")
    scope.give(0, scope.slope(type, 0, {getData()}, scope.of()));
  else
    scope.give(0, scope.slope(type == "elu" ? "elu" : "leaky", 0, {getData(), slope}, scope.of()));
  return success();
}

LogicalResult ClipOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.slope("clip", 0,
                            {getData(), getAMin().convertToDouble(), getAMax().convertToDouble()},
                            scope.of()));
  return success();
}

LogicalResult HardSigmoidOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.slope("hard_sigmoid", 0,
                            {getData(), getAlpha().convertToDouble(), getBeta().convertToDouble()},
                            scope.of()));
  return success();
}

LogicalResult SmoothL1Op::buildGradient(GradientScope &scope) {
  scope.give(0,
             scope.slope("smooth_l1", 0, {getData(), getScalar().convertToDouble()}, scope.of()));
  return success();
}

LogicalResult QuadraticOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.slope("quadratic", 0,
                            {getData(), getA().convertToDouble(), getB().convertToDouble(),
                             getC().convertToDouble()},
                            scope.of()));
  return success();
}

LogicalResult AddNOp::buildGradient(GradientScope &scope) {
  for (unsigned i = 0; i < getNumOperands(); ++i)
    scope.give(i, scope.of());
  return success();
}

LogicalResult CastOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.core.cast(scope.of(), elementTypeOf(getData().getType())));
  return success();
}

LogicalResult CopyOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.of());
  return success();
}

LogicalResult GradientMultiplierOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.core.scalar("mul", scope.of(), getScalar().convertToDouble()));
  return success();
}

LogicalResult CopyLikeOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.of());
  return success();
}

LogicalResult WhereOp::buildGradient(GradientScope &scope) {
  Value zeros = scope.core.fillLike(scope.of(), 0);
  if (scope.needs(1))
    scope.give(1, scope.core.where(getCondition(), scope.of(), zeros));
  if (scope.needs(2))
    scope.give(2, scope.core.where(getCondition(), zeros, scope.of()));
  return success();
}
