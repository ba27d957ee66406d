// DepthwiseOp.cpp: what kernel.depthwise verifies and says of itself.
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

LogicalResult DepthwiseOp::verify() {
  ArrayRef<int64_t> cut = getCut();
  if (!cut.empty() && (cut.size() != 3 || cut[0] < 1 || cut[1] < 0 || cut[2] < 0))
    return emitOpError("cut needs [planes, chunks of them, rows] of at least 1, 0 and 0, found [")
           << cut << "]";
  return verifyAccumulate(*this);
}

OperandRange DepthwiseOp::getOverwritableInputs() { return getExtras(); }

int64_t DepthwiseOp::getFlops() {
  return 2 * staticElements(getOut(), 0) * getKernel()[0] * getKernel()[1];
}

RowWindow DepthwiseOp::getRowWindow() {
  return {getStrides()[0], 0, (getKernel()[0] - 1) * getDilations()[0] + 1};
}
