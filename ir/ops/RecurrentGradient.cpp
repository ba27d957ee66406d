// RecurrentGradient.cpp: gradients of recurrent layers and of the loss of alignments. Lengths and
// labels get none.
#include "ir/Gradient.h"
#include "ir/ops/Recurrent.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

// The node's parameters; how its operands are grouped is none.
static SmallVector<NamedAttribute> paramsOfNode(Operation *op) {
  SmallVector<NamedAttribute> params;
  for (NamedAttribute attribute : op->getAttrs())
    if (attribute.getName() != "operandSegmentSizes" && attribute.getName() != "sg.attrs")
      params.push_back(attribute);
  return params;
}

// Zeros between layers are drawn by nodes of their own by now (passes/RecurrentDropout.cpp).
LogicalResult RnnOp::buildGradient(GradientScope &scope) {
  SmallVector<Value> operands(getOperands());
  for (unsigned i = 0; i < getNumResults(); ++i)
    operands.push_back(scope.of(i));
  unsigned count = getMode() == "lstm" ? 4 : 3;
  OperationState state(scope.core.loc, RnnGradientOp::getOperationName());
  state.addOperands(operands);
  state.addTypes(TypeRange(getOperandTypes()).take_front(count));
  state.addAttributes(paramsOfNode(*this));
  Operation *made = scope.core.b.create(state);
  for (unsigned i = 0; i < count; ++i)
    scope.give(i, made->getResult(i));
  return success();
}

LogicalResult CtcLossOp::buildGradient(GradientScope &scope) {
  if (!scope.needs(0))
    return success();
  SmallVector<Value> operands(getOperands());
  operands.push_back(scope.of());
  scope.give(
      0, scope.core.make("ctc_loss_gradient", operands, getData().getType(), paramsOfNode(*this)));
  return success();
}
