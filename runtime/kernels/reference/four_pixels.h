// four_pixels.h: a point between the pixels of a plane, for kernels that interpolate there. Where
// the pixels lie, and what stands beyond the image, is the kernel's own rule.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_FOUR_PIXELS_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_FOUR_PIXELS_H

#include <stdint.h>

namespace symc::ref {

// Pixels above left, above right, below left and below right, and their parts of the value.
template <class N> struct FourPixels {
  int64_t at[4];
  N part[4];

  // The parts where the point lies so far below the upper and right of the left pixels.
  void mix(N down, N along) {
    part[0] = (1 - down) * (1 - along);
    part[1] = (1 - down) * along;
    part[2] = down * (1 - along);
    part[3] = down * along;
  }
  // How pixel `i`'s part changes where the point moves down (axis 0) or to the right (axis 1).
  static N part_slope(int64_t axis, int64_t i, N down, N along) {
    if (axis == 0)
      return i < 2 ? (i % 2 ? -along : along - 1) : i % 2 ? along : 1 - along;
    return i % 2 ? (i < 2 ? 1 - down : down) : i < 2 ? down - 1 : -down;
  }
  template <class E> N value(const typename E::Storage *plane) const {
    return part[0] * E::load(plane[at[0]]) + part[1] * E::load(plane[at[1]]) +
           part[2] * E::load(plane[at[2]]) + part[3] * E::load(plane[at[3]]);
  }
  // The same of channel `c`, where the four pixels have their channels side by side.
  template <class E> N value(const typename E::Storage *const *four, int64_t c) const {
    return part[0] * E::load(four[0][c]) + part[1] * E::load(four[1][c]) +
           part[2] * E::load(four[2][c]) + part[3] * E::load(four[3][c]);
  }
};

} // namespace symc::ref

#endif // SYMC_RUNTIME_KERNELS_REFERENCE_FOUR_PIXELS_H
