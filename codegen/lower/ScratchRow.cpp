// ScratchRow.cpp: see ScratchRow.h. Rows are taken by an atomic exchange.
#include "codegen/lower/ScratchRow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace symc::codegen;

Value symc::codegen::acquireRow(Emission &e, const View &slots, int64_t rows) {
  if (rows == 1)
    return e.index(0);
  OpBuilder &b = e.builder();
  Location loc = e.location();
  auto search = scf::WhileOp::create(b, loc, TypeRange(b.getIndexType()), ValueRange(e.index(0)));
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&search.getBefore(), {}, b.getIndexType(), loc);
  Value row = before->getArgument(0);
  Value one = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(1));
  Value old = LLVM::AtomicRMWOp::create(b, loc, LLVM::AtomicBinOp::xchg, e.at(slots, {row}), one,
                                        LLVM::AtomicOrdering::acquire);
  Value free = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  Value taken = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, old, free);
  scf::ConditionOp::create(b, loc, taken, ValueRange(row));
  Block *after = b.createBlock(&search.getAfter(), {}, b.getIndexType(), loc);
  OpFoldResult next = e.rem(e.add(after->getArgument(0), e.constant(1)), e.constant(rows));
  scf::YieldOp::create(b, loc, ValueRange(e.index(next)));
  return search.getResult(0);
}

void symc::codegen::releaseRow(Emission &e, const View &slots, int64_t rows, Value row) {
  if (rows == 1)
    return;
  OpBuilder &b = e.builder();
  Value free = arith::ConstantOp::create(b, e.location(), b.getI32IntegerAttr(0));
  LLVM::StoreOp::create(b, e.location(), free, e.at(slots, {row}), /*alignment=*/4,
                        /*isVolatile=*/false, /*isNonTemporal=*/false,
                        /*isInvariantGroup=*/false, LLVM::AtomicOrdering::release);
}

LogicalResult symc::codegen::checkScratchStep(Operation *op, ArrayRef<View> operands, int64_t tasks,
                                              int64_t elements) {
  StringRef name = op->getName().stripDialect();
  bool narrow = op->hasAttr(kernel::narrowName);
  for (const View &view : operands.drop_back())
    if (!view.elementType.isF32() && !(narrow && kernel::isHalf(view.elementType)))
      return op->emitError("internal error: ")
             << name << " of " << view.elementType << "; it needs 'f32'";
  const View &data = operands.front(), &out = operands[operands.size() - 3];
  if (!isConstant(data.strides[4], 1) || !isConstant(out.strides[4], 1))
    return op->emitError("internal error: ") << name << " needs 16 channels side by side";
  const View &scratch = operands[operands.size() - 2];
  if (constantOf(scratch.sizes[0]).value_or(0) < tasks ||
      constantOf(scratch.sizes[1]).value_or(0) < elements)
    return op->emitError("internal error: ")
           << name << " needs " << tasks << " rows of " << elements << " elements of scratch";
  return success();
}
