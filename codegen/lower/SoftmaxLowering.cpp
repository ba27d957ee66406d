// SoftmaxLowering.cpp: kernel.softmax over [outer, length, inner] views.
//
//   inner pixels side by side: vectors of pixels, each its own sum over the length
//   rows (inner = 1, elements side by side): vectors along the row
//
// Three walks: the maximum, the sum of exponentials, the quotients. Sums don't depend on
// the instruction set: pixels are summed in order, rows in 16 partial sums, which are
// added by halves. A maximum is never NaN; a row of one infinity becomes NaN.
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t rowSums = 16;
static constexpr int64_t workOfExp = 8; // in elements of an elementwise step
static constexpr int64_t mostKept = 8;  // so short a length stays in registers

namespace {

class SoftmaxEmitter {
public:
  SoftmaxEmitter(kernel::SoftmaxOp op, ArrayRef<View> operands, LoweringContext &context)
      : op(op), e(context, op.getLoc()), data(operands[0]), out(operands[1]),
        element(data.elementType), length(data.sizes[1]) {
    int64_t widest = e.target().lanes(element.getIntOrFloatBitWidth() / 8);
    auto unit = [&](unsigned axis) {
      return isConstant(data.strides[axis], 1) && isConstant(out.strides[axis], 1);
    };
    rows = isConstant(data.sizes[2], 1) && unit(1);
    lanes = rows || unit(2) ? widest : 1;
    space = rows ? SmallVector<OpFoldResult>{data.sizes[0]}
                 : SmallVector<OpFoldResult>{data.sizes[0], data.sizes[2]};
  }

  TaskSplit split() {
    SplitOptions options;
    options.work = constantOf(length).value_or(64) * workOfExp;
    options.multiple = rows ? 1 : lanes;
    return splitTasks(e, space, options);
  }

  void lower(Value task) {
    TaskRange range = rangeOfTask(e, split(), space, task);
    OpFoldResult zero = e.constant(0);
    forRange(e, range, space.size() - 1, [&](ArrayRef<OpFoldResult> position) {
      OpFoldResult first = range.lower.back(), last = range.upper.back();
      if (rows)
        return loop(first, last, 1, [&](Value row) { emitRow({row, zero, zero}); });
      OpFoldResult width = e.constant(lanes);
      OpFoldResult whole = e.add(first, e.mul(e.floorDiv(e.sub(last, first), width), width));
      loop(first, whole, lanes, [&](Value pixel) { emitPixels({position[0], zero, pixel}, Value()); });
      if (lanes > 1)
        e.branch(whole, last, [&] {
          emitPixels({position[0], zero, whole}, e.mask(e.sub(last, whole), lanes));
        });
    });
  }

private:
  using Place = SmallVector<OpFoldResult, 3>;

  void loop(OpFoldResult first, OpFoldResult last, int64_t step, function_ref<void(Value)> body) {
    e.forLoop(first, last, e.constant(step), {}, [&](Value induction, ValueRange) {
      body(induction);
      return SmallVector<Value>();
    });
  }

  Value splat(double value) { return e.splat(e.builder().getFloatAttr(element, value), lanes); }
  template <typename Op> Value make(Value x, Value y) {
    return Op::create(e.builder(), e.location(), x, y);
  }
  template <typename Op> Value make(Value x) {
    return Op::create(e.builder(), e.location(), x);
  }
  Value greater(Value x, Value than) {
    Value is = arith::CmpFOp::create(e.builder(), e.location(), arith::CmpFPredicate::OGT, x, than);
    return arith::SelectOp::create(e.builder(), e.location(), is, x, than);
  }

  Value read(Value pointer, Value mask) {
    Value x = mask ? e.loadMasked(pointer, element, mask) : e.load(pointer, element, lanes);
    double factor = op.getFactor().convertToDouble();
    return factor == 1 ? x : make<arith::MulFOp>(x, splat(factor));
  }
  Value exponential(Value x, Value maximum) {
    return make<math::ExpOp>(make<arith::SubFOp>(x, maximum));
  }
  void write(Value value, Value pointer, Value mask) {
    if (mask)
      e.storeMasked(value, pointer, mask);
    else
      e.store(value, pointer);
  }
  // What is taken off x - maximum, or what exp is divided by.
  Value divisor(Value sum) { return op.getLog() ? make<math::LogOp>(sum) : sum; }

  //===--- Pixels: the length is walked in memory, lanes are independent ---===//

  Value at(const View &view, Value origin, OpFoldResult i) {
    return e.offset(origin, element, e.mul(i, view.strides[1]));
  }
  Value fold(Value start, function_ref<Value(OpFoldResult i, Value carried)> step) {
    return e.forLoop(e.constant(0), length, e.constant(1), {start},
                     [&](Value i, ValueRange carried) {
                       return SmallVector<Value>{step(OpFoldResult(i), carried[0])};
                     })[0];
  }

  void emitPixels(Place place, Value mask) {
    Value from = e.at(data, place), to = e.at(out, place);
    Value least = splat(-std::numeric_limits<double>::infinity()), zero = splat(0);
    if (std::optional<int64_t> count = constantOf(length); count && *count <= mostKept)
      return emitFewPixels(from, to, mask, *count);
    Value maximum = fold(least, [&](OpFoldResult i, Value carried) {
      return greater(read(at(data, from, i), mask), carried);
    });
    Value sum = fold(zero, [&](OpFoldResult i, Value carried) {
      Value exp = exponential(read(at(data, from, i), mask), maximum);
      if (!op.getLog())
        write(exp, at(out, to, i), mask);
      return make<arith::AddFOp>(carried, exp);
    });
    Value by = divisor(sum);
    loop(e.constant(0), length, 1, [&](Value i) {
      Value place = at(out, to, OpFoldResult(i));
      if (op.getLog()) {
        Value x = read(at(data, from, OpFoldResult(i)), mask);
        write(make<arith::SubFOp>(make<arith::SubFOp>(x, maximum), by), place, mask);
      } else {
        Value exp = mask ? e.loadMasked(place, element, mask) : e.load(place, element, lanes);
        write(make<arith::DivFOp>(exp, by), place, mask);
      }
    });
  }

  void emitFewPixels(Value from, Value to, Value mask, int64_t count) {
    SmallVector<Value> values;
    Value maximum = splat(-std::numeric_limits<double>::infinity()), sum = splat(0);
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(read(at(data, from, e.constant(i)), mask));
      maximum = greater(values.back(), maximum);
    }
    for (Value &value : values) {
      Value exp = exponential(value, maximum);
      sum = make<arith::AddFOp>(sum, exp);
      value = op.getLog() ? make<arith::SubFOp>(value, maximum) : exp;
    }
    Value by = divisor(sum);
    for (int64_t i = 0; i < count; ++i)
      write(op.getLog() ? make<arith::SubFOp>(values[i], by) : make<arith::DivFOp>(values[i], by),
            at(out, to, e.constant(i)), mask);
  }

  //===--- Rows: 16 elements at a time, in as many vectors as that takes ---===//

  using Parts = SmallVector<Value>;
  int64_t parts() { return rowSums / lanes; }

  // `step(i, part, mask)` for each vector of the row: the values carried for it, next.
  Parts foldRow(double start, function_ref<Value(OpFoldResult i, Value mask, Value carried)> step) {
    Parts first(parts(), splat(start));
    OpFoldResult width = e.constant(rowSums);
    OpFoldResult whole = e.mul(e.floorDiv(length, width), width), rest = e.sub(length, whole);
    Parts sums = first;
    if (!isConstant(whole, 0))
      sums = e.forLoop(e.constant(0), whole, width, first, [&](Value i, ValueRange carried) {
        Parts next;
        for (int64_t p = 0; p < parts(); ++p)
          next.push_back(step(e.add(OpFoldResult(i), e.constant(p * lanes)), Value(), carried[p]));
        return next;
      });
    if (isConstant(rest, 0))
      return sums;
    for (int64_t p = 0; p < parts(); ++p) {
      OpFoldResult left = e.max(e.sub(rest, e.constant(p * lanes)), e.constant(0));
      if (isConstant(left, 0))
        continue;
      sums[p] = step(e.add(whole, e.constant(p * lanes)), e.mask(left, lanes), sums[p]);
    }
    return sums;
  }

  // One value of 16, by halves: the same pairs whatever the vectors.
  Value reduce(Parts values, function_ref<Value(Value, Value)> combine) {
    for (size_t half = values.size() / 2; half > 0; half /= 2)
      for (size_t i = 0; i < half; ++i)
        values[i] = combine(values[i], values[i + half]);
    Value value = values[0];
    int64_t one[] = {1};
    for (int64_t half = lanes / 2; half > 0; half /= 2) {
      int64_t zero[] = {0}, from[] = {half}, width[] = {half};
      auto part = [&](ArrayRef<int64_t> offset) -> Value {
        return vector::ExtractStridedSliceOp::create(e.builder(), e.location(), value, offset,
                                                     width, one);
      };
      value = combine(part(zero), part(from));
    }
    return vector::ExtractOp::create(e.builder(), e.location(), value, 0);
  }

  Value select(Value mask, Value x, double otherwise) {
    return mask ? arith::SelectOp::create(e.builder(), e.location(), mask, x,
                                          splat(otherwise))
                : x;
  }

  void emitRow(Place place) {
    Value from = e.at(data, place), to = e.at(out, place);
    constexpr double least = -std::numeric_limits<double>::infinity();
    auto readAt = [&](OpFoldResult i, Value mask) {
      return read(e.offset(from, element, i), mask);
    };
    Value maximum = reduce(foldRow(least,
                                   [&](OpFoldResult i, Value mask, Value carried) {
                                     return greater(select(mask, readAt(i, mask), least), carried);
                                   }),
                           [&](Value x, Value y) { return greater(x, y); });
    Value all = e.broadcast(maximum, lanes);
    Value sum = reduce(foldRow(0,
                               [&](OpFoldResult i, Value mask, Value carried) {
                                 Value exp = exponential(readAt(i, mask), all);
                                 if (!op.getLog())
                                   write(exp, e.offset(to, element, i), mask);
                                 return make<arith::AddFOp>(carried, select(mask, exp, 0));
                               }),
                       [&](Value x, Value y) { return make<arith::AddFOp>(x, y); });
    Value by = e.broadcast(divisor(sum), lanes);
    (void)foldRow(0, [&](OpFoldResult i, Value mask, Value carried) {
      Value place = e.offset(to, element, i);
      if (op.getLog()) {
        Value shifted = make<arith::SubFOp>(readAt(i, mask), all);
        write(make<arith::SubFOp>(shifted, by), place, mask);
      } else {
        Value exp = mask ? e.loadMasked(place, element, mask) : e.load(place, element, lanes);
        write(make<arith::DivFOp>(exp, by), place, mask);
      }
      return carried;
    });
  }

  kernel::SoftmaxOp op;
  Emission e;
  const View &data, &out;
  Type element;
  OpFoldResult length;
  bool rows;
  int64_t lanes;
  SmallVector<OpFoldResult> space;
};

} // namespace

static OpFoldResult countSoftmaxTasks(kernel::SoftmaxOp op, ArrayRef<View> operands,
                                      LoweringContext &context) {
  return SoftmaxEmitter(op, operands, context).split().count;
}

static LogicalResult lowerSoftmax(kernel::SoftmaxOp op, ArrayRef<View> operands, Value task,
                                  LoweringContext &context) {
  SoftmaxEmitter(op, operands, context).lower(task);
  return success();
}

namespace symc::codegen {
void registerSoftmaxLowering(DialectRegistry &registry) {
  addLowering<kernel::SoftmaxOp, countSoftmaxTasks, lowerSoftmax>(registry);
}
} // namespace symc::codegen
