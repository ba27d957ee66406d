// ReduceGradient.cpp: gradients of reductions. Each element gets the gradient of its row's
// result, times what the operator's formula says of it.
#include "ir/Axes.h"
#include "ir/Gradient.h"
#include "ir/ops/Reduce.h"

using namespace mlir;
using namespace symc::sg;

// How many elements each result is of.
static double rowsOf(Value data, ArrayRef<bool> reduced) {
  Shape shape = shapeOf(data.getType());
  double count = 1;
  for (auto [axis, isReduced] : llvm::enumerate(reduced))
    if (isReduced)
      count *= double(shape[axis].get());
  return count;
}

// MXNet: every element that equals the maximum gets all of its gradient.
LogicalResult ReduceOp::buildGradient(GradientScope &scope) {
  Value data = getData();
  Type type = data.getType();
  symc::CoreBuilder &core = scope.core;
  SmallVector<bool> reduced = getReducedAxes();
  Value slope = scope.spread(scope.of(), reduced, type);
  auto result = [&] { return scope.spread(getOutput(), reduced, type); };
  auto isNumber = [&] { return core.binary("equal", data, data); };
  StringRef kind = getKind();
  if (kind == "mean")
    slope = core.scalar("div", slope, rowsOf(data, reduced));
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
  Value slope =
      core.cast(scope.spread(scope.of(), reduced,
                             core.withElement(data, elementTypeOf(getOutput().getType()))),
                element);
  if (getOrd() == 1) {
    scope.give(0, core.binary("mul", slope, core.unary("sign", data)));
    return success();
  }
  Value norm = scope.spread(core.cast(getOutput(), element), reduced, type);
  scope.give(0, core.binary("mul", slope, core.binary("div", data, norm)));
  return success();
}

LogicalResult MomentsOp::buildGradient(GradientScope &scope) {
  Value data = getData();
  Type type = data.getType();
  symc::CoreBuilder &core = scope.core;
  SmallVector<bool> reduced = getReducedAxes();
  double count = rowsOf(data, reduced);
  Value slope = core.scalar("div", scope.spread(scope.of(0), reduced, type), count);
  if (scope.arrives(1)) {
    Value centred = core.binary("sub", data, scope.spread(getOutput0(), reduced, type));
    Value share = core.scalar("mul", centred, 2 / count);
    slope = core.binary("add", slope,
                        core.binary("mul", share, scope.spread(scope.of(1), reduced, type)));
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
