// colours.h: elements of pictures changed as floats; bytes end at 0 and 255.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_COLOURS_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_COLOURS_H

#include "walk.h"

namespace symc::ref {

template <class E> typename E::Storage store_colour(float value) {
  if constexpr (is_same<E, U8>)
    // 32 bits: a byte.
    return uint8_t(int32_t(value > 0 ? value < 255 ? value : 255.f : 0.f)); // no number is 0, too
  else
    return E::store(value);
}

// Adds a number to each of three channels that alternate.
template <class E>
void shift_colours(const typename E::Storage *in, typename E::Storage *out, int64_t count,
                   const float *shift) {
  if constexpr (kOnDevice)
    return each_of(
        count, [&](int64_t i) { out[i] = store_colour<E>(float(E::load(in[i])) + shift[i % 3]); });
  constexpr int64_t kTogether = 48; // whole vectors and whole pixels
  float shifts[kTogether];
  for (int64_t i = 0; i < kTogether; ++i)
    shifts[i] = shift[i % 3];
  for (int64_t first = 0; first < count; first += kTogether) {
    int64_t many = count - first < kTogether ? count - first : kTogether;
    for (int64_t i = 0; i < many; ++i)
      out[first + i] = store_colour<E>(float(E::load(in[first + i])) + shifts[i]);
  }
}

} // namespace symc::ref
#endif
