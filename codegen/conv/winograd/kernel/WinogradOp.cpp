// WinogradOp.cpp: what kernel.winograd verifies, and what its interfaces return.
#include "codegen/conv/winograd/kernel/WinogradShape.h"
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

LogicalResult WinogradOp::verify() {
  auto out = cast<MemRefType>(getOut().getType());
  auto data = cast<MemRefType>(getData().getType());
  auto weights = cast<MemRefType>(getWeights().getType());
  int64_t m = getOutputTile();
  if (m < 2 || m > 5)
    return emitOpError("output_tile is ") << m << ", needs 2 to 5";
  for (auto [name, pair] : {std::pair("block", getBlock()), std::pair("per_task", getPerTask())})
    if (pair.size() != 2 || pair[0] < 1 || pair[1] < 1)
      return emitOpError() << name << " needs two numbers of at least 1";
  if (!out.hasStaticShape() || !data.hasStaticShape() || !weights.hasStaticShape())
    return emitOpError("needs constant extents");
  if (getLayer() && (getLayer()->size() != 4 ||
                     llvm::any_of(*getLayer(), [](int64_t value) { return value < 1; })))
    return emitOpError("layer needs channels, stride, kernel rows and columns of at least 1");
  if (weights.getRank() != 5 || data.getRank() != 5 || out.getRank() != 5)
    return emitOpError("data, weights and out need five axes");
  ArrayRef<int64_t> apart = getDilations();
  if (!apart.empty() && (apart.size() != 2 || apart[0] < 1 || apart[1] < 1 ||
                         out.getDimSize(2) % apart[0] || out.getDimSize(3) % apart[1]))
    return emitOpError("dilations need to divide the rows and columns of out, found [")
           << apart << "]";
  WinogradShape shape = WinogradShape::of(*this);
  if (!(isOnTheFly() ? m == 4 : weights.getDimSize(0) == shape.positions()))
    return emitOpError("weights need ") << shape.positions() << " positions of panels";
  int64_t more[] = {(shape.extent(0) - 1) * shape.dilations[0], // of data than of out
                    (shape.extent(1) - 1) * shape.dilations[1]};
  if (data.getDimSize(2) != out.getDimSize(2) + more[0] ||
      data.getDimSize(3) != out.getDimSize(3) + more[1])
    return emitOpError("data needs ")
           << more[0] << " rows and " << more[1] << " columns more than out";
  if (shape.pieces() > 1 && shape.inChannels % shape.blockWidth)
    return emitOpError("in pieces needs whole blocks of ") << shape.blockWidth << " input channels";
  if (getExpand() && !isOnTheFly())
    return emitOpError("expand needs weights that are transformed on the fly");
  ArrayRef<int64_t> sums = getRowSums();
  if (!sums.empty() && (sums.size() != 2 || (sums[0] != 3 && sums[0] != 6) || sums[1] < 1))
    return emitOpError("row_sums needs 3 or 6 columns and at least 1 tile, found [") << sums << "]";
  if (failed(verifyTile(*this, getTile())))
    return failure();
  return verifyAccumulate(*this);
}

bool WinogradOp::isChosen() {
  return getTile() && (!isOnTheFly() || getExpand() || !getRowSums().empty());
}

OperandRange WinogradOp::getOverwritableInputs() { return getExtras(); }

bool WinogradOp::isOnTheFly() {
  int64_t lanes = cast<MemRefType>(getOut().getType()).getShape().back();
  return cast<MemRefType>(getWeights().getType()).getShape().drop_front(2) ==
         ArrayRef<int64_t>{lanes, 9, lanes};
}

// Those of the convolution that it stands for, so that rates compare.
int64_t WinogradOp::getFlops() {
  int64_t pixels = staticElements(getOut(), 1) /
                   std::max<int64_t>(cast<MemRefType>(getOut().getType()).getDimSize(1), 1);
  if (auto layer = getLayer())
    return 2 * pixels * getOutChannels() * (*layer)[0] * (*layer)[2] * (*layer)[3];
  int64_t taps = WinogradShape::tapsOf(getOutputTile());
  return 2 * pixels * getOutChannels() * getInChannels() * taps * taps;
}

LogicalResult PackWinogradOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  auto target = cast<MemRefType>(getTarget().getType());
  FormAttr form = getForm();
  int64_t m = form.getM(), r = form.getR();
  bool onTheFly = form.getOnTheFly();
  if (form.getKind() != "winograd" || m < 2 || m > 5 || r != WinogradShape::tapsOf(m) ||
      form.getStride() < 1 || (onTheFly && m != 4))
    return emitOpError("has the form ") << form << ", which is none of Winograd's";
  bool fits = source.getRank() == 4 && target.getRank() == 5 && source.getElementType().isF32() &&
              target.getElementType().isF32();
  WinogradShape shape;
  shape.m = m;
  shape.stride = form.getStride();
  if (fits)
    shape.blockWidth = target.getShape().back();
  for (int axis = 0; fits && axis < 2; ++axis) {
    int64_t window = std::max<int64_t>(source.getDimSize(2 + axis), 0);
    shape.window[axis] = llvm::divideCeil(window, form.getStride());
    fits = window > 0 && (form.getStride() == 1 && !onTheFly ? true : shape.window[axis] == r);
  }
  shape.inChannels = std::max<int64_t>(source.getRank() > 1 ? source.getDimSize(1) : 0, 0) *
                     shape.stride * shape.stride;
  if (!fits || target.getDimSize(onTheFly ? 3 : 0) != (onTheFly ? 9 : shape.positions()) ||
      target.getDimSize(onTheFly ? 1 : 2) != shape.inBlocks())
    return emitOpError("needs f32 weights [O, I, kH, kW] and panels ")
           << (onTheFly ? "[OB, IB, 16, 9, 16] of 3x3 taps"
                        : "[positions, OB, IB of each piece, 16, 16]");
  return verifyCut(*this, 2);
}
