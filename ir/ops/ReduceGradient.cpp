// ReduceGradient.cpp: gradients of reductions. Each element gets the gradient of its row's
// result, times its factor in the operator's formula.
#include "ir/Axes.h"
#include "ir/Gradient.h"
#include "ir/ops/Reduce.h"

using namespace mlir;
using namespace symc::sg;

static SmallVector<int64_t> axesOf(ArrayRef<bool> reduced) {
  SmallVector<int64_t> axes;
  for (auto [axis, isReduced] : llvm::enumerate(reduced))
    if (isReduced)
      axes.push_back(axis);
  return axes;
}

// MXNet: every element that equals the maximum gets all of its gradient.
LogicalResult ReduceOp::buildGradient(GradientScope &scope) {
  Value data = getData();
  Type type = data.getType();
  symc::CoreBuilder &core = scope.core;
  SmallVector<bool> reduced = getReducedAxes();
  Value slope = scope.spread(scope.of(), reduced, data);
  auto result = [&] { return scope.spread(getOutput(), reduced, data); };
  auto isNumber = [&] { return core.binary("equal", data, data); };
  StringRef kind = getKind();
  if (kind == "mean")
    slope = core.overCount(slope, data, axesOf(reduced));
  else if (kind == "max" || kind == "min")
    slope = core.binary("mul", slope, core.binary("equal", data, result()));
  else if (kind == "prod")
    slope = core.binary("mul", slope, core.binary("div", result(), data));
  else if (kind == "nansum")
    slope = core.where(isNumber(), slope, core.fillLike(slope, 0));
  else if (kind == "nanprod")
    slope = core.where(isNumber(), core.binary("mul", slope, core.binary("div", result(), data)),
                       core.fillLike(slope, 0));
  scope.give(0, slope);
  return success();
}

LogicalResult NormOp::buildGradient(GradientScope &scope) {
  Value data = getData();
  Type type = data.getType(), element = elementTypeOf(type);
  symc::CoreBuilder &core = scope.core;
  SmallVector<bool> reduced = getReducedAxes();
  Value slope = core.cast(scope.spread(scope.of(), reduced, data), element);
  if (getOrd() == 1) {
    scope.give(0, core.binary("mul", slope, core.unary("sign", data)));
    return success();
  }
  Value norm = scope.spread(core.cast(getOutput(), element), reduced, data);
  scope.give(0, core.binary("mul", slope, core.binary("div", data, norm)));
  return success();
}

LogicalResult MomentsOp::buildGradient(GradientScope &scope) {
  Value data = getData();
  Type type = data.getType();
  symc::CoreBuilder &core = scope.core;
  SmallVector<bool> reduced = getReducedAxes();
  SmallVector<int64_t> axes = axesOf(reduced);
  Value slope = core.overCount(scope.spread(scope.of(0), reduced, data), data, axes);
  if (scope.arrives(1)) {
    Value centred = core.binary("sub", data, scope.spread(getOutput0(), reduced, data));
    Value share = core.overCount(core.scalar("mul", centred, 2), data, axes);
    slope = core.binary("add", slope,
                        core.binary("mul", share, scope.spread(scope.of(1), reduced, data)));
  }
  scope.give(0, slope);
  return success();
}

// The sums of what stands behind: running sums from the end.
LogicalResult CumsumOp::buildGradient(GradientScope &scope) {
  symc::CoreBuilder &core = scope.core;
  Value slope = core.cast(scope.of(), elementTypeOf(getA().getType()));
  int64_t axis = getAxis() ? scope.axisOf(*getAxis(), slope) : 0;
  Value sums =
      core.make("cumsum", core.reverse(slope, {axis}), slope.getType(), core.number("axis", axis));
  scope.give(0, core.reshapeTo(core.reverse(sums, {axis}), getA().getType()));
  return success();
}
