// IntegerBody.cpp: see IntegerBody.h.
#include "codegen/schedule/IntegerBody.h"

#include "codegen/schedule/ScalarBody.h"
#include <cmath>

using namespace mlir;
using namespace symc::codegen;

Value IntegerBody::choose(arith::CmpFPredicate predicate, Value x, Value y, Value first,
                          Value second) {
  Value holds = arith::CmpFOp::create(b, loc, predicate, x, y);
  return arith::SelectOp::create(b, loc, holds, first, second);
}

Value IntegerBody::isWithin(Value place, Value length, Type type) {
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
  Value fits =
      less(length, arith::ConstantOp::create(b, loc, b.getFloatAttr(wide, std::ldexp(1.0, 63))));
  return arith::AndIOp::create(b, loc, less(place, length), fits);
}

Value IntegerBody::wide(Value integer, bool isUnsigned) {
  Type i32 = b.getI32Type();
  if (integer.getType() == i32)
    return integer;
  if (isUnsigned)
    return arith::ExtUIOp::create(b, loc, i32, integer);
  return arith::ExtSIOp::create(b, loc, i32, integer);
}

Value IntegerBody::saturateAround(Value x, int64_t zero, int64_t least, int64_t most) {
  x = select(arith::CmpFPredicate::OGT, x, real(double(least - zero)));
  x = math::RoundEvenOp::create(b, loc, atMost(x, double(most - zero)));
  Value integer = arith::FPToSIOp::create(b, loc, b.getI32Type(), x);
  if (zero) {
    // 32 bits: a byte.
    Value added = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(zero));
    integer = arith::AddIOp::create(b, loc, integer, added);
  }
  return arith::TruncIOp::create(b, loc, b.getI8Type(), integer);
}

Value IntegerBody::cutOff(Value x) {
  x = select(arith::CmpFPredicate::OGE, x, real(-2147483648.0));
  x = choose(arith::CmpFPredicate::OLT, x, real(2147483648.0), x, real(-2147483648.0));
  return arith::FPToSIOp::create(b, loc, b.getI32Type(), x);
}

Value IntegerBody::reach(Value min, Value max) {
  auto size = [&](Value x) { return choose(arith::CmpFPredicate::OLT, x, real(0), minus(x), x); };
  return select(arith::CmpFPredicate::OGT, size(min), size(max));
}

Value IntegerBody::scaleFor(double range, Value reach) {
  return choose(arith::CmpFPredicate::UNE, reach, real(0), over(real(range), reach),
                real(2147483648.0));
}

void symc::codegen::integerStep(
    Tensors &t, ArrayRef<ViewSpec> ins, ArrayRef<ViewSpec> outs, Location location,
    function_ref<SmallVector<Value>(IntegerBody &, ArrayRef<Value>)> fill,
    ArrayRef<int64_t> coordinates) {
  SmallVector<Value> sources, targets;
  for (const ViewSpec &view : ins)
    sources.push_back(t.materialise(view, location));
  for (const ViewSpec &view : outs)
    targets.push_back(t.materialise(view, location));
  auto step =
      kernel::LoopsOp::create(t.builder, location, sources, targets, coordinates, /*cut=*/{});
  OpBuilder::InsertionGuard guard(t.builder);
  Block *block = t.builder.createBlock(&step.getBody());
  SmallVector<Value> arguments;
  for (size_t i = 0; i < coordinates.size(); ++i)
    arguments.push_back(block->addArgument(t.builder.getI32Type(), location));
  for (Value source : sources)
    arguments.push_back(
        block->addArgument(cast<MemRefType>(source.getType()).getElementType(), location));
  IntegerBody body{t.builder, location};
  kernel::YieldOp::create(t.builder, location, fill(body, arguments));
}

ViewSpec symc::codegen::repeated(Tensors &t, const ViewSpec &one, const ViewSpec &shape) {
  ViewSpec view{one.base, one.offset, shape.sizes, {}};
  view.strides.assign(shape.sizes.size(), t.constant(0));
  return view;
}
