// ConvOp.cpp: what kernel.conv verifies and says of itself.
#include "codegen/kernel/StepVerifiers.h"
#include "codegen/kernel/ZeroRows.h"

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
  for (auto [zero, extent, name] : {std::tuple(getZeroRows(), data[2], "rows"),
                                    std::tuple(getZeroColumns(), data[3], "columns")})
    if (!zero.empty() && (zero.size() != 2 || zero[0] < 0 || zero[1] < 0 ||
                          (!ShapedType::isDynamic(extent) && zero[0] + zero[1] > extent)))
      return emitOpError("zero_") << name << " needs two numbers of data's " << name << ", found ["
                                  << zero << "]";
  ArrayRef<int64_t> pad = getPad();
  if (!pad.empty() && (pad.size() != 2 || pad[0] < 0 || pad[1] < 0 || data[1] != 1 || !getChoose()))
    return emitOpError("pad needs [rows, columns] of at least 0 around planar data, and `choose`, "
                       "found [")
           << pad << "]";
  if (getChoose() && getChoose() != "images" && getChoose() != "columns")
    return emitOpError("choose needs \"images\" or \"columns\", found \"") << *getChoose() << "\"";
  if (failed(verifyAccumulate(*this)) || failed(verifyTile(*this, getTile())))
    return failure();
  ArrayRef<int64_t> out = cast<MemRefType>(getOut().getType()).getShape(), cut = getCut();
  bool known = !ShapedType::isDynamic(out[2]) && !ShapedType::isDynamic(out[3]);
  if (getTile() && (*getTile())[1] > 1 && !known)
    return emitOpError("has a tile of ")
           << (*getTile())[1] << " rows, run-time extents need one of 1 row";
  if (getTile() && (*getTile())[0] > 1 && ShapedType::isDynamic(out[1]))
    return emitOpError("has a tile of ")
           << (*getTile())[0] << " blocks of outputs, a run-time number of them needs one of 1";
  if (!cut.empty() && (!getTile() || cut.size() != 5 || cut[4] < 0 ||
                       llvm::any_of(cut.drop_back(), [](int64_t value) { return value < 1; })))
    return emitOpError("cut needs a tile and [groups, pixel tiles, chunks of them, images, chunks "
                       "of them] of at least 1, the last of at least 0, found [")
           << cut << "]";
  if (getPrefetch() && !known)
    return emitOpError("prefetch needs constant rows and columns");
  return success();
}

bool ConvOp::isChosen() { return getTile() && !getCut().empty(); }

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
  ZeroRows zero = zeroRowsOf(*this);
  RowRange data = getRowWindow().reads(rows, dataRows);
  zero.top = std::max<int64_t>(0, zero.top - data.begin);
  zero.bottom = std::max<int64_t>(0, zero.bottom - (dataRows - data.end));
  setZeroRowsOf(*this, zero);
}
