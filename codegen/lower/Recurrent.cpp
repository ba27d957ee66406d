// Recurrent.cpp: kernel.recurrent, one turn of it: the task's blocks of 16 units for
// the whole batch, from the states of the turn before.
//
//   for block of units, rows of the batch at once:
//     for k of the state:                    G * V weight loads, R broadcasts
//       sums[row][v][gate] += broadcast(state[row][k]) * weights[block][k][gate]
//     body(sums, gates, biases, state, cell) -> out[time], cell_out
//
// A block's weights are one stream of memory, which a core reads at the speed of
// whatever holds them. Every sum is one chain in the order of k, whatever the tile.
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t blockUnits = 16;
static constexpr double cyclesPerByte = 0.1; // of weights from beyond L2

namespace {
class RecurrentNest {
public:
  RecurrentNest(kernel::RecurrentOp op, ArrayRef<View> operands, LoweringContext &context)
      : e(context, op.getLoc()), op(op), element(operands[0].elementType) {
    const View *next = operands.begin();
    gates = *next++;
    weights = *next++;
    if (op.getBias())
      bias = *next++;
    state = *next++;
    if (op.getCell())
      cell = *next++;
    out = *next++;
    if (op.getCell())
      cellOut = *next++;
    turn = *next;
    steps = *constantOf(gates.sizes[0]);
    batch = *constantOf(gates.sizes[1]);
    gateCount = *constantOf(gates.sizes[2]);
    units = *constantOf(gates.sizes[3]);
    lanes = std::min<int64_t>(blockUnits, e.target().lanes(4));
    chooseTile();
    blocks = llvm::divideCeil(units, blockUnits);
    double streamed = double(blockUnits) * gateCount * units;
    double sums = streamed * batch / (e.target().lanes(4) * e.target().fmasPerCycle);
    blocksPerTask = unitsPerTask(blocks, std::max(sums, streamed * 4 * cyclesPerByte));
  }

  OpFoldResult countTasks() { return e.constant(llvm::divideCeil(blocks, blocksPerTask)); }

  void lower(Value task) {
    readTurn();
    OpFoldResult first = e.mul(OpFoldResult(task), e.constant(blocksPerTask));
    OpFoldResult end = e.min(e.add(first, e.constant(blocksPerTask)), e.constant(blocks));
    int64_t last = units - (blocks - 1) * blockUnits;
    loop(first, end, 1, [&](Value block) {
      if (last == blockUnits)
        return emitBlock(block, blockUnits);
      e.branch(blocks == 1 ? e.constant(0) : OpFoldResult(block), e.constant(blocks - 1),
               [&] { emitBlock(block, blockUnits); }, [&] { emitBlock(block, last); });
    });
  }

private:
  void loop(OpFoldResult first, OpFoldResult end, int64_t step, function_ref<void(Value)> body) {
    e.forLoop(first, end, e.constant(step), {}, [&](Value induction, ValueRange) {
      body(induction);
      return SmallVector<Value>();
    });
  }

  // Sums, the weights of one k and a broadcast state stay in registers. The whole block
  // at once where the batch allows, so that its weights are read once.
  void chooseTile() {
    int64_t perBlock = blockUnits / lanes;
    auto rowsFor = [&](int64_t vectors) {
      int64_t held = std::max<int64_t>(e.target().vectorRegisters - 2 - vectors * gateCount, 1);
      return std::max<int64_t>(held / (vectors * gateCount), 1);
    };
    vectors = perBlock;
    while (vectors > 1 && rowsFor(vectors) < batch)
      vectors /= 2;
    int64_t most = std::min(rowsFor(vectors), batch);
    rows = llvm::divideCeil(batch, llvm::divideCeil(batch, most));
  }

  // The time of this turn, and where the states of the turn before lie.
  void readTurn() {
    OpBuilder &b = e.builder();
    Location loc = e.location();
    Value number = e.load(turn.pointer, b.getI64Type(), 1);
    Value now = arith::IndexCastOp::create(b, loc, b.getIndexType(), number);
    OpFoldResult one = e.constant(1);
    time = now;
    OpFoldResult before;
    if (op.getReverse()) {
      time = e.sub(e.constant(steps - 1), OpFoldResult(now));
      before = e.add(time, one);
    } else {
      before = e.sub(time, one);
    }
    Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, now, e.index(0));
    auto choose = [&](const View &first, const View &later) {
      View view = first;
      view.pointer = LLVM::SelectOp::create(b, loc, isFirst, first.pointer, later.pointer);
      if (first.strides[0] != later.strides[0])
        view.strides[0] = arith::SelectOp::create(b, loc, isFirst, e.index(first.strides[0]),
                                                  e.index(later.strides[0]))
                              .getResult();
      return view;
    };
    auto atTime = [&](const View &view, OpFoldResult t) {
      View part{e.at(view, {t}), view.elementType, {}, {}};
      part.sizes.assign(view.sizes.begin() + 1, view.sizes.end());
      part.strides.assign(view.strides.begin() + 1, view.strides.end());
      return part;
    };
    previous = choose(state, atTime(out, before));
    if (op.getCell())
      previousCell = choose(cell, cellOut);
    gates = atTime(gates, time);
    out = atTime(out, time);
  }

  void emitBlock(Value block, int64_t active) {
    int64_t whole = batch / rows * rows, wide = llvm::divideCeil(active, lanes);
    auto piece = [&](OpFoldResult row, int64_t count) {
      for (int64_t v = 0; v < wide; v += vectors)
        emitTile(block, v, std::min(vectors, wide - v), row, count, active);
    };
    if (whole)
      loop(e.constant(0), e.constant(whole), rows,
           [&](Value row) { piece(OpFoldResult(row), rows); });
    if (batch > whole)
      piece(e.constant(whole), batch - whole);
  }

  // `count` rows by `wide` vectors of all gates, from vector `v` of the block on.
  void emitTile(Value block, int64_t v, int64_t wide, OpFoldResult row, int64_t count,
                int64_t active) {
    int64_t chains = wide * gateCount;
    Value panel = e.offset(e.at(weights, {OpFoldResult(block)}), element, e.constant(v * lanes));
    Value inputs = e.at(previous, {row});
    SmallVector<Value> carried{inputs, panel};
    carried.append(count * chains, e.splat(e.builder().getZeroAttr(element), lanes));
    carried = e.forLoop(
        e.constant(0), e.constant(units), e.constant(1), carried, [&](Value, ValueRange now) {
          SmallVector<Value> next(now);
          accumulate(now[0], now[1], wide, count, MutableArrayRef<Value>(next).drop_front(2));
          next[0] = e.offset(now[0], element, e.constant(1));
          next[1] = e.offset(now[1], element, e.constant(gateCount * blockUnits));
          return next;
        });
    ArrayRef<Value> sums = ArrayRef<Value>(carried).drop_front(2);
    for (int64_t i = 0; i < wide; ++i)
      for (int64_t r = 0; r < count; ++r)
        finish(block, v + i, e.add(row, e.constant(r)), active - (v + i) * lanes,
               sums.slice(r * chains + i * gateCount, gateCount));
  }

  // One k: sums are [row][vector][gate].
  void accumulate(Value inputs, Value panel, int64_t wide, int64_t count,
                  MutableArrayRef<Value> sums) {
    SmallVector<Value> held;
    for (int64_t i = 0; i < wide; ++i)
      for (int64_t g = 0; g < gateCount; ++g)
        held.push_back(e.load(e.offset(panel, element, e.constant(g * blockUnits + i * lanes)),
                              element, lanes));
    for (int64_t r = 0; r < count; ++r) {
      Value place = e.offset(inputs, element, e.mul(previous.strides[0], e.constant(r)));
      Value x = e.loadBroadcast(place, element, lanes);
      for (auto [i, weight] : llvm::enumerate(held)) {
        Value &sum = sums[r * held.size() + i];
        sum = e.multiplyAdd(x, weight, sum);
      }
    }
  }

  // The body on one vector of one row, of which `active` lanes exist.
  void finish(Value block, int64_t v, OpFoldResult row, int64_t active, ArrayRef<Value> sums) {
    Value mask = active < lanes ? e.mask(e.constant(active), lanes) : Value();
    OpFoldResult unit = e.add(e.mul(OpFoldResult(block), e.constant(blockUnits)),
                              e.constant(v * lanes));
    auto read = [&](Value place) {
      return mask ? e.loadMasked(place, element, mask) : e.load(place, element, lanes);
    };
    SmallVector<Value> arguments(sums);
    for (int64_t g = 0; g < gateCount; ++g)
      arguments.push_back(read(e.at(gates, {row, e.constant(g), unit})));
    for (int64_t g = 0; bias && g < gateCount; ++g) {
      Value place = e.at(*bias, {OpFoldResult(block), e.constant(0), e.constant(g)});
      arguments.push_back(e.load(e.offset(place, element, e.constant(v * lanes)), element, lanes));
    }
    arguments.push_back(read(e.at(previous, {row, unit})));
    if (op.getCell())
      arguments.push_back(read(e.at(previousCell, {row, unit})));
    SmallVector<Value> results = e.vectoriseBody(op.getBody(), arguments, lanes);
    auto write = [&](Value value, const View &view) {
      Value place = e.at(view, {row, unit});
      if (mask)
        e.storeMasked(value, place, mask);
      else
        e.store(value, place);
    };
    write(results[0], out);
    if (op.getCell())
      write(results[1], cellOut);
  }

  Emission e;
  kernel::RecurrentOp op;
  Type element;
  View gates, weights, state, cell, out, cellOut, turn; // gates and out: of this turn
  std::optional<View> bias;
  View previous, previousCell;
  OpFoldResult time;
  int64_t steps, batch, gateCount, units, lanes;
  int64_t blocks, blocksPerTask;
  int64_t rows, vectors; // of a tile
};
} // namespace

OpFoldResult symc::codegen::countRecurrentTasks(kernel::RecurrentOp op, ArrayRef<View> operands,
                                                LoweringContext &context) {
  return RecurrentNest(op, operands, context).countTasks();
}

LogicalResult symc::codegen::lowerRecurrent(kernel::RecurrentOp op, ArrayRef<View> operands,
                                            Value task, LoweringContext &context) {
  for (const View &view : operands.drop_back())
    if (!view.elementType.isF32() || !isConstant(view.strides.back(), 1))
      return op.emitError("internal error: recurrent of ")
             << view.elementType << "; it needs 'f32' side by side";
  RecurrentNest(op, operands, context).lower(task);
  return success();
}
