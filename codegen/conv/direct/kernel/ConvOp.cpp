// ConvOp.cpp: what kernel.conv verifies, and what its interfaces return.
#include "codegen/kernel/Groups.h"
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

LogicalResult ConvOp::verify() {
  ArrayRef<int64_t> data = cast<MemRefType>(getData().getType()).getShape();
  if (data.size() != 5)
    return emitOpError("data has rank ") << data.size() << ", needs 5";
  ArrayRef<int64_t> panels = cast<MemRefType>(getWeights().getType()).getShape();
  if (panels.size() != 6 && (panels.size() != 7 || panels[0] != data[0]))
    return emitOpError("weights need panels [OB, ICB, kH, kW, L, 16], or these for each of ")
           << data[0] << " images, found [" << panels << "]";
  Padding zeros = paddingOf(getZerosAttr());
  for (unsigned axis : {0, 1})
    if (!ShapedType::isDynamic(data[2 + axis]) &&
        zeros.begin(axis) + zeros.end(axis) > data[2 + axis])
      return emitOpError("has zeros in ")
             << zeros.begin(axis) + zeros.end(axis) << (axis == 0 ? " rows" : " columns")
             << ", data has " << data[2 + axis];
  if (getPadAttr() && (data[1] != 1 || !getChoose()))
    return emitOpError("pad needs planar data and `choose`");
  if (getChoose() && getChoose() != "images" && getChoose() != "columns")
    return emitOpError("choose needs \"images\" or \"columns\", found \"") << *getChoose() << "\"";
  if (failed(verifyAccumulate(*this)) || failed(verifyTile(*this, getTile())))
    return failure();
  ArrayRef<int64_t> out = cast<MemRefType>(getOut().getType()).getShape();
  bool known = !ShapedType::isDynamic(out[2]) && !ShapedType::isDynamic(out[3]);
  if (getTile() && (*getTile())[1] > 1 && !known)
    return emitOpError("has a tile of ")
           << (*getTile())[1] << " rows, run-time extents need one of 1 row";
  if (getTile() && (*getTile())[0] > 1 && ShapedType::isDynamic(out[1]))
    return emitOpError("has a tile of ")
           << (*getTile())[0] << " blocks of outputs, a run-time number of them needs one of 1";
  if (auto groups = ChannelGroups::of(*this)) {
    if (getOutChannels() % groups->count || getInChannels() * groups->count % groups->parts)
      return emitOpError("needs groups of as many outputs, and parts of as many channels");
    if (panels.size() != 6 || panels[1] != 1 || panels[4] != int64_t(getInChannels()) ||
        panels[0] != groups->panels(getOutChannels(), panels[5]) || data[4] != panels[5] ||
        (getTile() && (*getTile())[0] > 1))
      return emitOpError("of groups needs data in blocks, panels for each group that a block has "
                         "outputs of, and a tile of one vector");
  }
  if (getCutAttr() && !getTile())
    return emitOpError("cut needs a tile");
  if (getPrefetch() && !known)
    return emitOpError("prefetch needs constant rows and columns");
  return success();
}

bool ConvOp::isChosen() { return getTile() && getCutAttr(); }

OperandRange ConvOp::getOverwritableInputs() { return getExtras(); }

int64_t ConvOp::getFlops() {
  auto shape = cast<MemRefType>(getOut().getType()).getShape();
  int64_t pixels = staticElements(getOut(), 1) / std::max<int64_t>(shape[1], 1);
  return 2 * pixels * getOutChannels() * getInChannels() * getKernel()[0] * getKernel()[1];
}

static MemRefType dataOf(ConvOp op) { return cast<MemRefType>(op.getData().getType()); }

bool ConvOp::sumsBytes() { return isa<IntegerType>(dataOf(*this).getElementType()); }

int64_t ConvOp::getInputLanes() {
  bool split = dataOf(*this).getElementType().isInteger(32);
  return dataOf(*this).getDimSize(4) * (split ? 2 : 1);
}

RowWindow ConvOp::getRowWindow() {
  return {getStrides()[0], 0, (getKernel()[0] - 1) * getDilations()[0] + 1};
}

// The rows of zeros that are within the piece's rows of data.
void ConvOp::cutToRows(RowRange rows, int64_t dataRows) {
  Padding zeros = paddingOf(getZerosAttr());
  RowRange data = getRowWindow().reads(rows, dataRows);
  zeros.top = std::max<int64_t>(0, zeros.top - data.begin);
  zeros.bottom = std::max<int64_t>(0, zeros.bottom - (dataRows - data.end));
  setZerosAttr(zeros.attribute(getContext()));
}
