// JoinSumsLowering.cpp: kernel.join_sums, slots of sums to rows of one result. See KernelOps.td.
//
// A piece is as many rows of one block of outputs as a vector has lanes: each row's vectors are
// added in registers, slot by slot as a tree, then the square is transposed and stored.
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
    int64_t last = rows % pieceRows;
    OpFoldResult at = isConstant(space[1], 1) ? e.constant(0) : piece;
    e.branch(
        at, e.constant(rows / pieceRows), [&] { emitRows(block, at, pieceRows, channels); },
        [&] {
          if (last)
            emitRows(block, at, last, channels);
        });
  }

  void emitRows(OpFoldResult block, OpFoldResult piece, int64_t count, int64_t channels) {
    OpFoldResult first = e.mul(piece, e.constant(pieceRows));
    for (int64_t row = 0; row < count; row += lanes)
      for (int64_t lane = 0; lane < channels; lane += lanes)
        emitSquare(block, e.add(first, e.constant(row)), std::min(lanes, count - row), lane,
                   std::min(lanes, channels - lane));
  }

  // `count` rows of `channels` outputs from lane `lane` on.
  void emitSquare(OpFoldResult block, OpFoldResult row, int64_t count, int64_t lane,
                  int64_t channels) {
    OpFoldResult zero = e.constant(0);
    Value from = e.at(sums, {zero, block, row, e.constant(lane)});
    SmallVector<Value> square;
    for (int64_t i = 0; i < count; ++i)
      square.push_back(
          sumOf(e.offset(from, element, e.mul(sums.strides[2], e.constant(i))), 0, slots));
    square.resize(lanes, e.splat(e.builder().getZeroAttr(element), lanes));
    square = transposeRows(e, square);
    Value to = e.at(out, {e.add(e.mul(block, e.constant(width)), e.constant(lane)), row});
    for (int64_t i = 0; i < channels; ++i) {
      Value place = e.offset(to, element, e.mul(out.strides[0], e.constant(i)));
      if (count == lanes)
        e.store(square[i], place);
      else
        e.storeMasked(square[i], place, e.mask(e.constant(count), lanes));
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
};
} // namespace

namespace symc::codegen {
void registerJoinSumsLowering(DialectRegistry &registry) {
  addEmitter<kernel::JoinSumsOp, JoinEmitter>(registry);
}
} // namespace symc::codegen
