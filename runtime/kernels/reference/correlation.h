// correlation.h: which pixels of two images correlation compares, for its kernel and for that of
// its gradient. Pixels outside of the images count as 0.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_CORRELATION_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_CORRELATION_H

#include "walk.h"

namespace symc::ref {

struct Comparisons {
  int64_t channels, rows, columns; // of the images
  int64_t kernel, taps;            // rows of a window, and its places
  int64_t radius, places;          // of the displacements along an axis
  int64_t stride1, stride2, first_place;

  template <class Params>
  Comparisons(const Params &params, const symc_tensor &data)
      : channels(data.shape[1]), rows(data.shape[2]), columns(data.shape[3]),
        kernel(params.kernel_size), taps(kernel * kernel),
        radius(params.max_displacement / params.stride2), places(2 * radius + 1),
        stride1(params.stride1), stride2(params.stride2),
        first_place(int64_t(params.max_displacement) - int64_t(params.pad_size)) {}

  // How far the second image's window lies below and right of the first one's, for a channel of
  // the result.
  int64_t down(int64_t channel) const { return (channel / places - radius) * stride2; }
  int64_t along(int64_t channel) const { return (channel % places - radius) * stride2; }
  // The row of the first image at a row of the result and of the window; columns likewise.
  int64_t at(int64_t place, int64_t tap) const { return place * stride1 + first_place + tap; }
  bool has_row(int64_t row) const { return row >= 0 && row < rows; }
  bool is_inside(int64_t row, int64_t column) const {
    return has_row(row) && column >= 0 && column < columns;
  }
};

} // namespace symc::ref

#endif // SYMC_RUNTIME_KERNELS_REFERENCE_CORRELATION_H
