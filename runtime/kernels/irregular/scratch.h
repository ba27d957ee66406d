// scratch.h: the memory that a call brings to a kernel, handed out in pieces. An operator's
// getScratchBytes adds up the same pieces.
#ifndef SYMC_RUNTIME_KERNELS_IRREGULAR_SCRATCH_H
#define SYMC_RUNTIME_KERNELS_IRREGULAR_SCRATCH_H

#include "../reference/rows.h"

namespace symc::irregular {

// The scratch of a call. Pieces start at multiples of 64 bytes; `enough` is false once a piece did
// not fit, and that piece is null.
struct Scratch {
  uint8_t *next;
  int64_t rest; // bytes
  bool enough = true;

  explicit Scratch(const symc_kernel_args *args)
      : next(static_cast<uint8_t *>(args->scratch)), rest(args->scratch ? args->scratch_bytes : 0) {
  }
  explicit Scratch(const ref::RowRange &range)
      : next(static_cast<uint8_t *>(range.scratch)), rest(range.scratch ? range.scratch_bytes : 0) {
  }
  // What `count` elements take.
  template <class T> static int64_t bytes_of(int64_t count) {
    return (count * int64_t(sizeof(T)) + SYMC_ALIGN - 1) / SYMC_ALIGN * SYMC_ALIGN;
  }
  template <class T> T *take(int64_t count) {
    int64_t bytes = bytes_of<T>(count);
    if (!enough || bytes > rest) {
      enough = false;
      return nullptr;
    }
    T *piece = reinterpret_cast<T *>(next);
    next += bytes;
    rest -= bytes;
    return piece;
  }
};

} // namespace symc::irregular
#endif
