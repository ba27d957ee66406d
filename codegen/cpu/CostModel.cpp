// CostModel.cpp: see CostModel.h.
#include "codegen/cpu/CostModel.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

double symc::codegen::streamRate(uint64_t bytes, const TargetDescription &target) {
  if (bytes <= uint64_t(target.l2Bytes))
    return target.l2BytesPerCycle;
  return bytes <= uint64_t(target.l3Bytes) ? target.l3BytesPerCycle : target.memoryBytesPerCycle;
}

static double bytesOf(Value view) {
  auto type = cast<MemRefType>(view.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type.hasStaticShape() || failed(type.getStridesAndOffset(strides, offset)))
    return 0;
  double bytes = type.getElementTypeBitWidth() / 8.0;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides))
    bytes *= stride == 0 ? 1 : size; // a broadcast extent is read once
  return bytes;
}

double symc::codegen::estimateConvStep(kernel::ConvOp op, const ConvTile &tile,
                                       const TargetDescription &target, uint64_t modelWeightBytes) {
  ConvExtents extents = extentsOf(op, productOf(op, target));
  double images = ShapedType::isDynamic(extents.batch) ? 1 : extents.batch;
  double compute = images * estimateConvCycles(extents, tile, target);
  double weights = bytesOf(op.getWeights());
  // What streams while the multiply-adds run: weights once, data and residual in, out.
  double activations = bytesOf(op.getData()) + bytesOf(op.getOut());
  for (Value extra : op.getExtras())
    activations += bytesOf(extra);
  double stream = weights / streamRate(std::max<uint64_t>(modelWeightBytes, weights), target);
  if (activations > target.l2Bytes)
    stream += activations / target.l3BytesPerCycle;
  // Prefetchers hide most of the shorter of the two.
  constexpr double notHidden = 0.15, callCycles = 60;
  return std::max(compute, stream) + notHidden * std::min(compute, stream) + callCycles;
}
