// squares.h: squares of elements that are read in lines and written in columns, in vectors.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_SQUARES_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_SQUARES_H

#include <stdint.h>

namespace symc::ref {

constexpr int64_t kSquareSide = 8;

// to[i * to_step + j] = from[j * from_step + i], for `wide` i and `tall` j. The two do not overlap.
template <class T>
void transpose(const T *from, int64_t from_step, T *to, int64_t to_step, int64_t wide,
               int64_t tall) {
  for (int64_t i = 0; i < wide; ++i)
    for (int64_t j = 0; j < tall; ++j)
      to[i * to_step + j] = from[j * from_step + i];
}

// The same for a square, whose lines change places by pairs: elements, pairs of them, halves.
template <class T> void transpose_square(const T *from, int64_t from_step, T *to, int64_t to_step) {
#ifdef SYMC_ON_DEVICE
  transpose(from, from_step, to, to_step, kSquareSide, kSquareSide);
#else
  typedef T Line __attribute__((vector_size(kSquareSide * sizeof(T))));
  Line a[kSquareSide], b[kSquareSide];
  for (int j = 0; j < kSquareSide; ++j)
    __builtin_memcpy(&a[j], from + j * from_step, sizeof(Line));
  for (int j = 0; j < kSquareSide; j += 2) {
    b[j] = __builtin_shufflevector(a[j], a[j + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    b[j + 1] = __builtin_shufflevector(a[j], a[j + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int j = 0; j < kSquareSide; j += 4)
    for (int k = j; k < j + 2; ++k) {
      a[k] = __builtin_shufflevector(b[k], b[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      a[k + 2] = __builtin_shufflevector(b[k], b[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int j = 0; j < kSquareSide / 2; ++j) {
    b[j] = __builtin_shufflevector(a[j], a[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    b[j + 4] = __builtin_shufflevector(a[j], a[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
  for (int i = 0; i < kSquareSide; ++i)
    __builtin_memcpy(to + i * to_step, &b[i], sizeof(Line));
#endif
}

} // namespace symc::ref
#endif
