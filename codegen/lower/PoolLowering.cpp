// PoolLowering.cpp: kernel.pool, windows over 16-channel blocks. See KernelOps.td.
//
// A task is some rows of one image and block. A row's columns whose window lies
// inside the image are done several at a time without checks, the others one by
// one over the clipped window. Rows of a window are clipped once per row of
// output. Reduction order: rows, then columns, the same for every path, so that
// the path taken does not show in the bits.
#include "codegen/lower/ElementAccess.h"
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

class PoolEmitter {
public:
  PoolEmitter(kernel::PoolOp op, ArrayRef<View> operands, LoweringContext &context)
      : op(op), emit(context, op.getLoc()), data(operands.front()), out(operands.back()),
        extras(operands.drop_front().drop_back()), narrow(op->hasAttr(kernel::narrowName)),
        element(narrow ? emit.builder().getF32Type() : data.elementType) {
    lanes = std::min<int64_t>(emit.blockWidth(),
                              emit.target().lanes(element.getIntOrFloatBitWidth() / 8));
    outer = {out.sizes[0], out.sizes[1], out.sizes[2]};
  }

  OpFoldResult countTasks() { return split().count; }
  TaskSplit split() { return splitTasks(emit, op.getCutAttr(), outer); }

  void lower(Value task) {
    forRange(emit, rangeOfTask(emit, split(), outer, task), 3,
             [&](ArrayRef<OpFoldResult> position) { emitRow(position); });
  }

private:
  /// The clipped window in one dimension: taps [first, last), and the divisor's share.
  struct Window {
    OpFoldResult start, first, last, share;
  };
  Window windowAt(OpFoldResult index, int dim, bool inside);
  void emitRow(ArrayRef<OpFoldResult> position);
  void emitPixels(ArrayRef<OpFoldResult> position, OpFoldResult column, int64_t pixels,
                  const Window &rows, const Window &columns, Value imageRow);
  Value initial() {
    if (element.isInteger(8)) // the least of either kind
      return emit.splat(emit.builder().getI8IntegerAttr(op.getKind() == "smax" ? -128 : 0), lanes);
    auto type = cast<FloatType>(element);
    APFloat value = op.getKind() == "max"
                        ? APFloat::getLargest(type.getFloatSemantics(), /*Negative=*/true)
                        : APFloat::getZero(type.getFloatSemantics());
    return emit.splat(emit.builder().getFloatAttr(type, value), lanes);
  }
  Value inRegister(Value value) { return narrow ? emit.convert(value, element) : value; }
  Value combine(Value sum, Value next);
  Value finish(Value sum, OpFoldResult divisor);
  OpFoldResult floorDivSigned(OpFoldResult x, int64_t by);

  kernel::PoolOp op;
  Emission emit;
  const View &data, &out;
  ArrayRef<View> extras;
  bool narrow; // 16 bits in memory
  Type element;
  int64_t lanes;
  SmallVector<OpFoldResult> outer;
};

} // namespace

// max keeps what it has unless the next is greater: NaN never enters.
Value PoolEmitter::combine(Value sum, Value next) {
  OpBuilder &b = emit.builder();
  Location loc = emit.location();
  if (op.getKind() == "smax")
    return arith::MaxSIOp::create(b, loc, sum, next);
  if (op.getKind() == "umax")
    return arith::MaxUIOp::create(b, loc, sum, next);
  if (op.getKind() != "max")
    return arith::AddFOp::create(b, loc, sum, next);
  Value greater = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, next, sum);
  return arith::SelectOp::create(b, loc, greater, next, sum);
}

Value PoolEmitter::finish(Value sum, OpFoldResult divisor) {
  if (op.getKind() != "avg")
    return sum;
  OpBuilder &b = emit.builder();
  Location loc = emit.location();
  Value scale;
  if (std::optional<int64_t> known = constantOf(divisor)) {
    scale = emit.splat(b.getFloatAttr(element, (double)*known), lanes);
  } else {
    Value wide = arith::IndexCastOp::create(b, loc, b.getI64Type(), emit.index(divisor));
    scale = emit.broadcast(arith::SIToFPOp::create(b, loc, element, wide), lanes);
  }
  return arith::DivFOp::create(b, loc, sum, scale);
}

// Taps of the window of output `index` that lie in the image; all of them where
// the window is `inside` for certain.
PoolEmitter::Window PoolEmitter::windowAt(OpFoldResult index, int dim, bool inside) {
  int64_t kernel = op.getKernel()[dim], stride = op.getStrides()[dim];
  kernel::Padding pad = kernel::paddingOf(op.getPadAttr());
  int64_t begin = pad.begin(dim), end = pad.end(dim);
  OpFoldResult extent = data.sizes[2 + dim], zero = emit.constant(0);
  OpFoldResult size = emit.constant(kernel);
  OpFoldResult start = emit.sub(emit.mul(index, emit.constant(stride)), emit.constant(begin));
  if (inside)
    return {start, zero, size, size};
  OpFoldResult first = emit.max(emit.sub(zero, start), zero);
  OpFoldResult last = emit.min(emit.sub(extent, start), size);
  OpFoldResult share = emit.sub(last, first);
  if (op.getCountIncludePad())
    share = emit.min(size, emit.sub(emit.add(extent, emit.constant(end)), start));
  // A window wholly beyond the image, as convention full can have one, sums up to 0.
  return {start, first, last, emit.max(share, emit.constant(1))};
}

// `pixels` outputs from `column` on, whose windows have the taps that `rows` and
// `columns` (of the first; the same for all) give.
void PoolEmitter::emitPixels(ArrayRef<OpFoldResult> position, OpFoldResult column, int64_t pixels,
                             const Window &rows, const Window &columns, Value imageRow) {
  int64_t pieces = emit.blockWidth() / lanes;
  OpFoldResult one = emit.constant(1);
  OpFoldResult pixelStep = emit.mul(emit.constant(op.getStrides()[1]), data.strides[3]);
  Value corner = emit.offset(imageRow, data.elementType, emit.mul(columns.start, data.strides[3]));
  SmallVector<Value> sums(pixels * pieces, initial());
  sums = emit.forLoop(rows.first, rows.last, one, sums, [&](Value row, ValueRange outerSums) {
    Value line =
        emit.offset(corner, data.elementType, emit.mul(OpFoldResult(row), data.strides[2]));
    return emit.forLoop(
        columns.first, columns.last, one, outerSums, [&](Value tap, ValueRange carried) {
          Value place =
              emit.offset(line, data.elementType, emit.mul(OpFoldResult(tap), data.strides[3]));
          SmallVector<Value> next;
          for (int64_t pixel = 0; pixel < pixels; ++pixel)
            for (int64_t piece = 0; piece < pieces; ++piece) {
              OpFoldResult distance =
                  emit.add(emit.mul(emit.constant(pixel), pixelStep), emit.constant(piece * lanes));
              Value value = emit.load(emit.offset(place, data.elementType, distance),
                                      data.elementType, lanes);
              next.push_back(combine(carried[next.size()], inRegister(value)));
            }
          return next;
        });
  });
  OpFoldResult divisor = emit.mul(rows.share, columns.share);
  for (int64_t pixel = 0; pixel < pixels; ++pixel)
    for (int64_t piece = 0; piece < pieces; ++piece) {
      SmallVector<OpFoldResult> place(position);
      place.push_back(emit.add(column, emit.constant(pixel)));
      place.push_back(emit.constant(piece * lanes));
      SmallVector<Value> arguments{finish(sums[pixel * pieces + piece], divisor)};
      for (const View &extra : extras)
        arguments.push_back(inRegister(emit.loadStrided(emit.at(extra, place), extra.elementType,
                                                        extra.strides.back(), lanes)));
      Value result = emit.vectoriseBody(op.getBody(), arguments, lanes)[0];
      if (narrow)
        result = emit.convert(result, out.elementType);
      emit.store(result, emit.at(out, place));
    }
}

OpFoldResult PoolEmitter::floorDivSigned(OpFoldResult x, int64_t by) {
  // Callers pass x >= -by: shifted up by one divisor it is not negative.
  return emit.sub(
      emit.floorDiv(emit.max(emit.add(x, emit.constant(by)), emit.constant(0)), emit.constant(by)),
      emit.constant(1));
}

void PoolEmitter::emitRow(ArrayRef<OpFoldResult> position) {
  OpFoldResult zero = emit.constant(0), one = emit.constant(1), width = out.sizes[3];
  int64_t kernel = op.getKernel()[1], stride = op.getStrides()[1];
  int64_t begin = kernel::paddingOf(op.getPadAttr()).left;
  Window rows = windowAt(position[2], 0, false);
  // The first image row of the window may lie before the image: only rows in
  // [first, last) are read.
  Value image = emit.at(data, position.take_front(2));
  Value imageRow = emit.offset(image, data.elementType, emit.mul(rows.start, data.strides[2]));

  // Columns [low, high) have whole windows: o*stride >= begin and
  // o*stride - begin + kernel <= W.
  OpFoldResult low = emit.min(emit.constant((begin + stride - 1) / stride), width);
  OpFoldResult room =
      emit.sub(emit.add(data.sizes[3], emit.constant(begin)), emit.constant(kernel));
  OpFoldResult high = emit.add(floorDivSigned(room, stride), one);
  high = emit.max(emit.min(high, width), low);

  auto loop = [&](OpFoldResult from, OpFoldResult to, int64_t pixels, bool inside) {
    emit.forLoop(from, to, emit.constant(pixels), {}, [&](Value column, ValueRange) {
      emitPixels(position, OpFoldResult(column), pixels, rows,
                 windowAt(OpFoldResult(column), 1, inside), imageRow);
      return SmallVector<Value>();
    });
  };
  int64_t pixels = std::max<int64_t>(1, 4 * lanes / emit.blockWidth());
  OpFoldResult step = emit.constant(pixels);
  OpFoldResult whole = emit.add(low, emit.mul(emit.floorDiv(emit.sub(high, low), step), step));
  loop(zero, low, 1, false);
  loop(low, whole, pixels, true);
  if (pixels > 1)
    loop(whole, high, 1, true);
  loop(high, width, 1, false);
}

static bool takesHalves(kernel::PoolOp op, OpOperand &operand) {
  return op.getKind() != "smax" && op.getKind() != "umax"; // of bytes
}

static LogicalResult checkPool(kernel::PoolOp op, ArrayRef<View> operands,
                               const TargetDescription &target) {
  const View &data = operands.front(), &out = operands.back();
  bool bytes = op.getKind() == "smax" || op.getKind() == "umax";
  if ((bytes ? !data.elementType.isInteger(8) : !isa<FloatType>(data.elementType)) ||
      (data.elementType != out.elementType && !op->hasAttr(kernel::narrowName)))
    return op.emitError("internal error: pool from ")
           << data.elementType << " to " << out.elementType << "; it needs one float type";
  if (data.sizes.size() != 5 || !isConstant(data.sizes[4], target.blockWidth) ||
      !isConstant(data.strides[4], 1) || !isConstant(out.strides[4], 1))
    return op.emitError("internal error: pool needs blocks of ")
           << target.blockWidth << " channels, lanes last";
  if (!bytes && op.getKind() != "max" && op.getKind() != "avg" && op.getKind() != "sum")
    return op.emitError("internal error: pool kind '") << op.getKind() << "'";
  return success();
}

namespace symc::codegen {
void registerPoolLowering(DialectRegistry &registry) {
  addEmitter<kernel::PoolOp, PoolEmitter, checkPool, takesHalves>(registry);
}
} // namespace symc::codegen
