// PackOps.cpp: what kernel.pack_panels and kernel.pack_depthwise verify.
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

template <typename Op> static std::pair<MemRefType, MemRefType> typesOf(Op op) {
  return {cast<MemRefType>(op.getSource().getType()), cast<MemRefType>(op.getTarget().getType())};
}

LogicalResult PackPanelsOp::verify() {
  auto [source, target] = typesOf(*this);
  if (source.getRank() != 4 || target.getRank() != 6 || target.getDimSize(5) != 16 ||
      target.isDynamicDim(4) || source.getElementType() != target.getElementType())
    return emitOpError(
        "needs weights [O, I, kH, kW] and panels [OB, IB, kH, kW, L, 16] of one type");
  return success();
}

LogicalResult PackDepthwiseOp::verify() {
  auto [source, target] = typesOf(*this);
  if (source.getRank() != 4 || target.getRank() != 4 || target.getDimSize(3) != 16 ||
      source.getElementType() != target.getElementType())
    return emitOpError("needs weights [C, 1, kH, kW] and panels [CB, kH, kW, 16] of one type");
  return success();
}
