// region_gradient.cpp: reference kernels of the gradients of pooling over regions. Which pixels a
// window takes stands in regions.h. A plane of an image is one task's, which goes through all
// regions in their order: sums of pixels are the same bits for any number of threads. They are
// kept in the element type.
#include "regions.h"
#include "symc/generated/op_params/Region.h"
#include "symc/generated/op_params/Vision.h"

using namespace symc::ref;

namespace {

// Calls body(image, channel, plane) for each plane of an output [N, C, H, W], filled with zeros.
template <class E, class Body>
int32_t each_plane(const symc_kernel_args *args, int64_t work, const Body &body) {
  const symc_tensor &output = args->outputs[0];
  int64_t channels = output.shape[1], pixels = output.shape[2] * output.shape[3];
  Rows rows = {output.shape[0] * channels, pixels + work};
  return run_rows(args, rows, [&](const RowRange &range) -> int32_t {
    for (int64_t row = range.first; row < range.end; ++row) {
      auto *plane = target_of<E>(output) + row * pixels;
      for (int64_t i = 0; i < pixels; ++i)
        plane[i] = E::store(typename E::Number(0));
      if (int32_t status = body(row / channels, row % channels, plane))
        return status;
    }
    return SYMC_STATUS_OK;
  });
}

template <class E> void add(typename E::Storage &sum, typename E::Number value) {
  sum = E::store(E::load(sum) + value);
}

template <class E> int32_t roi_pooling_gradient(const symc_kernel_args *args) {
  const auto &params = params_of<symc_roi_pooling_gradient_params>(args);
  const symc_tensor &data = args->inputs[0], &gradient = args->inputs[2];
  const auto *rois = data_of<E>(args->inputs[1]), *slopes = data_of<E>(gradient);
  const typename E::Number scale(params.spatial_scale);
  const int64_t channels = data.shape[1], pixels = data.shape[2] * data.shape[3];
  const int64_t rows = gradient.shape[2], columns = gradient.shape[3];
  return each_plane<E>(
      args, 16 * gradient.shape[0] * rows * columns,
      [&](int64_t image, int64_t channel, typename E::Storage *plane) -> int32_t {
        const auto *in = data_of<E>(data) + (image * channels + channel) * pixels;
        for (int64_t n = 0; n < gradient.shape[0]; ++n)
          for (int64_t place = 0; place < rows * columns; ++place) {
            PooledPixels<E> window(rois + n * 5, scale, data, gradient, place / columns,
                                   place % columns);
            if (window.has_pixels() && window.image == image)
              add<E>(plane[window.greatest(in)],
                     E::load(slopes[(n * channels + channel) * rows * columns + place]));
          }
        return SYMC_STATUS_OK;
      });
}

template <class E> int32_t roi_align_gradient(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_roi_align_gradient_params>(args);
  const symc_tensor &data = args->inputs[0], &gradient = args->inputs[2];
  const auto *rois = data_of<E>(args->inputs[1]), *slopes = data_of<E>(gradient);
  const int64_t windows = gradient.shape[2] * gradient.shape[3], channels = gradient.shape[1];
  return each_plane<E>(args, 64 * gradient.shape[0] * windows,
                       [&](int64_t image, int64_t channel, typename E::Storage *plane) -> int32_t {
                         // Of a channel of its own, where each window has one; else all.
                         int64_t first = params.position_sensitive ? channel % windows : 0;
                         int64_t end = params.position_sensitive ? first + 1 : windows;
                         int64_t pooled = params.position_sensitive ? channel / windows : channel;
                         for (int64_t n = 0; n < gradient.shape[0]; ++n) {
                           if (image_of<E>(rois + n * 5, data) != image)
                             continue;
                           Frame<N> frame;
                           if (int32_t status =
                                   align_frame<E>(params, rois + n * 5, data, gradient, frame))
                             return status;
                           int64_t count = frame.down * frame.along;
                           for (int64_t window = first; window < end; ++window) {
                             N slope = E::load(slopes[(n * channels + pooled) * windows + window]);
                             for (int64_t i = 0; i < count; ++i) {
                               Point<N> point = frame.point(window, i);
                               for (int k = 0; k < 4; ++k)
                                 add<E>(plane[point.at[k]], slope * point.part[k] / N(count));
                             }
                           }
                         }
                         return SYMC_STATUS_OK;
                       });
}

template <class E> int32_t psroi_gradient(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_psroi_gradient_params>(args);
  const symc_tensor &data = args->inputs[0], &gradient = args->inputs[2];
  const int64_t groups = params.group_size ? params.group_size : params.pooled_size;
  const int64_t rows = gradient.shape[2], columns = gradient.shape[3];
  const auto *slopes = data_of<E>(gradient);
  return each_plane<E>(
      args, 16 * gradient.shape[0] * rows * columns,
      [&](int64_t image, int64_t channel, typename E::Storage *plane) -> int32_t {
        for (int64_t n = 0; n < gradient.shape[0]; ++n)
          for (int64_t i = 0; i < rows * columns; ++i) {
            const int64_t at[4] = {n, channel / (groups * groups), i / columns, i % columns};
            SensitiveWindow<E> window(data, args->inputs[1], params, gradient, at);
            if (window.channel != channel || window.image != image || !window.has_pixels())
              continue;
            N share = E::load(slopes[(n * gradient.shape[1] + at[1]) * rows * columns + i]) /
                      N(window.count());
            window.each_pixel(data, [&](int64_t pixel) { add<E>(plane[pixel], share); });
          }
        return SYMC_STATUS_OK;
      });
}

// The window of a place (region, channel, row, column) of deformable_psroi_pooling's result, and
// what each of its points gets of the gradient there.
template <class E> struct MovedPlace {
  MovedWindow<E> window;
  typename E::Number share = 0; // 0 also where the window has no point

  template <class Params>
  MovedPlace(const symc_kernel_args *args, const Params &params, const int64_t *at)
      : window(args->inputs[0], args->inputs[1], trans_of(args), params, args->inputs[2], at) {
    int64_t count = 0;
    if (window.image >= 0)
      window.each_point([&](typename E::Number, typename E::Number) { ++count; });
    const symc_tensor &gradient = args->inputs[2];
    int64_t element =
        ((at[0] * gradient.shape[1] + at[1]) * gradient.shape[2] + at[2]) * gradient.shape[3] +
        at[3];
    if (count)
      share = E::load(data_of<E>(gradient)[element]) / typename E::Number(count);
  }
  static const symc_tensor *trans_of(const symc_kernel_args *args) {
    return args->n_inputs > 3 ? &args->inputs[3] : nullptr;
  }
};

template <class E> int32_t gradient_of_moved_data(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_deformable_psroi_gradient_params>(args);
  const symc_tensor &gradient = args->inputs[2];
  const int64_t groups = params.group_size, windows = gradient.shape[2] * gradient.shape[3];
  return each_plane<E>(args, 64 * gradient.shape[0] * windows,
                       [&](int64_t image, int64_t channel, typename E::Storage *plane) -> int32_t {
                         for (int64_t n = 0; n < gradient.shape[0]; ++n)
                           for (int64_t i = 0; i < windows; ++i) {
                             const int64_t at[4] = {n, channel / (groups * groups),
                                                    i / gradient.shape[3], i % gradient.shape[3]};
                             if (group_channel(at[1], groups, at, gradient) != channel)
                               continue;
                             MovedPlace<E> place(args, params, at);
                             if (place.window.image != image)
                               continue;
                             place.window.each_point([&](N y, N x) {
                               Point<N> point(place.window.rows, place.window.columns, y, x);
                               for (int k = 0; k < 4; ++k)
                                 add<E>(plane[point.at[k]], point.part[k] * place.share);
                             });
                           }
                         return SYMC_STATUS_OK;
                       });
}

// A class of channels of a region has parts that nothing else moves.
template <class E> int32_t gradient_of_moves(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_deformable_psroi_gradient_params>(args);
  const symc_tensor &data = args->inputs[0], &gradient = args->inputs[2],
                    &output = args->outputs[0];
  const int64_t classes = output.shape[1] / 2, channels = params.output_dim / classes;
  const int64_t moves = 2 * output.shape[2] * output.shape[3];
  const int64_t each[3] = {channels, gradient.shape[2], gradient.shape[3]};
  auto *out = target_of<E>(output);
  Rows rows = {output.shape[0] * classes, moves + 64 * product(each, 0, 3)};
  return run_rows(args, rows, [&](const RowRange &range) -> int32_t {
    for (int64_t row = range.first; row < range.end; ++row) {
      for (int64_t i = 0; i < moves; ++i)
        out[row * moves + i] = E::store(N(0));
      for (Walk o(3, each); o.more; o.step()) {
        const int64_t at[4] = {row / classes, row % classes * channels + o.at[0], o.at[1], o.at[2]};
        MovedPlace<E> place(args, params, at);
        const MovedWindow<E> &window = place.window;
        if (window.image < 0)
          continue;
        const auto *plane = data_of<E>(data) + (window.image * data.shape[1] + window.channel) *
                                                   window.rows * window.columns;
        window.each_point([&](N y, N x) {
          Point<N> point(window.rows, window.columns, y, x);
          // Between two rows, and between two columns; on one the value has no slope across it.
          const N down = y - N(__builtin_floor(double(y))),
                  along = x - N(__builtin_floor(double(x)));
          for (int axis = 0; axis < 2; ++axis) {
            if ((axis ? along : down) == 0)
              continue;
            N slope = 0;
            for (int k = 0; k < 4; ++k)
              slope += point.part_slope(axis, k, down, along) * E::load(plane[point.at[k]]);
            add<E>(out[window.moves[axis]],
                   slope * (N(float(params.trans_std)) * place.share * window.extents[axis]));
          }
        });
      }
    }
    return SYMC_STATUS_OK;
  });
}

template <class E> int32_t deformable_psroi_gradient(const symc_kernel_args *args) {
  const auto &params = params_of<symc_deformable_psroi_gradient_params>(args);
  return params.of == SYMC_DEFORMABLE_PSROI_GRADIENT_OF_DATA ? gradient_of_moved_data<E>(args)
                                                             : gradient_of_moves<E>(args);
}

} // namespace

SYMC_REFERENCE_FLOATS(roi_pooling_gradient, roi_pooling_gradient)
SYMC_REFERENCE_FLOATS(roi_align_gradient, roi_align_gradient)
SYMC_REFERENCE_FLOATS(psroi_gradient, psroi_gradient)
SYMC_REFERENCE_FLOATS(deformable_psroi_gradient, deformable_psroi_gradient)

SYMC_ON_GRID(roi_pooling_gradient, roi_align_gradient, psroi_gradient, deformable_psroi_gradient)
