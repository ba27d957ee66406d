// LossGradient.cpp: gradients of loss heads, at which backward computation begins: MXNet's
// formulas, which do not look at the gradient of their results.
#include "ir/Gradient.h"
#include "ir/ops/Loss.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

bool RegressionOutputOp::isLoss() { return true; }
bool SVMOutputOp::isLoss() { return true; }
bool MakeLossOp::isLoss() { return true; }
bool LossOp::isLoss() { return true; }

LogicalResult RegressionOutputOp::buildGradient(GradientScope &scope) {
  if (!scope.needs(0))
    return success();
  CoreBuilder &core = scope.core;
  Shape label = shapeOf(getLabel().getType());
  int64_t outputs = scope.extent(label.product(1, label.rank(), getContext()));
  Value target = core.reshapeTo(core.cast(getLabel(), elementTypeOf(getData().getType())),
                                getData().getType());
  Value off = core.binary("sub", getOutput(), target);
  if (getKind() == "mae")
    off = core.unary("sign", off);
  scope.give(
      0, core.scalar("mul", off, getGradScale().convertToDouble() / double(outputs ? outputs : 1)));
  return success();
}

// With s = 1 at the label and -1 elsewhere, the violation v = margin - s * x counts above 0.
LogicalResult SVMOutputOp::buildGradient(GradientScope &scope) {
  if (!scope.needs(0))
    return success();
  CoreBuilder &core = scope.core;
  Value data = getData();
  Type element = elementTypeOf(data.getType());
  Shape shape = shapeOf(data.getType());
  Value sign = core.oneHot(getLabel(), scope.extent(shape[1]), element, 1, -1);
  Value violation =
      core.scalar("sub", core.binary("mul", sign, data), getMargin().convertToDouble(), true);
  Value counts = core.scalar("greater", violation, 0);
  double weight = -getRegularizationCoefficient().convertToDouble();
  Value slope = core.binary("mul", sign, counts);
  if (!getUseLinear())
    slope = core.binary("mul", core.scalar("mul", violation, 2), slope);
  scope.give(0, core.scalar("mul", slope, weight));
  return success();
}

LogicalResult MakeLossOp::buildGradient(GradientScope &scope) {
  if (!scope.needs(0))
    return success();
  CoreBuilder &core = scope.core;
  Value data = getData();
  Shape shape = shapeOf(data.getType());
  double scale = getGradScale().convertToDouble();
  Value slope = core.fillLike(data, scale);
  // MXNet divides by all extents but the last, which are the batch where a sample has a row.
  if (getNormalization() == "batch" && shape.rank() > 1)
    slope = core.overCount(slope, data, llvm::to_vector(llvm::seq<int64_t>(0, shape.rank() - 1)));
  if (getNormalization() == "valid") {
    SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, shape.rank()));
    Value counts = core.scalar("greater", data, getValidThresh().convertToDouble());
    Value valid = core.scalar("maximum", core.reduce("sum", counts, all, true), 1);
    slope = core.binary("div", slope, core.broadcastLike(valid, data));
  }
  scope.give(0, slope);
  return success();
}

LogicalResult LossOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.core.fillLike(getData(), 1));
  return success();
}

// The penalty pulls the moving mean of each unit to the target.
LogicalResult IdentityAttachKLSparseRegOp::buildGradient(GradientScope &scope) {
  CoreBuilder &core = scope.core;
  Value data = getData(), average = getMovingAvg();
  Shape shape = shapeOf(data.getType());
  double momentum = getMomentum().convertToDouble(),
         target = getSparsenessTarget().convertToDouble();
  SmallVector<int64_t> others;
  for (int64_t axis = 0; axis < int64_t(shape.rank()); ++axis)
    if (axis != 1)
      others.push_back(axis);
  Value mean = core.reshapeTo(core.reduce("mean", data, others, true), average.getType());
  Value moved = core.binary("add", core.scalar("mul", average, momentum),
                            core.scalar("mul", mean, 1 - momentum));
  scope.update(1, moved);
  if (!scope.needs(0))
    return success();
  Shape aligned(shape.rank());
  for (size_t axis = 0; axis < shape.rank(); ++axis)
    aligned[axis] = axis == 1 ? shape[1] : core.dim(1);
  Value active = core.broadcastLike(core.reshape(moved, aligned), data);
  Value pull =
      core.binary("sub", core.scalar("div", core.scalar("sub", active, 1, true), 1 - target, true),
                  core.scalar("div", active, target, true));
  scope.give(
      0, core.binary("add", scope.of(), core.scalar("mul", pull, getPenalty().convertToDouble())));
  return success();
}

LogicalResult SoftmaxCrossEntropyOp::buildGradient(GradientScope &scope) {
  if (!scope.needs(0))
    return success();
  CoreBuilder &core = scope.core;
  Value data = getData();
  Type element = elementTypeOf(data.getType());
  Shape shape = shapeOf(data.getType());
  Value chances = core.make("softmax", data, data.getType(), core.number("axis", 1));
  Value wanted = core.oneHot(getLabel(), scope.extent(shape[1]), element);
  Value slope =
      core.broadcastLike(core.reshape(scope.of(), Shape({core.dim(1), core.dim(1)})), data);
  scope.give(0, core.binary("mul", core.binary("sub", chances, wanted), slope));
  return success();
}
