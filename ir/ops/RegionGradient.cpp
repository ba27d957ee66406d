// RegionGradient.cpp: gradients of pooling over regions. Regions get none.
#include "ir/Gradient.h"
#include "ir/ops/Region.h"

using namespace mlir;
using namespace symc::sg;

LogicalResult ROIAlignOp::buildGradient(GradientScope &scope) {
  if (scope.needs(0))
    scope.give(0, scope.makeLike("roi_align_gradient", {getData(), getRois(), scope.of()},
                                 getData().getType()));
  return success();
}

LogicalResult PSROIPoolingOp::buildGradient(GradientScope &scope) {
  if (scope.needs(0))
    scope.give(0, scope.makeLike("psroi_gradient", {getData(), getRois(), scope.of()},
                                 getData().getType()));
  return success();
}

LogicalResult DeformablePSROIPoolingOp::buildGradient(GradientScope &scope) {
  SmallVector<Value> operands{getData(), getRois(), scope.of()};
  if (getTrans())
    operands.push_back(getTrans());
  for (unsigned i : {0, 2})
    if (i < getNumOperands() && scope.needs(i))
      scope.give(i, scope.makeLike("deformable_psroi_gradient", operands, getOperand(i).getType(),
                                   scope.core.text("of", i ? "trans" : "data")));
  return success();
}
