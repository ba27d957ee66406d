// patches.cpp: reference kernels of im2col and col2im. Images have up to three spatial
// axes, with extents of 1 in front of missing ones.
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

// Calls body(column's element, image's element, inside) for each tap of each window.
template <class Params, class Body>
void each_tap(const Params &params, const symc_tensor &image_tensor, Body body) {
  Image image(image_tensor, false);
  int64_t spatial = image_tensor.rank - 2;
  Tuple3 kernel(params.kernel, spatial, 1, 1), stride(params.stride, spatial, 1, 1);
  Tuple3 dilate(params.dilate, spatial, 1, 1), pad(params.pad, spatial, 0, 0);
  int64_t windows[3];
  for (int axis = 0; axis < 3; ++axis)
    windows[axis] = (image.extent[axis] + 2 * pad.by[axis] - dilate.by[axis] * (kernel.by[axis] - 1) -
                     1) / stride.by[axis] + 1;
  int64_t column = 0;
  for (int64_t n = 0; n < image.items; ++n)
    for (int64_t c = 0; c < image.channels; ++c)
      for (Walk tap(3, kernel.by); tap.more; tap.step())
        for (Walk window(3, windows); window.more; window.step(), ++column) {
          int64_t place[3];
          bool inside = true;
          for (int axis = 0; axis < 3; ++axis) {
            place[axis] = window.at[axis] * stride.by[axis] - pad.by[axis] +
                          tap.at[axis] * dilate.by[axis];
            inside = inside && place[axis] >= 0 && place[axis] < image.extent[axis];
          }
          body(column, inside ? image.at(n, c, place) : 0, inside);
        }
}

template <class E> int32_t im2col(const symc_kernel_args *args) {
  const auto *in = data_of<E>(args->inputs[0]);
  auto *out = target_of<E>(args->outputs[0]);
  each_tap(params_of<symc_im2col_params>(args), args->inputs[0],
           [&](int64_t column, int64_t pixel, bool inside) {
             out[column] = inside ? in[pixel] : typename E::Storage(0);
           });
  return SYMC_STATUS_OK;
}

template <class E> int32_t col2im(const symc_kernel_args *args) {
  const symc_tensor &output = args->outputs[0];
  const auto *in = data_of<E>(args->inputs[0]);
  auto *out = target_of<E>(output);
  __builtin_memset(output.data, 0, size_t(count_of(output) * symc_dtype_bytes(output.dtype)));
  each_tap(params_of<symc_col2im_params>(args), output,
           [&](int64_t column, int64_t pixel, bool inside) {
             if (inside)
               out[pixel] = E::store(E::load(out[pixel]) + E::load(in[column]));
           });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(im2col, im2col)
SYMC_REFERENCE_FLOATS(col2im, col2im)
