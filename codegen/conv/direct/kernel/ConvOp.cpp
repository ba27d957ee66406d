// ConvOp.cpp: what kernel.conv verifies and says of itself.
#include "codegen/kernel/StepVerifiers.h"
#include "codegen/kernel/ZeroRows.h"

using namespace mlir;
using namespace symc::kernel;

LogicalResult ConvOp::verify() {
  ArrayRef<int64_t> zero = getZeroRows(), data = cast<MemRefType>(getData().getType()).getShape();
  if (data.size() != 5)
    return emitOpError("data has rank ") << data.size() << ", needs 5";
  if (!zero.empty() && (zero.size() != 2 || zero[0] < 0 || zero[1] < 0 ||
                        (!ShapedType::isDynamic(data[2]) && zero[0] + zero[1] > data[2])))
    return emitOpError("zero_rows needs two numbers of data's rows, found [") << zero << "]";
  return verifyAccumulate(*this);
}

OperandRange ConvOp::getOverwritableInputs() { return getExtras(); }

int64_t ConvOp::getFlops() {
  auto shape = cast<MemRefType>(getOut().getType()).getShape();
  int64_t pixels = staticElements(getOut(), 1) / std::max<int64_t>(shape[1], 1);
  return 2 * pixels * getOutChannels() * getInChannels() * getKernel()[0] * getKernel()[1];
}

RowWindow ConvOp::getRowWindow() {
  return {getStrides()[0], 0, (getKernel()[0] - 1) * getDilations()[0] + 1};
}

// The rows of zeros that are within the piece's rows of data.
void ConvOp::cutToRows(RowRange rows, int64_t dataRows) {
  ZeroRows zero = zeroRowsOf(*this);
  RowRange data = getRowWindow().reads(rows, dataRows);
  setZeroRowsOf(*this, {std::max<int64_t>(0, zero.top - data.begin),
                        std::max<int64_t>(0, zero.bottom - (dataRows - data.end))});
}
