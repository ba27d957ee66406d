// DoubleFunctions.cpp: see DoubleFunctions.h. A double has 29 bits more than a float, so that
// neither the order of operations nor a missing multiply-add shows. Coefficients have the least
// largest error for their number, relative to the function: at most 6e-11.
#include "codegen/cpu/DoubleFunctions.h"

#include "codegen/cpu/Arithmetic.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using symc::codegen::Arithmetic;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = llvm::numbers::pi;
// A sum with it rounds to an integer, which its low bits hold.
constexpr double toInteger = 0x1.8p52;

// Operations on f64 or vectors of it at one place.
class Doubles : public Arithmetic {
public:
  using Arithmetic::add;
  using Arithmetic::compare;
  using Arithmetic::mul;
  using Arithmetic::select;

  /// `like`: a value of the shape.
  Doubles(OpBuilder &b, Location loc, Value like) : Arithmetic(b, loc, like.getType()) {
    type = shaped(b.getF64Type());
  }

  Value of(Value x) { return create<arith::ExtFOp>(type, x); }
  Value rounded(Value x) { return create<arith::TruncFOp>(shaped(b.getF32Type()), x); }

  Value add(Value x, double y) { return add(x, constant(y)); }
  Value mul(Value x, double y) { return mul(x, constant(y)); }
  Value sqrt(Value x) { return create<math::SqrtOp>(x); }
  Value abs(Value x) { return create<math::AbsFOp>(x); }
  Value trunc(Value x) { return create<math::TruncOp>(x); }
  Value copysign(Value x, Value sign) { return create<math::CopySignOp>(x, sign); }
  Value negative(Value x) { return create<arith::NegFOp>(x); }

  Value compare(Predicate how, Value x, double y) { return compare(how, x, constant(y)); }
  Value select(Value condition, double x, Value y) { return select(condition, constant(x), y); }
  Value isInteger(Value x) { return compare(Predicate::OEQ, trunc(x), x); } // an infinity is
  Value isNoInteger(Value x) { return compare(Predicate::UNE, trunc(x), x); }
  Value both(Value x, Value y) { return create<arith::AndIOp>(x, y); }
  Value either(Value x, Value y) { return create<arith::OrIOp>(x, y); }

  Value subBits(Value x, Value y) { return create<arith::SubIOp>(x, y); }
  Value andBits(Value x, int64_t y) { return create<arith::AndIOp>(x, integer(y)); }
  Value orBits(Value x, int64_t y) { return create<arith::OrIOp>(x, integer(y)); }
  Value xorBits(Value x, Value y) { return create<arith::XOrIOp>(x, y); }
  Value right(Value x, int64_t by) { return create<arith::ShRUIOp>(x, integer(by)); }
  /// Whether bit `place` is set.
  Value bit(Value x, int place) {
    return create<arith::CmpIOp>(arith::CmpIPredicate::ne, andBits(x, int64_t(1) << place),
                                 integer(0));
  }

  /// `value`; where `condition` holds, what `Op` of doubles gives for the operands, one element
  /// after the other.
  template <typename Op> Value unless(Value condition, Value value, ValueRange operands) {
    auto vector = dyn_cast<VectorType>(type);
    Value any = vector ? anyOf(condition) : condition;
    auto choice = scf::IfOp::create(
        b, loc, any,
        [&](OpBuilder &then, Location) {
          Doubles inside(then, loc, value);
          Value exact = vector ? inside.elementwise<Op>(operands)
                               : Op::create(then, loc, operands).getResult();
          scf::YieldOp::create(then, loc, inside.select(condition, exact, value));
        },
        [&](OpBuilder &otherwise, Location) { scf::YieldOp::create(otherwise, loc, value); });
    return choice.getResult(0);
  }

private:
  Value flat(Value x) {
    auto vector = cast<VectorType>(x.getType());
    auto row = VectorType::get(vector.getNumElements(), vector.getElementType());
    return vector == row ? x : vector::ShapeCastOp::create(b, loc, row, x).getResult();
  }
  Value anyOf(Value condition) {
    return vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, flat(condition));
  }
  template <typename Op> Value elementwise(ValueRange operands) {
    SmallVector<Value> rows;
    for (Value operand : operands)
      rows.push_back(flat(operand));
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    int64_t count = cast<VectorType>(type).getNumElements();
    auto loop =
        scf::ForOp::create(b, loc, zero, arith::ConstantIndexOp::create(b, loc, count), one,
                           rows.front(), [&](OpBuilder &body, Location, Value i, ValueRange made) {
                             SmallVector<Value> elements;
                             for (Value row : rows)
                               elements.push_back(vector::ExtractOp::create(body, loc, row, i));
                             Value element = Op::create(body, loc, elements);
                             Value next =
                                 vector::InsertOp::create(body, loc, element, made.front(), i);
                             scf::YieldOp::create(body, loc, next);
                           });
    Value row = loop.getResult(0);
    return row.getType() == type ? row : vector::ShapeCastOp::create(b, loc, type, row).getResult();
  }
};

using Predicate = Doubles::Predicate;

//===----------------------------------------------------------------------===//
// Exponentials, logarithms, powers
//===----------------------------------------------------------------------===//

// 2^t = 2^n 2^f, |f| <= 1/2. What lies beyond 2^200 or 2^-200 is infinity or 0 as a float.
Value exp2(Doubles d, Value t) {
  t = d.atLeast(d.atMost(t, 200), -200);
  Value shifted = d.add(t, toInteger);
  Value f = d.sub(t, d.add(shifted, -toInteger));
  Value p = d.horner(f, {1.5196147634899404e-05, 0.00015466757100446316, 0.0013333935097274985,
                         0.0096180381291412487, 0.055504103659340165, 0.24022651066586392,
                         0.69314718070455261, 1});
  return d.fromBits(d.addBits(d.bits(p), d.left(d.bits(shifted), 52)));
}

Value exp(Doubles d, Value x) { return exp2(d, d.mul(x, llvm::numbers::log2e)); }

// x = 2^exponent fraction, fraction in [sqrt(1/2), sqrt(2)).
struct Parts {
  Value exponent, fraction;
};

Parts split(Doubles d, Value x) {
  constexpr int64_t root = 0x3FE6A09E667F3BCD, bias = int64_t(1024) << 52;
  Value bits = d.bits(x);
  Value shifted = d.addBits(bits, d.integer(bias - root));
  constexpr int64_t exponents = int64_t(0xFFF) << 52;
  Value fraction = d.subBits(bits, d.andBits(shifted, exponents));
  // Digits behind 2^52 are those of an integer.
  Value exponent = d.fromBits(d.orBits(d.right(shifted, 52), 0x4330000000000000));
  return {d.add(exponent, -(0x1p52 + 1024)), d.fromBits(d.addBits(fraction, d.integer(bias)))};
}

// log(2^exponent (1 + f)) = exponent log(2) + 2 atanh(f / (2 + f)), and what log gives for `x`
// where that is no positive number.
Value logarithm(Doubles d, Value exponent, Value f, Value x) {
  Value s = d.div(f, d.add(f, 2));
  Value p = d.horner(d.mul(s, s), {0.11809461430831866, 0.14267455392623912, 0.20000193528142773,
                                   0.33333332617304889, 1.0000000000042335});
  Value sum = d.fma(exponent, d.constant(llvm::numbers::ln2), d.mul(d.mul(s, 2), p));
  sum = d.select(d.compare(Predicate::OLT, x, infinity), sum, x);
  Value none = d.select(d.compare(Predicate::OEQ, x, 0.0), -infinity, d.constant(std::nan("")));
  return d.select(d.compare(Predicate::OGT, x, 0.0), sum, none);
}

Value log(Doubles d, Value x) {
  Parts parts = split(d, x);
  return logarithm(d, parts.exponent, d.add(parts.fraction, -1), x);
}

// log(1 + x), with all digits near 0.
Value log1p(Doubles d, Value x) {
  Value sum = d.add(x, 1);
  Parts parts = split(d, sum);
  Value near = d.compare(Predicate::OEQ, parts.exponent, 0.0);
  return logarithm(d, parts.exponent, d.select(near, x, d.add(parts.fraction, -1)), sum);
}

Value log10(Doubles d, Value x) { return d.mul(log(d, x), llvm::numbers::log10e); }

Value cbrt(Doubles d, Value x) {
  Value power = d.mul(log(d, d.abs(x)), llvm::numbers::log2e / 3);
  return d.copysign(exp2(d, power), x);
}

Value pow(Doubles d, Value x, Value y) {
  Value size = d.abs(x);
  Value power = exp2(d, d.mul(d.mul(log(d, size), llvm::numbers::log2e), y));
  Value odd = d.both(d.isInteger(y), d.isNoInteger(d.mul(y, 0.5)));
  power = d.select(odd, d.copysign(power, x), power);
  Value negative =
      d.both(d.compare(Predicate::OLT, x, 0.0), d.compare(Predicate::OLT, size, infinity));
  power = d.select(d.both(negative, d.isNoInteger(y)), std::nan(""), power);
  Value one = d.either(d.compare(Predicate::OEQ, x, 1), d.compare(Predicate::OEQ, y, 0.0));
  Value turning =
      d.both(d.compare(Predicate::OEQ, size, 1), d.compare(Predicate::OEQ, d.abs(y), infinity));
  return d.select(d.either(one, turning), 1, power);
}

//===----------------------------------------------------------------------===//
// Angles
//===----------------------------------------------------------------------===//

// x = quarter pi/2 + rest, |rest| <= pi/4; the low bits of `quarter` are those of an integer.
struct Angle {
  Value quarter, sine, cosine;
};

constexpr double largestAngle = 0x1p20;

Angle reduce(Doubles d, Value x) {
  // pi/2 in two parts: the first has 33 bits, so that its products are exact.
  constexpr double high = 0x1.921fb544p0, low = 0x1.0b4611a626331p-34;
  Value quarter = d.add(d.mul(x, 2 / pi), toInteger);
  Value n = d.add(quarter, -toInteger);
  Value r = d.sub(d.sub(x, d.mul(n, high)), d.mul(n, low));
  Value square = d.mul(r, r);
  Value sine = d.mul(
      r, d.horner(square, {2.7171490833798854e-06, -0.00019839177954349572, 0.0083333286888341868,
                           -0.16666666630432958, 0.99999999999544931}));
  Value cosine =
      d.horner(square, {2.4372635736611198e-05, -0.0013886528666597418, 0.041666613217075148,
                        -0.49999999571380654, 0.99999999994390798});
  return {d.bits(quarter), sine, cosine};
}

Value isFar(Doubles d, Value x) { return d.compare(Predicate::OGT, d.abs(x), largestAngle); }

// The sine of x + quarters pi/2.
Value wave(Doubles d, Value x, int quarters) {
  Angle angle = reduce(d, x);
  Value quarter = d.addBits(angle.quarter, d.integer(quarters));
  Value value = d.select(d.bit(quarter, 0), angle.cosine, angle.sine);
  Value sign = d.left(d.andBits(quarter, 2), 62);
  return d.fromBits(d.xorBits(d.bits(value), sign));
}

Value sin(Doubles d, Value x) { return d.unless<math::SinOp>(isFar(d, x), wave(d, x, 0), x); }
Value cos(Doubles d, Value x) { return d.unless<math::CosOp>(isFar(d, x), wave(d, x, 1), x); }

Value tan(Doubles d, Value x) {
  Angle angle = reduce(d, x);
  Value odd = d.bit(angle.quarter, 0);
  Value over = d.select(odd, d.negative(angle.cosine), angle.sine);
  Value under = d.select(odd, angle.sine, angle.cosine);
  return d.unless<math::TanOp>(isFar(d, x), d.div(over, under), x);
}

// asin(x), |x| <= 1/2.
Value shortAsin(Doubles d, Value x) {
  Value p = d.horner(d.mul(x, x), {0.034951315297092833, 0.0072240383406168007,
                                   0.024711470105692968, 0.030092221740374736, 0.04466203444211847,
                                   0.074999382037056361, 0.16666667421592735, 0.99999999998490585});
  return d.mul(x, p);
}

// sqrt((1 - |x|) / 2): acos(|x|) is twice its asin.
Value halfChord(Doubles d, Value x) { return d.sqrt(d.mul(d.sub(d.constant(1), d.abs(x)), 0.5)); }

Value asin(Doubles d, Value x) {
  Value small = d.compare(Predicate::OLE, d.abs(x), 0.5);
  Value part = shortAsin(d, d.select(small, d.abs(x), halfChord(d, x)));
  Value large = d.sub(d.constant(pi / 2), d.mul(part, 2));
  return d.copysign(d.select(small, part, large), x);
}

Value acos(Doubles d, Value x) {
  Value small = d.compare(Predicate::OLE, d.abs(x), 0.5);
  Value part = shortAsin(d, d.select(small, x, halfChord(d, x)));
  Value twice = d.mul(part, 2);
  Value large = d.select(d.compare(Predicate::OLT, x, 0.0), d.sub(d.constant(pi), twice), twice);
  return d.select(small, d.sub(d.constant(pi / 2), part), large);
}

// The angle of a point, from the axis that it is nearer to.
Value atan2(Doubles d, Value y, Value x) {
  Value height = d.abs(y), width = d.abs(x);
  Value steep = d.compare(Predicate::OGT, height, width);
  Value more = d.select(steep, height, width), less = d.select(steep, width, height);
  Value diagonal = d.compare(Predicate::OEQ, less, infinity);
  more = d.select(diagonal, 1, more);
  less = d.select(diagonal, 1, less);
  // Above tan(pi/8) it is pi/4 and the angle from there.
  Value upper = d.compare(Predicate::OGT, less, d.mul(more, 0.41421356237309503));
  Value over = d.select(upper, d.sub(less, more), less);
  Value under = d.select(upper, d.add(less, more), more);
  Value q = d.div(over, d.select(d.compare(Predicate::OEQ, more, 0.0), 1, under));
  Value p = d.horner(d.mul(q, q), {0.04714106031728179, -0.084596902392097301, 0.1104116836472179,
                                   -0.14281649606830413, 0.1999988632263002, -0.33333332134237131,
                                   0.99999999997928257});
  Value angle = d.fma(q, p, d.select(upper, pi / 4, d.constant(0)));
  angle = d.select(steep, d.sub(d.constant(pi / 2), angle), angle);
  Value backwards = d.compare(Predicate::OLT, d.copysign(d.constant(1), x), 0.0);
  angle = d.select(backwards, d.sub(d.constant(pi), angle), angle);
  Value none = d.compare(Predicate::UNO, x, y);
  return d.copysign(d.select(none, std::nan(""), angle), y);
}

Value atan(Doubles d, Value x) { return atan2(d, x, d.constant(1)); }

//===----------------------------------------------------------------------===//
// Hyperbolic functions
//===----------------------------------------------------------------------===//

Value cosh(Doubles d, Value x) {
  Value power = exp(d, d.abs(x));
  return d.mul(d.add(power, d.div(d.constant(1), power)), 0.5);
}

Value sinh(Doubles d, Value x) {
  Value power = exp(d, d.abs(x));
  Value large = d.mul(d.sub(power, d.div(d.constant(1), power)), 0.5);
  Value small =
      d.mul(d.abs(x), d.horner(d.mul(x, x),
                               {2.8185239240377524e-06, 0.00019835812451295121,
                                0.0083333525928842994, 0.16666666430247251, 1.0000000000459772}));
  Value near = d.compare(Predicate::OLT, d.abs(x), 1);
  return d.copysign(d.select(near, small, large), x);
}

// log(x + sqrt(x^2 + 1)) = log1p(x + x^2 / (1 + sqrt(x^2 + 1))); a float's square is no infinity.
Value asinh(Doubles d, Value x) {
  Value size = d.abs(x), square = d.mul(x, x);
  Value root = d.sqrt(d.add(square, 1));
  Value value = log1p(d, d.add(size, d.div(square, d.add(root, 1))));
  return d.copysign(d.select(d.compare(Predicate::OEQ, size, infinity), infinity, value), x);
}

Value acosh(Doubles d, Value x) {
  Value above = d.add(x, -1);
  Value root = d.sqrt(d.mul(above, d.add(above, 2)));
  Value below = d.compare(Predicate::OLT, x, 1);
  return d.select(below, std::nan(""), log1p(d, d.add(above, root)));
}

Value atanh(Doubles d, Value x) {
  Value size = d.abs(x);
  Value twice = d.mul(size, 2);
  Value value = d.mul(log1p(d, d.div(twice, d.sub(d.constant(1), size))), 0.5);
  return d.copysign(value, x);
}

//===----------------------------------------------------------------------===//
// Remainders
//===----------------------------------------------------------------------===//

// C's fmod. A quotient below 2^29 times y is exact; one that division has rounded up to an integer
// takes away y once too often.
Value fmod(Doubles d, Value x, Value y) {
  Value size = d.abs(x), step = d.abs(y);
  Value quotient = d.div(size, step);
  Value rest = d.sub(size, d.mul(d.trunc(quotient), step));
  rest = d.select(d.compare(Predicate::OLT, rest, 0.0), d.add(rest, step), rest);
  Value far = d.either(d.compare(Predicate::UGE, quotient, 0x1p29),
                       d.compare(Predicate::OEQ, step, infinity));
  return d.unless<arith::RemFOp>(far, d.copysign(rest, x), {x, y});
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

bool isF32(Value value) { return getElementTypeOrSelf(value.getType()).isF32(); }

template <typename Op, Value function(Doubles, Value)> struct Unary : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!isF32(op))
      return failure();
    Doubles d(rewriter, op.getLoc(), op);
    rewriter.replaceOp(op, d.rounded(function(d, d.of(op.getOperand()))));
    return success();
  }
};

template <typename Op, Value function(Doubles, Value, Value)> struct Binary : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!isF32(op))
      return failure();
    Doubles d(rewriter, op.getLoc(), op);
    rewriter.replaceOp(op, d.rounded(function(d, d.of(op.getLhs()), d.of(op.getRhs()))));
    return success();
  }
};

// A function of doubles that is only rounded to a float: as good as the float's own.
template <typename Op, Value function(Doubles, Value)>
struct RoundedUnary : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    auto wide = op.getIn().template getDefiningOp<Op>();
    if (!isF32(op) || !wide || !getElementTypeOrSelf(wide.getType()).isF64())
      return failure();
    Doubles d(rewriter, op.getLoc(), op);
    rewriter.replaceOp(op, d.rounded(function(d, wide.getOperand())));
    return success();
  }
};

} // namespace

void symc::codegen::populateDoubleFunctions(RewritePatternSet &patterns) {
  patterns
      .add<Unary<math::SinOp, sin>, Unary<math::CosOp, cos>, Unary<math::TanOp, tan>,
           Unary<math::AsinOp, asin>, Unary<math::AcosOp, acos>, Unary<math::AtanOp, atan>,
           Unary<math::SinhOp, sinh>, Unary<math::CoshOp, cosh>, Unary<math::AsinhOp, asinh>,
           Unary<math::AcoshOp, acosh>, Unary<math::AtanhOp, atanh>, Unary<math::Log10Op, log10>,
           Unary<math::CbrtOp, cbrt>, Binary<math::Atan2Op, atan2>, Binary<math::PowFOp, pow>,
           Binary<arith::RemFOp, fmod>, RoundedUnary<math::ExpOp, exp>>(patterns.getContext());
}
