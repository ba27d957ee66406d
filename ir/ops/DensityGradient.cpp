// DensityGradient.cpp: gradients of densities by their places and parameters, by MXNet's formulas:
// the slope of the density's logarithm, times the density unless the logarithm is the result.
#include "ir/Gradient.h"
#include "ir/ops/Density.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {
/// Parameters repeated to the places under them, and sums over these places.
class Places {
public:
  template <class Op>
  Places(Op op, GradientScope &scope)
      : scope(scope), core(scope.core), sample(op.getSample()), shape(shapeOf(sample.getType())) {
    slope = scope.of();
    if (!op.getIsLog())
      slope = core.binary("mul", slope, op.getOutput());
  }

  Value operator()(StringRef fn, Value x, Value y) { return core.binary(fn, x, y); }
  Value operator()(StringRef fn, Value x) { return core.unary(fn, x); }
  Value number(StringRef fn, Value x, double value, bool reverse = false) {
    return core.scalar(fn, x, value, reverse);
  }
  Value digamma(Value x) { return scope.slope("gammaln", 0, {x}, core.fillLike(x, 1)); }
  Value repeated(Value parameter) {
    return core.broadcastLike(core.reshape(parameter, aligned(parameter)), sample);
  }
  void giveSample(Value factor) {
    if (scope.needs(0))
      scope.give(0, core.binary("mul", slope, factor));
  }
  /// slope * factor, summed over the places under each parameter.
  void give(unsigned operand, Value factor) {
    if (!scope.needs(operand))
      return;
    Value parameter = scope.operation()->getOperand(operand);
    Value sum = scope.sumTo(core.binary("mul", slope, factor),
                            core.withShape(parameter, aligned(parameter)));
    scope.give(operand, core.reshapeTo(sum, parameter.getType()));
  }

private:
  Shape aligned(Value parameter) {
    Shape own = shapeOf(parameter.getType());
    while (own.rank() < shape.rank())
      own.push_back(core.dim(1));
    return own;
  }

  GradientScope &scope;
  CoreBuilder &core;
  Value sample;
  Shape shape;
  Value slope;
};
} // namespace

// By l and p, whose logarithm is lgamma(x + l) - lgamma(x + 1) - lgamma(l) + l log p + x log(1 -
// p).
static std::pair<Value, Value> negativeBinomial(Places &at, Value x, Value l, Value p) {
  Value byLimit = at("add", at("sub", at.digamma(at("add", x, l)), at.digamma(l)), at("log", p));
  Value byChance = at("sub", at("div", l, p), at("div", x, at.number("sub", p, 1, true)));
  return {byLimit, byChance};
}

LogicalResult RandomPdfOp::buildGradient(GradientScope &scope) {
  Places at(*this, scope);
  Value x = getSample(), first = at.repeated(getFirst()), second = at.repeated(getSecond());
  StringRef kind = getKind();
  if (kind == "uniform") {
    Value width = at("sub", second, first);
    at.give(1, at.number("div", width, 1, true));
    at.give(2, at.number("div", at("negative", width), 1, true));
    return success(); // not by the place
  }
  if (kind == "normal") {
    Value off = at("sub", x, first), square = at("mul", second, second);
    Value byPlace = at("div", off, square);
    at.giveSample(at("negative", byPlace));
    at.give(1, byPlace);
    at.give(2, at("div", at("sub", at("mul", off, off), square), at("mul", square, second)));
    return success();
  }
  if (kind == "gamma") {
    at.giveSample(at("sub", at("div", at.number("sub", first, 1), x), second));
    at.give(1, at("sub", at("add", at("log", second), at("log", x)), at.digamma(first)));
    at.give(2, at("sub", at("div", first, second), x));
    return success();
  }
  if (kind == "negative_binomial") {
    auto [byLimit, byChance] = negativeBinomial(at, x, first, second);
    at.give(1, byLimit);
    at.give(2, byChance);
    return success();
  }
  // l = 1 / alpha, p = 1 / (mu alpha + 1)
  Value den = at.number("add", at("mul", first, second), 1);
  auto [byLimit, byChance] =
      negativeBinomial(at, x, at.number("div", second, 1, true), at.number("div", den, 1, true));
  Value square = at("mul", den, den);
  at.give(1, at("negative", at("div", at("mul", byChance, second), square)));
  at.give(2, at("negative", at("add", at("div", byLimit, at("mul", second, second)),
                               at("div", at("mul", byChance, first), square))));
  return success();
}

LogicalResult RandomPdfOneOp::buildGradient(GradientScope &scope) {
  Places at(*this, scope);
  Value x = getSample(), rate = at.repeated(getLam());
  if (getKind() == "exponential") {
    at.giveSample(at("negative", rate));
    at.give(1, at("sub", at.number("div", rate, 1, true), x));
  } else { // poisson; not by the place
    at.give(1, at.number("sub", at("div", x, rate), 1));
  }
  return success();
}

// alpha: [P..., K], sample: [P..., S..., K], output: [P..., S...].
LogicalResult RandomPdfDirichletOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Shape places = shapeOf(getSample().getType()), own = shapeOf(getAlpha().getType());
  int64_t last = own.rank() - 1;
  Dim components = own[last];
  Shape each = places, aligned(places.rank());
  each[places.rank() - 1] = core.dim(1);
  for (size_t axis = 0; axis < places.rank(); ++axis)
    aligned[axis] = axis + 1 == places.rank()          ? components
                    : axis < static_cast<size_t>(last) ? own[axis]
                                                       : core.dim(1);
  Value slope = scope.of();
  if (!getIsLog())
    slope = core.binary("mul", slope, getOutput());
  slope = core.broadcastLike(core.reshape(slope, each), getSample());
  auto digamma = [&](Value x) { return scope.slope("gammaln", 0, {x}, core.fillLike(x, 1)); };
  auto repeated = [&](Value x) {
    return core.broadcastLike(core.reshape(x, aligned), getSample());
  };
  if (scope.needs(0)) {
    Value factor = core.binary("div", repeated(core.scalar("sub", getAlpha(), 1)), getSample());
    scope.give(0, core.binary("mul", slope, factor));
  }
  if (scope.needs(1)) {
    Value sums = core.broadcastLike(core.reduce("sum", getAlpha(), {last}, true), getAlpha());
    Value level = core.binary("sub", digamma(sums), digamma(getAlpha()));
    Value factor = core.binary("add", core.unary("log", getSample()), repeated(level));
    Value sum = scope.sumTo(core.binary("mul", slope, factor), core.withShape(getAlpha(), aligned));
    scope.give(1, core.reshapeTo(sum, getAlpha().getType()));
  }
  return success();
}
