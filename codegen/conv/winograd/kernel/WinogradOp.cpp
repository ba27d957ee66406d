// WinogradOp.cpp: what kernel.winograd verifies and says of itself.
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

LogicalResult WinogradOp::verify() {
  auto out = cast<MemRefType>(getOut().getType());
  auto data = cast<MemRefType>(getData().getType());
  auto weights = cast<MemRefType>(getWeights().getType());
  int64_t m = getOutputTile();
  if (m < 2 || m > 4)
    return emitOpError("output_tile is ") << m << ", needs 2, 3 or 4";
  int64_t more = m == 3 ? 3 : 2, span = m + more; // of data than of out
  for (auto [name, pair] : {std::pair("block", getBlock()), std::pair("per_task", getPerTask())})
    if (pair.size() != 2 || pair[0] < 1 || pair[1] < 1)
      return emitOpError() << name << " needs two numbers of at least 1";
  if (!out.hasStaticShape() || !data.hasStaticShape() || !weights.hasStaticShape())
    return emitOpError("needs constant extents");
  if (weights.getRank() != 5 || !(isOnTheFly() ? m == 4 : weights.getDimSize(0) == span * span))
    return emitOpError("weights need ") << span * span << " positions of panels";
  if (data.getRank() != 5 || out.getRank() != 5 || data.getDimSize(2) != out.getDimSize(2) + more ||
      data.getDimSize(3) != out.getDimSize(3) + more)
    return emitOpError("data needs ") << more << " rows and columns more than out";
  if (getLayer() && (getLayer()->size() != 4 ||
                     llvm::any_of(*getLayer(), [](int64_t value) { return value < 1; })))
    return emitOpError("layer needs channels, stride, kernel rows and columns of at least 1");
  return verifyAccumulate(*this);
}

OperandRange WinogradOp::getOverwritableInputs() { return getExtras(); }

bool WinogradOp::isOnTheFly() {
  return cast<MemRefType>(getWeights().getType()).getShape().drop_front(2) ==
         ArrayRef<int64_t>{16, 9, 16};
}

// Those of the convolution that it stands for, so that rates compare.
int64_t WinogradOp::getFlops() {
  int64_t pixels = staticElements(getOut(), 1) /
                   std::max<int64_t>(cast<MemRefType>(getOut().getType()).getDimSize(1), 1);
  if (auto layer = getLayer())
    return 2 * pixels * getOutChannels() * (*layer)[0] * (*layer)[2] * (*layer)[3];
  int64_t taps = getOutputTile() == 3 ? 4 : 3;
  return 2 * pixels * getOutChannels() * getInChannels() * taps * taps;
}

LogicalResult PackWinogradOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  auto target = cast<MemRefType>(getTarget().getType());
  FormAttr form = getForm();
  int64_t m = form.getM(), r = form.getR(), span = m + r - 1;
  bool onTheFly = form.getOnTheFly();
  if (form.getKind() != "winograd" || m < 2 || m > 4 || r != (m == 3 ? 4 : 3) ||
      form.getStride() < 1 || (onTheFly && m != 4))
    return emitOpError("has the form ") << form << ", which is none of Winograd's";
  bool fits = source.getRank() == 4 && target.getRank() == 5 && source.getElementType().isF32() &&
              target.getElementType().isF32();
  for (unsigned d = 2; fits && d < 4; ++d)
    fits = llvm::divideCeil(std::max<int64_t>(source.getDimSize(d), 0), form.getStride()) ==
           uint64_t(r);
  if (!fits || target.getDimSize(onTheFly ? 3 : 0) != (onTheFly ? 9 : span * span))
    return emitOpError("needs f32 weights of ")
           << r << " taps both ways and panels "
           << (onTheFly ? "[OB, IB, 16, 9, 16]" : "[(m + r - 1)^2, OB, IB, 16, 16]");
  return success();
}
