// PoolGradientLowering.cpp: kernel.pool_places and kernel.pool_gradient, windows over 16-channel
// blocks. See KernelOps.td.
//
// A task is images of single blocks. Windows go over one row by row and add to its pixels, which
// begin as zeros; where no two windows meet, each stores instead, and zeros are written only where
// windows leave gaps. Of a maximum the tap of the window's place gets its slope; without places
// each window carries its slope from tap to tap until it is given away, so that the first that
// equals the result gets it.
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t mostUnrolled = 4 * 4; // taps of windows that lie inside of the image

namespace {
// Windows along rows or columns.
struct Axis {
  int64_t extent, results, kernel, stride, begin, end;
  int64_t low = 0, high = 0; // results whose windows lie in the image

  Axis() = default;
  Axis(int64_t extent, int64_t results, int64_t kernel, int64_t stride, int64_t begin, int64_t end)
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

// The window of a result in the image: its first tap that lies there, how many do, and what it
// counts for.
struct Window {
  OpFoldResult start, first, size, share;
};

// What the walks over windows share.
class WindowWalk {
public:
  TaskSplit split() { return splitTasks(e, cut, space); }
  OpFoldResult countTasks() { return split().count; }

protected:
  template <typename Op>
  WindowWalk(Op op, const View &image, const View &result, LoweringContext &context)
      : e(context, op.getLoc()), element(e.builder().getF32Type()),
        lanes(std::min<int64_t>(e.blockWidth(), e.target().lanes(4))),
        width(*constantOf(image.sizes[4])), cut(op.getCutAttr()),
        space({image.sizes[0], image.sizes[1]}) {
    kernel::Padding pad = kernel::paddingOf(op.getPadAttr());
    for (int axis : {0, 1})
      axes[axis] =
          Axis(*constantOf(image.sizes[2 + axis]), *constantOf(result.sizes[2 + axis]),
               op.getKernel()[axis], op.getStrides()[axis], pad.begin(axis), pad.end(axis));
  }
  virtual ~WindowWalk() = default;
  WindowWalk(const WindowWalk &) = default;

  // `position` is the result's, with the first lane.
  virtual void emitWindow(ArrayRef<OpFoldResult> position, const Window &rows,
                          const Window &columns, bool unroll) = 0;
  virtual bool countsPadding() { return false; }

  void emitImage(ArrayRef<OpFoldResult> at) {
    loop(0, axes[0].low, [&](OpFoldResult row) { emitRow(at, row, false); });
    loop(axes[0].low, axes[0].high, [&](OpFoldResult row) { emitRow(at, row, true); });
    loop(axes[0].high, axes[0].results, [&](OpFoldResult row) { emitRow(at, row, false); });
  }

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

  Window windowAt(OpFoldResult index, int axis, bool inside) {
    const Axis &a = axes[axis];
    OpFoldResult none = e.constant(0), size = e.constant(a.kernel);
    OpFoldResult start = e.sub(e.mul(index, e.constant(a.stride)), e.constant(a.begin));
    if (inside)
      return {start, none, size, size};
    OpFoldResult extent = e.constant(a.extent);
    OpFoldResult end = e.min(e.add(start, size), extent);
    OpFoldResult first = e.max(start, none), tap = e.max(e.sub(none, start), none);
    OpFoldResult left = e.sub(end, first);
    OpFoldResult share = left;
    if (countsPadding())
      share = e.min(size, e.sub(e.constant(a.extent + a.end), start));
    return {first, tap, e.max(left, none), e.max(share, e.constant(1))};
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

  // Calls `tap` for each element of the window with row, column and the number of the element, and
  // passes on what it returns.
  Value
  forTaps(const Window &rows, const Window &columns, bool unroll, Value carried,
          function_ref<Value(OpFoldResult y, OpFoldResult x, OpFoldResult number, Value)> tap) {
    auto number = [&](OpFoldResult y, OpFoldResult x) {
      return e.add(e.mul(e.add(y, rows.first), e.constant(axes[1].kernel)),
                   e.add(x, columns.first));
    };
    if (unroll) {
      for (int64_t y = 0; y < axes[0].kernel; ++y)
        for (int64_t x = 0; x < axes[1].kernel; ++x)
          carried = tap(e.constant(y), e.constant(x), e.constant(y * axes[1].kernel + x), carried);
      return carried;
    }
    OpFoldResult none = e.constant(0), one = e.constant(1);
    auto all = e.forLoop(none, rows.size, one, {carried}, [&](Value y, ValueRange outer) {
      return e.forLoop(none, columns.size, one, outer, [&](Value x, ValueRange inner) {
        OpFoldResult row(y), column(x);
        return SmallVector<Value>{tap(row, column, number(row, column), inner[0])};
      });
    });
    return all[0];
  }

  Value pixel(const View &view, Value corner, OpFoldResult y, OpFoldResult x) {
    return e.offset(corner, element, e.add(e.mul(y, view.strides[2]), e.mul(x, view.strides[3])));
  }
  Value splatNumber(OpFoldResult number) {
    OpBuilder &b = e.builder();
    if (std::optional<int64_t> known = constantOf(number))
      return e.splat(b.getI32IntegerAttr(*known), lanes); // 32 bits: elements of a window.
    // 32 bits: elements of a window.
    return e.broadcast(arith::IndexCastOp::create(b, e.location(), b.getI32Type(), e.index(number)),
                       lanes);
  }

  Emission e;
  Type element;
  int64_t lanes, width;
  kernel::CutAttr cut;
  SmallVector<OpFoldResult> space;
  Axis axes[2];
};

class PoolPlacesEmitter : public WindowWalk {
public:
  PoolPlacesEmitter(kernel::PoolPlacesOp op, ArrayRef<View> operands, LoweringContext &context)
      : WindowWalk(op, operands[0], operands[1], context), data(operands[0]), result(operands[1]),
        places(operands[2]) {}

  void lower(Value task) {
    forRange(e, rangeOfTask(e, split(), space, task), 2,
             [&](ArrayRef<OpFoldResult> at) { emitImage(at); });
  }

private:
  void emitWindow(ArrayRef<OpFoldResult> position, const Window &rows, const Window &columns,
                  bool unroll) override {
    OpBuilder &b = e.builder();
    Location loc = e.location();
    Value greatest = e.load(e.at(result, position), element, lanes);
    Value corner = e.at(data, {position[0], position[1], rows.start, columns.start, position[4]});
    // 32 bits: elements of a window, at most 255.
    Value none = e.splat(b.getI32IntegerAttr(kernel::PoolPlacesOp::mostElements), lanes);
    Value place =
        forTaps(rows, columns, unroll, none,
                [&](OpFoldResult y, OpFoldResult x, OpFoldResult number, Value before) -> Value {
                  Value equal = arith::CmpFOp::create(
                      b, loc, arith::CmpFPredicate::OEQ,
                      e.load(pixel(data, corner, y, x), element, lanes), greatest);
                  Value own = arith::SelectOp::create(b, loc, equal, splatNumber(number), none);
                  return arith::MinUIOp::create(b, loc, before, own); // the first
                });
    Type bytes = e.vectorType(b.getI8Type(), lanes);
    e.store(arith::TruncIOp::create(b, loc, bytes, place), e.at(places, position));
  }

  const View &data, &result, &places;
};

class PoolGradientEmitter : public WindowWalk {
public:
  PoolGradientEmitter(kernel::PoolGradientOp op, ArrayRef<View> operands, LoweringContext &context)
      : WindowWalk(op, operands.back(), operands.front(), context), op(op), slope(operands.front()),
        ins(operands.drop_front().drop_back()), out(operands.back()),
        isMax(op.getKind().starts_with("max")), apart(axes[0].apart() && axes[1].apart()) {}

  void lower(Value task) {
    forRange(e, rangeOfTask(e, split(), space, task), 2, [&](ArrayRef<OpFoldResult> at) {
      if (!apart || !axes[0].covers() || !axes[1].covers())
        clear(at);
      emitImage(at);
    });
  }

private:
  bool countsPadding() override { return op.getCountIncludePad(); }

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

  void emitWindow(ArrayRef<OpFoldResult> position, const Window &rows, const Window &columns,
                  bool unroll) override {
    OpBuilder &b = e.builder();
    Location loc = e.location();
    Value rest = e.load(e.at(slope, position), element, lanes), result, chosen;
    if (op.getKind() == "avg")
      rest = dividedBy(rest, e.mul(rows.share, columns.share));
    SmallVector<OpFoldResult> corner{position[0], position[1], rows.start, columns.start,
                                     position[4]};
    Value target = e.at(out, corner), data;
    if (ins.size() == 1) {
      chosen = e.load(e.at(ins[0], position), b.getI8Type(), lanes);
      chosen = arith::ExtUIOp::create(b, loc, e.vectorType(b.getI32Type(), lanes), chosen);
    } else if (isMax) {
      data = e.at(ins[0], corner);
      result = e.load(e.at(ins[1], position), element, lanes);
    }
    forTaps(rows, columns, unroll, rest,
            [&](OpFoldResult y, OpFoldResult x, OpFoldResult number, Value rest) {
              Value given = rest;
              if (chosen) {
                Value equal = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, chosen,
                                                    splatNumber(number));
                given = arith::SelectOp::create(b, loc, equal, rest, zero());
              } else if (isMax) {
                Value equal = arith::CmpFOp::create(
                    b, loc, arith::CmpFPredicate::OEQ,
                    e.load(pixel(ins[0], data, y, x), element, lanes), result);
                given = arith::SelectOp::create(b, loc, equal, rest, zero());
                if (op.getKind() == "max") // of the first alone
                  rest = arith::SelectOp::create(b, loc, equal, zero(), rest);
              }
              Value to = pixel(out, target, y, x);
              Value sum = apart ? zero() : e.load(to, element, lanes);
              e.store(arith::AddFOp::create(b, loc, sum, given), to);
              return rest;
            });
  }

  kernel::PoolGradientOp op;
  const View &slope;
  ArrayRef<View> ins; // of max: places, or data and result
  const View &out;
  bool isMax, apart; // no two windows meet
};
} // namespace

namespace symc::codegen {
void registerPoolGradientLowering(DialectRegistry &registry) {
  addEmitter<kernel::PoolGradientOp, PoolGradientEmitter>(registry);
  addEmitter<kernel::PoolPlacesOp, PoolPlacesEmitter>(registry);
}
} // namespace symc::codegen
