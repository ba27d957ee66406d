// quantized.h: how real numbers and integers of 8 and 32 bits stand for each other.
// An integer q of a tensor with limits min and max stands for q * r / R, where r is the
// larger of |min| and |max| and R belongs to the element type.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_QUANTIZED_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_QUANTIZED_H

#include "spatial.h"

namespace symc::ref {

// R of layers and of the newer conversions, and of the older ones (127 and 255).
template <class E> inline constexpr float kRange = 127.5f;
template <> inline constexpr float kRange<U8> = 255.5f;
constexpr float kWideRange = 2147483648.0f;

inline float size_of(float value) { return value < 0 ? -value : value; }
inline float reach(float min, float max) {
  return size_of(min) > size_of(max) ? size_of(min) : size_of(max);
}
inline float limit_at(const symc_tensor &tensor) { return data_of<F32>(tensor)[0]; }
// The reach of operands `i` and `i` + 1.
inline float reach_at(const symc_kernel_args *args, int64_t i) {
  return reach(limit_at(args->inputs[i]), limit_at(args->inputs[i + 1]));
}
// Integers for one; without a range all numbers are 0, and any scale does.
inline float scale_for(float range, float reach) { return reach ? range / reach : 2147483648.0f; }

inline void set_limits(const symc_kernel_args *args, float min, float max) {
  each_of(1, [&](int64_t) {
    target_of<F32>(args->outputs[1])[0] = min;
    target_of<F32>(args->outputs[2])[0] = max;
  });
}

// To nearest, ties to even; what does not fit becomes the nearest that does, NaN the least.
template <class E> typename E::Storage saturate(float value) {
  constexpr bool isUnsigned = sizeof(typename E::Storage) == 1 && typename E::Storage(-1) > 0;
  constexpr float low = sizeof(typename E::Storage) == 4 ? -2147483648.0f
                        : isUnsigned                     ? 0.f
                                                         : -128.f;
  constexpr float high = sizeof(typename E::Storage) == 4 ? 2147483520.0f
                         : isUnsigned                     ? 255.f
                                                          : 127.f;
  if (sizeof(typename E::Storage) == 4 && value >= 2147483648.0f)
    return typename E::Storage(0x7fffffff);
  float bounded = value > low ? (value < high ? value : high) : low;
  if (sizeof(typename E::Storage) == 1) {
    // Adding 1.5 * 2^23 rounds what is small as rint does, without a call for each element.
    constexpr float whole = 12582912.0f;
    return typename E::Storage((bounded + whole) - whole);
  }
  // The same with 2^23 for the larger ones; what is larger still has no fraction.
  float whole = bounded < 0 ? -8388608.0f : 8388608.0f;
  return typename E::Storage(
      bounded > -8388608.0f && bounded < 8388608.0f ? (bounded + whole) - whole : bounded);
}

// Calls body(E()) with I8 or U8.
template <class Body> int32_t with_byte(int32_t dtype, Body body) {
  if (dtype == SYMC_I8)
    body(I8());
  else if (dtype == SYMC_U8)
    body(U8());
  else
    return SYMC_STATUS_BAD_DTYPE;
  return SYMC_STATUS_OK;
}

} // namespace symc::ref

#define SYMC_REFERENCE_BYTES(name, function)                                                       \
  SYMC_REFERENCE(name, i8, function<I8>)                                                           \
  SYMC_REFERENCE(name, u8, function<U8>)

#endif
