// spatial.h: images of one to three spatial axes in either order of extents, seen as
// three axes with extents of 1 in front; windows over them.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_SPATIAL_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_SPATIAL_H

#include "walk.h"

namespace symc::ref {

// A tensor [items, channels, spatial...], or [items, spatial..., channels].
struct Image {
  int64_t items, channels, extent[3];
  int64_t item_step, channel_step, step[3]; // elements from one to the next

  Image(const symc_tensor &tensor, bool channel_last) {
    int32_t spatial = tensor.rank - 2, first = channel_last ? 1 : 2;
    int32_t channel = channel_last ? tensor.rank - 1 : 1;
    Strides strides(tensor);
    items = tensor.shape[0];
    channels = tensor.shape[channel];
    item_step = strides.by[0];
    channel_step = strides.by[channel];
    for (int32_t axis = 0; axis < 3; ++axis) {
      int32_t own = axis - (3 - spatial); // the tensor's spatial axis
      extent[axis] = own < 0 ? 1 : tensor.shape[first + own];
      step[axis] = own < 0 ? 0 : strides.by[first + own];
    }
  }
  int64_t at(int64_t item, int64_t channel) const {
    return item * item_step + channel * channel_step;
  }
  int64_t at(int64_t item, int64_t channel, const int64_t *place) const {
    return at(item, channel) + place[0] * step[0] + place[1] * step[1] + place[2] * step[2];
  }
};

// Calls body(item, channel, place) for each pixel of each channel.
template <class Body> void each_pixel(const Image &image, const Body &body) {
  const int64_t all[5] = {image.items, image.channels, image.extent[0], image.extent[1],
                          image.extent[2]};
  each_in(5, all, [&](const Walk &walk, int64_t) { body(walk.at[0], walk.at[1], walk.at + 2); });
}

// A tuple parameter of `spatial` elements, or empty, as three numbers.
struct Triple {
  int64_t by[3];
  Triple(const symc_i64s &values, int32_t spatial, int64_t otherwise) {
    for (int32_t axis = 0; axis < 3; ++axis) {
      int32_t own = axis - (3 - spatial);
      by[axis] = own < 0 || values.n == 0 ? otherwise : values.v[own];
    }
  }
};

// The windows of a pooling: over the whole image, without stride or padding, with global_pool.
struct PoolingWindows {
  Triple kernel, stride, pad, pad_end;

  template <class Params>
  PoolingWindows(const Params &params, const Image &data, int32_t spatial,
                 const symc_i64s &behind = {0, nullptr})
      : kernel(params.kernel, spatial, 1),
        stride(params.global_pool ? symc_i64s{0, nullptr} : params.stride, spatial, 1),
        pad(params.global_pool ? symc_i64s{0, nullptr} : params.pad, spatial, 0), pad_end(pad) {
    if (!params.global_pool && behind.n > 0)
      pad_end = Triple(behind, spatial, 0);
    for (int axis = 0; params.global_pool && axis < 3; ++axis)
      kernel.by[axis] = data.extent[axis];
  }
};

// One window: first and last + 1 along each axis, clipped to the image, and how many
// elements it has when it is clipped to the padded image only.
struct Window {
  int64_t first[3], size[3];
  int64_t padded_count = 1, count = 1;
  int64_t clipped_extents = 1; // the product of what is left of each axis, below 0 beside the image
  bool nothing = false;        // not even padding

  Window(const Image &data, const int64_t *place, const PoolingWindows &windows) {
    auto &[kernel, stride, pad, pad_end] = windows;
    for (int axis = 0; axis < 3; ++axis) {
      int64_t begin = place[axis] * stride.by[axis] - pad.by[axis];
      int64_t end = begin + kernel.by[axis];
      if (end > data.extent[axis] + pad_end.by[axis])
        end = data.extent[axis] + pad_end.by[axis];
      padded_count *= end - begin;
      nothing = nothing || end <= begin;
      begin = begin < 0 ? 0 : begin;
      end = end > data.extent[axis] ? data.extent[axis] : end;
      clipped_extents *= end - begin;
      first[axis] = begin;
      size[axis] = end > begin ? end - begin : 0;
      count *= size[axis];
    }
  }
};

} // namespace symc::ref
#endif
