// portable_normal.h: a normally distributed number by Box and Muller's method, of sums, products,
// divisions and square roots alone, which every machine and C library rounds alike; log and cos of
// libraries differ in their last bits.
#ifndef SYMC_RUNTIME_CORE_PORTABLE_NORMAL_H
#define SYMC_RUNTIME_CORE_PORTABLE_NORMAL_H

#include "draw.h"

namespace symc {

// Of a positive normal number: by its exponent, and 2 atanh(s) of a mantissa in [0.7, 1.42), where
// |s| < 0.172: what is left out behind s^23 is below 1e-19.
inline double portable_log(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  int64_t exponent = int64_t(bits >> 52) - 1023;
  bits = (bits & 0xfffffffffffffu) | 0x3ff0000000000000u;
  double mantissa;
  __builtin_memcpy(&mantissa, &bits, sizeof mantissa);
  if (mantissa > 1.4142135623730951) {
    mantissa /= 2;
    ++exponent;
  }
  double s = (mantissa - 1) / (mantissa + 1), square = s * s, sum = 0;
  for (int k = 23; k >= 1; k -= 2)
    sum = sum * square + 1.0 / k;
  return double(exponent) * 0.6931471805599453 + 2 * s * sum;
}

// cos(2 pi u), u in [0, 1): by the nearest quarter of a circle, whose difference is exact; series
// of an angle of at most pi / 4.
inline double portable_cos_of_circle(double u) {
  int64_t quarter = int64_t(4 * u + 0.5);
  double x = (u - double(quarter) / 4) * 6.283185307179586, square = x * x, sum = 1;
  bool sine = quarter % 2;
  for (int k = 20; k >= 2; k -= 2)
    sum = 1 - sum * square / (sine ? double(k * (k + 1)) : double(k * (k - 1)));
  double value = sine ? x * sum : sum;
  return quarter % 4 == 1 || quarter % 4 == 2 ? -value : value;
}

inline double portable_normal(Draw &draw) {
  double radius = __builtin_sqrt(-2 * portable_log(draw.positive()));
  return radius * portable_cos_of_circle(draw.unit());
}

} // namespace symc
#endif
