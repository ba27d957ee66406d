// ReduceLowering.cpp: kernel.reduce, reductions along rows of elements and what is made of them
// (ReduceEmitter.h): which vectors and tasks it has, its passes and its results.
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/lower/ElementAccess.h"
#include "codegen/lower/ReduceCombiner.h"
#include "codegen/lower/ReduceEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t blockSteps = 64; // that a partial sum grows before it is added
static constexpr int64_t mostKept = 8;    // so few elements of columns stay in registers
static constexpr int64_t mostSums = 2048; // of blocks that are added one behind the other

//===----------------------------------------------------------------------===//
// Vectors and tasks
//===----------------------------------------------------------------------===//

// The reduced extents at the largest sizes; none where that is not to be found.
static SmallVector<int64_t> longestOf(kernel::ReduceOp op) {
  SmallVector<int64_t> longest;
  auto program = op->getParentOfType<kernel::ProgramOp>();
  FailureOr<kernel::ViewOrigin> data = kernel::traceView(op.getIns()[0]);
  if (program && succeeded(data))
    for (AffineExpr extent : ArrayRef(data->sizes).drop_front(op.getKept()))
      longest.push_back(sg::intervalOf(extent, kernel::symbolRanges(program)).max);
  return longest;
}

ReduceEmitter::ReduceEmitter(kernel::ReduceOp op, ArrayRef<View> operands, LoweringContext &context)
    : op(op), e(context, op.getLoc()), ins(operands.take_front(op.getIns().size())),
      lengths(operands.slice(ins.size(), op.getLengths() ? 1 : 0)),
      rowOuts(operands.slice(ins.size() + lengths.size(), op.getRowOuts().size())),
      outs(operands.take_back(op.getOuts().size())), kept(op.getKept()),
      counted(op.getPasses().front().getArgument(0).getType()), longest(longestOf(op)) {
  ArrayRef<OpFoldResult> sizes = ins[0].sizes;
  space.assign(sizes.begin(), sizes.begin() + kept);
  reduced.assign(sizes.begin() + kept, sizes.end());
  chooseLanes();
}

void ReduceEmitter::chooseLanes() {
  auto fits = [&](unsigned axis) {
    bool unit = false;
    for (const View &view : llvm::concat<const View>(ins, outs)) {
      unit |= isConstant(view.strides[axis], 1);
      if (!isConstant(view.strides[axis], 1) && !isConstant(view.strides[axis], 0))
        return false;
    }
    return unit;
  };
  rows = fits(ins[0].sizes.size() - 1);
  int64_t widest = 1;
  auto see = [&](Type type) {
    if (type.isIntOrFloat() && !type.isInteger(1))
      widest = std::max<int64_t>(widest, type.getIntOrFloatBitWidth() / 8);
  };
  for (Region &body : op->getRegions())
    body.walk([&](Operation *inner) { llvm::for_each(inner->getOperandTypes(), see); });
  for (const View &view : llvm::concat<const View>(ins, outs, rowOuts))
    see(view.elementType);
  lanes = rows || fits(kept - 1) ? std::max<int64_t>(1, e.target().lanes(widest)) : 1;
  if (!rows) {
    for (const View &view : rowOuts) // a scalar store for each lane would be worse
      lanes = isConstant(view.strides.back(), 1) ? lanes : 1;
    for (const View &view : lengths)
      lanes = isConstant(view.strides.back(), 1) ? lanes : 1;
    while (lanes > 1 && constantOf(space.back()).value_or(lanes) <= lanes / 2)
      lanes /= 2;
    auto count = constantOf(e.product(reduced));
    few = count && *count <= mostKept;
    int64_t fit = e.target().vectorRegisters / 4; // sums beside what is loaded
    tile = few ? 1 : std::max<int64_t>(1, std::min<int64_t>(fit, 64 / lanes));
    while (tile > 1 && constantOf(space.back()).value_or(tile * lanes) < tile * lanes)
      tile /= 2;
    return;
  }
  partials = op.getPartials();
  if (auto run = constantOf(reduced.back()))
    while (partials > 1 && *run <= partials / 2)
      partials /= 2;
  lanes = std::min(lanes, partials);
}

TaskSplit ReduceEmitter::split() {
  return splitTasks(e, op.getCutAttr(), space, rows ? 1 : lanes * tile);
}

void ReduceEmitter::lower(Value task) {
  TaskRange range = rangeOfTask(e, split(), space, task);
  auto loop = [&](OpFoldResult first, OpFoldResult last, int64_t step,
                  function_ref<void(OpFoldResult)> body) {
    if (isEmptyRange(first, last))
      return;
    e.forLoop(first, last, e.constant(step), {}, [&](Value induction, ValueRange) {
      body(OpFoldResult(induction));
      return Values();
    });
  };
  forRange(e, range, kept - 1, [&](ArrayRef<OpFoldResult> position) {
    OpFoldResult first = range.lower.back(), last = range.upper.back();
    auto at = [&](OpFoldResult row) {
      Place place(position);
      place.push_back(row);
      return place;
    };
    auto wholeFrom = [&](int64_t width) {
      OpFoldResult step = e.constant(width);
      return e.add(first, e.mul(e.floorDiv(e.sub(last, first), step), step));
    };
    if (rows)
      return loop(first, last, 1, [&](OpFoldResult row) { emitUnit(at(row), 1, Value()); });
    for (int64_t vectors : {tile, int64_t(1)}) {
      OpFoldResult whole = wholeFrom(vectors * lanes);
      loop(first, whole, vectors * lanes,
           [&](OpFoldResult row) { emitUnit(at(row), vectors, Value()); });
      first = whole;
      if (tile == 1)
        break;
    }
    if (lanes > 1)
      e.branch(first, last, [&] { emitUnit(at(first), 1, e.mask(e.sub(last, first), lanes)); });
  });
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

// Whether so many sums of blocks may follow each other that they get blocks of their own. A
// schedule cuts such rows into chunks where there are few of them, but no range of sizes.
bool ReduceEmitter::hasLongRows() {
  sg::CheckedSize count = 1;
  for (int64_t extent : longest)
    count *= std::max<int64_t>(extent, 1);
  return count > mostSums * blockSteps * *constantOf(stepOf());
}

ReduceEmitter::Values ReduceEmitter::overBlocks(int64_t block, int64_t most, OpFoldResult last,
                                                ValueRange carried, ValueRange identity,
                                                function_ref<Values(OpFoldResult first)> sumOfBlock,
                                                function_ref<Values(ValueRange, ValueRange)> add) {
  SmallVector<int64_t> sizes{block};
  while (most / sizes.back() > mostSums)
    sizes.push_back(sizes.back() * blockSteps);
  // [first, end) in pieces of sizes[level].
  auto over = [&](auto &over, size_t level, OpFoldResult first, OpFoldResult end,
                  ValueRange so) -> Values {
    OpFoldResult size = e.constant(sizes[level]);
    return e.forLoop(first, end, size, so, [&](Value begin, ValueRange totals) {
      OpFoldResult from = OpFoldResult(begin);
      return add(totals, level ? over(over, level - 1, from, e.add(from, size), identity)
                               : sumOfBlock(from));
    });
  };
  Values totals(carried);
  OpFoldResult first = e.constant(0);
  for (size_t level = sizes.size(); level-- > 0;) {
    OpFoldResult size = e.constant(sizes[level]);
    OpFoldResult end = level ? e.mul(e.floorDiv(last, size), size) : last;
    totals = over(over, level, first, end, totals);
    first = end;
  }
  return totals;
}

void ReduceEmitter::emitPass(Unit &unit, unsigned pass) {
  Region &body = op.getPasses()[pass];
  bool reads = op.getSaves() && *op.getSaves() < pass, saves = op.getSaves() == pass;
  ReduceCombiner combiner(e, cast<StringAttr>(op.getCombiners()[pass]).getValue(),
                          body.front().getTerminator()->getOperandTypes());
  size_t each = combiner.states();
  Values identity;
  for (int64_t chain = 0; chain < chains(unit); ++chain)
    llvm::append_range(identity, combiner.identity(lanes));
  auto step = [&](ArrayRef<Spot> spots, ValueRange carried) {
    Values next(carried);
    for (auto [chain, spot] : llvm::enumerate(spots)) {
      Values yielded = evaluate(body, unit, spot, reads, lanes);
      if (saves) {
        Value kept = yielded.pop_back_val();
        if (few)
          unit.saved[{spot.vector, *constantOf(positionOf(spot))}] = kept;
        else
          write(outs[0], address(outs[0], unit.outs[0], spot), kept, rows ? spot.mask : unit.mask);
      }
      yielded = combiner.masked(unit.limits.empty() ? spot.mask : withinLength(unit, spot), yielded,
                                lanes);
      Values before(ValueRange(next).slice(chain * each, each));
      llvm::copy(combiner.combine(before, yielded), next.begin() + chain * each);
    }
    return next;
  };
  auto add = [&](ValueRange totals, ValueRange sums) {
    Values next;
    for (size_t i = 0; i < totals.size(); i += each)
      llvm::append_range(next, combiner.combine(totals.slice(i, each), sums.slice(i, each)));
    return next;
  };
  OpFoldResult length = unit.length, width = stepOf();
  OpFoldResult whole = e.mul(e.floorDiv(length, width), width);
  OpFoldResult block = e.constant(blockSteps * *constantOf(width));
  bool oneRun = isConstant(e.product(Place(ArrayRef(reduced).drop_back())), 1);
  bool oneBlock = oneRun && constantOf(length) && *constantOf(length) <= *constantOf(block);
  bool isLong = combiner.rounds() && !few && hasLongRows();
  auto run = [&](ArrayRef<OpFoldResult> at, ValueRange carried) -> Values {
    if (!combiner.rounds() || oneBlock || few) {
      Values sums = alongRun(unit, at, e.constant(0), whole, carried, step);
      return endOfRun(unit, at, sums, step);
    }
    OpFoldResult blocks = e.mul(e.floorDiv(length, block), block);
    Values totals(carried);
    auto sumOfBlock = [&](OpFoldResult first) {
      return alongRun(unit, at, first, e.add(first, block), identity, step);
    };
    if (!isEmptyRange(e.constant(0), blocks))
      totals = overBlocks(*constantOf(block), isLong ? longest.back() : 0, blocks, totals, identity,
                          sumOfBlock, add);
    if (isEmptyRange(blocks, length))
      return totals;
    Values sums = alongRun(unit, at, blocks, whole, identity, step);
    return add(totals, endOfRun(unit, at, sums, step));
  };
  // The runs of rows that are long in blocks, too.
  auto overLong = [&](auto &overLong, Place &outer, ValueRange carried) -> Values {
    if (outer.size() + 1 == reduced.size())
      return run(outer, carried);
    auto inner = [&](OpFoldResult i) {
      outer.push_back(i);
      Values sums = overLong(overLong, outer, identity);
      outer.pop_back();
      return sums;
    };
    size_t axis = outer.size();
    return overBlocks(1, longest[axis], reduced[axis], carried, identity, inner, add);
  };
  Place outer;
  Values states =
      isLong ? overLong(overLong, outer, identity) : overRuns(unit, outer, identity, run);
  if (rows)
    states = combiner.halved(states, lanes);
  for (size_t state = 0; state < each; ++state) {
    Values result;
    for (size_t i = state; i < states.size(); i += each)
      result.push_back(states[i]);
    unit.results.push_back(result);
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void ReduceEmitter::emitRowOuts(Unit &unit) {
  if (rowOuts.empty())
    return;
  Place first(reduced.size(), e.constant(0));
  int64_t width = rows ? 1 : lanes;
  for (int64_t vector = 0; vector < (rows ? 1 : unit.vectors); ++vector) {
    Values values = evaluate(op.getRows(), unit, {first, vector, Value()}, false, width);
    for (auto [view, value] : llvm::zip(rowOuts, values)) {
      OpFoldResult along = e.mul(e.constant(vector * width), view.strides.back());
      write(view, e.offset(e.at(view, unit.place), view.elementType, along), value, unit.mask);
    }
  }
}

// Zeros in what lies at and beyond a row's length.
void ReduceEmitter::clearBeyond(Unit &unit) {
  if (lengths.empty() || !rows)
    return;
  OpFoldResult end = reduced.back(), step = e.constant(lanes);
  OpFoldResult whole = e.add(unit.length, e.mul(e.floorDiv(e.sub(end, unit.length), step), step));
  auto clear = [&](OpFoldResult first, Value mask) {
    for (auto [view, pointer] : llvm::zip(outs, unit.outs))
      write(view, address(view, pointer, {{first}, 0, Value()}),
            e.splat(e.builder().getZeroAttr(view.elementType), lanes), mask);
  };
  e.forLoop(unit.length, whole, step, {}, [&](Value i, ValueRange) {
    clear(OpFoldResult(i), Value());
    return Values();
  });
  if (lanes > 1)
    e.branch(whole, end, [&] { clear(whole, e.mask(e.sub(end, whole), lanes)); });
}

void ReduceEmitter::emitElements(Unit &unit) {
  if (outs.empty())
    return;
  auto step = [&](ArrayRef<Spot> spots, ValueRange) {
    for (const Spot &spot : spots) {
      Values values = evaluate(op.getElements(), unit, spot, op.getSaves().has_value(), lanes);
      for (auto [view, pointer, value] : llvm::zip(outs, unit.outs, values)) {
        if (!unit.limits.empty()) {
          Value zero = e.splat(e.builder().getZeroAttr(view.elementType), lanes);
          value = arith::SelectOp::create(e.builder(), e.location(), withinLength(unit, spot),
                                          value, zero);
        }
        write(view, address(view, pointer, spot), value, rows ? spot.mask : unit.mask);
      }
    }
    return Values();
  };
  OpFoldResult whole = e.mul(e.floorDiv(unit.length, stepOf()), stepOf());
  Place outer;
  overRuns(unit, outer, {}, [&](ArrayRef<OpFoldResult> at, ValueRange) {
    alongRun(unit, at, e.constant(0), whole, {}, step);
    return endOfRun(unit, at, {}, step);
  });
  clearBeyond(unit);
}

// Lengths as positions are counted; beyond the extent they are all the same.
Value ReduceEmitter::limitOf(Value lengths) {
  OpBuilder &b = e.builder();
  Type type = getElementTypeOrSelf(lengths.getType()), wanted = e.vectorType(counted, lanes);
  if (type == counted)
    return lengths;
  if (counted.isInteger(64))
    return arith::ExtSIOp::create(b, e.location(), wanted, lengths);
  Value most = arith::ConstantOp::create(b, e.location(), b.getI64IntegerAttr(INT32_MAX));
  Value least = arith::ConstantOp::create(b, e.location(), b.getI64IntegerAttr(0));
  lengths = arith::MinSIOp::create(b, e.location(), lengths, e.broadcast(most, lanes));
  lengths = arith::MaxSIOp::create(b, e.location(), lengths, e.broadcast(least, lanes));
  return arith::TruncIOp::create(b, e.location(), wanted, lengths);
}

void ReduceEmitter::emitUnit(Place place, int64_t vectors, Value mask) {
  Unit unit;
  unit.place = place;
  unit.vectors = vectors;
  unit.mask = mask;
  unit.length = reduced.back();
  OpBuilder &b = e.builder();
  if (!lengths.empty() && rows) {
    Value length = e.load(e.at(lengths[0], place), lengths[0].elementType, 1);
    OpFoldResult given =
        arith::IndexCastOp::create(b, e.location(), b.getIndexType(), length).getResult();
    unit.length = e.max(e.min(given, reduced.back()), e.constant(0));
  } else if (!lengths.empty()) {
    const View &view = lengths[0];
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value pointer = e.offset(e.at(view, place), view.elementType,
                               e.mul(e.constant(vector * lanes), view.strides.back()));
      Value limit = mask ? e.loadMasked(pointer, view.elementType, mask)
                         : e.load(pointer, view.elementType, lanes);
      unit.limits.push_back(limitOf(limit));
    }
  }
  for (const View &view : ins) {
    unit.ins.push_back(e.at(view, place));
    Values shared;
    // No row is empty.
    if (llvm::all_of(ArrayRef(view.strides).drop_front(kept),
                     [](OpFoldResult stride) { return isConstant(stride, 0); }))
      for (int64_t vector = 0; vector < vectors; ++vector) {
        OpFoldResult stride = view.strides[kept - 1];
        bool single = rows || lanes == 1 || isConstant(stride, 0);
        Value at =
            e.offset(unit.ins.back(), view.elementType, e.mul(e.constant(vector * lanes), stride));
        shared.push_back(single ? loadElements(e, at, view.elementType, e.constant(0), 1)
                         : mask ? loadElementsMasked(e, at, view.elementType, mask)
                                : loadElements(e, at, view.elementType, stride, lanes));
      }
    unit.hoisted.push_back(shared);
  }
  for (const View &view : outs)
    unit.outs.push_back(e.at(view, place));
  for (unsigned pass = 0; pass < op.getPasses().size(); ++pass)
    emitPass(unit, pass);
  emitRowOuts(unit);
  emitElements(unit);
}

namespace symc::codegen {
void registerReduceLowering(DialectRegistry &registry) {
  addEmitter<kernel::ReduceOp, ReduceEmitter>(registry);
}
} // namespace symc::codegen
