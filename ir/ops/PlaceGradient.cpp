// PlaceGradient.cpp: gradients of operators on places.
#include "ir/Gradient.h"
#include "ir/ops/Place.h"

using namespace mlir;
using namespace symc::sg;

LogicalResult IndexCopyOp::buildGradient(GradientScope &scope) {
  symc::CoreBuilder &core = scope.core;
  if (scope.needs(0))
    scope.give(0, core.make("index_copy",
                            {scope.of(), getIndexVector(), scope.core.zerosLike(getNewTensor())},
                            getOldTensor().getType()));
  if (scope.needs(2))
    scope.give(2, core.make("take", {scope.of(), getIndexVector()}, getNewTensor().getType(),
                            {core.number("axis", 0), core.text("mode", "clip")}));
  return success();
}
