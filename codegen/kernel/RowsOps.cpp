// RowsOps.cpp: what kernel.take_rows and kernel.add_rows verify.
#include "codegen/kernel/RowsOps.h"

#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

#define GET_OP_CLASSES
#include "codegen/kernel/RowsOps.cpp.inc"

// A table and rows of its width, as many as there are numbers.
template <typename Op> static LogicalResult verifyRows(Op op, Value table, Value rows) {
  auto whole = cast<MemRefType>(table.getType()), some = cast<MemRefType>(rows.getType()),
       numbers = cast<MemRefType>(op.getNumbers().getType());
  auto isMatrix = [](MemRefType type) {
    SmallVector<int64_t> strides;
    int64_t offset;
    return type.getRank() == 2 && type.getElementType().isF32() &&
           succeeded(type.getStridesAndOffset(strides, offset)) && strides.back() == 1;
  };
  bool countable = numbers.getRank() == 1 &&
                   (numbers.getElementType().isF32() || numbers.getElementType().isInteger(32));
  if (!isMatrix(whole) || !isMatrix(some) || !countable ||
      whole.getShape()[1] != some.getShape()[1] || some.getShape()[0] != numbers.getShape()[0])
    return op.emitOpError("needs a table [V, W] and rows [N, W] of f32 and numbers [N] of f32 or "
                          "i32, found ")
           << whole << ", " << some << " and " << numbers;
  if (whole.isDynamicDim(0) || whole.getShape()[0] < 1 || whole.getShape()[0] > Op::mostRows)
    return op.emitOpError("needs a table of 1 to ") << Op::mostRows << " rows, found " << whole;
  return verifyCut(op, 1);
}

LogicalResult TakeRowsOp::verify() { return verifyRows(*this, getTable(), getOut()); }
LogicalResult AddRowsOp::verify() { return verifyRows(*this, getOut(), getRows()); }
