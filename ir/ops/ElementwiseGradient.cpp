// ElementwiseGradient.cpp: gradients of elementwise operators. Those of scalar functions are
// sg.slope of the derivatives in ir/ScalarFunctions.td; operands that repeat get sums.
#include "ir/ops/ElementwiseGradient.h"
#include "ir/Axes.h"
#include "ir/Gradient.h"
#include "ir/ops/Backward.h"

using namespace mlir;
using namespace symc::sg;

// The derivative as a function of the result, as MXNet has it; null for other functions. Who reads
// the result alone lets the data go, and functions are not computed twice.
static Value slopeByResult(StringRef fn, Value result, Value gradient, GradientScope &scope) {
  symc::CoreBuilder &core = scope.core;
  if (fn == "relu") // above 0 where the data is
    return scope.slope(fn, 0, {result}, gradient);
  Value slope;
  if (fn == "sigmoid")
    slope = core.binary("mul", result, core.scalar("sub", result, 1, /*reverse=*/true));
  else if (fn == "tanh")
    slope = core.scalar("sub", core.unary("square", result), 1, /*reverse=*/true);
  else if (fn == "exp")
    slope = result;
  else if (fn == "sqrt")
    slope = core.scalar("div", result, 0.5, /*reverse=*/true);
  return slope ? core.binary("mul", slope, gradient) : Value();
}

// Of a result that only a max pooling reads: what gets a gradient has the value that the pooling
// took, so that the slope is one of the pooled values, which are fewer, and the image need not be
// kept.
static Value slopeOfPooled(UnaryOp op, GradientScope &scope) {
  auto pooled = scope.of().getDefiningOp<PoolingGradientOp>();
  if (!pooled || pooled.getPoolType() != "max" || pooled.getData() != op.getOutput())
    return {};
  Value slope = slopeByResult(op.getFn(), pooled.getResult(), pooled.getGradient(), scope);
  if (!slope)
    return {};
  auto own = cast<PoolingGradientOp>(scope.core.b.clone(*pooled));
  own.getGradientMutable().assign(slope);
  return own.getOutput();
}

LogicalResult UnaryOp::buildGradient(GradientScope &scope) {
  Value own = slopeOfPooled(*this, scope);
  if (!own)
    own = slopeByResult(getFn(), getOutput(), scope.of(), scope);
  scope.give(0, own ? own : scope.slope(getFn(), 0, {getData()}, scope.of()));
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

Value symc::sg::drawSlopes(LeakyReLUOp op, CoreBuilder &core) {
  return core.make("random_like", op.getData(), op.getData().getType(),
                   {core.text("kind", "uniform"),
                    core.real("low", op.getLowerBound().convertToDouble()),
                    core.real("high", op.getUpperBound().convertToDouble())});
}

LogicalResult LeakyReLUOp::buildGradient(GradientScope &scope) {
  StringRef type = getActType();
  double slope = getSlope().convertToDouble();
  // MXNet looks at the result's sign, which a slope below 0 makes positive.
  auto byResult = [&](Value above, Value below) {
    Value isPositive = scope.core.scalar("greater", getOutputs()[0], 0);
    return scope.core.where(isPositive, above, below);
  };
  if (type == "rrelu") {
    CoreBuilder core(scope.core.b, getLoc()); // of the node's name, so that it draws the same
    scope.give(0, byResult(scope.of(), core.binary("mul", scope.of(), drawSlopes(*this, core))));
    return success();
  }
  if (type == "prelu") {
    Value gamma = scope.core.reshape(getGamma(), alignedGamma());
    scope.give(0, scope.slope("leaky", 0, {getData(), gamma}, scope.of()));
    if (scope.needs(1)) {
      Value each = scope.slope("leaky", 1, {getData(), gamma}, scope.of());
      scope.give(1, scope.core.reshapeTo(scope.sumTo(each, gamma.getType()), getGamma().getType()));
    }
    return success();
  }
  if (type == "gelu") {
    scope.give(0, scope.slope(type, 0, {getData()}, scope.of()));
    return success();
  }
  if (type == "selu") { // MXNet adds alpha to the result, which has the factor lambda already
    const double alpha = 1.6732632423543772, lambda = 1.0507009873554805;
    Value above = scope.core.scalar("mul", scope.of(), lambda);
    Value below = scope.core.scalar("add", getOutputs()[0], alpha);
    scope.give(0, byResult(above, scope.core.binary("mul", above, below)));
    return success();
  }
  if (type == "leaky" && slope >= 0) { // the result has the data's sign, but where it is 0
    Value from = slope > 0 ? Value(getOutputs()[0]) : Value(getData());
    scope.give(0, scope.slope(type, 0, {from, slope}, scope.of()));
    return success();
  }
  Value own = scope.slope(type == "elu" ? "elu" : "leaky", 0, {getData(), slope}, scope.of());
  scope.give(0, slope < 0 ? byResult(scope.of(), own) : own);
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
