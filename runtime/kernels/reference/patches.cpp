// patches.cpp: reference kernels of im2col, col2im and unfold_images. Images have up to three
// spatial axes, with extents of 1 in front of missing ones.
#include "symc/generated/op_params/Patches.h"
#include "spatial.h"

using namespace symc::ref;

namespace {

// Three numbers of a tuple, 1 in front; `otherwise` all over where it is empty.
struct Tuple3 {
  int64_t by[3];
  Tuple3(const symc_i64s &values, int64_t spatial, int64_t otherwise, int64_t front) {
    for (int64_t axis = 0; axis < 3; ++axis) {
      int64_t own = axis - (3 - spatial);
      by[axis] = own < 0 ? front : values.n ? values.v[own] : otherwise;
    }
  }
};

// Calls body(column, pixel, step, first, last, count) for each tap of each row of `count` windows:
// those from `first` to `last` meet the image, window x its element pixel + x * step; their
// elements of the columns begin at `column`.
template <class Params, class Body>
void each_row(const Params &params, const symc_tensor &image_tensor, Body body) {
  Image image(image_tensor, false);
  int64_t spatial = image_tensor.rank - 2;
  Tuple3 kernel(params.kernel, spatial, 1, 1), stride(params.stride, spatial, 1, 1);
  Tuple3 dilate(params.dilate, spatial, 1, 1), pad(params.pad, spatial, 0, 0);
  int64_t windows[3];
  for (int axis = 0; axis < 3; ++axis)
    windows[axis] =
        (image.extent[axis] + 2 * pad.by[axis] - dilate.by[axis] * (kernel.by[axis] - 1) - 1) /
            stride.by[axis] +
        1;
  int64_t column = 0, step = stride.by[2], count = windows[2];
  for (int64_t n = 0; n < image.items; ++n)
    for (int64_t c = 0; c < image.channels; ++c)
      for (Walk tap(3, kernel.by); tap.more; tap.step()) {
        int64_t begin = tap.at[2] * dilate.by[2] - pad.by[2]; // of window 0
        int64_t first = begin < 0 ? (-begin + step - 1) / step : 0;
        int64_t last = begin < image.extent[2] ? (image.extent[2] - begin + step - 1) / step : 0;
        first = first < count ? first : count;
        last = last > count ? count : last < first ? first : last;
        for (int64_t z = 0; z < windows[0]; ++z)
          for (int64_t y = 0; y < windows[1]; ++y, column += count) {
            int64_t place[3] = {z * stride.by[0] - pad.by[0] + tap.at[0] * dilate.by[0],
                                y * stride.by[1] - pad.by[1] + tap.at[1] * dilate.by[1], begin};
            bool inside = place[0] >= 0 && place[0] < image.extent[0] && place[1] >= 0 &&
                          place[1] < image.extent[1];
            body(column, inside ? image.at(n, c, place) : 0, step, inside ? first : count,
                 inside ? last : count, count);
          }
      }
}

template <class E> int32_t im2col(const symc_kernel_args *args) {
  const auto *in = data_of<E>(args->inputs[0]);
  auto *out = target_of<E>(args->outputs[0]);
  each_row(
      params_of<symc_im2col_params>(args), args->inputs[0],
      [&](int64_t column, int64_t pixel, int64_t step, int64_t first, int64_t last, int64_t count) {
        auto *to = out + column;
        for (int64_t x = 0; x < first; ++x)
          to[x] = 0;
        if (step == 1)
          __builtin_memcpy(to + first, in + (pixel + first), size_t(last - first) * sizeof *to);
        else
          for (int64_t x = first; x < last; ++x)
            to[x] = in[pixel + x * step];
        for (int64_t x = last; x < count; ++x)
          to[x] = 0;
      });
  return SYMC_STATUS_OK;
}

template <class E> int32_t col2im(const symc_kernel_args *args) {
  const symc_tensor &output = args->outputs[0];
  const auto *in = data_of<E>(args->inputs[0]);
  auto *out = target_of<E>(output);
  __builtin_memset(output.data, 0, size_t(count_of(output) * symc_dtype_bytes(output.dtype)));
  each_row(params_of<symc_col2im_params>(args), output,
           [&](int64_t column, int64_t pixel, int64_t step, int64_t first, int64_t last, int64_t) {
             for (int64_t x = first; x < last; ++x) {
               auto &sum = out[pixel + x * step];
               sum = E::store(E::load(sum) + E::load(in[column + x]));
             }
           });
  return SYMC_STATUS_OK;
}

// The images of a window lie side by side.
int32_t unfold_images(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  int64_t windows = output.shape[0];
  if (windows == 0)
    return SYMC_STATUS_OK;
  int64_t bytes = count_of(output) / windows * symc_dtype_bytes(output.dtype);
  int64_t step = params_of<symc_unfold_images_params>(args).step *
                 (product(data.shape, 1, 4) * symc_dtype_bytes(data.dtype));
  const char *from = static_cast<const char *>(data.data);
  char *to = static_cast<char *>(output.data);
  for (int64_t window = 0; window < windows; ++window)
    __builtin_memcpy(to + window * bytes, from + window * step, size_t(bytes));
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(im2col, im2col)
SYMC_REFERENCE_FLOATS(col2im, col2im)
SYMC_REFERENCE_ANY(unfold_images, unfold_images)
