// half.h: conversions between the 16-bit floats and float, on bits alone, so that
// they give the same result on every machine. Narrowing rounds to nearest, ties to
// even; NaN stays NaN and becomes quiet.
#ifndef SYMC_RUNTIME_CORE_HALF_H
#define SYMC_RUNTIME_CORE_HALF_H

#include <stdint.h>

namespace symc {

inline uint32_t float_bits(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float bits_float(uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

inline float float_of_bf16(uint16_t half) { return bits_float(uint32_t(half) << 16); }

inline uint16_t bf16_of_float(float value) {
  uint32_t bits = float_bits(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return uint16_t((bits >> 16) | 0x40);
  return uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

inline float float_of_f16(uint16_t half) {
  uint32_t sign = uint32_t(half & 0x8000) << 16;
  uint32_t exponent = (half >> 10) & 31;
  uint32_t mantissa = half & 0x3ff;
  if (exponent == 31)
    return bits_float(sign | 0x7f800000 | (mantissa << 13) | (mantissa ? 0x400000 : 0));
  if (exponent != 0)
    return bits_float(sign | ((exponent + 112) << 23) | (mantissa << 13));
  // A subnormal is mantissa * 2^-24, which float holds exactly.
  float magnitude = float(mantissa) * bits_float(103u << 23);
  return bits_float(sign | float_bits(magnitude));
}

inline uint16_t f16_of_float(float value) {
  uint32_t bits = float_bits(value);
  uint16_t sign = uint16_t((bits >> 16) & 0x8000);
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return uint16_t(sign | 0x7e00 | ((magnitude >> 13) & 0x3ff));
  if (magnitude >= 0x477ff000) // rounds to 2^16 or more
    return uint16_t(sign | 0x7c00);
  if (magnitude >= 0x38800000) { // 2^-14: a normal f16
    uint32_t rebased = magnitude - (112u << 23);
    return uint16_t(sign | ((rebased + 0xfff + ((rebased >> 13) & 1)) >> 13));
  }
  if (magnitude < 0x33000000) // below 2^-25: rounds to zero
    return sign;
  uint32_t shift = 126 - (magnitude >> 23); // 14..24
  uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000;
  uint32_t kept = mantissa >> shift;
  uint32_t rest = mantissa & ((1u << shift) - 1), tie = 1u << (shift - 1);
  return uint16_t(sign | (kept + (rest > tie || (rest == tie && (kept & 1)))));
}

// Narrows to float so that a second rounding, to fewer than 22 bits, gives what one
// rounding of the double would: bits that are cut off are remembered in the last bit.
inline float float_round_to_odd(double value) {
  float narrow = float(value);
  double back = double(narrow);
  if (back == value || value != value)
    return narrow;
  uint32_t bits = float_bits(narrow);
  if ((bits & 0x7fffffff) == 0x7f800000)
    return narrow;                                // beyond the range of float, and of both halves
  bool up = back > value ? value > 0 : value < 0; // rounded away from zero
  if (up)
    bits -= 1;
  return bits_float(bits | 1);
}

} // namespace symc
#endif
