// StrassenOp.cpp: what kernel.strassen verifies and says of itself.
#include "codegen/conv/strassen/kernel/StrassenScheme.h"
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

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
  int64_t panels[] = {channels / 32, strassenProductCount, in / 32, 1, 1, 16, 16};
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

LogicalResult PackStrassenOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  auto target = cast<MemRefType>(getTarget().getType());
  if (!source.getElementType().isF32() || !target.getElementType().isF32() ||
      source.getRank() != 4 || target.getRank() != 7 || !target.hasStaticShape() ||
      target.getDimSize(1) != strassenProductCount ||
      source.getShape() !=
          ArrayRef<int64_t>{target.getDimSize(0) * 32, target.getDimSize(2) * 32, 1, 1})
    return emitOpError("needs f32 weights [O, I, 1, 1] and panels [O/32, 7, I/32, 1, 1, 16, 16]");
  return verifyCut(*this, 2);
}
