// pixels.h: images whose pixels have their channels side by side, which kernels that take single
// pixels of all channels read in vectors, and what such kernels write as planes again.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_PIXELS_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_PIXELS_H

#include "rows.h"
#include "squares.h"

namespace symc::ref {

// Channels of pixels that are worked on together, in vectors.
constexpr int64_t kChannelsOfPixels = 64;

// The first input [N, C, H, W] as [N, H, W, C], at the start of scratch, which `rest` has behind
// it; null where scratch has no place for it and `least_rest` bytes more.
template <class E>
const typename E::Storage *lay_pixels(const symc_kernel_args *args, int64_t least_rest,
                                      symc_kernel_args &rest) {
  using Storage = typename E::Storage;
  const symc_tensor &data = args->inputs[0];
  int64_t bytes = count_of(data) * int64_t(sizeof(Storage));
  bytes = (bytes + SYMC_ALIGN - 1) / SYMC_ALIGN * SYMC_ALIGN;
  rest = *args;
  if (kOnDevice || !args->scratch || args->scratch_bytes < bytes + least_rest)
    return nullptr;
  auto *pixels = static_cast<Storage *>(args->scratch);
  rest.scratch = static_cast<uint8_t *>(args->scratch) + bytes;
  rest.scratch_bytes -= bytes;
  int64_t channels = data.shape[1], extent = data.shape[2] * data.shape[3];
  int64_t strips = (extent + kSquareSide - 1) / kSquareSide;
  auto lay = [&](const RowRange &range) -> int32_t {
    for (int64_t row = range.first; row < range.end; ++row) {
      int64_t image = row / strips * channels * extent, from = row % strips * kSquareSide;
      int64_t to = from + kSquareSide < extent ? from + kSquareSide : extent, c = 0;
      const Storage *in = data_of<E>(data) + image + from;
      Storage *out = pixels + image + from * channels;
      for (; to - from == kSquareSide && c + kSquareSide <= channels; c += kSquareSide)
        transpose_square(in + c * extent, extent, out + c, channels);
      transpose(in + c * extent, extent, out + c, channels, to - from, channels - c);
    }
    return SYMC_STATUS_OK;
  };
  run_rows(args, {data.shape[0] * strips, kSquareSide * channels}, lay);
  return pixels;
}

// Writes lines of `width` channels, one for each of `held` places and kChannelsOfPixels apart, to
// places behind each other in planes that are `plane` apart.
template <class T>
void write_planes(const T *lines, int64_t width, int64_t held, T *out, int64_t plane) {
  if (width % kSquareSide || held != kSquareSide)
    return transpose(lines, kChannelsOfPixels, out, plane, width, held);
  for (int64_t i = 0; i < width; i += kSquareSide)
    transpose_square(lines + i, kChannelsOfPixels, out + i * plane, plane);
}

} // namespace symc::ref
#endif
