// RoundOrder.cpp: see RoundOrder.h.
#include "codegen/lower/RoundOrder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace symc;

Value symc::codegen::taskOfRound(OpBuilder &b, Location loc, FrameReader &frame, Value task,
                                 int64_t tasks, Value round) {
  auto number = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(value));
  };
  auto add = [&](Value x, Value y) -> Value { return LLVM::AddOp::create(b, loc, x, y); };
  auto sub = [&](Value x, Value y) -> Value { return LLVM::SubOp::create(b, loc, x, y); };
  auto mul = [&](Value x, Value y) -> Value { return LLVM::MulOp::create(b, loc, x, y); };
  auto div = [&](Value x, Value y) -> Value { return LLVM::UDivOp::create(b, loc, x, y); };
  Value one = number(1), all = number(tasks), threads = frame.threads();
  // Share i of n has the tasks from i * tasks / n on.
  Value share = div(sub(mul(add(task, one), threads), one), all);
  Value first = div(mul(share, all), threads);
  Value end = div(mul(add(share, one), all), threads);
  Value reversed = sub(sub(add(first, end), one), task);
  Value odd = LLVM::TruncOp::create(b, loc, b.getI1Type(), round);
  return LLVM::SelectOp::create(b, loc, odd, reversed, task);
}
