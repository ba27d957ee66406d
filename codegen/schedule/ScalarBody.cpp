// ScalarBody.cpp: see ScalarBody.h. max(a, b) is a > b ? a : b and min likewise, so that NaN
// goes where the hardware's instruction sends it; comparisons are ordered except !=.
#include "codegen/schedule/ScalarBody.h"

#include "codegen/kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

using kernel::isHalf;
using P = sg::ScalarPrimitive;

//===----------------------------------------------------------------------===//
// What can be built
//===----------------------------------------------------------------------===//

static Type computeType(Type type) {
  return isHalf(type) ? Type(Float32Type::get(type.getContext())) : type;
}

// Whether `make` has operations for a primitive on that type.
static bool isSupported(P primitive, Type type) {
  switch (primitive) {
  case P::neg:
  case P::add:
  case P::sub:
  case P::mul:
  case P::less:
  case P::less_equal:
  case P::greater:
  case P::greater_equal:
  case P::equal:
  case P::not_equal:
  case P::where:
  case P::min:
  case P::max:
  case P::abs:
  case P::isnan:
    return true;
  case P::bit_and:
  case P::bit_or:
  case P::bit_xor:
  case P::bit_not:
    return isa<IntegerType>(type);
  case P::div:
  case P::floor:
  case P::ceil:
  case P::trunc:
  case P::sqrt:
  case P::rsqrt:
  case P::logistic:
  case P::exp:
  case P::exp2:
  case P::log:
  case P::log2:
  case P::log10:
  case P::log1p:
  case P::round:
  case P::copysign:
  case P::fmod:
  case P::cbrt:
  case P::pow:
  case P::sin:
  case P::cos:
  case P::tan:
  case P::asin:
  case P::acos:
  case P::atan:
  case P::atan2:
  case P::sinh:
  case P::cosh:
  case P::tanh:
  case P::asinh:
  case P::acosh:
  case P::atanh:
  case P::erf:
    return isa<FloatType>(type);
  case P::expm1: // the series is too short for doubles; their reference kernel calls libm
    return isa<FloatType>(type) && !type.isF64();
  case P::erfinv:
  case P::tgamma:
  case P::lgamma:
  case P::round_float16:
  case P::round_bfloat16:
    return type.isF32();
  default:
    return false;
  }
}

static bool isSupported(double number, Type type) {
  return isa<FloatType>(type) || (number == std::floor(number) && std::abs(number) <= 9e15);
}

namespace {

/// Looks at what a function is made of.
class Survey : public sg::ScalarBuilder {
public:
  /// `type`: of the elements that it is to be built on, or null.
  Survey(sg::ElementwiseInterface op, Type type) : type(type) {
    op.buildScalar(*this, SmallVector<sg::Scalar>(op->getNumOperands()));
  }
  sg::Scalar number(double value) override {
    possible &= !type || isSupported(value, type);
    return {};
  }
  sg::Scalar apply(P primitive, ArrayRef<sg::Scalar>) override {
    possible &= !type || isSupported(primitive, type);
    functions |= sg::isFunction(primitive);
    return {};
  }

  bool possible = true, functions = false;

private:
  Type type;
};

} // namespace

bool symc::codegen::canBuildScalar(sg::ElementwiseInterface op, Type type) {
  if (!isa<FloatType>(type) && (!type.isSignlessInteger() || type.isInteger(1)))
    return false;
  return Survey(op, computeType(type)).possible;
}

bool symc::codegen::hasFunctions(sg::ElementwiseInterface op) {
  return Survey(op, Type()).functions;
}

Value symc::codegen::buildScalar(sg::ElementwiseInterface op, ArrayRef<Value> operands, Type type,
                                 OpBuilder &builder, Location location) {
  Type compute = computeType(type);
  SmallVector<sg::Scalar> wide;
  for (Value operand : operands) {
    if (isa<FloatType>(operand.getType()) && operand.getType() != compute) // no truth value
      operand = arith::ExtFOp::create(builder, location, compute, operand);
    wide.push_back(ScalarOps::wrap(operand));
  }
  ScalarOps ops(compute, builder, location);
  Value value = ops.asNumber(ScalarOps::unwrap(op.buildScalar(ops, wide)));
  if (compute != type)
    value = arith::TruncFOp::create(builder, location, type, value);
  return value;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

bool symc::codegen::canConvert(Type from, Type to) {
  auto isKnown = [](Type type) {
    return isHalf(type) || type.isF32() || type.isF64() || type.isInteger(1) || type.isInteger(8) ||
           type.isSignlessInteger(32) || type.isSignlessInteger(64);
  };
  return isKnown(from) && isKnown(to);
}

// A double as a float that a second rounding, to 16 bits, takes to what one rounding of the double
// would: bits that are cut off are remembered in the last bit.
static Value roundToOdd(Value value, OpBuilder &b, Location loc) {
  Type single = b.getF32Type(), word = b.getI32Type();
  Value narrow = arith::TruncFOp::create(b, loc, single, value);
  Value back = arith::ExtFOp::create(b, loc, value.getType(), narrow);
  Value size = math::AbsFOp::create(b, loc, back);
  Value bits = arith::BitcastOp::create(b, loc, word, narrow);
  Value one = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(1));
  Value below = arith::SubIOp::create(b, loc, bits, one);
  Value isAway = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, size,
                                       math::AbsFOp::create(b, loc, value));
  bits = arith::SelectOp::create(b, loc, isAway, below, bits);
  Value odd = arith::BitcastOp::create(b, loc, single, arith::OrIOp::create(b, loc, bits, one));
  // What no float is between, and what is no number.
  Value isExact = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UEQ, back, value);
  Value infinity = arith::ConstantOp::create(
      b, loc, b.getFloatAttr(value.getType(), std::numeric_limits<double>::infinity()));
  Value isInfinite = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, size, infinity);
  odd = arith::SelectOp::create(b, loc, isInfinite, narrow, odd);
  return arith::SelectOp::create(b, loc, isExact, narrow, odd);
}

Value symc::codegen::convertElement(Value value, Type from, Type to, OpBuilder &b, Location loc) {
  auto storage = [](Type type) -> Type {
    return type.isUnsignedInteger()
               ? IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth())
               : type;
  };
  Type target = storage(to);
  if (from == to)
    return value;
  auto width = [](Type type) { return type.getIntOrFloatBitWidth(); };
  if (isHalf(from)) { // what they are computed in
    from = Float32Type::get(b.getContext());
    value = arith::ExtFOp::create(b, loc, from, value);
    if (from == to)
      return value;
  }
  if (isHalf(to)) {
    bool rounds = from.isF64() || from.isInteger(32) || from.isInteger(64);
    Type middle = rounds ? Type(b.getF64Type()) : b.getF32Type();
    value = convertElement(value, from, middle, b, loc);
    return arith::TruncFOp::create(b, loc, target, rounds ? roundToOdd(value, b, loc) : value);
  }
  bool isUnsigned = from.isUnsignedInteger() || from.isInteger(1);
  if (to.isInteger(1)) {
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(storage(from)));
    if (isa<FloatType>(from))
      return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, value, zero);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value, zero);
  }
  if (isa<FloatType>(from) && isa<FloatType>(to))
    return width(to) > width(from) ? arith::ExtFOp::create(b, loc, to, value).getResult()
                                   : arith::TruncFOp::create(b, loc, to, value).getResult();
  if (isa<FloatType>(to))
    return isUnsigned ? arith::UIToFPOp::create(b, loc, to, value).getResult()
                      : arith::SIToFPOp::create(b, loc, to, value).getResult();
  if (isa<FloatType>(from)) {
    unsigned bits = std::max(width(to), 32u);
    double limit = std::ldexp(1.0, bits - 1);
    auto number = [&](double x) -> Value {
      return arith::ConstantOp::create(b, loc, b.getFloatAttr(from, x));
    };
    auto unless = [&](arith::CmpFPredicate holds, double bound) {
      Value fits = arith::CmpFOp::create(b, loc, holds, value, number(bound));
      value = arith::SelectOp::create(b, loc, fits, value, number(-limit));
    };
    unless(arith::CmpFPredicate::OGE, -limit);
    unless(arith::CmpFPredicate::OLT, limit);
    value = arith::FPToSIOp::create(b, loc, b.getIntegerType(bits), value);
    return width(to) < bits ? arith::TruncIOp::create(b, loc, target, value).getResult() : value;
  }
  if (width(to) == width(from))
    return value;
  if (width(to) < width(from))
    return arith::TruncIOp::create(b, loc, target, value);
  return isUnsigned ? arith::ExtUIOp::create(b, loc, target, value).getResult()
                    : arith::ExtSIOp::create(b, loc, target, value).getResult();
}

//===----------------------------------------------------------------------===//
// Primitives
//===----------------------------------------------------------------------===//

sg::Scalar ScalarOps::apply(P primitive, ArrayRef<sg::Scalar> operands) {
  SmallVector<Value> values;
  for (sg::Scalar operand : operands)
    values.push_back(unwrap(operand));
  if (!sg::isFunction(primitive))
    return wrap(make(primitive, values));
  // A body names a function of the same values more than once.
  for (const Made &made : functions)
    if (made.primitive == primitive && made.operands == values)
      return wrap(made.result);
  functions.push_back({primitive, values, make(primitive, values)});
  return wrap(functions.back().result);
}

Value ScalarOps::constant(double value) {
  if (isFloat)
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, static_cast<int64_t>(value)));
}

Value ScalarOps::asNumber(Value value) {
  if (!value.getType().isInteger(1) || type.isInteger(1))
    return value;
  if (isFloat)
    return arith::UIToFPOp::create(b, loc, type, value);
  return arith::ExtUIOp::create(b, loc, type, value);
}

// A number where a truth value is needed: not zero.
Value ScalarOps::asTruth(Value value) {
  return value.getType().isInteger(1) ? value : compare(P::not_equal, value, constant(0));
}

Value ScalarOps::compare(P primitive, Value x, Value y) {
  struct Row {
    P primitive;
    arith::CmpFPredicate real;
    arith::CmpIPredicate integer;
  };
  static const Row rows[] = {
      {P::less_equal, arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle},
      {P::greater_equal, arith::CmpFPredicate::OGE, arith::CmpIPredicate::sge},
      {P::equal, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq},
      {P::not_equal, arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne},
      {P::less, arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt},
      {P::greater, arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt},
      {P::isnan, arith::CmpFPredicate::UNO, arith::CmpIPredicate::ne}};
  const Row *row = llvm::find_if(rows, [&](const Row &row) { return row.primitive == primitive; });
  x = asNumber(x);
  y = asNumber(y);
  if (isFloat)
    return arith::CmpFOp::create(b, loc, row->real, x, y);
  return arith::CmpIOp::create(b, loc, row->integer, x, y);
}

Value ScalarOps::select(Value condition, Value x, Value y) {
  condition = asTruth(condition);
  x = asNumber(x);
  y = asNumber(y);
  return arith::SelectOp::create(b, loc, condition, x, y);
}

template <typename RealOp, typename IntOp> Value ScalarOps::binary(Value x, Value y) {
  x = asNumber(x);
  y = asNumber(y);
  if (isFloat)
    return RealOp::create(b, loc, x, y);
  return IntOp::create(b, loc, x, y);
}

template <typename Op> Value ScalarOps::real(Value x) {
  return Op::create(b, loc, TypeRange{type}, asNumber(x), ArrayRef<NamedAttribute>{});
}

Value ScalarOps::make(P primitive, ArrayRef<Value> v) {
  switch (primitive) {
  case P::neg:
    if (isFloat)
      return arith::NegFOp::create(b, loc, asNumber(v[0]));
    return arith::SubIOp::create(b, loc, constant(0), asNumber(v[0]));
  case P::add:
    return binary<arith::AddFOp, arith::AddIOp>(v[0], v[1]);
  case P::sub:
    return binary<arith::SubFOp, arith::SubIOp>(v[0], v[1]);
  case P::mul:
    return binary<arith::MulFOp, arith::MulIOp>(v[0], v[1]);
  case P::div:
    return binary<arith::DivFOp, arith::DivSIOp>(v[0], v[1]);
  case P::bit_and:
    return arith::AndIOp::create(b, loc, asNumber(v[0]), asNumber(v[1]));
  case P::bit_or:
    return arith::OrIOp::create(b, loc, asNumber(v[0]), asNumber(v[1]));
  case P::bit_xor:
    return arith::XOrIOp::create(b, loc, asNumber(v[0]), asNumber(v[1]));
  case P::bit_not:
    return arith::XOrIOp::create(b, loc, asNumber(v[0]), constant(-1));
  case P::less:
  case P::less_equal:
  case P::greater:
  case P::greater_equal:
  case P::equal:
  case P::not_equal:
    return compare(primitive, v[0], v[1]);
  case P::isnan:
    return compare(primitive, v[0], v[0]);
  case P::where:
    return select(v[0], v[1], v[2]);
  case P::max:
    return select(compare(P::greater, v[0], v[1]), v[0], v[1]);
  case P::min:
    return select(compare(P::less, v[0], v[1]), v[0], v[1]);
  case P::abs:
    if (isFloat)
      return math::AbsFOp::create(b, loc, asNumber(v[0]));
    return math::AbsIOp::create(b, loc, asNumber(v[0]));
  case P::rsqrt: {
    Value root = real<math::SqrtOp>(v[0]);
    return binary<arith::DivFOp, arith::DivSIOp>(constant(1), root);
  }
  case P::floor:
    return real<math::FloorOp>(v[0]);
  case P::ceil:
    return real<math::CeilOp>(v[0]);
  case P::trunc:
    return real<math::TruncOp>(v[0]);
  case P::sqrt:
    return real<math::SqrtOp>(v[0]);
  case P::logistic:
    return real<kernel::LogisticOp>(v[0]);
  case P::exp:
    return real<math::ExpOp>(v[0]);
  case P::exp2:
    return real<math::Exp2Op>(v[0]);
  case P::expm1:
    return expm1(v[0]);
  case P::log:
    return logarithm<math::LogOp>(v[0], 15.942385152878742);
  case P::log2:
    return logarithm<math::Log2Op>(v[0], 23);
  case P::log10:
    return real<math::Log10Op>(v[0]);
  case P::log1p:
    return real<math::Log1pOp>(v[0]);
  case P::sin:
    return real<math::SinOp>(v[0]);
  case P::cos:
    return real<math::CosOp>(v[0]);
  case P::tan:
    return real<math::TanOp>(v[0]);
  case P::asin:
    return real<math::AsinOp>(v[0]);
  case P::acos:
    return real<math::AcosOp>(v[0]);
  case P::atan:
    return real<math::AtanOp>(v[0]);
  case P::atan2:
    return math::Atan2Op::create(b, loc, asNumber(v[0]), asNumber(v[1]));
  case P::sinh:
    return real<math::SinhOp>(v[0]);
  case P::cosh:
    return real<math::CoshOp>(v[0]);
  case P::tanh:
    return real<math::TanhOp>(v[0]);
  case P::asinh:
    return real<math::AsinhOp>(v[0]);
  case P::acosh:
    return real<math::AcoshOp>(v[0]);
  case P::atanh:
    return real<math::AtanhOp>(v[0]);
  case P::round:
    return real<math::RoundOp>(v[0]);
  case P::copysign:
    return math::CopySignOp::create(b, loc, asNumber(v[0]), asNumber(v[1]));
  case P::fmod:
    return arith::RemFOp::create(b, loc, asNumber(v[0]), asNumber(v[1]));
  case P::cbrt:
    return real<math::CbrtOp>(v[0]);
  case P::pow:
    return power(asNumber(v[0]), asNumber(v[1]));
  case P::erf:
    return real<math::ErfOp>(v[0]);
  case P::round_float16:
    return throughHalf(v[0], b.getF16Type());
  case P::round_bfloat16:
    return throughHalf(v[0], b.getBF16Type());
  case P::erfinv:
    return erfinv(v[0]);
  case P::tgamma:
    return tgamma(v[0]);
  case P::lgamma:
    return lgamma(v[0]);
  default:
    llvm_unreachable("internal: canBuildScalar was not called");
  }
}

Value ScalarOps::throughHalf(Value value, Type half) {
  Value narrow = arith::TruncFOp::create(b, loc, half, asNumber(value));
  return arith::ExtFOp::create(b, loc, type, narrow);
}

// The polynomials of f32 logarithms start at the smallest normal number; below
// it the operand is scaled by 2^23 and the result loses that power's logarithm.
template <typename Op> Value ScalarOps::logarithm(Value value, double shift) {
  Value x = asNumber(value);
  if (!type.isF32())
    return real<Op>(x);
  Value tiny = compare(P::less, x, constant(1.1754943508222875e-38));
  Value scaled = make(P::mul, {x, constant(8388608)});
  Value result = real<Op>(select(tiny, scaled, x));
  Value lost = constant(shift);
  return make(P::sub, {result, select(tiny, lost, constant(0))});
}

// Small whole exponents are products, which round as often as pow may err, and pow(x, -1) is a
// quotient.
Value ScalarOps::power(Value x, Value exponent) {
  FloatAttr known;
  if (!matchPattern(exponent, m_Constant(&known)))
    return math::PowFOp::create(b, loc, x, exponent);
  double n = known.getValueAsDouble();
  if (n == 0)
    return constant(1);
  if (n == 1)
    return x;
  if (n == -1)
    return make(P::div, {constant(1), x});
  if (n != 2 && n != 3)
    return math::PowFOp::create(b, loc, x, exponent);
  Value square = make(P::mul, {x, x});
  return n == 2 ? square : make(P::mul, {square, x});
}

// Giles' two polynomials in w = -log(1 - x^2), near the ends in its root: within 3e-7 of
// the value everywhere. At an end w is infinite, beyond it no number.
Value ScalarOps::erfinv(Value value) {
  Value x = asNumber(value);
  auto times = [&](Value a, Value c) { return make(P::mul, {a, c}); };
  auto plus = [&](Value a, double c) { return make(P::add, {a, constant(c)}); };
  auto polynomial = [&](Value w, ArrayRef<double> factors) {
    Value sum = constant(factors.front());
    for (double factor : factors.drop_front())
      sum = plus(times(sum, w), factor);
    return sum;
  };
  Value below = make(P::sub, {constant(1), x});
  Value w = make(P::neg, {make(P::log, {times(below, plus(x, 1))})});
  Value middle = polynomial(plus(w, -2.5), {2.81022636e-08, 3.43273939e-07, -3.5233877e-06,
                                            -4.39150654e-06, 0.00021858087, -0.00125372503,
                                            -0.00417768164, 0.246640727, 1.50140941});
  Value ends = polynomial(plus(make(P::sqrt, {w}), -3),
                          {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844,
                           0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
  Value factor = select(compare(P::less, w, constant(5)), middle, ends);
  Value size = make(P::abs, {x});
  auto where = [&](arith::CmpFPredicate predicate, double replaced) {
    Value holds = arith::CmpFOp::create(b, loc, predicate, size, constant(1));
    factor = select(holds, constant(replaced), factor);
  };
  where(arith::CmpFPredicate::OEQ, std::numeric_limits<double>::infinity());
  where(arith::CmpFPredicate::OGT, std::numeric_limits<double>::quiet_NaN());
  return times(factor, x);
}

// exp(x) - 1 loses digits near 0, which a series keeps:
// |x| < 0.1: x + x^2/2 + x^3/6 + x^4/24 + x^5/120 + x^6/720, error below 1e-9 relative.
Value ScalarOps::expm1(Value value) {
  Value x = asNumber(value);
  Value series = constant(1.0 / 720);
  for (double c : {1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0}) {
    Value product = make(P::mul, {series, x});
    series = make(P::add, {product, constant(c)});
  }
  series = make(P::mul, {series, x});
  Value power = make(P::exp, {x});
  Value direct = make(P::sub, {power, constant(1)});
  Value size = make(P::abs, {x});
  return select(compare(P::less, size, constant(0.1)), series, direct);
}
