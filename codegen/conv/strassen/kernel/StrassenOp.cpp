// StrassenOp.cpp: what kernel.strassen verifies, and what its interfaces return.
#include "codegen/conv/strassen/kernel/StrassenScheme.h"
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

static constexpr int64_t width = 16; // of a block

LogicalResult StrassenOp::verify() {
  auto out = cast<MemRefType>(getOut().getType());
  auto data = cast<MemRefType>(getData().getType());
  auto weights = cast<MemRefType>(getWeights().getType());
  if (!out.hasStaticShape() || !data.hasStaticShape() || !weights.hasStaticShape())
    return emitOpError("needs constant extents");
  int64_t in = getInChannels(), channels = getOutChannels();
  if (in < 1 || channels < 1 || in % 32 != 0 || channels % 32 != 0)
    return emitOpError("has ") << in << " input and " << channels
                               << " output channels, needs multiples of 32";
  std::array<int64_t, 7> panels = strassenPanels(in, channels, width);
  if (weights.getShape() != ArrayRef<int64_t>(panels))
    return emitOpError("weights need the shape [") << ArrayRef<int64_t>(panels) << "]";
  if (data.getRank() != 5 || out.getRank() != 5 ||
      data.getShape().drop_front(2) != out.getShape().drop_front(2))
    return emitOpError("data needs the pixels of out");
  int64_t pixels = out.getDimSize(2) * out.getDimSize(3);
  if (getFlat() ? pixels < 2 : out.getDimSize(2) % 2 != 0)
    return emitOpError("has ") << out.getDimSize(2) << " by " << out.getDimSize(3)
                               << " pixels that cannot be halved";
  if (!getFlat() && (getUnit() == 0 || getUnit() % out.getDimSize(3) != 0))
    return emitOpError("has units of ")
           << getUnit() << " pixels, needs whole rows of " << out.getDimSize(3);
  if (getUnit() < 1 || getPerTask().size() != 2 || getPerTask()[0] < 1 || getPerTask()[1] < 1)
    return emitOpError("unit and per_task need numbers of at least 1");
  if (failed(verifyTile(*this, getTile())))
    return failure();
  return verifyAccumulate(*this);
}

OperandRange StrassenOp::getOverwritableInputs() { return getExtras(); }

// Those of the convolution that it stands for, so that rates compare.
int64_t StrassenOp::getFlops() {
  int64_t pixels = staticElements(getOut(), 1) /
                   std::max<int64_t>(cast<MemRefType>(getOut().getType()).getDimSize(1), 1);
  return 2 * pixels * getOutChannels() * getInChannels();
}

static LogicalResult verifyPack(Operation *op, MemRefType source, MemRefType target) {
  if (source.getElementType().isF32() && target.getElementType().isF32() &&
      source.hasStaticShape() && source.getRank() == 4) {
    int64_t outputs = source.getDimSize(0), inputs = source.getDimSize(1);
    std::array<int64_t, 7> panels = strassenPanels(inputs, outputs, width);
    if (outputs % 32 == 0 && inputs % 32 == 0 && source.getDimSize(2) == 1 &&
        source.getDimSize(3) == 1 && target.getShape() == ArrayRef<int64_t>(panels))
      return success();
  }
  return op->emitOpError("needs f32 weights [O, I, 1, 1] and panels [O/32 + scales, 7, I/32, 1, 1, "
                         "16, 16]");
}

LogicalResult PackStrassenOp::verify() {
  if (failed(verifyPack(*this, cast<MemRefType>(getSource().getType()),
                        cast<MemRefType>(getTarget().getType()))))
    return failure();
  return verifyCut(*this, 2);
}

LogicalResult PackStrassenScalesOp::verify() {
  if (failed(verifyPack(*this, cast<MemRefType>(getSource().getType()),
                        cast<MemRefType>(getTarget().getType()))))
    return failure();
  return verifyCut(*this, 0);
}
