// parts.h: moving slices along one axis from tensor to tensor.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_PARTS_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_PARTS_H

#include "walk.h"

namespace symc::ref {

// Copies `count` places along the axis of extent `from_extent`, beginning at `from_first`, to
// the places of `to` (extent `to_extent`) that begin at `to_first`.
inline void copy_part(const symc_tensor &from, int64_t from_extent, int64_t from_first,
                      const symc_tensor &to, int64_t to_extent, int64_t to_first, int64_t count,
                      int64_t outer, int64_t inner) {
  int64_t bytes = inner * symc_dtype_bytes(to.dtype);
  const char *in = static_cast<const char *>(from.data);
  char *out = static_cast<char *>(to.data);
  if (count > 0)
    move_runs(outer, count * inner, symc_dtype_bytes(to.dtype), [=](int64_t i) {
      return Run{out + (i * to_extent + to_first) * bytes,
                 in + (i * from_extent + from_first) * bytes};
    });
}

} // namespace symc::ref
#endif
