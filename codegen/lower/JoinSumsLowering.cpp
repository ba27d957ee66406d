// JoinSumsLowering.cpp: kernel.join_sums, slots of sums to rows of one result. See KernelOps.td.
//
// A piece is as many rows of one block of outputs as the block has lanes: each row's vectors are
// added in registers, slot by slot as a tree; then squares of them are transposed and stored.
#include "codegen/lower/ChunkSums.h"
#include "codegen/lower/ElementAccess.h"
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {
class JoinEmitter {
public:
  JoinEmitter(kernel::JoinSumsOp op, ArrayRef<View> operands, LoweringContext &context)
      : e(context, op.getLoc()), op(op), sums(operands[0]), out(operands[1]),
        element(out.elementType), lanes(std::min<int64_t>(e.blockWidth(), e.target().lanes(4))),
        slots(*constantOf(sums.sizes[0])), rows(*constantOf(out.sizes[1])),
        outputs(*constantOf(out.sizes[0])), width(*constantOf(sums.sizes[3])), pieceRows(width) {
    space = {sums.sizes[1], e.constant(llvm::divideCeil(rows, pieceRows))};
  }

  TaskSplit split() { return splitTasks(e, op.getCutAttr(), space); }
  OpFoldResult countTasks() { return split().count; }

  void lower(Value task) {
    kept = e.stack(element, lanes * lanes);
    forRange(e, rangeOfTask(e, split(), space, task), 2, [&](ArrayRef<OpFoldResult> at) {
      OpFoldResult block = isConstant(space[0], 1) ? e.constant(0) : at[0];
      int64_t last = outputs % width;
      e.branch(
          block, e.constant(outputs / width), [&] { emitPiece(block, at[1], width); },
          [&] {
            if (last)
              emitPiece(block, at[1], last);
          });
    });
  }

private:
  void emitPiece(OpFoldResult block, OpFoldResult piece, int64_t channels) {
    OpFoldResult at = isConstant(space[1], 1) ? e.constant(0) : piece;
    OpFoldResult first = e.mul(at, e.constant(pieceRows)),
                 end = e.add(first, e.constant(pieceRows));
    if (rows % pieceRows)
      end = e.min(end, e.constant(rows));
    forSpan(
        e, {first, end},
        [&](OpFoldResult row) {
          OpFoldResult count = e.constant(lanes);
          if (rows % lanes)
            count = e.min(count, e.sub(end, row));
          for (int64_t lane = 0; lane < channels; lane += lanes)
            emitSquare(block, row, count, lane, std::min(lanes, channels - lane));
        },
        lanes);
  }

  // `count` rows of `channels` outputs from lane `lane` on. Their sums go to the stack, so that
  // the code of a sum is there once; what lies behind them there is not stored.
  void emitSquare(OpFoldResult block, OpFoldResult row, OpFoldResult count, int64_t lane,
                  int64_t channels) {
    OpFoldResult zero = e.constant(0);
    Value from = e.at(sums, {zero, block, row, e.constant(lane)});
    forSpan(e, {zero, count}, [&](OpFoldResult i) {
      Value sum = sumOf(e.offset(from, element, e.mul(sums.strides[2], i)), 0, slots);
      e.store(sum, e.offset(kept, element, e.mul(i, e.constant(lanes))));
    });
    SmallVector<Value> square;
    for (int64_t i = 0; i < lanes; ++i)
      square.push_back(e.load(e.offset(kept, element, e.constant(i * lanes)), element, lanes));
    square = transposeRows(e, square);
    Value to = e.at(out, {e.add(e.mul(block, e.constant(width)), e.constant(lane)), row});
    Value mask = rows % lanes ? e.mask(count, lanes) : Value();
    for (int64_t i = 0; i < channels; ++i) {
      Value place = e.offset(to, element, e.mul(out.strides[0], e.constant(i)));
      if (mask)
        e.storeMasked(square[i], place, mask);
      else
        e.store(square[i], place);
    }
  }

  // The tree over slots [first, first + count): its left half has a power of two of them.
  Value sumOf(Value pointer, int64_t first, int64_t count) {
    if (count == 1)
      return e.load(e.offset(pointer, element, e.mul(sums.strides[0], e.constant(first))), element,
                    lanes);
    int64_t left = llvm::bit_ceil(uint64_t(count)) / 2;
    Value low = sumOf(pointer, first, left), high = sumOf(pointer, first + left, count - left);
    return arith::AddFOp::create(e.builder(), e.location(), low, high);
  }

  Emission e;
  kernel::JoinSumsOp op;
  const View &sums, &out;
  Type element;
  int64_t lanes, slots, rows, outputs, width, pieceRows;
  SmallVector<OpFoldResult> space;
  Value kept; // a square of sums
};
} // namespace

namespace symc::codegen {
void registerJoinSumsLowering(DialectRegistry &registry) {
  addEmitter<kernel::JoinSumsOp, JoinEmitter>(registry);
}
} // namespace symc::codegen
