// PoolOp.cpp: what kernel.pool, kernel.pool_places and kernel.pool_gradient verify, and what their
// interfaces return.
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

LogicalResult PoolOp::verify() {
  return failed(verifyCut(*this, 3)) ? failure() : verifyAccumulate(*this);
}

OperandRange PoolOp::getOverwritableInputs() { return getExtras(); }

RowWindow PoolOp::getRowWindow() {
  return {getStrides()[0], paddingOf(getPadAttr()).top, getKernel()[0]};
}

// A window that begins before its rows, or ends behind them, is clipped there.
void PoolOp::cutToRows(RowRange rows, int64_t dataRows) {
  RowWindow window = getRowWindow();
  Padding pad = paddingOf(getPadAttr());
  pad.top = std::max<int64_t>(0, -window.first(rows));
  if (window.end(rows) < dataRows)
    pad.bottom = 0;
  setPadAttr(pad.attribute(getContext()));
}

// Images in blocks, of bytes where they are `places`.
static LogicalResult verifyImages(Operation *op, TypeRange types, unsigned places) {
  for (auto [number, type] : llvm::enumerate(types)) {
    auto image = cast<MemRefType>(type);
    SmallVector<int64_t> strides;
    int64_t offset;
    bool fits =
        number == places ? image.getElementType().isInteger(8) : image.getElementType().isF32();
    if (image.getRank() != 5 || !image.hasStaticShape() || !fits ||
        failed(image.getStridesAndOffset(strides, offset)) || strides.back() != 1)
      return op->emitOpError("needs images of ")
             << (number == places ? "i8" : "f32") << " in blocks of constant extents, found "
             << type;
  }
  return success();
}

template <typename Op> static LogicalResult verifyWindows(Op op) {
  for (ArrayRef<int64_t> list : {op.getKernel(), op.getStrides()})
    if (list.size() != 2 || list[0] < 1 || list[1] < 1)
      return op.emitOpError("needs two numbers of at least 1, found [") << list << "]";
  return verifyCut(op, 2);
}

static ArrayRef<int64_t> shapeAt(Value view) { return cast<MemRefType>(view.getType()).getShape(); }

LogicalResult PoolGradientOp::verify() {
  bool isFirst = getKind() == "max", isMax = isFirst || getKind() == "maxima",
       hasPlaces = isFirst && getIns().size() == 1;
  if (failed(verifyImages(*this, getOperandTypes(), hasPlaces ? 1 : -1)))
    return failure();
  if (!isMax && getKind() != "avg" && getKind() != "sum")
    return emitOpError("needs kind max, maxima, avg or sum, found \"") << getKind() << "\"";
  ArrayRef<int64_t> slope = shapeAt(getSlope()), out = shapeAt(getOut());
  if (hasPlaces ? shapeAt(getIns()[0]) != slope
      : isMax ? getIns().size() != 2 || shapeAt(getIns()[0]) != out || shapeAt(getIns()[1]) != slope
              : !getIns().empty())
    return emitOpError("needs data and result, or places, for max, and nothing more for others");
  for (unsigned axis : {0, 1, 4})
    if (slope[axis] != out[axis])
      return emitOpError("has slope [") << slope << "] and out [" << out << "]";
  return verifyWindows(*this);
}

LogicalResult PoolPlacesOp::verify() {
  if (failed(verifyImages(*this, getOperandTypes(), 2)))
    return failure();
  ArrayRef<int64_t> data = shapeAt(getData()), result = shapeAt(getResult());
  if (shapeAt(getPlaces()) != result)
    return emitOpError("needs places in the shape of result [") << result << "]";
  for (unsigned axis : {0, 1, 4})
    if (data[axis] != result[axis])
      return emitOpError("has data [") << data << "] and result [" << result << "]";
  if (failed(verifyWindows(*this)))
    return failure();
  if (getKernel()[0] * getKernel()[1] > mostElements)
    return emitOpError("has a window of more than ") << mostElements << " elements";
  return success();
}
