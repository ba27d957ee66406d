// RowsLowering.cpp: kernel.take_rows and kernel.add_rows. See KernelOps.td.
//
// A task of take_rows copies some rows of the result. A task of add_rows owns some rows of the
// table: it clears them, then goes over all numbers and adds what is for a row of its own, so that
// each sum has the order of the numbers, whatever the tasks are.
#include "codegen/kernel/RowsOps.h"
#include "codegen/lower/ElementAccess.h"
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {
class RowsEmitter {
public:
  RowsEmitter(Operation *op, kernel::CutAttr cut, ArrayRef<View> operands, LoweringContext &context)
      : e(context, op->getLoc()), cut(cut), operands(operands), numbers(operands[1]),
        out(operands[2]), element(out.elementType), lanes(e.target().lanes(4)), width(out.sizes[1]),
        space({out.sizes[0]}) {}

  TaskSplit split() { return splitTasks(e, cut, space); }
  OpFoldResult countTasks() { return split().count; }

protected:
  void loop(OpFoldResult first, OpFoldResult end, function_ref<void(OpFoldResult)> body) {
    e.forLoop(first, end, e.constant(1), {}, [&](Value index, ValueRange) {
      body(OpFoldResult(index));
      return SmallVector<Value>();
    });
  }

  // The elements of a row, in vectors and one by one.
  void forRow(function_ref<void(OpFoldResult first, int64_t count)> body) {
    auto pieces = [&](OpFoldResult from, OpFoldResult to, int64_t count) {
      e.forLoop(from, to, e.constant(count), {}, [&](Value first, ValueRange) {
        body(OpFoldResult(first), count);
        return SmallVector<Value>();
      });
    };
    OpFoldResult none = e.constant(0), step = e.constant(lanes);
    OpFoldResult whole = e.mul(e.floorDiv(width, step), step);
    pieces(none, whole, lanes);
    if (lanes > 1)
      pieces(whole, width, 1);
  }

  // Number n as one of `rows`: cut off, the nearest; of NaN the first.
  OpFoldResult rowAt(OpFoldResult n, OpFoldResult rows) {
    OpBuilder &b = e.builder();
    Location loc = e.location();
    int64_t last = *constantOf(rows) - 1;
    Value number = e.load(e.at(numbers, {n}), numbers.elementType, 1);
    bool isFloat = isa<FloatType>(numbers.elementType);
    auto constant = [&](int64_t value) -> Value {
      if (isFloat)
        return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(float(value)));
      // 32 bits: rows of a table, at most 2^24.
      return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
    };
    auto select = [&](bool above, Value limit) {
      Value holds = isFloat
                        ? Value(arith::CmpFOp::create(
                              b, loc, above ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT,
                              number, limit))
                        : Value(arith::CmpIOp::create(
                              b, loc, above ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt,
                              number, limit));
      number = arith::SelectOp::create(b, loc, holds, number, limit);
    };
    select(/*above=*/true, constant(0));
    select(/*above=*/false, constant(last));
    if (isFloat)
      number = arith::FPToSIOp::create(b, loc, b.getI32Type(), number);
    return OpFoldResult(Value(arith::IndexCastOp::create(b, loc, b.getIndexType(), number)));
  }

  Emission e;
  kernel::CutAttr cut;
  ArrayRef<View> operands;
  const View &numbers, &out;
  Type element;
  int64_t lanes;
  OpFoldResult width;
  SmallVector<OpFoldResult> space;
};

struct TakeEmitter : RowsEmitter {
  TakeEmitter(kernel::TakeRowsOp op, ArrayRef<View> operands, LoweringContext &context)
      : RowsEmitter(op, op.getCutAttr(), operands, context) {}

  void lower(Value task) {
    const View &table = operands[0];
    forRange(e, rangeOfTask(e, split(), space, task), 1, [&](ArrayRef<OpFoldResult> at) {
      Value from = e.at(table, {rowAt(at[0], table.sizes[0])}), to = e.at(out, {at[0]});
      forRow([&](OpFoldResult first, int64_t count) {
        e.store(e.load(e.offset(from, element, first), element, count),
                e.offset(to, element, first));
      });
    });
  }
};

struct AddEmitter : RowsEmitter {
  AddEmitter(kernel::AddRowsOp op, ArrayRef<View> operands, LoweringContext &context)
      : RowsEmitter(op, op.getCutAttr(), operands, context) {}

  void lower(Value task) {
    const View &rows = operands[0];
    TaskRange range = rangeOfTask(e, split(), space, task);
    forRange(e, range, 1, [&](ArrayRef<OpFoldResult> at) {
      Value to = e.at(out, {at[0]});
      forRow([&](OpFoldResult first, int64_t count) {
        e.store(e.splat(e.builder().getZeroAttr(element), count), e.offset(to, element, first));
      });
    });
    loop(e.constant(0), rows.sizes[0], [&](OpFoldResult n) {
      OpFoldResult row = rowAt(n, out.sizes[0]);
      e.branch(row, range.upper[0],
               [&] { e.branch(row, range.lower[0], [] {}, [&] { add(n, row); }); });
    });
  }

private:
  void add(OpFoldResult n, OpFoldResult row) {
    Value from = e.at(operands[0], {n}), to = e.at(out, {row});
    forRow([&](OpFoldResult first, int64_t count) {
      Value place = e.offset(to, element, first);
      Value sum = e.load(place, element, count);
      Value term = e.load(e.offset(from, element, first), element, count);
      e.store(arith::AddFOp::create(e.builder(), e.location(), sum, term), place);
    });
  }
};
} // namespace

namespace symc::codegen {
void registerRowsLowering(DialectRegistry &registry) {
  addEmitter<kernel::TakeRowsOp, TakeEmitter>(registry);
  addEmitter<kernel::AddRowsOp, AddEmitter>(registry);
}
} // namespace symc::codegen
