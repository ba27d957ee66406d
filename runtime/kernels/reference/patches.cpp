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

// The windows over an image, a row of them after the other for each tap of each channel.
struct Windows {
  Image image;
  Tuple3 kernel, stride, dilate, pad;
  int64_t count[3];

  template <class Params>
  Windows(const Params &params, const symc_tensor &tensor)
      : image(tensor, false), kernel(params.kernel, tensor.rank - 2, 1, 1),
        stride(params.stride, tensor.rank - 2, 1, 1), dilate(params.dilate, tensor.rank - 2, 1, 1),
        pad(params.pad, tensor.rank - 2, 0, 0) {
    for (int axis = 0; axis < 3; ++axis)
      count[axis] =
          (image.extent[axis] + 2 * pad.by[axis] - dilate.by[axis] * (kernel.by[axis] - 1) - 1) /
              stride.by[axis] +
          1;
  }
  // The rows of a channel: taps, then windows along the first two axes.
  static constexpr int32_t kRank = 5;
  void shape(int64_t *shape) const {
    for (int axis = 0; axis < 3; ++axis)
      shape[axis] = kernel.by[axis];
    shape[3] = count[0];
    shape[4] = count[1];
  }

  // Calls body(column, pixel, step, first, last, count) for row number `row` of all, at `at` in
  // its channel: of `count` windows those from `first` to `last` meet the image, window x its
  // element pixel + x * step; their elements of the columns begin at `column`.
  template <class Body>
  void visit(int64_t n, int64_t c, const int64_t *at, int64_t row, const Body &body) const {
    int64_t step = stride.by[2], many = count[2];
    int64_t begin = at[2] * dilate.by[2] - pad.by[2]; // of window 0
    int64_t first = begin < 0 ? (-begin + step - 1) / step : 0;
    int64_t last = begin < image.extent[2] ? (image.extent[2] - begin + step - 1) / step : 0;
    first = first < many ? first : many;
    last = last > many ? many : last < first ? first : last;
    int64_t place[3] = {at[3] * stride.by[0] - pad.by[0] + at[0] * dilate.by[0],
                        at[4] * stride.by[1] - pad.by[1] + at[1] * dilate.by[1], begin};
    bool inside =
        place[0] >= 0 && place[0] < image.extent[0] && place[1] >= 0 && place[1] < image.extent[1];
    body(row * many, inside ? image.at(n, c, place) : 0, step, inside ? first : many,
         inside ? last : many, many);
  }
};

template <class E> int32_t im2col(const symc_kernel_args *args) {
  const auto *in = data_of<E>(args->inputs[0]);
  auto *out = target_of<E>(args->outputs[0]);
  Windows windows(params_of<symc_im2col_params>(args), args->inputs[0]);
  int64_t rows[2 + Windows::kRank] = {windows.image.items, windows.image.channels};
  windows.shape(rows + 2);
  each_in(2 + Windows::kRank, rows, [&](const Walk &walk, int64_t row) {
    windows.visit(walk.at[0], walk.at[1], walk.at + 2, row,
                  [&](int64_t column, int64_t pixel, int64_t step, int64_t first, int64_t last,
                      int64_t count) {
                    auto *to = out + column;
                    for (int64_t x = 0; x < first; ++x)
                      to[x] = 0;
                    if (step == 1)
                      __builtin_memcpy(to + first, in + (pixel + first),
                                       size_t(last - first) * sizeof *to);
                    else
                      for (int64_t x = first; x < last; ++x)
                        to[x] = in[pixel + x * step];
                    for (int64_t x = last; x < count; ++x)
                      to[x] = 0;
                  });
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t col2im(const symc_kernel_args *args) {
  const symc_tensor &output = args->outputs[0];
  const auto *in = data_of<E>(args->inputs[0]);
  auto *out = target_of<E>(output);
  Windows windows(params_of<symc_col2im_params>(args), output);
  int64_t channels = windows.image.channels, pixels = product(output.shape, 2, output.rank);
  int64_t rows[Windows::kRank];
  windows.shape(rows);
  int64_t each = product(rows, 0, Windows::kRank);
  each_of(windows.image.items * channels, [&](int64_t plane) {
    __builtin_memset(out + plane * pixels, 0, size_t(pixels) * sizeof *out);
    int64_t row = plane * each;
    for (Walk walk(Windows::kRank, rows); walk.more; walk.step())
      windows.visit(
          plane / channels, plane % channels, walk.at, row++,
          [&](int64_t column, int64_t pixel, int64_t step, int64_t first, int64_t last, int64_t) {
            for (int64_t x = first; x < last; ++x) {
              auto &sum = out[pixel + x * step];
              sum = E::store(E::load(sum) + E::load(in[column + x]));
            }
          });
  });
  return SYMC_STATUS_OK;
}

// The images of a window lie side by side.
int32_t unfold_images(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  int64_t windows = output.shape[0];
  if (windows == 0)
    return SYMC_STATUS_OK;
  int64_t length = count_of(output) / windows, each = symc_dtype_bytes(output.dtype);
  int64_t step = params_of<symc_unfold_images_params>(args).step *
                 (product(data.shape, 1, 4) * symc_dtype_bytes(data.dtype));
  const char *from = static_cast<const char *>(data.data);
  char *to = static_cast<char *>(output.data);
  move_runs(windows, length, each,
            [=](int64_t window) { return Run{to + window * length * each, from + window * step}; });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(im2col, im2col)
SYMC_REFERENCE_FLOATS(col2im, col2im)
SYMC_REFERENCE_ANY(unfold_images, unfold_images)

SYMC_ON_GRID(im2col, col2im, unfold_images)
