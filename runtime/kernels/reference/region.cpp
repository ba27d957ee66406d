// region.cpp: reference kernels of pooling over regions. Coordinates are computed in the
// arithmetic of data's type, since they decide between pixels; a coordinate that is no number
// takes no pixel.
#include "symc/generated/op_params/Region.h"
#include "four_pixels.h"
#include "pixels.h"
#include "walk.h"

using namespace symc::ref;

namespace {

template <class N> N most(N a, N b) { return a < b ? b : a; }

// A whole number for a coordinate that may be none: what lies outside of `low` .. `high`, NaN too,
// becomes one of them.
inline int64_t whole(double value, int64_t low, int64_t high) {
  return value >= double(low) ? value < double(high) ? int64_t(value) : high : low;
}

// The image that a region's first element names, or -1.
template <class E> int64_t image_of(const typename E::Storage *roi, const symc_tensor &data) {
  int64_t image = integer_of(E::load(roi[0]));
  bool empty = data.shape[2] < 1 || data.shape[3] < 1;
  return !empty && image >= 0 && image < data.shape[0] ? image : -1;
}

// A point of an image; pixels without a part may be any.
template <class N> struct Point : FourPixels<N> {
  // The point (y, x); nothing of it where it lies more than a pixel outside.
  Point(int64_t rows, int64_t columns, N y, N x) : FourPixels<N>() {
    if (!(y >= -1 && y <= N(rows) && x >= -1 && x <= N(columns)))
      return;
    y = most(y, N(0));
    x = most(x, N(0));
    int64_t top = int64_t(y), left = int64_t(x), bottom = top + 1, right = left + 1;
    if (top >= rows - 1) {
      top = bottom = rows - 1;
      y = N(top);
    }
    if (left >= columns - 1) {
      left = right = columns - 1;
      x = N(left);
    }
    for (int i = 0; i < 4; ++i)
      this->at[i] = (i < 2 ? top : bottom) * columns + (i % 2 ? right : left);
    this->mix(y - N(top), x - N(left));
  }
};

// Points along each axis of a window that spans `extent` pixels.
template <class N> int64_t points_along(int64_t wanted, N extent) {
  return wanted > 0 ? wanted : whole(__builtin_ceil(double(extent)), 0, 1 << 16);
}

// Of one window: more than any image has pixels for. Numbers in a file of regions decide how many
// there are, and a run must end.
constexpr int64_t kMostPoints = int64_t(1) << 22;

// A region that is rotated, or not, and its windows.
template <class N> struct Frame {
  int64_t rows, columns;        // of the image
  N y, x, height, width;        // the region's start and extents
  N center_y = 0, center_x = 0; // added after rotating
  N sine = 0, cosine = 1;
  int64_t windows, across, down, along; // windows, those of a row, points of one along y and x
  N tall, wide;                         // extents of a window

  // False where a window would have too many points.
  bool cut(const symc_tensor &output, int64_t wanted) {
    across = output.shape[3];
    windows = output.shape[2] * across;
    tall = height / N(output.shape[2]);
    wide = width / N(across);
    down = points_along(wanted, tall);
    along = points_along(wanted, wide);
    return down * along <= kMostPoints;
  }
  Point<N> point(int64_t window, int64_t n) const {
    N py = y + N(window / across) * tall + N(float(n / along) + 0.5f) * tall / N(down);
    N px = x + N(window % across) * wide + N(float(n % along) + 0.5f) * wide / N(along);
    return Point<N>(rows, columns, py * cosine - px * sine + center_y,
                    px * cosine + py * sine + center_x);
  }
};

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
          if (width == kChannelsOfPixels) // a number that compilers know
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

template <class E> int32_t roi_align(const symc_kernel_args *args) {
  using N = typename E::Number;
  using Storage = typename E::Storage;
  const auto &params = params_of<symc_roi_align_params>(args);
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  int64_t extent = data.shape[2] * data.shape[3];
  const N scale = N(float(params.spatial_scale)), shift = params.aligned ? N(0.5) : N(0);
  symc_kernel_args rest;
  const Storage *pixels =
      params.position_sensitive ? nullptr : lay_pixels<E>(args, kLeastPointBytes, rest);
  return each_region<E>(
      pixels ? &rest : args, 5,
      [&](const RowRange &range, const Storage *roi, const Storage *planes,
          Storage *out) -> int32_t {
        Frame<N> frame;
        frame.rows = data.shape[2];
        frame.columns = data.shape[3];
        frame.x = E::load(roi[1]) * scale - shift;
        frame.y = E::load(roi[2]) * scale - shift;
        frame.width = E::load(roi[3]) * scale - shift - frame.x;
        frame.height = E::load(roi[4]) * scale - shift - frame.y;
        if (params.aligned && !(frame.width > 0 && frame.height > 0))
          return refuse(Refusal::BOX); // MXNet stops here too
        frame.width = params.aligned ? frame.width : most(frame.width, N(1));
        frame.height = params.aligned ? frame.height : most(frame.height, N(1));
        if (!frame.cut(output, params.sample_ratio))
          return refuse(Refusal::POINTS);
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

// A region with whole corners, whose last pixel belongs to it.
template <class E> struct Pixels {
  using N = typename E::Number;
  N start[2], extent[2], step[2]; // along y, then x

  Pixels(const typename E::Storage *roi, N scale, N shift, int64_t windows) {
    for (int axis = 0; axis < 2; ++axis) {
      start[axis] = N(__builtin_round(double(E::load(roi[2 - axis])))) * scale - shift;
      N end = N(__builtin_round(double(E::load(roi[4 - axis]))) + 1.0) * scale - shift;
      extent[axis] = most(end - start[axis], N(0.1));
      step[axis] = extent[axis] / N(windows);
    }
  }
};

// The channel that a window of output channel `channel` reads.
inline int64_t group_channel(int64_t channel, int64_t groups, const int64_t *at,
                             const symc_tensor &output) {
  int64_t row = at[2] * groups / output.shape[2], column = at[3] * groups / output.shape[3];
  return (channel * groups + row) * groups + column;
}

template <class E> int32_t psroi_pooling(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_psroi_pooling_params>(args);
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  const int64_t extents[2] = {data.shape[2], data.shape[3]};
  int64_t groups = params.group_size ? params.group_size : params.pooled_size;
  auto *results = target_of<E>(output);
  return each_place(args, 4, output.shape, 32, [&](const Walk &o, int64_t element) {
    auto *out = results + element;
    const auto *roi = data_of<E>(args->inputs[1]) + o.at[0] * 5;
    int64_t image = image_of<E>(roi, data);
    Pixels<E> region(roi, N(float(params.spatial_scale)), 0, params.pooled_size);
    int64_t begin[2], end[2];
    for (int axis = 0; axis < 2; ++axis) {
      N first = N(o.at[2 + axis]) * region.step[axis] + region.start[axis];
      N last = N(o.at[2 + axis] + 1) * region.step[axis] + region.start[axis];
      begin[axis] = whole(__builtin_floor(double(first)), 0, extents[axis]);
      end[axis] = whole(__builtin_ceil(double(last)), 0, extents[axis]);
    }
    *out = E::store(N(0));
    if (image < 0 || end[0] <= begin[0] || end[1] <= begin[1])
      return;
    int64_t channel = group_channel(o.at[1], groups, o.at, output);
    const auto *plane =
        data_of<E>(data) + (image * data.shape[1] + channel) * extents[0] * extents[1];
    N sum = 0;
    for (int64_t y = begin[0]; y < end[0]; ++y)
      for (int64_t x = begin[1]; x < end[1]; ++x)
        sum += E::load(plane[y * extents[1] + x]);
    *out = E::store(sum / N((end[0] - begin[0]) * (end[1] - begin[1])));
  });
}

template <class E> int32_t deformable_psroi_pooling(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_deformable_psroi_pooling_params>(args);
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  const int64_t extents[2] = {data.shape[2], data.shape[3]}, pooled = params.pooled_size;
  int64_t parts = params.part_size ? params.part_size : pooled;
  bool moves = args->n_inputs > 2;
  int64_t classes = moves ? args->inputs[2].shape[1] / 2 : 1;
  auto *results = target_of<E>(output);
  return each_place(args, 4, output.shape, 32, [&](const Walk &o, int64_t element) {
    auto *out = results + element;
    const auto *roi = data_of<E>(args->inputs[1]) + o.at[0] * 5;
    int64_t image = image_of<E>(roi, data);
    *out = E::store(N(0));
    if (image < 0)
      return;
    Pixels<E> region(roi, N(float(params.spatial_scale)), N(0.5), pooled);
    N start[2], step[2];
    for (int axis = 0; axis < 2; ++axis) {
      start[axis] = N(o.at[2 + axis]) * region.step[axis] + region.start[axis];
      step[axis] = region.step[axis] / N(params.sample_per_part);
      if (!moves)
        continue;
      int64_t part[2];
      for (int i = 0; i < 2; ++i)
        part[i] = whole(double(N(o.at[2 + i]) / N(pooled) * N(parts)), 0, parts - 1);
      int64_t kind = o.at[1] / (params.output_dim / classes);
      int64_t channel = (o.at[0] * classes + kind) * 2 + (axis == 0 ? 1 : 0); // x comes first
      N by = E::load(data_of<E>(args->inputs[2])[(channel * parts + part[0]) * parts + part[1]]);
      start[axis] += by * N(float(params.trans_std)) * region.extent[axis];
    }
    int64_t channel = group_channel(o.at[1], params.group_size, o.at, output);
    const auto *plane =
        data_of<E>(data) + (image * data.shape[1] + channel) * extents[0] * extents[1];
    N sum = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < params.sample_per_part * params.sample_per_part; ++i) {
      N at[2] = {start[0] + N(i / params.sample_per_part) * step[0],
                 start[1] + N(i % params.sample_per_part) * step[1]};
      bool inside = true;
      for (int axis = 0; axis < 2; ++axis) {
        inside = inside && at[axis] >= N(-0.5) && at[axis] <= N(extents[axis]) - N(0.5);
        at[axis] = most(at[axis], N(0)) < N(extents[axis] - 1) ? most(at[axis], N(0))
                                                               : N(extents[axis] - 1);
      }
      if (!inside)
        continue;
      sum += Point<N>(extents[0], extents[1], at[0], at[1]).template value<E>(plane);
      ++count;
    }
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
