// scalar_primitives.h: the primitives of scalar bodies (ir/ScalarFunctions.td) over
// float, double and int64_t. Functions without an integer value compute integers in
// float; integer arithmetic wraps, and division by 0 gives 0. Mixed operands meet
// in the wider kind.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_SCALAR_PRIMITIVES_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_SCALAR_PRIMITIVES_H

#include "../../core/half.h"

namespace symc::scalar {

template <class A, class B> using Meet = decltype(A() + B());
// What a fraction is written as beside numbers of a type.
template <class T> struct RealOf {
  using Type = T;
};
template <> struct RealOf<int64_t> {
  using Type = float;
};
template <class T> using Real = typename RealOf<T>::Type;

#define SYMC_SCALAR_MATH(name)                                                                     \
  inline float name(float x) { return __builtin_##name##f(x); }                                    \
  inline double name(double x) { return __builtin_##name(x); }                                     \
  inline float name(int64_t x) { return __builtin_##name##f(float(x)); }
SYMC_SCALAR_MATH(exp)
SYMC_SCALAR_MATH(exp2)
SYMC_SCALAR_MATH(expm1)
SYMC_SCALAR_MATH(log)
SYMC_SCALAR_MATH(log2)
SYMC_SCALAR_MATH(log10)
SYMC_SCALAR_MATH(log1p)
SYMC_SCALAR_MATH(sqrt)
SYMC_SCALAR_MATH(cbrt)
SYMC_SCALAR_MATH(sin)
SYMC_SCALAR_MATH(cos)
SYMC_SCALAR_MATH(tan)
SYMC_SCALAR_MATH(asin)
SYMC_SCALAR_MATH(acos)
SYMC_SCALAR_MATH(atan)
SYMC_SCALAR_MATH(sinh)
SYMC_SCALAR_MATH(cosh)
SYMC_SCALAR_MATH(tanh)
SYMC_SCALAR_MATH(asinh)
SYMC_SCALAR_MATH(acosh)
SYMC_SCALAR_MATH(atanh)
SYMC_SCALAR_MATH(erf)
SYMC_SCALAR_MATH(tgamma)
SYMC_SCALAR_MATH(lgamma)
#undef SYMC_SCALAR_MATH

// Values that integers have already.
#define SYMC_SCALAR_WHOLE(name)                                                                    \
  inline float name(float x) { return __builtin_##name##f(x); }                                    \
  inline double name(double x) { return __builtin_##name(x); }                                     \
  inline int64_t name(int64_t x) { return x; }
SYMC_SCALAR_WHOLE(floor)
SYMC_SCALAR_WHOLE(ceil)
SYMC_SCALAR_WHOLE(trunc)
SYMC_SCALAR_WHOLE(round)
#undef SYMC_SCALAR_WHOLE

inline float rsqrt(float x) { return 1 / sqrt(x); }
inline double rsqrt(double x) { return 1 / sqrt(x); }
inline float rsqrt(int64_t x) { return 1 / sqrt(x); }

// exp(x), good to 6e-11 of it, for results that are floats: what lies beyond 2^200 or 2^-200 is
// infinity or 0 there. Without branches, so that loops over it become vectors. Generated code has
// the same polynomial (codegen/cpu/DoubleFunctions.cpp).
inline double exp_for_float(double x) {
  const double to_integer = 6755399441055744.0; // a sum with it rounds to an integer
  double t = x * 1.4426950408889634;
  t = t > 200 ? 200 : t < -200 ? -200 : t;
  double shifted = t + to_integer, f = t - (shifted - to_integer);
  const double factors[] = {0.00015466757100446316,
                            0.0013333935097274985,
                            0.0096180381291412487,
                            0.055504103659340165,
                            0.24022651066586392,
                            0.69314718070455261,
                            1.0};
  double p = 1.5196147634899404e-05;
  for (double factor : factors)
    p = p * f + factor;
  uint64_t bits, power;
  __builtin_memcpy(&bits, &p, sizeof bits);
  __builtin_memcpy(&power, &shifted, sizeof power);
  bits += power << 52;
  __builtin_memcpy(&p, &bits, sizeof p);
  return p;
}

inline float logistic(float x) { return 1 / (1 + exp(-x)); }
inline double logistic(double x) { return 1 / (1 + exp(-x)); }
inline float logistic(int64_t x) { return logistic(float(x)); }

// The inverse of erf: a closed form good to three digits, then Halley's steps until one leaves a
// share of at most `exact`: an error d becomes (y^2 + 1) / 3 * d^3.
inline double erfinv(double x, double exact = 1e-17) {
  if (!(x > -1 && x < 1))
    return x == 1 ? __builtin_inf() : x == -1 ? -__builtin_inf() : __builtin_nan("");
  if (x == 0)
    return x;
  const double a = 0.147, pi = 3.14159265358979324;
  double tail = __builtin_log1p(-x * x);
  double middle = 2 / (pi * a) + tail / 2;
  double y = __builtin_sqrt(__builtin_sqrt(middle * middle - tail / a) - middle);
  double target = x < 0 ? -x : x;
  for (int i = 0; i < 4; ++i) {
    double off = (__builtin_erf(y) - target) / (1.12837916709551257 * __builtin_exp(-y * y));
    y -= off / (1 + y * off);
    if ((y * y + 1) * (off < 0 ? -off : off) * off * off < 3 * exact * y)
      break;
  }
  return x < 0 ? -y : y;
}
inline float erfinv(float x) { return float(erfinv(double(x), 1e-9)); }
inline float erfinv(int64_t x) { return float(erfinv(double(x))); }

// The derivative of lgamma; at its poles infinity, as in MXNet. Below 1/2 by reflection; up to 10
// by its recurrence, then by the asymptotic series, whose first omitted term is below 1e-17 of it
// there.
inline double digamma(double x) {
  const double pi = 3.14159265358979324;
  if (x <= 0 && x == __builtin_floor(x))
    return __builtin_inf();
  double result = 0;
  if (x < 0.5) {
    double rest = x - __builtin_floor(x); // tan has the period pi
    result = rest == 0.5 ? 0 : -pi / __builtin_tan(pi * rest);
    x = 1 - x;
  }
  for (; x < 10; x += 1)
    result -= 1 / x;
  double part = 1 / (x * x), series = 0;
  const double factors[] = {3617.0 / 8160, -1.0 / 12,  691.0 / 32760, -1.0 / 132,
                            1.0 / 240,     -1.0 / 252, 1.0 / 120,     -1.0 / 12};
  for (double factor : factors)
    series = (series + factor) * part;
  return result + __builtin_log(x) - 0.5 / x + series;
}
inline float digamma(float x) { return float(digamma(double(x))); }
inline float digamma(int64_t x) { return float(digamma(double(x))); }

inline float abs(float x) { return __builtin_fabsf(x); }
inline double abs(double x) { return __builtin_fabs(x); }
inline int64_t abs(int64_t x) { return x < 0 ? int64_t(-uint64_t(x)) : x; }

inline float neg(float x) { return -x; }
inline double neg(double x) { return -x; }
inline int64_t neg(int64_t x) { return int64_t(-uint64_t(x)); }

inline int64_t add(int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); }
inline int64_t sub(int64_t a, int64_t b) { return int64_t(uint64_t(a) - uint64_t(b)); }
inline int64_t mul(int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }
inline int64_t div(int64_t a, int64_t b) { return b == 0 ? 0 : b == -1 ? neg(a) : a / b; }
inline int64_t fmod(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }
inline float fmod(float a, float b) { return __builtin_fmodf(a, b); }
inline double fmod(double a, double b) { return __builtin_fmod(a, b); }
inline float pow(int64_t a, int64_t b) { return __builtin_powf(float(a), float(b)); }
inline float pow(float a, float b) { return __builtin_powf(a, b); }
inline double pow(double a, double b) { return __builtin_pow(a, b); }

template <class A, class B> Meet<A, B> add(A a, B b) { return a + b; }
template <class A, class B> Meet<A, B> sub(A a, B b) { return a - b; }
template <class A, class B> Meet<A, B> mul(A a, B b) { return a * b; }
template <class A, class B> Meet<A, B> div(A a, B b) { return a / b; }

template <class A, class B> Meet<A, B> less(A a, B b) { return a < b ? 1 : 0; }
template <class A, class B> Meet<A, B> less_equal(A a, B b) { return a <= b ? 1 : 0; }
template <class A, class B> Meet<A, B> greater(A a, B b) { return a > b ? 1 : 0; }
template <class A, class B> Meet<A, B> greater_equal(A a, B b) { return a >= b ? 1 : 0; }
template <class A, class B> Meet<A, B> equal(A a, B b) { return a == b ? 1 : 0; }
template <class A, class B> Meet<A, B> not_equal(A a, B b) { return a != b ? 1 : 0; }

// One instruction each; NaN passes if it is b.
template <class A, class B> Meet<A, B> min(A a, B b) {
  return a < b ? Meet<A, B>(a) : Meet<A, B>(b);
}
template <class A, class B> Meet<A, B> max(A a, B b) {
  return a > b ? Meet<A, B>(a) : Meet<A, B>(b);
}

inline float round_float16(float x) { return float_of_f16(f16_of_float(x)); }
inline float round_bfloat16(float x) { return float_of_bf16(bf16_of_float(x)); }
inline double round_float16(double x) { return round_float16(float_round_to_odd(x)); }
inline double round_bfloat16(double x) { return round_bfloat16(float_round_to_odd(x)); }
inline float round_float16(int64_t x) { return float(round_float16(double(x))); }
inline float round_bfloat16(int64_t x) { return float(round_bfloat16(double(x))); }
template <class T> T isnan(T x) { return x != x ? 1 : 0; }
inline float copysign(float a, float b) { return __builtin_copysignf(a, b); }
inline double copysign(double a, double b) { return __builtin_copysign(a, b); }

inline float atan2(float a, float b) { return __builtin_atan2f(a, b); }
inline double atan2(double a, double b) { return __builtin_atan2(a, b); }
inline float atan2(int64_t a, int64_t b) { return __builtin_atan2f(float(a), float(b)); }

// By halves and differences: as many steps as there are bits, of which none divides.
template <class U> U gcd(U x, U y) {
  if (!x || !y)
    return x | y;
  auto zeros = [](U bits) { return __builtin_ctzll(bits); };
  int both = zeros(x | y);
  x >>= zeros(x);
  y >>= zeros(y);
  while (x != y) {
    U larger = x > y ? x : y, smaller = x > y ? y : x;
    U rest = larger - smaller;
    x = smaller;
    y = rest >> zeros(rest);
  }
  return x << both;
}

// The least common multiple, never negative; 0 beside 0. Floats have none, and no bits: these
// are here for the compiler, since element types are checked before a kernel is chosen.
template <class U> int64_t lcm_of(U a, U b) {
  U common = gcd(a, b);
  return common ? mul(int64_t(a / common), int64_t(b)) : 0;
}
inline int64_t lcm(int64_t a, int64_t b) {
  uint64_t x = uint64_t(abs(a)), y = uint64_t(abs(b));
  return (x | y) >> 32 ? lcm_of(x, y)
                       : lcm_of(uint32_t(x), uint32_t(y)); // whose divisions are short
}
template <class T> T lcm(T, T) { return T(__builtin_nan("")); }
inline int64_t bit_and(int64_t a, int64_t b) { return a & b; }
inline int64_t bit_or(int64_t a, int64_t b) { return a | b; }
inline int64_t bit_xor(int64_t a, int64_t b) { return a ^ b; }
inline int64_t bit_not(int64_t a) { return ~a; }
template <class T> T bit_and(T, T) { return T(__builtin_nan("")); }
template <class T> T bit_or(T, T) { return T(__builtin_nan("")); }
template <class T> T bit_xor(T, T) { return T(__builtin_nan("")); }
template <class T> T bit_not(T) { return T(__builtin_nan("")); }

} // namespace symc::scalar
#endif
