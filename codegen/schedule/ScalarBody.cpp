// ScalarBody.cpp: a recursive-descent parser of scalar bodies that emits as it
// reads (see ScalarBody.h). max(a, b) is a > b ? a : b and min likewise, so that
// NaN goes where the hardware's instruction sends it; comparisons are ordered
// except !=.
#include "codegen/schedule/ScalarBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;

namespace symc::codegen {

namespace {

class BodyEmitter {
public:
  BodyEmitter(StringRef text, ArrayRef<Value> operands, Type type, OpBuilder &builder,
              Location location)
      : text(text), operands(operands), type(type), isFloat(isa<FloatType>(type)), b(builder),
        loc(location) {}

  Value run() {
    Value value = number(comparison());
    return text.ltrim().empty() ? value : Value();
  }

private:
  // comparison := sum (op sum)?
  Value comparison() {
    Value left = sum();
    text = text.ltrim();
    struct Row {
      StringRef token;
      arith::CmpFPredicate real;
      arith::CmpIPredicate integer;
    };
    static const Row rows[] = {{"<=", arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle},
                               {">=", arith::CmpFPredicate::OGE, arith::CmpIPredicate::sge},
                               {"==", arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq},
                               {"!=", arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne},
                               {"<", arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt},
                               {">", arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt}};
    for (const Row &row : rows)
      if (text.consume_front(row.token))
        return compare(row.real, row.integer, number(left), number(sum()));
    return left;
  }

  Value compare(arith::CmpFPredicate real, arith::CmpIPredicate integer, Value a, Value c) {
    if (!a || !c)
      return {};
    if (isFloat)
      return arith::CmpFOp::create(b, loc, real, a, c);
    return arith::CmpIOp::create(b, loc, integer, a, c);
  }

  Value sum() {
    Value left = product();
    for (;;) {
      text = text.ltrim();
      if (text.consume_front("+"))
        left = binary<arith::AddFOp, arith::AddIOp>(left, product());
      else if (text.consume_front("-"))
        left = binary<arith::SubFOp, arith::SubIOp>(left, product());
      else
        return left;
    }
  }

  Value product() {
    Value left = factor();
    for (;;) {
      text = text.ltrim();
      if (text.consume_front("*"))
        left = binary<arith::MulFOp, arith::MulIOp>(left, factor());
      else if (text.consume_front("/"))
        left =
            isFloat ? binary<arith::DivFOp, arith::DivSIOp>(left, factor()) : (factor(), Value());
      else
        return left;
    }
  }

  template <typename RealOp, typename IntOp> Value binary(Value a, Value c) {
    a = number(a);
    c = number(c);
    if (!a || !c)
      return {};
    if (isFloat)
      return RealOp::create(b, loc, a, c);
    return IntOp::create(b, loc, a, c);
  }

  Value factor() {
    text = text.ltrim();
    if (text.consume_front("-")) {
      Value value = number(factor());
      if (!value)
        return {};
      if (isFloat)
        return arith::NegFOp::create(b, loc, value);
      return arith::SubIOp::create(b, loc, constant(0), value);
    }
    if (text.consume_front("(")) {
      Value value = comparison();
      text = text.ltrim();
      return text.consume_front(")") ? value : Value();
    }
    if (!text.empty() && (llvm::isDigit(text[0]) || text[0] == '.'))
      return literal();
    StringRef name = text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    text = text.drop_front(name.size());
    if (name == "inf")
      return constant(std::numeric_limits<double>::infinity());
    if (name == "nan")
      return constant(std::numeric_limits<double>::quiet_NaN());
    if (name == "x" && !text.ltrim().starts_with("("))
      return operands.empty() ? Value() : operands[0];
    unsigned index;
    StringRef digits = name;
    if (digits.consume_front("x") && !digits.getAsInteger(10, index))
      return index < operands.size() ? operands[index] : Value();
    text = text.ltrim();
    if (name.empty() || !text.consume_front("("))
      return {};
    SmallVector<Value> arguments;
    do
      arguments.push_back(comparison());
    while ((text = text.ltrim()).consume_front(","));
    if (!text.consume_front(")"))
      return {};
    return call(name, arguments);
  }

  Value literal() {
    size_t length = 0;
    while (length < text.size() && (llvm::isAlnum(text[length]) || text[length] == '.' ||
                                    ((text[length] == '-' || text[length] == '+') && length &&
                                     (text[length - 1] == 'e' || text[length - 1] == 'E'))))
      ++length;
    double value;
    if (text.take_front(length).getAsDouble(value))
      return {};
    text = text.drop_front(length);
    return constant(value);
  }

  Value constant(double value) {
    if (isFloat)
      return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
    if (value != std::floor(value) || std::abs(value) > 9e15)
      return {};
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, static_cast<int64_t>(value)));
  }

  // A truth value where a number is needed: 0 or 1.
  Value number(Value value) {
    if (!value || !value.getType().isInteger(1) || type.isInteger(1))
      return value;
    if (isFloat)
      return arith::UIToFPOp::create(b, loc, type, value);
    return arith::ExtUIOp::create(b, loc, type, value);
  }

  // A number where a truth value is needed: not zero.
  Value truth(Value value) {
    if (!value || value.getType().isInteger(1))
      return value;
    return compare(arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne, value, constant(0));
  }

  template <typename Op> Value real(ArrayRef<Value> values) {
    if (!isFloat)
      return {};
    SmallVector<Value> numbers;
    for (Value value : values)
      numbers.push_back(number(value));
    if (llvm::is_contained(numbers, Value()))
      return {};
    return Op::create(b, loc, TypeRange{type}, numbers, ArrayRef<NamedAttribute>{});
  }

  Value select(Value condition, Value a, Value c) {
    condition = truth(condition);
    a = number(a);
    c = number(c);
    if (!condition || !a || !c)
      return {};
    return arith::SelectOp::create(b, loc, condition, a, c);
  }

  Value call(StringRef name, ArrayRef<Value> v) {
    if (llvm::is_contained(v, Value()))
      return {};
    auto is = [&](StringRef wanted, size_t count) { return name == wanted && v.size() == count; };
    if (is("where", 3))
      return select(v[0], v[1], v[2]);
    if (is("max", 2))
      return select(
          compare(arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt, number(v[0]), number(v[1])),
          v[0], v[1]);
    if (is("min", 2))
      return select(
          compare(arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt, number(v[0]), number(v[1])),
          v[0], v[1]);
    if (is("square", 1))
      return binary<arith::MulFOp, arith::MulIOp>(v[0], v[0]);
    if (is("abs", 1)) {
      if (isFloat)
        return math::AbsFOp::create(b, loc, number(v[0]));
      return math::AbsIOp::create(b, loc, number(v[0]));
    }
    if (is("isnan", 1))
      return compare(arith::CmpFPredicate::UNO, arith::CmpIPredicate::ne, number(v[0]),
                     number(v[0]));
    if (is("sign", 1))
      return select(
          compare(arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt, number(v[0]), constant(0)),
          constant(1),
          select(compare(arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt, number(v[0]),
                         constant(0)),
                 constant(-1), constant(0)));
    if (is("rsqrt", 1)) {
      Value root = real<math::SqrtOp>(v);
      return root ? binary<arith::DivFOp, arith::DivSIOp>(constant(1), root) : Value();
    }
    if (is("expm1", 1)) // exp(x) - 1 loses digits near 0, which a series keeps.
      return expm1(v[0]);
    if (is("erfinv", 1))
      return erfinv(v[0]);
    if (is("log", 1))
      return logarithm<math::LogOp>(v[0], 15.942385152878742);
    if (is("log2", 1))
      return logarithm<math::Log2Op>(v[0], 23);
    if (is("log10", 1))
      return logarithm<math::Log10Op>(v[0], 6.9236899002715671);
    if (v.size() == 1) {
#define SYMC_REAL(NAME, OP)                                                                        \
  if (name == NAME)                                                                                \
    return real<math::OP>(v);
      SYMC_REAL("exp", ExpOp)
      SYMC_REAL("exp2", Exp2Op)
      SYMC_REAL("log1p", Log1pOp)
      SYMC_REAL("tanh", TanhOp)
      SYMC_REAL("sin", SinOp)
      SYMC_REAL("cos", CosOp)
      SYMC_REAL("sqrt", SqrtOp)
      SYMC_REAL("erf", ErfOp)
      SYMC_REAL("floor", FloorOp)
      SYMC_REAL("ceil", CeilOp)
      SYMC_REAL("trunc", TruncOp)
#undef SYMC_REAL
    }
    return {};
  }

  // The polynomials of f32 logarithms start at the smallest normal number; below
  // it the operand is scaled by 2^23 and the result loses that power's logarithm.
  template <typename Op> Value logarithm(Value value, double shift) {
    Value x = number(value);
    if (!type.isF32() || !x)
      return real<Op>({x});
    Value tiny = compare(arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt, x,
                         constant(1.1754943508222875e-38));
    Value scaled = binary<arith::MulFOp, arith::MulIOp>(x, constant(8388608));
    Value result = real<Op>({select(tiny, scaled, x)});
    return binary<arith::SubFOp, arith::SubIOp>(result, select(tiny, constant(shift), constant(0)));
  }

  // Giles' two polynomials in w = -log(1 - x^2), near the ends in its root: within 3e-7 of
  // the value everywhere. At an end w is infinite, beyond it no number.
  Value erfinv(Value value) {
    Value x = number(value);
    if (!type.isF32() || !x)
      return {};
    auto times = [&](Value a, Value c) { return binary<arith::MulFOp, arith::MulIOp>(a, c); };
    auto plus = [&](Value a, double c) {
      return binary<arith::AddFOp, arith::AddIOp>(a, constant(c));
    };
    auto polynomial = [&](Value w, ArrayRef<double> factors) {
      Value sum = constant(factors.front());
      for (double factor : factors.drop_front())
        sum = plus(times(sum, w), factor);
      return sum;
    };
    Value below = binary<arith::SubFOp, arith::SubIOp>(constant(1), x);
    Value w = arith::NegFOp::create(
        b, loc, logarithm<math::LogOp>(times(below, plus(x, 1)), 15.942385152878742));
    Value middle = polynomial(plus(w, -2.5), {2.81022636e-08, 3.43273939e-07, -3.5233877e-06,
                                              -4.39150654e-06, 0.00021858087, -0.00125372503,
                                              -0.00417768164, 0.246640727, 1.50140941});
    Value ends = polynomial(plus(real<math::SqrtOp>({w}), -3),
                            {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844,
                             0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
    Value factor =
        select(compare(arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt, w, constant(5)),
               middle, ends);
    Value size = math::AbsFOp::create(b, loc, x);
    auto where = [&](arith::CmpFPredicate predicate, double replaced) {
      factor = select(compare(predicate, arith::CmpIPredicate::eq, size, constant(1)),
                      constant(replaced), factor);
    };
    where(arith::CmpFPredicate::OEQ, std::numeric_limits<double>::infinity());
    where(arith::CmpFPredicate::OGT, std::numeric_limits<double>::quiet_NaN());
    return times(factor, x);
  }

  Value expm1(Value value) {
    Value x = number(value);
    if (!isFloat || !x)
      return {};
    // |x| < 0.1: x + x^2/2 + x^3/6 + x^4/24 + x^5/120 + x^6/720, error below 1e-9 relative.
    Value series = constant(1.0 / 720);
    for (double c : {1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0})
      series = binary<arith::AddFOp, arith::AddIOp>(binary<arith::MulFOp, arith::MulIOp>(series, x),
                                                    constant(c));
    series = binary<arith::MulFOp, arith::MulIOp>(series, x);
    Value direct = binary<arith::SubFOp, arith::SubIOp>(real<math::ExpOp>({x}), constant(1));
    Value small = compare(arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt,
                          math::AbsFOp::create(b, loc, x), constant(0.1));
    return select(small, series, direct);
  }

  StringRef text;
  ArrayRef<Value> operands;
  Type type;
  bool isFloat;
  OpBuilder &b;
  Location loc;
};

} // namespace

// Half floats are computed in f32 and rounded once, as MXNet does.
static Type computeType(Type type, OpBuilder &builder) {
  return type.isF16() || type.isBF16() ? Type(builder.getF32Type()) : type;
}

Value emitScalarBody(StringRef body, ArrayRef<Value> operands, Type type, OpBuilder &builder,
                     Location location) {
  Type compute = computeType(type, builder);
  SmallVector<Value> wide;
  for (Value operand : operands)
    wide.push_back(operand.getType() == compute
                       ? operand
                       : arith::ExtFOp::create(builder, location, compute, operand).getResult());
  Value value = BodyEmitter(body, wide, compute, builder, location).run();
  if (value && compute != type)
    value = arith::TruncFOp::create(builder, location, type, value);
  return value;
}

bool canEmitScalarBody(StringRef body, Type type) {
  if (!isa<FloatType>(type) && !(type.isSignlessInteger() && !type.isInteger(1)))
    return false;
  // Emitted into a scratch module that is thrown away.
  Location location = UnknownLoc::get(type.getContext());
  OwningOpRef<ModuleOp> scratch = ModuleOp::create(location);
  OpBuilder builder = OpBuilder::atBlockEnd(scratch->getBody());
  SmallVector<Value> operands;
  for (int i = 0; i < 16; ++i)
    operands.push_back(scratch->getBody()->addArgument(type, location));
  // expm1's series is too short for doubles; their reference kernel calls libm.
  if (type.isF64() && body.contains("expm1"))
    return false;
  return static_cast<bool>(emitScalarBody(body, operands, type, builder, location));
}

} // namespace symc::codegen
