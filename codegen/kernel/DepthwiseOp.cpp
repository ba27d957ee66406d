// DepthwiseOp.cpp: what kernel.depthwise verifies and says of itself.
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

int64_t DepthwiseOp::getGroupChannels() {
  auto weights = cast<MemRefType>(getWeights().getType());
  return weights.getRank() == 5 ? weights.getDimSize(3) : 1;
}

LogicalResult DepthwiseOp::verify() {
  ArrayRef<int64_t> weights = cast<MemRefType>(getWeights().getType()).getShape();
  bool groups = weights.size() == 5 && weights[3] > 1 && weights[4] % weights[3] == 0;
  if (weights.size() != 4 && !groups)
    return emitOpError("weights need [CB, kH, kW, 16], or [CB, kH, kW, G, 16] of groups of G "
                       "channels that divide a block, found [")
           << weights << "]";
  return verifyAccumulate(*this);
}

OperandRange DepthwiseOp::getOverwritableInputs() { return getExtras(); }

int64_t DepthwiseOp::getFlops() {
  return 2 * staticElements(getOut(), 0) * getGroupChannels() * getKernel()[0] * getKernel()[1];
}

RowWindow DepthwiseOp::getRowWindow() {
  return {getStrides()[0], 0, (getKernel()[0] - 1) * getDilations()[0] + 1};
}
