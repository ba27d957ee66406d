// regions.h: which pixels the windows of a region of an image take, for kernels that pool over
// regions and for those of their gradients. Coordinates are computed in the arithmetic of data's
// type, since they decide between pixels; a coordinate that is no number takes no pixel.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_REGIONS_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_REGIONS_H

#include "four_pixels.h"
#include "rounded.h"
#include "walk.h"

namespace symc::ref {

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

// The frame of a region of roi_align, or of its gradient, and its windows; a status other than OK
// where the run must end. `data` and `output` are those of roi_align, or their gradients.
template <class E, class Params>
int32_t align_frame(const Params &params, const typename E::Storage *roi, const symc_tensor &data,
                    const symc_tensor &output, Frame<typename E::Number> &frame) {
  using N = typename E::Number;
  const N scale = N(float(params.spatial_scale)), shift = params.aligned ? N(0.5) : N(0);
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
  return frame.cut(output, params.sample_ratio) ? SYMC_STATUS_OK : refuse(Refusal::POINTS);
}

//===----------------------------------------------------------------------===//
// Windows of whole pixels
//===----------------------------------------------------------------------===//

// A region with whole corners, whose last pixel belongs to it.
template <class E> struct Pixels {
  using N = typename E::Number;
  N start[2], extent[2], step[2]; // along y, then x

  Pixels(const typename E::Storage *roi, N scale, N shift, int64_t windows) {
    auto corner = [&](N value, double more) {
      N pixel = rounded<E>(__builtin_round(double(value)) + more);
      return rounded<E>(rounded<E>(pixel * rounded<E>(scale)) - shift);
    };
    for (int axis = 0; axis < 2; ++axis) {
      start[axis] = corner(E::load(roi[2 - axis]), 0);
      N end = corner(E::load(roi[4 - axis]), 1);
      extent[axis] = most(rounded<E>(end - start[axis]), rounded<E>(N(0.1)));
      step[axis] = rounded<E>(extent[axis] / N(windows));
    }
  }
};

// The channel that a window of output channel `channel` reads.
inline int64_t group_channel(int64_t channel, int64_t groups, const int64_t *at,
                             const symc_tensor &output) {
  int64_t row = at[2] * groups / output.shape[2], column = at[3] * groups / output.shape[3];
  return (channel * groups + row) * groups + column;
}

// The window of one place of psroi_pooling's result, or of the gradient of that.
template <class E> struct SensitiveWindow {
  int64_t image, channel, begin[2], end[2]; // along y, then x

  template <class Params>
  SensitiveWindow(const symc_tensor &data, const symc_tensor &rois, const Params &params,
                  const symc_tensor &result, const int64_t *at) {
    using N = typename E::Number;
    const auto *roi = data_of<E>(rois) + at[0] * 5;
    image = image_of<E>(roi, data);
    channel = group_channel(at[1], params.group_size ? params.group_size : params.pooled_size, at,
                            result);
    Pixels<E> region(roi, N(float(params.spatial_scale)), 0, params.pooled_size);
    for (int axis = 0; axis < 2; ++axis) {
      N first = N(at[2 + axis]) * region.step[axis] + region.start[axis];
      N last = N(at[2 + axis] + 1) * region.step[axis] + region.start[axis];
      begin[axis] = whole(__builtin_floor(double(first)), 0, data.shape[2 + axis]);
      end[axis] = whole(__builtin_ceil(double(last)), 0, data.shape[2 + axis]);
    }
  }
  bool has_pixels() const { return image >= 0 && end[0] > begin[0] && end[1] > begin[1]; }
  int64_t count() const { return (end[0] - begin[0]) * (end[1] - begin[1]); }

  // Calls body(pixel) for each pixel of the window in its plane.
  template <class Body> void each_pixel(const symc_tensor &data, const Body &body) const {
    for (int64_t y = begin[0]; y < end[0]; ++y)
      for (int64_t x = begin[1]; x < end[1]; ++x)
        body(y * data.shape[3] + x);
  }
};

// The window that trans moves of one place of deformable_psroi_pooling's result, or of the gradient
// of that.
template <class E> struct MovedWindow {
  using N = typename E::Number;
  int64_t image, channel;          // of data; image -1: none
  int64_t moves[2];                // the elements of trans that move it along y and x
  int64_t rows, columns, points;   // of the image; along each axis
  N start[2], step[2], extents[2]; // along y and x; extents of the region

  // `trans`: null where nothing moves.
  template <class Params>
  MovedWindow(const symc_tensor &data, const symc_tensor &rois, const symc_tensor *trans,
              const Params &params, const symc_tensor &output, const int64_t *at) {
    const int64_t pooled = params.pooled_size, parts = params.part_size ? params.part_size : pooled;
    const auto *roi = data_of<E>(rois) + at[0] * 5;
    image = image_of<E>(roi, data);
    channel = group_channel(at[1], params.group_size, at, output);
    rows = data.shape[2];
    columns = data.shape[3];
    points = params.sample_per_part;
    Pixels<E> region(roi, N(float(params.spatial_scale)), N(0.5), pooled);
    int64_t classes = trans ? trans->shape[1] / 2 : 1;
    int64_t first = (at[0] * classes + at[1] / (params.output_dim / classes)) * 2;
    for (int axis = 0; axis < 2; ++axis) {
      start[axis] =
          rounded<E>(rounded<E>(N(at[2 + axis]) * region.step[axis]) + region.start[axis]);
      step[axis] = rounded<E>(region.step[axis] / N(points));
      extents[axis] = region.extent[axis];
      int64_t part[2];
      for (int i = 0; i < 2; ++i)
        part[i] = whole(double(N(at[2 + i]) / N(pooled) * N(parts)), 0, parts - 1);
      moves[axis] = ((first + (axis == 0 ? 1 : 0)) * parts + part[0]) * parts + part[1]; // x first
      if (!trans)
        continue;
      N by = rounded<E>(E::load(data_of<E>(*trans)[moves[axis]]) *
                        rounded<E>(float(params.trans_std)));
      start[axis] = rounded<E>(start[axis] + rounded<E>(by * extents[axis]));
    }
  }

  // Calls body(y, x) for each point that lies in the image, half a pixel around it included; the
  // place is clipped to it.
  template <class Body> void each_point(const Body &body) const {
    const int64_t extent[2] = {rows, columns};
    for (int64_t i = 0; i < points * points; ++i) {
      N at[2] = {rounded<E>(start[0] + rounded<E>(N(i / points) * step[0])),
                 rounded<E>(start[1] + rounded<E>(N(i % points) * step[1]))};
      bool inside = true;
      for (int axis = 0; axis < 2; ++axis) {
        inside = inside && at[axis] >= N(-0.5) && at[axis] <= N(extent[axis]) - N(0.5);
        at[axis] =
            most(at[axis], N(0)) < N(extent[axis] - 1) ? most(at[axis], N(0)) : N(extent[axis] - 1);
      }
      if (inside)
        body(at[0], at[1]);
    }
  }
};

//===----------------------------------------------------------------------===//
// Windows of roi_pooling
//===----------------------------------------------------------------------===//

// First and last + 1 of window `i` of `count` over a region, clipped to the image.
template <class N> struct Bin {
  int64_t begin, end;
  Bin(int64_t i, int64_t count, int64_t start, int64_t size, int64_t extent) {
    N step = N(size) / N(count);
    begin = start + int64_t(N(__builtin_floor(double(N(i) * step))));
    end = start + int64_t(N(__builtin_ceil(double(N(i + 1) * step))));
    begin = begin < 0 ? 0 : begin > extent ? extent : begin;
    end = end < 0 ? 0 : end > extent ? extent : end;
  }
};

// The pixels of one place of roi_pooling's result (row, column), or of the gradient of that.
template <class E> struct PooledPixels {
  using N = typename E::Number;
  int64_t image;   // -1: none, no pixels
  int64_t columns; // of the image
  Bin<N> y, x;

  PooledPixels(const typename E::Storage *roi, N scale, const symc_tensor &data,
               const symc_tensor &output, int64_t row, int64_t column)
      : PooledPixels(integer_of(E::load(roi[0])), Corner(roi, scale, 0), Corner(roi, scale, 1),
                     data, output, row, column) {}

  bool has_pixels() const { return image >= 0 && y.end > y.begin && x.end > x.begin; }
  // The first greatest pixel of a plane of the image.
  int64_t greatest(const typename E::Storage *plane) const {
    int64_t best = y.begin * columns + x.begin;
    N value = E::load(plane[best]);
    for (int64_t row = y.begin; row < y.end; ++row)
      for (int64_t column = x.begin; column < x.end; ++column)
        if (N other = E::load(plane[row * columns + column]); other > value) {
          value = other;
          best = row * columns + column;
        }
    return best;
  }

private:
  // A region along x (0) or y (1): its first pixel, and how many it has, at least one.
  struct Corner {
    int64_t first, count;
    Corner(const typename E::Storage *roi, N scale, int axis) {
      first = place(E::load(roi[1 + axis]) * scale);
      count = place(E::load(roi[3 + axis]) * scale) - first + 1;
      count = count < 1 ? 1 : count;
    }
    static int64_t place(N value) {
      const int64_t far = int64_t(1) << 30; // no image reaches so far, and sums of it are numbers
      int64_t place = integer_of(__builtin_round(double(value)));
      return place < -far ? -far : place > far ? far : place;
    }
  };
  PooledPixels(int64_t item, const Corner &along, const Corner &down, const symc_tensor &data,
               const symc_tensor &output, int64_t row, int64_t column)
      : image(item >= 0 && item < data.shape[0] ? item : -1), columns(data.shape[3]),
        y(row, output.shape[2], down.first, down.count, data.shape[2]),
        x(column, output.shape[3], along.first, along.count, data.shape[3]) {}
};

} // namespace symc::ref

#endif // SYMC_RUNTIME_KERNELS_REFERENCE_REGIONS_H
