// CustomGradient.cpp: the gradient of an operator that a library describes is another operator,
// which its description's gradient kernels compute.
#include "ir/CustomOperators.h"
#include "ir/Gradient.h"
#include "ir/ops/Custom.h"

using namespace mlir;
using namespace symc::sg;

bool CustomOp::isLoss() { return customOperator(getOpType())->isLoss; }

LogicalResult CustomOp::buildGradient(GradientScope &scope) {
  const CustomOperator *own = customOperator(getOpType());
  std::string name = own->gradientName();
  if (!customOperator(name))
    return nodeError(*this) << "has no gradient: the library that describes '" << getOpType()
                            << "' has no gradient kernels for it";
  SmallVector<Value> operands = llvm::to_vector(getInputs());
  llvm::append_range(operands, getOutputs());
  for (unsigned i = 0; i < getNumResults(); ++i)
    operands.push_back(scope.of(i));
  OpBuilder &b = scope.core.b;
  OperationState state(scope.core.loc, CustomOp::getOperationName());
  state.addOperands(operands);
  state.addTypes(llvm::to_vector(getInputs().getTypes()));
  state.addAttribute("op_type", b.getStringAttr(name));
  state.addAttribute("params", getParams());
  Operation *made = b.create(state);
  for (unsigned i = 0; i < getNumOperands(); ++i)
    scope.give(i, made->getResult(i));
  return success();
}
