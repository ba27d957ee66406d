// ImageGradient.cpp: gradients of operators on pictures.
#include "ir/Gradient.h"
#include "ir/ops/Image.h"

using namespace mlir;
using namespace symc::sg;

LogicalResult ImageNormalizeOp::buildGradient(GradientScope &scope) {
  symc::CoreBuilder &core = scope.core;
  SmallVector<double> ones(getStd().size(), 0);
  scope.give(0, core.make("image_normalize", scope.of(), getData().getType(),
                          {core.b.getNamedAttr("mean", core.b.getDenseF64ArrayAttr(ones)),
                           core.b.getNamedAttr("std", core.b.getDenseF64ArrayAttr(getStd()))}));
  return success();
}

LogicalResult ImageCropOp::buildGradient(GradientScope &scope) {
  Shape whole = shapeOf(getData().getType());
  size_t row = whole.rank() - 3;
  SmallVector<int64_t> begin(row, kNoneElement), end(row, kNoneElement);
  begin.append({int64_t(getY()), int64_t(getX())});
  end.append({int64_t(getY() + getHeight()), int64_t(getX() + getWidth())});
  scope.give(0, scope.putIn(0, scope.of(), begin, end));
  return success();
}

// MXNet copies the gradient, element by element in their order, whatever places they have.
static LogicalResult copyGradient(GradientScope &scope) {
  scope.give(0, scope.of());
  return success();
}

LogicalResult ImageFlipOp::buildGradient(GradientScope &scope) { return copyGradient(scope); }

LogicalResult ImageRandomFlipOp::buildGradient(GradientScope &scope) { return copyGradient(scope); }

// Nor does MXNet multiply by what a colour was multiplied by.
LogicalResult ImageAdjustLightingOp::buildGradient(GradientScope &scope) {
  return copyGradient(scope);
}

LogicalResult ImageRandomAdjustOp::buildGradient(GradientScope &scope) {
  return copyGradient(scope);
}

LogicalResult ImageRandomLightingOp::buildGradient(GradientScope &scope) {
  return copyGradient(scope);
}

LogicalResult ImageRandomJitterOp::buildGradient(GradientScope &scope) {
  return copyGradient(scope);
}

// The order of elements again.
LogicalResult ImageToTensorOp::buildGradient(GradientScope &scope) {
  symc::CoreBuilder &core = scope.core;
  Value slope = core.reshape(scope.of(), shapeOf(getData().getType()));
  if (scope.needs(0))
    scope.give(0, core.cast(slope, elementTypeOf(getData().getType())));
  return success();
}
