// DetectionGradient.cpp: gradients of operators on boxes.
#include "ir/Gradient.h"
#include "ir/ops/Detection.h"

using namespace mlir;
using namespace symc::sg;

LogicalResult BoxNmsOp::buildGradient(GradientScope &scope) {
  scope.give(0, scope.makeLike("box_nms_gradient", {getData(), scope.of()}, getData().getType()));
  return success();
}
