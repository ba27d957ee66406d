// SchedulePlaces.cpp: nodes whose elements depend on where they are, as loops over elements
// with coordinates.
//
//   %y = sg.sequence_mask(%x, %n)     ->  kernel.loops {coordinates = [0]}: t < n ? x : value
//   %h = sg.one_hot(%i) {depth = 9}   ->  kernel.loops {coordinates = [1]}: d == i ? on : off
//   %a = sg.arange {step = 2}         ->  kernel.loops {coordinates = [0]}: start + place * step
//
// Extents of coordinates fit in 24 bits, so that all types that are compared and computed in
// hold them. Ranges that repeat their values, those of integers with fractions and lengths and
// results of types without conversions keep their reference kernels.
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/schedule/IntegerBody.h"
#include "codegen/schedule/ScalarBody.h"
#include "codegen/schedule/Schedule.h"
#include "ir/ops/Index.h"
#include "ir/ops/Init.h"
#include "ir/ops/Sequence.h"
#include <cmath>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

using Values = SmallVector<Value>;

// Whether coordinates along the extent are exact in f32.
static bool isExact(AffineExpr extent, Tensors &t) {
  constexpr int64_t most = int64_t(1) << 24;
  if (auto known = dyn_cast<AffineConstantExpr>(extent))
    return known.getValue() <= most;
  return t.program && t.rangeOf(extent).max <= most;
}

/// An element of `type` with that value; null where it has none.
static TypedAttr elementOf(double value, Type type, Builder &b) {
  Type storage = Tensors::storageType(type);
  if (isa<FloatType>(storage))
    return b.getFloatAttr(storage, value);
  bool fits = value == std::trunc(value) && std::abs(value) < 2147483648.0 && !type.isInteger(1);
  return fits ? TypedAttr(b.getIntegerAttr(storage, int64_t(value))) : TypedAttr();
}

static Value constant(IntegerBody &body, TypedAttr value) {
  return arith::ConstantOp::create(body.b, body.loc, value);
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

// place < length, cut off to an integer; floats beyond 64 bits count as no length at all.
static Value isWithin(IntegerBody &body, Value place, Value length, Type type) {
  OpBuilder &b = body.b;
  Location loc = body.loc;
  if (!isa<FloatType>(type)) {
    Type wide = type.isInteger(64) ? b.getI64Type() : b.getI32Type();
    place = convertElement(place, b.getI32Type(), wide, b, loc);
    length = convertElement(length, type, wide, b, loc);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, place, length);
  }
  Type wide = type.isF64() ? Type(b.getF64Type()) : Type(b.getF32Type());
  place = convertElement(place, b.getI32Type(), wide, b, loc);
  length = math::TruncOp::create(b, loc, convertElement(length, type, wide, b, loc));
  auto less = [&](Value x, Value y) {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x, y);
  };
  Value fits = less(length, constant(body, b.getFloatAttr(wide, std::ldexp(1.0, 63))));
  return arith::AndIOp::create(b, loc, less(place, length), fits);
}

static bool canMask(SequenceMaskOp op, Tensors &t) {
  Value data = op.getData(), lengths = op.getSequenceLength();
  Type type = elementTypeOf(data.getType());
  return lengths && canConvert(elementTypeOf(lengths.getType()), type) && !type.isInteger(1) &&
         !elementTypeOf(lengths.getType()).isInteger(1) &&
         isExact(extentsOf(data)[op.getAxis()], t);
}

static void mask(SequenceMaskOp op, Tensors &t) {
  Location location = op.getLoc();
  Value lengths = op.getSequenceLength();
  int64_t time = op.getAxis();
  Type type = elementTypeOf(lengths.getType());
  // [T, N, rest] or [N, T, rest].
  auto flat = [&](const ViewSpec &view) {
    SmallVector<AffineExpr, 5> extents{view.sizes[0], view.sizes[1]};
    AffineExpr rest = t.constant(1);
    for (AffineExpr extent : ArrayRef(view.sizes).drop_front(2))
      rest = rest * extent;
    if (rest != t.constant(1))
      extents.push_back(rest);
    return t.rowMajor(view.base, extents);
  };
  ViewSpec data = flat(t.plainView(op.getData(), location)),
           out = flat(t.createPlain(op.getOutput(), location)),
           length = t.plainView(lengths, location), spread = data;
  spread.base = length.base;
  spread.strides.assign(data.sizes.size(), t.constant(0));
  spread.strides[1 - time] = length.strides[0];
  TypedAttr beyond = elementOf(op.getValue().convertToDouble(),
                               elementTypeOf(op.getOutput().getType()), t.builder);
  integerStep(
      t, {data, spread}, out, location,
      [&](IntegerBody &body, ArrayRef<Value> x) -> Values {
        return {arith::SelectOp::create(body.b, body.loc, isWithin(body, x[0], x[2], type), x[1],
                                        constant(body, beyond))};
      },
      time);
}

//===----------------------------------------------------------------------===//
// One-hot rows
//===----------------------------------------------------------------------===//

static bool canMark(OneHotOp op, Tensors &t) {
  Type index = elementTypeOf(op.getIndices().getType());
  return canConvert(index, t.builder.getI64Type()) && isExact(extentsOf(op.getOutput()).back(), t);
}

static void mark(OneHotOp op, Tensors &t, TypedAttr on, TypedAttr off) {
  Location location = op.getLoc();
  Type index = elementTypeOf(op.getIndices().getType());
  ViewSpec indices = t.plainView(op.getIndices(), location),
           out = t.createPlain(op.getOutput(), location);
  AffineExpr rows = t.constant(1), depth = out.sizes.back();
  for (AffineExpr extent : indices.sizes)
    rows = rows * extent;
  ViewSpec each{indices.base, t.constant(0), {rows, depth}, {t.constant(1), t.constant(0)}};
  integerStep(
      t, each, t.rowMajor(out.base, {rows, depth}), location,
      [&](IntegerBody &body, ArrayRef<Value> x) -> Values {
        OpBuilder &b = body.b;
        Location loc = body.loc;
        // What does not fit is the least integer, which no column is.
        Type wide = index.isInteger(64) ? b.getI64Type() : b.getI32Type();
        Value column = convertElement(x[0], b.getI32Type(), wide, b, loc);
        Value wanted = convertElement(x[1], index, wide, b, loc);
        Value holds = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, column, wanted);
        return {arith::SelectOp::create(b, loc, holds, constant(body, on), constant(body, off))};
      },
      1);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

namespace {
/// start + place * step over the elements of a result.
struct Progression {
  double start, step;
};
} // namespace

// Half floats begin and step by integers: MXNet takes them for unsigned numbers here.
static std::optional<Progression> rangeOf(Operation *op) {
  Type type = elementTypeOf(op->getResult(0).getType());
  auto make = [&](double start, double step) {
    bool half = type.isF16() || type.isBF16();
    return half ? Progression{std::trunc(start), std::trunc(step)} : Progression{start, step};
  };
  if (auto like = dyn_cast<ArangeLikeOp>(op); like && like.getRepeat() == 1)
    return make(like.getStart().convertToDouble(), like.getStep().convertToDouble());
  auto range = dyn_cast<ArangeOp>(op);
  if (!range || range.getRepeat() != 1)
    return std::nullopt;
  bool fromZero = !range.getStop() && !range.getInferRange();
  return make(fromZero ? 0 : range.getStart().convertToDouble(), range.getStep().convertToDouble());
}

static AffineExpr elementsOf(Value value, Tensors &t) {
  AffineExpr count = t.constant(1);
  for (AffineExpr extent : extentsOf(value))
    count = count * extent;
  return count;
}

// In the type that the reference kernel computes in: half floats in f32.
static void fillRange(Operation *op, const Progression &range, Tensors &t) {
  Value result = op->getResult(0);
  Type type = elementTypeOf(result.getType());
  TypedAttr first = elementOf(range.start, type, t.builder),
            step = elementOf(range.step, type, t.builder);
  SmallVector<AffineExpr> count{elementsOf(result, t)};
  ViewSpec out = t.createPlain(result, op->getLoc());
  integerStep(
      t, {}, t.rowMajor(out.base, count), op->getLoc(),
      [&](IntegerBody &body, ArrayRef<Value> x) -> Values {
        OpBuilder &b = body.b;
        Location loc = body.loc;
        bool half = type.isF16() || type.isBF16();
        Type wide = half ? Type(b.getF32Type()) : type;
        auto widened = [&](TypedAttr value) {
          return convertElement(constant(body, value), type, wide, b, loc);
        };
        Value place = convertElement(x[0], b.getI32Type(), wide, b, loc);
        if (!isa<FloatType>(wide)) {
          Value product = arith::MulIOp::create(b, loc, place, widened(step));
          return {arith::AddIOp::create(b, loc, widened(first), product)};
        }
        Value product = arith::MulFOp::create(b, loc, place, widened(step));
        Value sum = arith::AddFOp::create(b, loc, widened(first), product);
        return {convertElement(sum, wide, type, b, loc)};
      },
      0);
}

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

bool Scheduler::schedulePlaces(Operation *node) {
  Type type = elementTypeOf(node->getResult(0).getType());
  auto element = [&](double value) { return elementOf(value, type, t.builder); };
  if (auto op = dyn_cast<SequenceMaskOp>(node)) {
    if (!op.getSequenceLength()) { // nothing lies beyond
      t.alias(op.getOutput(), op.getData(), op.getLoc());
      return true;
    }
    if (!canMask(op, t) || !element(op.getValue().convertToDouble()))
      return false;
    mask(op, t);
    return true;
  }
  if (auto op = dyn_cast<OneHotOp>(node)) {
    TypedAttr on = element(op.getOnValue().convertToDouble()),
              off = element(op.getOffValue().convertToDouble());
    if (!canMark(op, t) || !on || !off)
      return false;
    mark(op, t, on, off);
    return true;
  }
  std::optional<Progression> range = rangeOf(node);
  if (!range ||
      !canConvert(t.builder.getI32Type(),
                  type.isF16() || type.isBF16() ? t.builder.getF32Type() : type) ||
      !element(range->start) || !element(range->step) ||
      !isExact(elementsOf(node->getResult(0), t), t))
    return false;
  fillRange(node, *range, t);
  return true;
}

const Scheduler::Rule Scheduler::placesRule = {
    "places", Rule::Generated,
    [](Scheduler &, const Group &group) -> std::optional<RuleForms> {
      if (!isa<SequenceMaskOp, OneHotOp, ArangeOp, ArangeLikeOp>(group.op))
        return std::nullopt;
      return RuleForms();
    },
    [](Scheduler &s, Group &group) { return s.schedulePlaces(group.op); }};
