// PlaceGradient.cpp: gradients of operators on places.
#include "ir/Gradient.h"
#include "ir/ops/Place.h"

using namespace mlir;
using namespace symc::sg;

LogicalResult IndexCopyOp::buildGradient(GradientScope &scope) {
  symc::CoreBuilder &core = scope.core;
  if (scope.needs(0))
    scope.give(0,
               core.make("index_copy",
                         {scope.of(), getIndexVector(), scope.core.zeros(getNewTensor().getType())},
                         getOldTensor().getType()));
  if (scope.needs(2))
    scope.give(2, core.make("take", {scope.of(), getIndexVector()}, getNewTensor().getType(),
                            {core.number("axis", 0), core.text("mode", "clip")}));
  return success();
}

// What was observed, and the states before, get none, as in MXNet.
LogicalResult HawkesllOp::buildGradient(GradientScope &scope) {
  if (!scope.arrives(0))
    return success();
  SmallVector<Value> operands(getOperands());
  operands.push_back(scope.of());
  OperationState state(scope.core.loc, HawkesllGradientOp::getOperationName());
  state.addOperands(operands);
  state.addTypes(TypeRange(getOperandTypes()).take_front(3));
  Operation *made = scope.core.b.create(state);
  for (unsigned i = 0; i < 3; ++i)
    scope.give(i, made->getResult(i));
  return success();
}
