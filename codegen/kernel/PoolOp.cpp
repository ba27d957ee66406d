// PoolOp.cpp: what kernel.pool and kernel.pool_gradient verify, and what their interfaces return.
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

LogicalResult PoolGradientOp::verify() {
  SmallVector<MemRefType> types;
  for (Value view : getOperands())
    types.push_back(cast<MemRefType>(view.getType()));
  for (MemRefType type : types) {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (type.getRank() != 5 || !type.hasStaticShape() || !type.getElementType().isF32() ||
        failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
      return emitOpError("needs images of f32 in blocks of constant extents, found ") << type;
  }
  bool isMax = getKind() == "max";
  if (!isMax && getKind() != "avg" && getKind() != "sum")
    return emitOpError("needs kind max, avg or sum, found \"") << getKind() << "\"";
  ArrayRef<int64_t> slope = types.front().getShape(), out = types.back().getShape();
  if (types.size() != (isMax ? 4 : 2) ||
      (isMax && (types[1].getShape() != out || types[2].getShape() != slope)))
    return emitOpError("needs data and result for max, and nothing more for others");
  for (unsigned axis : {0, 1, 4})
    if (slope[axis] != out[axis])
      return emitOpError("has slope [") << slope << "] and out [" << out << "]";
  for (ArrayRef<int64_t> list : {getKernel(), getStrides()})
    if (list.size() != 2 || list[0] < 1 || list[1] < 1)
      return emitOpError("needs two numbers of at least 1, found [") << list << "]";
  return verifyCut(*this, 2);
}
