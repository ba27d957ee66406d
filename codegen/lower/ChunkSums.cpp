// ChunkSums.cpp: see ChunkSums.h.
#include "codegen/lower/ChunkSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

void symc::codegen::forSpan(Emission &e, Span span, function_ref<void(OpFoldResult)> body,
                            int64_t step) {
  e.forLoop(span.first, span.end, e.constant(step), {}, [&](Value index, ValueRange) {
    body(OpFoldResult(index));
    return SmallVector<Value>();
  });
}

ChunkPixels symc::codegen::pixelsOf(Emission &e, const kernel::PixelChunks &chunks,
                                    const View &slope, OpFoldResult chunk) {
  if (chunks.perImage == 1)
    return {spanOf(e, e.mul(chunk, e.constant(chunks.images)), chunks.images, slope.sizes[0]),
            {e.constant(0), slope.sizes[2]}};
  OpFoldResult each = e.constant(chunks.perImage), image = e.floorDiv(chunk, each);
  return {
      {image, e.add(image, e.constant(1))},
      spanOf(e, e.mul(e.rem(chunk, each), e.constant(chunks.rows)), chunks.rows, slope.sizes[2])};
}

static OpFoldResult trailingOnes(Emission &e, OpFoldResult number) {
  OpBuilder &b = e.builder();
  Location loc = e.location();
  Value wide = arith::IndexCastOp::create(b, loc, b.getI64Type(), e.index(number));
  Value ones = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(-1));
  Value count =
      math::CountTrailingZerosOp::create(b, loc, arith::XOrIOp::create(b, loc, wide, ones));
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), count).getResult();
}

SmallVector<Value> symc::codegen::sumPixels(
    Emission &e, Span span, PixelSteps steps, Value data, Value slope, ArrayRef<Value> sums,
    llvm::function_ref<SmallVector<Value>(Value, Value, ArrayRef<Value>)> iteration) {
  SmallVector<Value> carried{data, slope};
  llvm::append_range(carried, sums);
  SmallVector<Value> result =
      e.forLoop(span.first, span.end, e.constant(1), carried, [&](Value, ValueRange now) {
        SmallVector<Value> inside(now);
        SmallVector<Value> yielded{e.offset(inside[0], steps.element, steps.data),
                                   e.offset(inside[1], steps.element, steps.slope)};
        llvm::append_range(yielded,
                           iteration(inside[0], inside[1], ArrayRef(inside).drop_front(2)));
        return yielded;
      });
  return SmallVector<Value>(ArrayRef<Value>(result).drop_front(2));
}

// As a binary counter: sums of 2^k chunks wait at [s, 1 + k] for their neighbour.
void symc::codegen::emitSlot(Emission &e, const kernel::PixelChunks &chunks, int64_t perSlot,
                             OpFoldResult slot, const SlotSums &sums) {
  OpFoldResult zero = e.constant(0), one = e.constant(1);
  OpFoldResult first = e.mul(slot, e.constant(perSlot));
  if (perSlot == 1)
    return sums.compute(first);
  OpFoldResult count = e.min(e.constant(perSlot), e.sub(e.constant(chunks.count), first));
  forSpan(e, {zero, count}, [&](OpFoldResult chunk) {
    sums.compute(e.add(first, chunk));
    OpFoldResult full = trailingOnes(e, chunk);
    forSpan(e, {zero, full}, sums.add);
    e.branch(e.add(chunk, one), count, [&] { sums.store(full); });
  });
  // What waits is to the left of what [s, 0] holds, the least first.
  OpFoldResult lowest = trailingOnes(e, e.sub(count, one));
  forSpan(e, {e.add(lowest, one), e.constant(llvm::Log2_64(perSlot))}, [&](OpFoldResult level) {
    OpBuilder &b = e.builder();
    Value bit = arith::ShRUIOp::create(b, e.location(), e.index(count), e.index(level));
    Value waits = arith::AndIOp::create(b, e.location(), bit, e.index(1));
    e.branch(zero, OpFoldResult(waits), [&] { sums.add(level); });
  });
}

static Value atLevel(Emission &e, Value place, OpFoldResult level, OpFoldResult step,
                     Type element) {
  return e.offset(place, element, e.mul(e.add(level, e.constant(1)), step));
}

void symc::codegen::addLevel(Emission &e, Value place, OpFoldResult level, OpFoldResult step,
                             Type element, int64_t lanes) {
  Value left = e.load(atLevel(e, place, level, step, element), element, lanes);
  Value right = e.load(place, element, lanes);
  e.store(arith::AddFOp::create(e.builder(), e.location(), left, right), place);
}

void symc::codegen::storeLevel(Emission &e, Value place, OpFoldResult level, OpFoldResult step,
                               Type element, int64_t lanes) {
  e.store(e.load(place, element, lanes), atLevel(e, place, level, step, element));
}
