// PoolOp.cpp: what kernel.pool verifies and says of itself.
#include "codegen/kernel/StepVerifiers.h"

using namespace mlir;
using namespace symc::kernel;

LogicalResult PoolOp::verify() {
  return failed(verifyCut(*this, 3)) ? failure() : verifyAccumulate(*this);
}

OperandRange PoolOp::getOverwritableInputs() { return getExtras(); }

RowWindow PoolOp::getRowWindow() { return {getStrides()[0], getPadBegin()[0], getKernel()[0]}; }

// A window that begins before its rows, or ends behind them, is clipped there.
void PoolOp::cutToRows(RowRange rows, int64_t dataRows) {
  RowWindow window = getRowWindow();
  SmallVector<int64_t> before(getPadBegin()), after(getPadEnd());
  before[0] = std::max<int64_t>(0, -window.first(rows));
  if (window.end(rows) < dataRows)
    after[0] = 0;
  setPadBegin(before);
  setPadEnd(after);
}
