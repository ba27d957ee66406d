// region.cpp: reference kernels of pooling over regions. Which pixels a window takes stands in
// regions.h.
#include "symc/generated/op_params/Region.h"
#include "pixels.h"
#include "regions.h"

using namespace symc::ref;

namespace {

// Tasks share scratch, which is long enough for eight to keep a region's points each.
constexpr int64_t kMostRegionTasks = 8;

// Of points, without which pixels are not laid out anew.
constexpr int64_t kLeastPointBytes = 16 * 1024;

// Channels whose values at a point are read together: a point's places and parts are loaded once.
constexpr int64_t kChannelsAtOnce = 8;

// The means over `count` points, which point(n) gives, of `together` planes, in out[i * step].
template <class E, class N, int64_t together, class At>
void point_means(const typename E::Storage *const *planes, int64_t count, At point,
                 typename E::Storage *out, int64_t step) {
  N sums[together] = {};
  for (int64_t n = 0; n < count; ++n) {
    const Point<N> &at = point(n);
    for (int64_t i = 0; i < together; ++i)
      sums[i] += at.template value<E>(planes[i]);
  }
  for (int64_t i = 0; i < together; ++i)
    out[i * step] = E::store(sums[i] / N(count));
}

// Calls body(first, last, points) for the windows [first, last), as many as scratch holds the
// points of, which are worked out once then; null where it does not hold one window's.
template <class N, class Body>
void each_windows(const RowRange &range, const Frame<N> &frame, const Body &body) {
  auto *points = static_cast<Point<N> *>(range.scratch);
  int64_t capacity = range.scratch_bytes / int64_t(sizeof(Point<N>));
  int64_t count = frame.down * frame.along;
  int64_t group = count && count <= capacity ? capacity / count : 1;
  for (int64_t first = 0; first < frame.windows; first += group) {
    int64_t last = first + group < frame.windows ? first + group : frame.windows;
    for (int64_t i = 0; count <= capacity && i < (last - first) * count; ++i)
      points[i] = frame.point(first + i / count, i % count);
    body(first, last, count <= capacity ? points : nullptr);
  }
}

// The means over a region's windows. Points are used for every channel, or worked out for each
// anew. plane(channel, window) is the image that a window of a channel of output looks at.
template <class E, class N, class Plane>
void window_means(const symc_kernel_args *args, const RowRange &range, const Frame<N> &frame,
                  typename E::Storage *out, Plane plane) {
  if constexpr (kOnDevice)
    return each_of(args->outputs[0].shape[1] * frame.windows, [&](int64_t n) {
      int64_t window = n % frame.windows;
      const typename E::Storage *from = plane(n / frame.windows, window);
      point_means<E, N, 1>(
          &from, frame.down * frame.along, [&](int64_t i) { return frame.point(window, i); },
          out + n, 0);
    });
  int64_t count = frame.down * frame.along, channels = args->outputs[0].shape[1];
  each_windows(range, frame, [&](int64_t first, int64_t last, const Point<N> *points) {
    int64_t together = kChannelsAtOnce;
    for (int64_t c = 0; c < channels; c += together) {
      together = channels - c < kChannelsAtOnce ? 1 : kChannelsAtOnce;
      for (int64_t window = first; window < last; ++window) {
        const typename E::Storage *planes[kChannelsAtOnce];
        for (int64_t i = 0; i < together; ++i)
          planes[i] = plane(c + i, window);
        auto *means = out + c * frame.windows + window;
        auto kept = [&](int64_t n) -> const Point<N> & {
          return points[(window - first) * count + n];
        };
        auto anew = [&](int64_t n) { return frame.point(window, n); };
        if (!points)
          for (int64_t i = 0; i < together; ++i)
            point_means<E, N, 1>(planes + i, count, anew, means + i * frame.windows, 0);
        else if (together == 1)
          point_means<E, N, 1>(planes, count, kept, means, 0);
        else
          point_means<E, N, kChannelsAtOnce>(planes, count, kept, means, frame.windows);
      }
    }
  });
}

// Adds the values at a point of `width` channels, which lie side by side in each pixel.
template <class E, class N>
void add_point(const Point<N> &at, const typename E::Storage *pixels, int64_t channels,
               int64_t width, N *sums) {
  const typename E::Storage *four[4];
  for (int i = 0; i < 4; ++i)
    four[i] = pixels + at.at[i] * channels;
  for (int64_t c = 0; c < width; ++c)
    sums[c] += at.template value<E>(four, c);
}

// The means over a region's windows, as window_means() has them, of an image whose pixels have
// their channels side by side.
template <class E, class N>
void window_means_of_pixels(const symc_kernel_args *args, const RowRange &range,
                            const Frame<N> &frame, const typename E::Storage *pixels,
                            typename E::Storage *out) {
  using Storage = typename E::Storage;
  int64_t count = frame.down * frame.along, channels = args->outputs[0].shape[1];
  each_windows(range, frame, [&](int64_t first, int64_t last, const Point<N> *points) {
    for (int64_t c = 0; c < channels; c += kChannelsOfPixels) {
      int64_t width = channels - c < kChannelsOfPixels ? channels - c : kChannelsOfPixels;
      Storage means[kSquareSide * kChannelsOfPixels];
      for (int64_t window = first; window < last; ++window) {
        N sums[kChannelsOfPixels] = {};
        for (int64_t n = 0; n < count; ++n) {
          Point<N> at = points ? points[(window - first) * count + n] : frame.point(window, n);
          if (width == kChannelsOfPixels) // a number that is constant for compilers
            add_point<E, N>(at, pixels + c, channels, kChannelsOfPixels, sums);
          else
            add_point<E, N>(at, pixels + c, channels, width, sums);
        }
        int64_t held = (window - first) % kSquareSide + 1;
        Storage *line = means + (held - 1) * kChannelsOfPixels;
        for (int64_t i = 0; i < width; ++i)
          line[i] = E::store(sums[i] / N(count));
        if (held == kSquareSide || window == last - 1)
          write_planes(means, width, held, out + c * frame.windows + window + 1 - held,
                       frame.windows);
      }
    }
  });
}

// body(range, region, planes, out) for each region of `numbers` numbers, in tasks: the
// planes are those of its image, whose number begins it. A region of no image has zeros.
template <class E, class Body>
int32_t each_region(const symc_kernel_args *args, int64_t numbers, Body body) {
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  int64_t plane = data.shape[2] * data.shape[3], values = product(output.shape, 1, 4);
  Rows each = {output.shape[0], 16 * values, args->scratch_bytes / kMostRegionTasks};
  return run_rows_by_grid(args, each, [&](const RowRange &range) -> int32_t {
    for (int64_t r = range.first; r < range.end; ++r) {
      const auto *region = data_of<E>(args->inputs[1]) + r * numbers;
      auto *out = target_of<E>(output) + r * values;
      int64_t image = image_of<E>(region, data);
      if (image < 0) {
        each_of(values, [&](int64_t i) { out[i] = E::store(typename E::Number(0)); });
        continue;
      }
      int32_t status = body(range, region, data_of<E>(data) + image * data.shape[1] * plane, out);
      if (status != SYMC_STATUS_OK)
        return status;
    }
    return SYMC_STATUS_OK;
  });
}

// The greatest of what pixels add to the points of a region's windows.
template <class E, class N>
void window_maxima(const symc_kernel_args *args, const Frame<N> &frame,
                   const typename E::Storage *planes, typename E::Storage *out) {
  const symc_tensor &data = args->inputs[0];
  int64_t extent = data.shape[2] * data.shape[3];
  each_of(args->outputs[0].shape[1] * frame.windows, [&](int64_t n) {
    const auto *plane = planes + n / frame.windows * extent;
    N best = 0;
    for (int64_t i = 0; i < frame.down * frame.along; ++i) {
      Point<N> at = frame.point(n % frame.windows, i);
      for (int pixel = 0; pixel < 4; ++pixel) {
        N value = at.part[pixel] * E::load(plane[at.at[pixel]]);
        best = (i == 0 && pixel == 0) || value > best ? value : best;
      }
    }
    out[n] = E::store(best);
  });
}

template <class E> int32_t roi_align(const symc_kernel_args *args) {
  using N = typename E::Number;
  using Storage = typename E::Storage;
  const auto &params = params_of<symc_roi_align_params>(args);
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  int64_t extent = data.shape[2] * data.shape[3];
  symc_kernel_args rest;
  const Storage *pixels = params.position_sensitive || params.greatest
                              ? nullptr
                              : lay_pixels<E>(args, kLeastPointBytes, rest);
  return each_region<E>(
      pixels ? &rest : args, 5,
      [&](const RowRange &range, const Storage *roi, const Storage *planes,
          Storage *out) -> int32_t {
        Frame<N> frame;
        if (int32_t status = align_frame<E>(params, roi, data, output, frame))
          return status;
        if (params.greatest) {
          window_maxima<E, N>(args, frame, planes, out);
          return SYMC_STATUS_OK;
        }
        if (pixels) {
          window_means_of_pixels<E, N>(args, range, frame, pixels + (planes - data_of<E>(data)),
                                       out);
          return SYMC_STATUS_OK;
        }
        window_means<E, N>(args, range, frame, out, [&](int64_t channel, int64_t window) {
          return planes +
                 (params.position_sensitive ? channel * frame.windows + window : channel) * extent;
        });
        return SYMC_STATUS_OK;
      });
}

template <class E> int32_t rroi_align(const symc_kernel_args *args) {
  using N = typename E::Number;
  using Storage = typename E::Storage;
  const auto &params = params_of<symc_rroi_align_params>(args);
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  int64_t extent = data.shape[2] * data.shape[3];
  const N scale = N(float(params.spatial_scale));
  return each_region<E>(args, 6,
                        [&](const RowRange &range, const Storage *roi, const Storage *planes,
                            Storage *out) -> int32_t {
                          N angle = N(double(E::load(roi[5])) * 3.14159265358979323846 / 180.0);
                          Frame<N> frame;
                          frame.rows = data.shape[2];
                          frame.columns = data.shape[3];
                          frame.center_x = E::load(roi[1]) * scale;
                          frame.center_y = E::load(roi[2]) * scale;
                          frame.width = most(E::load(roi[3]) * scale, N(1));
                          frame.height = most(E::load(roi[4]) * scale, N(1));
                          frame.x = -frame.width / 2;
                          frame.y = -frame.height / 2;
                          frame.cosine = N(__builtin_cos(double(angle)));
                          frame.sine = N(__builtin_sin(double(angle)));
                          if (!frame.cut(output, params.sampling_ratio))
                            return refuse(Refusal::POINTS);
                          window_means<E, N>(
                              args, range, frame, out,
                              [&](int64_t channel, int64_t) { return planes + channel * extent; });
                          return SYMC_STATUS_OK;
                        });
}

template <class E> int32_t psroi_pooling(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_psroi_pooling_params>(args);
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  const int64_t pixels = data.shape[2] * data.shape[3];
  auto *results = target_of<E>(output);
  return each_place(args, 4, output.shape, 32, [&](const Walk &o, int64_t element) {
    SensitiveWindow<E> window(data, args->inputs[1], params, output, o.at);
    N sum = 0;
    if (window.has_pixels()) {
      const auto *plane =
          data_of<E>(data) + (window.image * data.shape[1] + window.channel) * pixels;
      window.each_pixel(data, [&](int64_t pixel) { sum += E::load(plane[pixel]); });
      sum /= N(window.count());
    }
    results[element] = E::store(sum);
  });
}

template <class E> int32_t deformable_psroi_pooling(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_deformable_psroi_pooling_params>(args);
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  auto *results = target_of<E>(output);
  return each_place(args, 4, output.shape, 32, [&](const Walk &o, int64_t element) {
    auto *out = results + element;
    MovedWindow<E> window(data, args->inputs[1], args->n_inputs > 2 ? &args->inputs[2] : nullptr,
                          params, output, o.at);
    *out = E::store(N(0));
    if (window.image < 0)
      return;
    const auto *plane = data_of<E>(data) + (window.image * data.shape[1] + window.channel) *
                                               window.rows * window.columns;
    N sum = 0;
    int64_t count = 0;
    window.each_point([&](N y, N x) {
      sum += Point<N>(window.rows, window.columns, y, x).template value<E>(plane);
      ++count;
    });
    if (count)
      *out = E::store(sum / N(count));
  });
}

} // namespace

SYMC_REFERENCE_FLOATS(roi_align, roi_align)
SYMC_REFERENCE_FLOATS(rroi_align, rroi_align)
SYMC_REFERENCE_FLOATS(psroi_pooling, psroi_pooling)
SYMC_REFERENCE_FLOATS(deformable_psroi_pooling, deformable_psroi_pooling)

SYMC_ON_GRID(roi_align, rroi_align, psroi_pooling, deformable_psroi_pooling)
