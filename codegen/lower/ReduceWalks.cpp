// ReduceWalks.cpp: how kernel.reduce reaches the elements of a row (ReduceEmitter.h): their
// addresses, the bodies on vectors of them, and the loops along the runs of the last reduced
// extent.
#include "codegen/lower/ElementAccess.h"
#include "codegen/lower/ReduceEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

bool symc::codegen::isEmptyRange(OpFoldResult first, OpFoldResult last) {
  auto from = constantOf(first), to = constantOf(last);
  return from && to && *from >= *to;
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
  Value at = arith::IndexCastOp::create(b, e.location(), counted, e.index(positionOf(spot)));
  return arith::CmpIOp::create(b, e.location(), arith::CmpIPredicate::slt, e.broadcast(at, lanes),
                               unit.limits[spot.vector]);
}

// The body on a vector of elements. What is not read is not loaded.
ReduceEmitter::Values ReduceEmitter::evaluate(Region &body, Unit &unit, const Spot &spot,
                                              bool saved, int64_t width) {
  OpBuilder &b = e.builder();
  Block &block = body.front();
  auto number = [&](OpFoldResult value) -> Value {
    return arith::IndexCastOp::create(b, e.location(), counted, e.index(value));
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
    SmallVector<Attribute> lane;
    for (int64_t i = 0; i < width; ++i)
      lane.push_back(b.getIntegerAttr(counted, spot.ahead + i));
    auto type = VectorType::get({width}, counted);
    Value steps = arith::ConstantOp::create(b, e.location(), DenseElementsAttr::get(type, lane));
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
ReduceEmitter::Values ReduceEmitter::overRuns(Unit &unit, Place &outer, ValueRange carried,
                                              Run run) {
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
ReduceEmitter::Values ReduceEmitter::alongRun(Unit &unit, ArrayRef<OpFoldResult> outer,
                                              OpFoldResult from, OpFoldResult to,
                                              ValueRange carried, Step step) {
  if (isEmptyRange(from, to))
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
ReduceEmitter::Values ReduceEmitter::endOfRun(Unit &unit, ArrayRef<OpFoldResult> outer,
                                              ValueRange carried, Step step) {
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
