// PoolGradientLowering.cpp: kernel.pool_gradient, windows over 16-channel blocks. See KernelOps.td.
//
// A task is images of single blocks. Windows go over one row by row and add to its pixels, which
// begin as zeros; where no two windows meet, each stores instead, and zeros are written only where
// windows leave gaps. Of a maximum each window carries its slope from tap to tap until it is given
// away, so that the first that equals the result gets it.
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t mostUnrolled = 4 * 4; // taps of windows that lie inside of the image

namespace {
class PoolGradientEmitter {
public:
  PoolGradientEmitter(kernel::PoolGradientOp op, ArrayRef<View> operands, LoweringContext &context)
      : e(context, op.getLoc()), op(op), slope(operands.front()),
        ins(operands.drop_front().drop_back()), out(operands.back()), element(out.elementType),
        lanes(std::min<int64_t>(e.blockWidth(), e.target().lanes(4))),
        width(*constantOf(out.sizes[4])), isMax(op.getKind() == "max") {
    space = {out.sizes[0], out.sizes[1]};
    kernel::Padding pad = kernel::paddingOf(op.getPadAttr());
    for (int axis : {0, 1})
      axes[axis] =
          Axis(*constantOf(out.sizes[2 + axis]), *constantOf(slope.sizes[2 + axis]),
               op.getKernel()[axis], op.getStrides()[axis], pad.begin(axis), pad.end(axis));
    apart = axes[0].apart() && axes[1].apart();
  }

  TaskSplit split() { return splitTasks(e, op.getCutAttr(), space); }
  OpFoldResult countTasks() { return split().count; }

  void lower(Value task) {
    forRange(e, rangeOfTask(e, split(), space, task), 2, [&](ArrayRef<OpFoldResult> at) {
      if (!apart || !axes[0].covers() || !axes[1].covers())
        clear(at);
      loop(0, axes[0].low, [&](OpFoldResult row) { emitRow(at, row, false); });
      loop(axes[0].low, axes[0].high, [&](OpFoldResult row) { emitRow(at, row, true); });
      loop(axes[0].high, axes[0].results, [&](OpFoldResult row) { emitRow(at, row, false); });
    });
  }

private:
  // Windows along rows or columns.
  struct Axis {
    int64_t extent, results, kernel, stride, begin, end;
    int64_t low = 0, high = 0; // results whose windows lie in the image

    Axis() = default;
    Axis(int64_t extent, int64_t results, int64_t kernel, int64_t stride, int64_t begin,
         int64_t end)
        : extent(extent), results(results), kernel(kernel), stride(stride), begin(begin), end(end) {
      low = std::min<int64_t>(llvm::divideCeil(begin, stride), results);
      int64_t room = extent + begin - kernel;
      high = room < 0 ? 0 : room / stride + 1;
      high = std::clamp(high, low, results);
    }
    bool apart() const { return stride >= kernel; }
    // Windows hold all pixels.
    bool covers() const { return kernel == stride && begin == 0 && results * stride >= extent; }
  };
  // The window of a result in the image, and what it counts for.
  struct Window {
    OpFoldResult start, size, share;
  };

  void loop(int64_t first, int64_t end, function_ref<void(OpFoldResult)> body) {
    if (first < end)
      loop(e.constant(first), e.constant(end), body);
  }
  void loop(OpFoldResult first, OpFoldResult end, function_ref<void(OpFoldResult)> body) {
    e.forLoop(first, end, e.constant(1), {}, [&](Value index, ValueRange) {
      body(OpFoldResult(index));
      return SmallVector<Value>();
    });
  }

  Value zero() { return e.splat(e.builder().getZeroAttr(element), lanes); }

  void clear(ArrayRef<OpFoldResult> at) {
    loop(0, axes[0].extent, [&](OpFoldResult row) {
      loop(0, axes[1].extent, [&](OpFoldResult column) {
        Value place = e.at(out, {at[0], at[1], row, column});
        for (int64_t lane = 0; lane < width; lane += lanes)
          e.store(zero(), e.offset(place, element, e.constant(lane)));
      });
    });
  }

  Window windowAt(OpFoldResult index, int axis, bool inside) {
    const Axis &a = axes[axis];
    OpFoldResult none = e.constant(0), size = e.constant(a.kernel);
    OpFoldResult start = e.sub(e.mul(index, e.constant(a.stride)), e.constant(a.begin));
    if (inside)
      return {start, size, size};
    OpFoldResult extent = e.constant(a.extent);
    OpFoldResult end = e.min(e.add(start, size), extent);
    OpFoldResult first = e.max(start, none);
    OpFoldResult left = e.sub(end, first);
    OpFoldResult share = left;
    if (op.getCountIncludePad())
      share = e.min(size, e.sub(e.constant(a.extent + a.end), start));
    return {first, e.max(left, none), e.max(share, e.constant(1))};
  }

  void emitRow(ArrayRef<OpFoldResult> at, OpFoldResult row, bool inside) {
    Window rows = windowAt(row, 0, inside);
    bool unroll = inside && axes[0].kernel * axes[1].kernel <= mostUnrolled;
    auto columns = [&](int64_t first, int64_t end, bool insideColumns) {
      loop(first, end, [&](OpFoldResult column) {
        Window window = windowAt(column, 1, insideColumns);
        for (int64_t lane = 0; lane < width; lane += lanes)
          emitWindow({at[0], at[1], row, column, e.constant(lane)}, rows, window,
                     unroll && insideColumns);
      });
    };
    columns(0, axes[1].low, false);
    columns(axes[1].low, axes[1].high, true);
    columns(axes[1].high, axes[1].results, false);
  }

  Value dividedBy(Value value, OpFoldResult count) {
    OpBuilder &b = e.builder();
    Location loc = e.location();
    Value scale;
    if (std::optional<int64_t> known = constantOf(count)) {
      if (*known == 1)
        return value;
      scale = e.splat(b.getFloatAttr(element, double(*known)), lanes);
    } else {
      Value wide = arith::IndexCastOp::create(b, loc, b.getI64Type(), e.index(count));
      scale = e.broadcast(arith::SIToFPOp::create(b, loc, element, wide), lanes);
    }
    return arith::DivFOp::create(b, loc, value, scale);
  }

  // `position` is the result's, with the first lane.
  void emitWindow(ArrayRef<OpFoldResult> position, const Window &rows, const Window &columns,
                  bool unroll) {
    Value rest = e.load(e.at(slope, position), element, lanes), result;
    if (op.getKind() == "avg")
      rest = dividedBy(rest, e.mul(rows.share, columns.share));
    if (isMax)
      result = e.load(e.at(ins[1], position), element, lanes);
    SmallVector<OpFoldResult> corner{position[0], position[1], rows.start, columns.start,
                                     position[4]};
    Value target = e.at(out, corner), data = isMax ? e.at(ins[0], corner) : Value();
    auto tap = [&](OpFoldResult y, OpFoldResult x, Value rest) {
      auto place = [&](const View &view, Value origin) {
        return e.offset(origin, element,
                        e.add(e.mul(y, view.strides[2]), e.mul(x, view.strides[3])));
      };
      OpBuilder &b = e.builder();
      Location loc = e.location();
      Value given = rest;
      if (isMax) {
        Value equal = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                            e.load(place(ins[0], data), element, lanes), result);
        given = arith::SelectOp::create(b, loc, equal, rest, zero());
        rest = arith::SelectOp::create(b, loc, equal, zero(), rest);
      }
      Value to = place(out, target);
      Value sum = apart ? zero() : e.load(to, element, lanes);
      e.store(arith::AddFOp::create(b, loc, sum, given), to);
      return rest;
    };
    if (unroll) {
      for (int64_t y = 0; y < axes[0].kernel; ++y)
        for (int64_t x = 0; x < axes[1].kernel; ++x)
          rest = tap(e.constant(y), e.constant(x), rest);
      return;
    }
    OpFoldResult none = e.constant(0), one = e.constant(1);
    e.forLoop(none, rows.size, one, {rest}, [&](Value y, ValueRange carried) {
      return e.forLoop(none, columns.size, one, carried, [&](Value x, ValueRange carried) {
        return SmallVector<Value>{tap(OpFoldResult(y), OpFoldResult(x), carried[0])};
      });
    });
  }

  Emission e;
  kernel::PoolGradientOp op;
  const View &slope;
  ArrayRef<View> ins; // of max: data and result
  const View &out;
  Type element;
  int64_t lanes, width;
  bool isMax, apart; // no two windows meet
  Axis axes[2];
  SmallVector<OpFoldResult> space;
};
} // namespace

namespace symc::codegen {
void registerPoolGradientLowering(DialectRegistry &registry) {
  addEmitter<kernel::PoolGradientOp, PoolGradientEmitter>(registry);
}
} // namespace symc::codegen
