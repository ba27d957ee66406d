// PackOps.cpp: what kernel.pack_panels and kernel.pack_depthwise verify.
#include "codegen/kernel/Groups.h"
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

// Vectors of eight outputs are moved at once.
static bool isPanel(int64_t outputs) { return outputs > 0 && outputs % 8 == 0; }

// Elements of one type, or of float32 in other forms.
static bool canMove(Operation *op, MemRefType source, MemRefType target) {
  Type from = source.getElementType(), to = target.getElementType();
  auto isFloat = [](Type type) { return type.isF32() || isHalf(type); };
  return from == to || (op->hasAttr(narrowName) && isFloat(from) && isFloat(to));
}

template <typename Op> static std::pair<MemRefType, MemRefType> typesOf(Op op) {
  return {cast<MemRefType>(op.getSource().getType()), cast<MemRefType>(op.getTarget().getType())};
}

LogicalResult PackPanelsOp::verify() {
  auto [source, target] = typesOf(*this);
  int64_t batch = source.getRank() - 4;
  if ((batch != 0 && batch != 1) || target.getRank() != 6 + batch ||
      !isPanel(target.getDimSize(5 + batch)) || target.isDynamicDim(4 + batch) ||
      !canMove(*this, source, target))
    return emitOpError("needs weights [O, I, kH, kW] and panels [OB, IB, kH, kW, L, B] of one "
                       "type, B a multiple of 8, or a batch of both");
  if (batch && source.getDimSize(0) != target.getDimSize(0))
    return emitOpError("has weights of ")
           << source.getDimSize(0) << " images and panels of " << target.getDimSize(0);
  if (auto groups = ChannelGroups::of(*this);
      groups &&
      (batch || !source.hasStaticShape() || source.getDimSize(0) % groups->count ||
       target.getDimSize(0) != groups->panels(source.getDimSize(0), target.getDimSize(5)) ||
       target.getDimSize(1) != 1 || target.getDimSize(4) != source.getDimSize(1)))
    return emitOpError("of groups needs as many outputs in each, and a panel for each group that "
                       "a block has outputs of");
  return verifyCut(*this, 2 + batch);
}

LogicalResult PackDepthwiseOp::verify() {
  auto [source, target] = typesOf(*this);
  bool groups = target.getRank() == 5;
  if (source.getRank() != 4 || (target.getRank() != 4 && !groups) ||
      !isPanel(target.getShape().back()) || !canMove(*this, source, target) ||
      (groups && source.getDimSize(1) != target.getDimSize(3)))
    return emitOpError("needs weights [C, 1, kH, kW] and panels [CB, kH, kW, B] of one type, B a "
                       "multiple of 8, or [C, G, kH, kW] and [CB, kH, kW, G, B]");
  return verifyCut(*this, 1);
}
