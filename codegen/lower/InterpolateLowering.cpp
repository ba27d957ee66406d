// InterpolateLowering.cpp: kernel.interpolate. See KernelOps.td.
//
// Along any axis but the last a row of output is two rows of data, each times a number: vectors
// along the last axis. Along the last axis elements are gathered; where they lie is computed once
// in a task, for some columns at a time, and kept on the stack.
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

// Columns whose places are kept at once: 10 kB.
constexpr int64_t columnsAtOnce = 512;

class InterpolateEmitter {
public:
  InterpolateEmitter(kernel::InterpolateOp op, ArrayRef<View> operands, LoweringContext &context)
      : op(op), emit(context, op.getLoc()), data(operands[0]), out(operands[1]), axis(op.getAxis()),
        f32(emit.builder().getF32Type()), i64(emit.builder().getI64Type()) {
    from = *constantOf(data.sizes[axis]);
    to = *constantOf(out.sizes[axis]);
    outer.assign(out.sizes.begin(), out.sizes.begin() + op.getCutExtents());
  }

  OpFoldResult countTasks() { return split().count; }
  void lower(Value task) {
    TaskRange range = rangeOfTask(emit, split(), outer, task);
    if (axis + 1 == out.sizes.size())
      return emitColumns(range);
    forRange(emit, range, outer.size(),
             [&](ArrayRef<OpFoldResult> position) { emitRow(position); });
  }

private:
  /// Where an index of the axis lies: between two of data, as i64, and its share of the second.
  struct Place {
    Value low, high, part;
  };
  TaskSplit split() { return splitTasks(emit, op.getCutAttr(), outer); }
  Place placeOf(Value index);
  Value mix(Value low, Value high, Value rest, Value part);
  Value index(Value integer) {
    return arith::IndexCastOp::create(emit.builder(), emit.location(),
                                      emit.builder().getIndexType(), integer);
  }
  Value rest(Value part) {
    Value one = emit.splat(emit.builder().getF32FloatAttr(1), 1);
    return arith::SubFOp::create(emit.builder(), emit.location(), one, part);
  }
  void emitRow(ArrayRef<OpFoldResult> position);
  void emitInner(size_t dim, Value low, Value high, Value target, ArrayRef<Value> weights);
  void emitColumns(const TaskRange &range);
  void emitGathered(ArrayRef<OpFoldResult> position, OpFoldResult first, OpFoldResult count,
                    const Place &kept);

  kernel::InterpolateOp op;
  Emission emit;
  const View &data, &out;
  size_t axis;
  Type f32, i64;
  int64_t from, to;
  SmallVector<OpFoldResult> outer;
};

} // namespace

InterpolateEmitter::Place InterpolateEmitter::placeOf(Value index) {
  OpBuilder &b = emit.builder();
  Location loc = emit.location();
  auto real = [&](Type type, double value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  };
  auto integer = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  float scale = 0;
  if (to > 1)
    scale = op.getCorners() ? float(from - 1) / float(to - 1) : float(from) / float(to);
  Value number = arith::IndexCastOp::create(b, loc, i64, index), source;
  if (op.getCorners()) {
    Value place = arith::SIToFPOp::create(b, loc, f32, number);
    source = arith::MulFOp::create(b, loc, real(f32, scale), place);
  } else {
    Type f64 = b.getF64Type();
    Value place = arith::SIToFPOp::create(b, loc, f64, number);
    place = arith::AddFOp::create(b, loc, place, real(f64, 0.5));
    place = arith::MulFOp::create(b, loc, real(f64, scale), place);
    place = arith::SubFOp::create(b, loc, place, real(f64, 0.5));
    source = arith::TruncFOp::create(b, loc, f32, place);
  }
  Value zero = real(f32, 0);
  Value before = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, source, zero);
  source = arith::SelectOp::create(b, loc, before, zero, source);
  Value last = integer(from - 1); // where the scale was rounded up
  Value low = arith::FPToSIOp::create(b, loc, i64, source);
  low = arith::MinSIOp::create(b, loc, low, last);
  Value high = arith::MinSIOp::create(b, loc, arith::AddIOp::create(b, loc, low, integer(1)), last);
  Value part = arith::SubFOp::create(b, loc, source, arith::SIToFPOp::create(b, loc, f32, low));
  return {low, high, part};
}

Value InterpolateEmitter::mix(Value low, Value high, Value rest, Value part) {
  OpBuilder &b = emit.builder();
  Location loc = emit.location();
  low = arith::MulFOp::create(b, loc, low, rest);
  high = arith::MulFOp::create(b, loc, high, part);
  return arith::AddFOp::create(b, loc, low, high);
}

void InterpolateEmitter::emitRow(ArrayRef<OpFoldResult> position) {
  Place place = placeOf(emit.index(position.back()));
  int64_t lanes = emit.target().lanes(4);
  SmallVector<OpFoldResult> low(position), high(position);
  low.back() = index(place.low);
  high.back() = index(place.high);
  SmallVector<Value> weights; // vectors, then scalars
  for (int64_t width : {lanes, int64_t(1)})
    for (Value weight : {rest(place.part), place.part})
      weights.push_back(emit.broadcast(weight, width));
  emitInner(axis + 1, emit.at(data, low), emit.at(data, high), emit.at(out, position), weights);
}

// The extents from `dim` on, of which the last one is walked in vectors.
void InterpolateEmitter::emitInner(size_t dim, Value low, Value high, Value target,
                                   ArrayRef<Value> weights) {
  OpFoldResult zero = emit.constant(0), extent = out.sizes[dim];
  auto moved = [&](Value pointer, const View &view, Value by) {
    return emit.offset(pointer, f32, emit.mul(OpFoldResult(by), view.strides[dim]));
  };
  auto loop = [&](OpFoldResult first, OpFoldResult end, int64_t step,
                  llvm::function_ref<void(Value, Value, Value)> body) {
    emit.forLoop(
        first, end, emit.constant(step), {},
        [&](Value i, ValueRange) {
          body(moved(low, data, i), moved(high, data, i), moved(target, out, i));
          return SmallVector<Value>();
        },
        /*unroll=*/step > 0 && dim + 1 == out.sizes.size());
  };
  if (dim + 1 < out.sizes.size())
    return loop(zero, extent, 1, [&](Value low, Value high, Value target) {
      emitInner(dim + 1, low, high, target, weights);
    });
  int64_t lanes = emit.target().lanes(4);
  auto vectors = [&](int64_t width, ArrayRef<Value> weights) {
    return [&emit = emit, this, width, weights](Value low, Value high, Value target) {
      emit.store(
          mix(emit.load(low, f32, width), emit.load(high, f32, width), weights[0], weights[1]),
          target);
    };
  };
  OpFoldResult step = emit.constant(lanes);
  OpFoldResult whole = emit.mul(emit.floorDiv(extent, step), step);
  loop(zero, whole, lanes, vectors(lanes, weights.take_front(2)));
  if (lanes > 1)
    loop(whole, extent, 1, vectors(1, weights.drop_front(2)));
}

void InterpolateEmitter::emitColumns(const TaskRange &range) {
  Place kept{emit.stack(i64, columnsAtOnce), emit.stack(i64, columnsAtOnce),
             emit.stack(f32, columnsAtOnce)};
  OpFoldResult one = emit.constant(1), piece = emit.constant(std::min(to, columnsAtOnce));
  emit.forLoop(emit.constant(0), emit.constant(to), piece, {}, [&](Value first, ValueRange) {
    OpFoldResult count = emit.min(emit.sub(emit.constant(to), OpFoldResult(first)), piece);
    emit.forLoop(emit.constant(0), count, one, {}, [&](Value i, ValueRange) {
      Place place = placeOf(emit.index(emit.add(OpFoldResult(first), OpFoldResult(i))));
      emit.store(place.low, emit.offset(kept.low, i64, OpFoldResult(i)));
      emit.store(place.high, emit.offset(kept.high, i64, OpFoldResult(i)));
      emit.store(place.part, emit.offset(kept.part, f32, OpFoldResult(i)));
      return SmallVector<Value>();
    });
    forRange(emit, range, outer.size(), [&](ArrayRef<OpFoldResult> position) {
      emitGathered(position, OpFoldResult(first), count, kept);
    });
    return SmallVector<Value>();
  });
}

void InterpolateEmitter::emitGathered(ArrayRef<OpFoldResult> position, OpFoldResult first,
                                      OpFoldResult count, const Place &kept) {
  Value row = emit.at(data, position);
  Value target = emit.offset(emit.at(out, position), f32, first);
  emit.forLoop(
      emit.constant(0), count, emit.constant(1), {},
      [&](Value i, ValueRange) {
        auto element = [&](Value places) {
          Value place = emit.load(emit.offset(places, i64, OpFoldResult(i)), i64, 1);
          return emit.load(emit.offset(row, f32, OpFoldResult(index(place))), f32, 1);
        };
        Value part = emit.load(emit.offset(kept.part, f32, OpFoldResult(i)), f32, 1);
        Value low = element(kept.low), high = element(kept.high);
        emit.store(mix(low, high, rest(part), part), emit.offset(target, f32, OpFoldResult(i)));
        return SmallVector<Value>();
      },
      /*unroll=*/true);
}

namespace symc::codegen {
void registerInterpolateLowering(DialectRegistry &registry) {
  addEmitter<kernel::InterpolateOp, InterpolateEmitter>(registry);
}
} // namespace symc::codegen
