// ScalarGamma.cpp: tgamma and lgamma on f32, of operations that every target has. With s(x) =
// sin(pi x) / pi, G the gamma function and A its logarithm, both from 1/2 on,
//
//   tgamma, x < -1/2: 1 / s(x) -x G(-x)           NaN at whole numbers, where s is 0
//           x < 1/2:  1 / s(x) G(1 - x)
//                     else G(x)
//   G(w), w < 2:      P(w - 1) / Q(w - 1); w < 3:  (w - 1) G(w - 1)
//                     else w^(w - 1/2) e^-w T(1 / w)
//
//   lgamma, x < 0:    -log |s(x)| - A(1 - x)      infinity at whole numbers
//           x < 1/2:  -log x + A(1 + x)
//                     else A(x)
//   A(w), w < 8:      (w - 1) (w - 2) P(w - 3/4) / Q(w - 3/4)
//                     else (w - 1/2) (log w - 1) + log(2 pi) / 2 - 1/2
//                          + 1 / 12 w - 1 / 360 w^3 + 1 / 1260 w^5
//
// Quotients and T have the least largest error for their degrees, relative to what they stand for:
// at most 1.2e-8. Errors: 9 ULP of tgamma, 6 ULP of lgamma, below 0 of |log |s(x)|| + A(1 - x),
// whose difference passes 0 between whole numbers. Powers below 2^-126 are 0.
#include "codegen/schedule/ScalarBody.h"
#include <limits>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

using P = sg::ScalarPrimitive;

namespace {

/// Numbers in f32 at one place.
struct Numbers {
  ScalarOps &ops;

  Value of(double number) { return ops.constant(number); }
  Value add(Value x, Value y) { return ops.make(P::add, {x, y}); }
  Value add(Value x, double y) { return add(x, of(y)); }
  Value sub(Value x, Value y) { return ops.make(P::sub, {x, y}); }
  Value mul(Value x, Value y) { return ops.make(P::mul, {x, y}); }
  Value div(Value x, Value y) { return ops.make(P::div, {x, y}); }
  Value neg(Value x) { return ops.make(P::neg, {x}); }
  Value abs(Value x) { return ops.make(P::abs, {x}); }
  Value log(Value x) { return ops.make(P::log, {x}); }
  Value round(Value x) { return ops.make(P::round, {x}); }
  Value less(Value x, double y) { return ops.make(P::less, {x, of(y)}); }
  Value equal(Value x, Value y) { return ops.make(P::equal, {x, y}); }
  Value choose(Value condition, Value x, Value y) { return ops.make(P::where, {condition, x, y}); }
  /// The polynomial of these coefficients, the highest first.
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = of(coefficients.front());
    for (double coefficient : coefficients.drop_front())
      sum = add(mul(sum, x), coefficient);
    return sum;
  }
};

} // namespace

static constexpr double infinity = std::numeric_limits<double>::infinity();

// sin(pi rest) / pi, |rest| <= 1/2.
static Value sine(Numbers n, Value rest) {
  Value p = n.polynomial(n.mul(rest, rest),
                         {-0.00223519769, 0.0261161886, -0.190747619, 0.811742187, -1.64493406, 1});
  return n.mul(rest, p);
}

// G(w), w >= 1/2. Above 36 it is infinity, as there.
static Value gammaFromHalf(Numbers n, Value w) {
  w = n.choose(n.ops.make(P::greater, {w, n.of(36)}), n.of(36), w);
  Value isNear = n.less(w, 3), isFirst = n.less(w, 2), before = n.add(w, -1);
  Value t = n.choose(isFirst, before, n.choose(isNear, n.add(before, -1), n.of(0)));
  Value over = n.polynomial(t, {0.0129232612, 0.0431977697, 0.229989618, 0.436852455, 1});
  Value under = n.polynomial(t, {0.0351949260, -0.152569920, -0.173729867, 1.01406801, 1});
  Value near = n.mul(n.choose(isFirst, n.of(1), before), n.div(over, under));
  // Half of the exponent, twice: G(35) is less than infinity, 35^34.5 is not.
  Value power = n.ops.make(P::pow, {w, n.add(n.mul(w, n.of(0.5)), -0.25)});
  Value series = n.polynomial(
      n.div(n.of(1), w), {0.000974450551, -0.00719151134, 0.00876842719, 0.208881870, 2.50662827});
  Value falling = n.mul(series, n.ops.make(P::exp, {n.neg(w)}));
  Value far = n.mul(n.mul(falling, power), power);
  return n.choose(isNear, near, far);
}

Value ScalarOps::tgamma(Value value) {
  Numbers n{*this};
  Value x = asNumber(value), isSmall = n.less(x, 0.5), isLow = n.less(x, -0.5), size = n.abs(x);
  Value above = n.choose(isSmall, n.sub(n.of(1), x), x);
  Value positive = gammaFromHalf(n, n.choose(isLow, size, above));
  Value whole = n.round(x), isZero = n.equal(whole, n.of(0));
  Value rest = n.choose(isZero, x, n.sub(x, whole)); // -0 too
  Value half = n.mul(whole, n.of(0.5));
  Value isEven = n.equal(make(P::trunc, {half}), half);
  Value s = sine(n, n.choose(isEven, rest, n.neg(rest)));
  Value small = n.div(n.of(1), n.mul(n.mul(s, n.choose(isLow, size, n.of(1))), positive));
  Value isPole = n.equal(whole, x);
  Value pole = n.choose(isZero, small, n.of(std::numeric_limits<double>::quiet_NaN()));
  return n.choose(isSmall, n.choose(isPole, pole, small), positive);
}

// A(w), w >= 1/2. The near form ends where the far one begins, so that it does not overflow.
static Value logarithmFromHalf(Numbers n, Value w) {
  Value isNear = n.less(w, 8);
  Value near = n.choose(isNear, w, n.of(8)), t = n.add(near, -0.75);
  Value over = n.polynomial(
      t, {3.68543406e-05, 0.0118378177, 0.212466225, 0.95503056, 1.42271173, 0.650499046});
  Value under =
      n.polynomial(t, {0.00335566164, 0.111275792, 0.888134301, 2.49417424, 2.72878361, 1});
  Value product = n.mul(n.mul(n.add(near, -1), n.add(near, -2)), n.div(over, under));
  Value inverse = n.div(n.of(1), w);
  Value series = n.polynomial(n.mul(inverse, inverse), {1.0 / 1260, -1.0 / 360, 1.0 / 12});
  Value slow = n.add(n.mul(inverse, series), 0.41893853320467274);
  Value far = n.add(n.mul(n.add(w, -0.5), n.add(n.log(w), -1)), slow);
  return n.choose(isNear, product, far);
}

Value ScalarOps::lgamma(Value value) {
  Numbers n{*this};
  Value x = asNumber(value), size = n.abs(x);
  Value isNegative = n.less(x, 0), isSmall = n.less(x, 0.5);
  Value isWhole = make(P::greater_equal, {size, n.of(8388608)}); // infinity too
  Value s = n.abs(sine(n, n.sub(size, n.round(size))));
  Value factor = n.choose(isNegative, n.choose(isWhole, n.of(0), s), size);
  Value rest = logarithmFromHalf(n, n.choose(isSmall, n.add(size, 1), x));
  Value small = n.sub(n.choose(isNegative, n.neg(rest), rest), n.log(factor));
  small = n.choose(n.equal(factor, n.of(0)), n.of(infinity), small);
  return n.choose(isSmall, small, rest);
}
