// DepthwiseOp.cpp: what kernel.depthwise verifies and says of itself.
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

LogicalResult DepthwiseOp::verify() { return verifyAccumulate(*this); }
OperandRange DepthwiseOp::getOverwritableInputs() { return getExtras(); }

int64_t DepthwiseOp::getFlops() {
  return 2 * staticElements(getOut(), 0) * getKernel()[0] * getKernel()[1];
}

RowWindow DepthwiseOp::getRowWindow() {
  return {getStrides()[0], 0, (getKernel()[0] - 1) * getDilations()[0] + 1};
}
