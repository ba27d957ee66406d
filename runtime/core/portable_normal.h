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
  const double factors[] = {1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                            1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
  double s = (mantissa - 1) / (mantissa + 1), square = s * s, sum = 0;
  for (double factor : factors)
    sum = sum * square + factor;
  return double(exponent) * 0.6931471805599453 + 2 * s * sum;
}

// cos(2 pi u), u in [0, 1): by the nearest quarter of a circle, whose difference is exact; series
// of an angle of at most pi / 4.
inline double portable_cos_of_circle(double u) {
  int64_t quarter = int64_t(4 * u + 0.5);
  double x = (u - double(quarter) / 4) * 6.283185307179586, square = x * x, sum = 0;
  bool sine = quarter % 2;
  // 1 / n! with the signs of the series, for n = 20, 18, ... and n = 21, 19, ...
  const double factors[2][11] = {
      {4.110317623312165e-19, -1.5619206968586225e-16, 4.779477332387385e-14,
       -1.1470745597729725e-11, 2.08767569878681e-09, -2.755731922398589e-07, 2.48015873015873e-05,
       -0.001388888888888889, 0.041666666666666664, -0.5, 1.0},
      {1.9572941063391263e-20, -8.22063524662433e-18, 2.8114572543455206e-15,
       -7.647163731819816e-13, 1.6059043836821613e-10, -2.505210838544172e-08,
       2.7557319223985893e-06, -0.0001984126984126984, 0.008333333333333333, -0.16666666666666666,
       1.0}};
  for (double factor : factors[sine])
    sum = sum * square + factor;
  double value = sine ? x * sum : sum;
  return quarter % 4 == 1 || quarter % 4 == 2 ? -value : value;
}

inline double portable_normal(Draw &draw) {
  double radius = __builtin_sqrt(-2 * portable_log(draw.positive()));
  return radius * portable_cos_of_circle(draw.unit());
}

} // namespace symc
#endif
