// ReduceLowering.cpp: kernel.reduce, reductions along rows of elements and what is made of them.
//
//   rows     (elements of a row side by side): vectors along the row; `partials` sums, which are
//            added by halves in the end
//   columns  (rows side by side): vectors of rows, several of them a turn
//
// A row, or the vectors of rows that a turn has, goes through all passes and its results
// are written before the next begins, so that all but the first walk find it in a cache.
// What a row is cut into depends on extents alone (KernelOps.td has the order).
#include "codegen/lower/ElementAccess.h"
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include <limits>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// Nothing from `first` to `last`, as far as is known.
static bool isEmpty(OpFoldResult first, OpFoldResult last) {
  auto from = constantOf(first), to = constantOf(last);
  return from && to && *from >= *to;
}

static constexpr int64_t blockTurns = 64;    // that a partial sum grows before it is added
static constexpr int64_t mostKept = 8;       // so few elements of columns stay in registers
static constexpr int64_t workOfFunction = 8; // exp and the like, in elements of a plain step

namespace {

using Values = SmallVector<Value>;
using Place = SmallVector<OpFoldResult>;

/// How the values of a pass become one.
class Combiner {
public:
  Combiner(Emission &e, StringRef name, TypeRange types)
      : e(e), name(name), types(types.begin(), types.end()) {}

  size_t states() const { return name.starts_with("arg") ? 2 : 1; }
  /// A sum that rounds: its order matters, so its terms come in blocks.
  bool rounds() const { return (name == "sum" || name == "prod") && isa<FloatType>(types[0]); }

  /// What leaves every value as it is.
  Values identity(int64_t lanes) {
    Values start{e.splat(startOf(types[0]), lanes)};
    if (states() == 2)
      start.push_back(e.splat(e.builder().getIntegerAttr(types[1], 0), lanes));
    return start;
  }

  /// All of `later` come after all of `earlier` in the row, or lanes are in `anyOrder`.
  Values combine(ValueRange earlier, ValueRange later, bool anyOrder = false) {
    Value x = earlier[0], y = later[0];
    bool real = isa<FloatType>(types[0]);
    if (name == "sum")
      return {real ? make<arith::AddFOp>(x, y) : make<arith::AddIOp>(x, y)};
    if (name == "prod")
      return {real ? make<arith::MulFOp>(x, y) : make<arith::MulIOp>(x, y)};
    if (name == "maxnum")
      return {real ? choose(compare(arith::CmpFPredicate::OGT, y, x), y, x)
                   : make<arith::MaxSIOp>(x, y)};
    bool largest = name.ends_with("max");
    if (states() == 1 && !real)
      return {largest ? make<arith::MaxSIOp>(x, y) : make<arith::MinSIOp>(x, y)};
    if (states() == 1) { // y where either is no number, unless x is none
      auto keeps = largest ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
      Value best = choose(compare(keeps, x, y), x, y);
      return {choose(compare(arith::CmpFPredicate::UNO, x, x), x, best)};
    }
    Value better;
    if (real) {
      auto beats = largest ? arith::CmpFPredicate::UGT : arith::CmpFPredicate::ULT;
      better = make<arith::AndIOp>(compare(beats, y, x), compare(arith::CmpFPredicate::ORD, x, x));
    } else {
      better = integer(largest ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt, y, x);
    }
    if (anyOrder) {
      Value same =
          real ? make<arith::OrIOp>(compare(arith::CmpFPredicate::OEQ, x, y),
                                    make<arith::AndIOp>(compare(arith::CmpFPredicate::UNO, x, x),
                                                        compare(arith::CmpFPredicate::UNO, y, y)))
               : integer(arith::CmpIPredicate::eq, x, y);
      Value before = integer(arith::CmpIPredicate::slt, later[1], earlier[1]);
      better = make<arith::OrIOp>(better, make<arith::AndIOp>(same, before));
    }
    return {choose(better, y, x), choose(better, later[1], earlier[1])};
  }

  /// `values` where the mask is set, elsewhere what changes nothing.
  Values masked(Value mask, Values values, int64_t lanes) {
    if (mask)
      for (auto [value, start] : llvm::zip(values, identity(lanes)))
        value = choose(mask, value, start);
    return values;
  }

private:
  TypedAttr startOf(Type type) {
    OpBuilder &b = e.builder();
    bool largest = name.starts_with("max") || name == "argmax";
    bool sums = name == "sum" || name == "prod";
    if (isa<FloatType>(type)) {
      double infinity = std::numeric_limits<double>::infinity();
      return b.getFloatAttr(type, sums ? (name == "prod" ? 1 : 0) : largest ? -infinity : infinity);
    }
    unsigned width = type.getIntOrFloatBitWidth();
    APInt least = APInt::getSignedMinValue(width), most = APInt::getSignedMaxValue(width);
    return b.getIntegerAttr(type, sums      ? APInt(width, name == "prod" ? 1 : 0)
                                  : largest ? least
                                            : most);
  }
  template <typename Op> Value make(Value x, Value y) {
    return Op::create(e.builder(), e.location(), x, y);
  }
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(e.builder(), e.location(), predicate, x, y);
  }
  Value integer(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(e.builder(), e.location(), predicate, x, y);
  }
  Value choose(Value condition, Value x, Value y) {
    return arith::SelectOp::create(e.builder(), e.location(), condition, x, y);
  }

  Emission &e;
  StringRef name;
  SmallVector<Type> types;
};

class ReduceEmitter {
public:
  ReduceEmitter(kernel::ReduceOp op, ArrayRef<View> operands, LoweringContext &context);

  TaskSplit split();
  void lower(Value task);

private:
  /// What a turn works on: a row, or `vectors` of rows.
  struct Unit {
    Place place;                 // kept coordinates of the first row
    int64_t vectors = 1;         // of rows, in columns
    Value mask;                  // columns: the rows that there are, if not all
    OpFoldResult length;         // of the row's last extent, in rows
    Values limits;               // columns: each row's length, if there are lengths
    Values ins, outs;            // addresses of the first row's first element
    SmallVector<Values> hoisted; // of ins: what all elements of a row share, else empty
    SmallVector<Values> results; // of the passes so far: of each vector of rows
    llvm::DenseMap<std::pair<int64_t, int64_t>, Value> saved; // in registers: (vector, position)
  };
  /// Elements of a row: their coordinates, and which of a vector's there are.
  struct Spot {
    Place at;          // reduced coordinates of the first
    int64_t vector;    // columns: which of the unit's
    Value mask;        // rows: at the end of a run
    int64_t ahead = 0; // rows: of the first vector of its step
  };

  void chooseLanes();
  int64_t workOf(Region &body);
  OpFoldResult stepOf() { return e.constant(rows ? partials : 1); }
  /// Vectors that a step along a run takes.
  int64_t chains(const Unit &unit) { return rows ? partials / lanes : unit.vectors; }
  OpFoldResult vectorStride(const View &view) {
    return rows ? view.strides.back() : view.strides[kept - 1];
  }
  Value address(const View &view, Value pointer, const Spot &spot);
  Value read(const Unit &unit, unsigned input, const Spot &spot, int64_t width);
  Values evaluate(Region &body, Unit &unit, const Spot &spot, bool saved, int64_t width);
  Value loadOut(Unit &unit, const Spot &spot);
  OpFoldResult positionOf(const Spot &spot);
  Value withinLength(Unit &unit, const Spot &spot);
  void write(const View &view, Value pointer, Value value, Value mask);

  using Step = function_ref<Values(ArrayRef<Spot> spots, ValueRange carried)>;
  using Run = function_ref<Values(ArrayRef<OpFoldResult> outer, ValueRange carried)>;
  Values overRuns(Unit &unit, Place &outer, ValueRange carried, Run run);
  Values alongRun(Unit &unit, ArrayRef<OpFoldResult> outer, OpFoldResult from, OpFoldResult to,
                  ValueRange carried, Step step);
  Values endOfRun(Unit &unit, ArrayRef<OpFoldResult> outer, ValueRange carried, Step step);
  SmallVector<Spot> spotsAt(Unit &unit, ArrayRef<OpFoldResult> outer, OpFoldResult first);

  void emitUnit(Place place, int64_t vectors, Value mask);
  void emitPass(Unit &unit, unsigned pass);
  void emitRowOuts(Unit &unit);
  void emitElements(Unit &unit);
  void clearBeyond(Unit &unit);
  Values halved(Combiner &combiner, Values states);

  kernel::ReduceOp op;
  Emission e;
  ArrayRef<View> ins, lengths, rowOuts, outs;
  unsigned kept;
  Place space, reduced; // extents
  bool rows = false, few = false;
  int64_t lanes = 1, partials = 1, tile = 1;
};

} // namespace

//===----------------------------------------------------------------------===//
// Vectors and tasks
//===----------------------------------------------------------------------===//

ReduceEmitter::ReduceEmitter(kernel::ReduceOp op, ArrayRef<View> operands, LoweringContext &context)
    : op(op), e(context, op.getLoc()), ins(operands.take_front(op.getIns().size())),
      lengths(operands.slice(ins.size(), op.getLengths() ? 1 : 0)),
      rowOuts(operands.slice(ins.size() + lengths.size(), op.getRowOuts().size())),
      outs(operands.take_back(op.getOuts().size())), kept(op.getKept()) {
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
    return;
  }
  partials = op.getPartials();
  if (auto run = constantOf(reduced.back()))
    while (partials > 1 && *run <= partials / 2)
      partials /= 2;
  lanes = std::min(lanes, partials);
}

int64_t ReduceEmitter::workOf(Region &body) {
  int64_t work = 1;
  for (Operation &inner : body.front())
    if (isa<math::MathDialect>(inner.getDialect()) && !isa<math::SqrtOp, math::AbsFOp>(inner))
      work = workOfFunction;
  return work;
}

TaskSplit ReduceEmitter::split() {
  SplitOptions options;
  int64_t each = outs.empty() ? 0 : workOf(op.getElements());
  for (Region &pass : op.getPasses())
    each += workOf(pass);
  options.work = constantOf(e.product(reduced)).value_or(64) * each;
  options.multiple = rows ? 1 : lanes * tile;
  return splitTasks(e, space, options);
}

void ReduceEmitter::lower(Value task) {
  TaskRange range = rangeOfTask(e, split(), space, task);
  auto loop = [&](OpFoldResult first, OpFoldResult last, int64_t step,
                  function_ref<void(OpFoldResult)> body) {
    if (isEmpty(first, last))
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
// Elements
//===----------------------------------------------------------------------===//

Value ReduceEmitter::address(const View &view, Value pointer, const Spot &spot) {
  OpFoldResult elements = e.constant(0);
  for (auto [i, coordinate] : llvm::enumerate(spot.at))
    elements = e.add(elements, e.mul(coordinate, view.strides[kept + i]));
  elements = e.add(elements, e.mul(e.constant(spot.ahead), view.strides.back()));
  if (!rows)
    elements = e.add(elements, e.mul(e.constant(spot.vector * lanes), vectorStride(view)));
  return e.offset(pointer, view.elementType, elements);
}

Value ReduceEmitter::read(const Unit &unit, unsigned input, const Spot &spot, int64_t width) {
  if (!unit.hoisted[input].empty())
    return unit.hoisted[input][rows ? 0 : spot.vector];
  const View &view = ins[input];
  Value pointer = address(view, unit.ins[input], spot);
  OpFoldResult stride = vectorStride(view);
  Value mask = rows ? spot.mask : unit.mask;
  if (width == 1 || isConstant(stride, 0))
    return loadElements(e, pointer, view.elementType, e.constant(0), 1);
  return mask ? loadElementsMasked(e, pointer, view.elementType, mask)
              : loadElements(e, pointer, view.elementType, stride, width);
}

void ReduceEmitter::write(const View &view, Value pointer, Value value, Value mask) {
  if (mask)
    storeElementsMasked(e, value, pointer, mask);
  else
    storeElements(e, value, pointer, e.constant(1));
}

Value ReduceEmitter::loadOut(Unit &unit, const Spot &spot) {
  Value pointer = address(outs[0], unit.outs[0], spot), mask = rows ? spot.mask : unit.mask;
  return mask ? loadElementsMasked(e, pointer, outs[0].elementType, mask)
              : loadElements(e, pointer, outs[0].elementType, e.constant(1), lanes);
}

OpFoldResult ReduceEmitter::positionOf(const Spot &spot) {
  OpFoldResult linear = e.constant(0);
  for (auto [coordinate, extent] : llvm::zip(spot.at, reduced))
    linear = e.add(e.mul(linear, extent), coordinate);
  return linear;
}

// Of columns with lengths: which lanes' rows reach to the element.
Value ReduceEmitter::withinLength(Unit &unit, const Spot &spot) {
  OpBuilder &b = e.builder();
  Value at = arith::IndexCastOp::create(b, e.location(), b.getI32Type(), e.index(positionOf(spot)));
  return arith::CmpIOp::create(b, e.location(), arith::CmpIPredicate::slt, e.broadcast(at, lanes),
                               unit.limits[spot.vector]);
}

// The body on a vector of elements. What is not read is not loaded.
Values ReduceEmitter::evaluate(Region &body, Unit &unit, const Spot &spot, bool saved,
                               int64_t width) {
  OpBuilder &b = e.builder();
  Block &block = body.front();
  auto number = [&](OpFoldResult value) -> Value {
    return arith::IndexCastOp::create(b, e.location(), b.getI32Type(), e.index(value));
  };
  Values arguments;
  unsigned next = 0;
  auto add = [&](function_ref<Value()> value) {
    BlockArgument argument = block.getArgument(next++);
    arguments.push_back(argument.use_empty() ? e.splat(b.getZeroAttr(argument.getType()), 1)
                                             : value());
  };
  add([&]() -> Value {
    Value first = number(positionOf(spot));
    if (!rows || width == 1)
      return first;
    SmallVector<int32_t> lane(width);
    for (auto [i, value] : llvm::enumerate(lane))
      value = spot.ahead + i;
    auto type = VectorType::get({width}, b.getI32Type());
    Value steps = arith::ConstantOp::create(b, e.location(),
                                            DenseElementsAttr::get(type, ArrayRef<int32_t>(lane)));
    return arith::AddIOp::create(b, e.location(), e.broadcast(first, width), steps);
  });
  add([&] { return number(e.product(reduced)); });
  for (unsigned i = 0; i < ins.size(); ++i)
    add([&] { return read(unit, i, spot, width); });
  if (saved)
    add([&]() -> Value {
      if (few)
        return unit.saved.lookup({spot.vector, *constantOf(positionOf(spot))});
      return loadOut(unit, spot);
    });
  for (const Values &result : unit.results)
    add([&] { return result[rows ? 0 : spot.vector]; });
  return e.vectoriseBody(body, arguments, width);
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

SmallVector<ReduceEmitter::Spot> ReduceEmitter::spotsAt(Unit &unit, ArrayRef<OpFoldResult> outer,
                                                        OpFoldResult first) {
  SmallVector<Spot> spots;
  for (int64_t chain = 0; chain < chains(unit); ++chain) {
    Spot spot{Place(outer), rows ? 0 : chain, Value()};
    spot.ahead = rows ? chain * lanes : 0;
    spot.at.push_back(first);
    spots.push_back(spot);
  }
  return spots;
}

// Each run along the last of the reduced extents, in order.
Values ReduceEmitter::overRuns(Unit &unit, Place &outer, ValueRange carried, Run run) {
  if (outer.size() + 1 == reduced.size())
    return run(outer, carried);
  OpFoldResult extent = reduced[outer.size()];
  auto inner = [&](OpFoldResult i, ValueRange values) {
    outer.push_back(i);
    Values next = overRuns(unit, outer, values, run);
    outer.pop_back();
    return next;
  };
  if (few) {
    Values values(carried);
    for (int64_t i = 0; i < *constantOf(extent); ++i)
      values = inner(e.constant(i), values);
    return values;
  }
  return e.forLoop(e.constant(0), extent, e.constant(1), carried,
                   [&](Value i, ValueRange values) { return inner(OpFoldResult(i), values); });
}

// Whole steps from `from` to `to`.
Values ReduceEmitter::alongRun(Unit &unit, ArrayRef<OpFoldResult> outer, OpFoldResult from,
                               OpFoldResult to, ValueRange carried, Step step) {
  if (isEmpty(from, to))
    return Values(carried);
  if (few) {
    Values values(carried);
    for (int64_t i = *constantOf(from); i < *constantOf(to); ++i)
      values = step(spotsAt(unit, outer, e.constant(i)), values);
    return values;
  }
  return e.forLoop(from, to, stepOf(), carried, [&](Value i, ValueRange values) {
    return step(spotsAt(unit, outer, OpFoldResult(i)), values);
  });
}

// The elements of a row's run that are fewer than a step.
Values ReduceEmitter::endOfRun(Unit &unit, ArrayRef<OpFoldResult> outer, ValueRange carried,
                               Step step) {
  OpFoldResult left = rows ? e.rem(unit.length, stepOf()) : e.constant(0);
  if (isConstant(left, 0))
    return Values(carried);
  SmallVector<Spot> spots = spotsAt(unit, outer, e.sub(unit.length, left)), some;
  for (auto [chain, spot] : llvm::enumerate(spots)) {
    OpFoldResult active = e.max(e.sub(left, e.constant(chain * lanes)), e.constant(0));
    if (isConstant(active, 0))
      break;
    if (constantOf(active).value_or(0) < lanes)
      spot.mask = e.mask(active, lanes);
    some.push_back(spot);
  }
  return step(some, carried);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

// One value of all chains' lanes, by halves.
Values ReduceEmitter::halved(Combiner &combiner, Values states) {
  size_t each = combiner.states();
  ArrayRef<Value> all(states);
  SmallVector<Values> parts;
  for (size_t i = 0; i < states.size(); i += each)
    parts.push_back(Values(all.slice(i, each)));
  for (size_t half = parts.size() / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i)
      parts[i] = combiner.combine(parts[i], parts[i + half], /*anyOrder=*/true);
  Values value = parts[0];
  int64_t one[] = {1};
  for (int64_t half = lanes / 2; half > 0; half /= 2) {
    auto part = [&](int64_t from) {
      Values taken;
      int64_t offset[] = {from}, width[] = {half};
      for (Value each : value)
        taken.push_back(vector::ExtractStridedSliceOp::create(e.builder(), e.location(), each,
                                                              offset, width, one));
      return taken;
    };
    value = combiner.combine(part(0), part(half), /*anyOrder=*/true);
  }
  if (lanes > 1)
    for (Value &each : value)
      each = vector::ExtractOp::create(e.builder(), e.location(), each, 0);
  return value;
}

void ReduceEmitter::emitPass(Unit &unit, unsigned pass) {
  Region &body = op.getPasses()[pass];
  bool reads = op.getSaves() && *op.getSaves() < pass, saves = op.getSaves() == pass;
  Combiner combiner(e, cast<StringAttr>(op.getCombiners()[pass]).getValue(),
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
  OpFoldResult block = e.constant(blockTurns * *constantOf(width));
  bool oneRun = isConstant(e.product(Place(ArrayRef(reduced).drop_back())), 1);
  bool oneBlock = oneRun && constantOf(length) && *constantOf(length) <= *constantOf(block);
  Place outer;
  Values states =
      overRuns(unit, outer, identity, [&](ArrayRef<OpFoldResult> at, ValueRange carried) -> Values {
        if (!combiner.rounds() || oneBlock || few) {
          Values sums = alongRun(unit, at, e.constant(0), whole, carried, step);
          return endOfRun(unit, at, sums, step);
        }
        OpFoldResult blocks = e.mul(e.floorDiv(length, block), block);
        Values totals(carried);
        if (!isEmpty(e.constant(0), blocks))
          totals = e.forLoop(e.constant(0), blocks, block, totals, [&](Value first, ValueRange so) {
            return add(so, alongRun(unit, at, OpFoldResult(first),
                                    e.add(OpFoldResult(first), block), identity, step));
          });
        if (isEmpty(blocks, length))
          return totals;
        Values sums = alongRun(unit, at, blocks, whole, identity, step);
        return add(totals, endOfRun(unit, at, sums, step));
      });
  if (rows)
    states = halved(combiner, states);
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
      if (view.elementType.isInteger(64)) { // beyond the extent they are all the same
        Value most = arith::ConstantOp::create(b, e.location(), b.getI64IntegerAttr(INT32_MAX));
        Value least = arith::ConstantOp::create(b, e.location(), b.getI64IntegerAttr(0));
        limit = arith::MinSIOp::create(b, e.location(), limit, e.broadcast(most, lanes));
        limit = arith::MaxSIOp::create(b, e.location(), limit, e.broadcast(least, lanes));
        limit =
            arith::TruncIOp::create(b, e.location(), e.vectorType(b.getI32Type(), lanes), limit);
      }
      unit.limits.push_back(limit);
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

static OpFoldResult countReduceTasks(kernel::ReduceOp op, ArrayRef<View> operands,
                                     LoweringContext &context) {
  return ReduceEmitter(op, operands, context).split().count;
}

static LogicalResult lowerReduce(kernel::ReduceOp op, ArrayRef<View> operands, Value task,
                                 LoweringContext &context) {
  ReduceEmitter(op, operands, context).lower(task);
  return success();
}

namespace symc::codegen {
void registerReduceLowering(DialectRegistry &registry) {
  addLowering<kernel::ReduceOp, countReduceTasks, lowerReduce>(registry);
}
} // namespace symc::codegen
