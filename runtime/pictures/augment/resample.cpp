// resample.cpp: see resample.h. A pixel of the new picture is a weighted sum of `taps` pixels of
// the old one along each axis; weights are 11 bits, as OpenCV's. Rows are summed first, in vectors.
#include "resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

namespace symc {

static constexpr int weightBits = 11, one = 1 << weightBits;

namespace {
// Which pixels of an axis make the new ones.
struct Axis {
  int64_t taps = 0;
  int32_t *places = nullptr, *weights = nullptr; // taps of each new pixel
  ~Axis() { free(places); }
};
} // namespace

// Weights of the pixels around a place that lies `part` behind number 0 of them.
static void cubic(double part, double *weights) {
  constexpr double a = -0.75; // as OpenCV
  double far = part + 1, left = 1 - part;
  weights[0] = ((a * far - 5 * a) * far + 8 * a) * far - 4 * a;
  weights[1] = ((a + 2) * part - (a + 3)) * part * part + 1;
  weights[2] = ((a + 2) * left - (a + 3)) * left * left + 1;
  weights[3] = 1 - weights[0] - weights[1] - weights[2];
}

static void lanczos(double part, double *weights) {
  constexpr double pi = 3.14159265358979323846;
  double sum = 0;
  for (int i = 0; i < 8; ++i) {
    double x = (part + 3 - i) * pi;
    weights[i] = fabs(x) < 1e-9 ? 1 : 4 * sin(x) * sin(x / 4) / (x * x);
    sum += weights[i];
  }
  for (int i = 0; i < 8; ++i)
    weights[i] /= sum;
}

static bool make_axis(int64_t source, int64_t target, Interpolation way, Axis &axis) {
  double scale = double(source) / double(target);
  bool grows = target >= source;
  if (way == Interpolation::Area && grows)
    way = Interpolation::Linear;
  int64_t before = 0; // pixels before the place
  switch (way) {
  case Interpolation::Nearest:
    axis.taps = 1;
    break;
  case Interpolation::Cubic:
    axis.taps = 4, before = 1;
    break;
  case Interpolation::Lanczos:
    axis.taps = 8, before = 3;
    break;
  case Interpolation::Area:
    axis.taps = int64_t(ceil(scale)) + 1;
    break;
  default:
    axis.taps = 2;
  }
  size_t numbers = size_t(target * axis.taps);
  axis.places = static_cast<int32_t *>(malloc(2 * numbers * sizeof(int32_t)));
  double *weights = static_cast<double *>(malloc(size_t(axis.taps) * sizeof(double)));
  if (!axis.places || !weights) {
    free(weights);
    return false;
  }
  axis.weights = axis.places + numbers;
  for (int64_t i = 0; i < target; ++i) {
    double place = (double(i) + 0.5) * scale - 0.5, floored = floor(place), part = place - floored;
    int64_t first = int64_t(floored) - before;
    if (way == Interpolation::Nearest) {
      first = int64_t(floor(double(i) * (1 / (double(target) / double(source))))); // OpenCV's way
      weights[0] = 1;
    } else if (way == Interpolation::Cubic) {
      cubic(part, weights);
    } else if (way == Interpolation::Lanczos) {
      lanczos(part, weights);
    } else if (way == Interpolation::Area) {
      double begin = double(i) * scale, end = begin + scale;
      first = int64_t(floor(begin));
      for (int64_t k = 0; k < axis.taps; ++k) {
        double low = fmax(begin, double(first + k)), high = fmin(end, double(first + k + 1));
        weights[k] = high > low ? (high - low) / scale : 0;
      }
    } else {
      weights[0] = 1 - part;
      weights[1] = part;
    }
    double sum = 0;
    for (int64_t k = 0; k < axis.taps; ++k) { // rounded so that they make up one
      int64_t at = first + k;
      axis.places[i * axis.taps + k] = int32_t(at < 0 ? 0 : at >= source ? source - 1 : at);
      double next = k + 1 == axis.taps ? 1 : sum + weights[k];
      axis.weights[i * axis.taps + k] = int32_t(floor(next * one + 0.5) - floor(sum * one + 0.5));
      sum = next;
    }
  }
  free(weights);
  return true;
}

static uint8_t byte_of(int32_t sum) {
  int32_t value = (sum + (1 << (2 * weightBits - 1))) >> (2 * weightBits);
  return uint8_t(value < 0 ? 0 : value > 255 ? 255 : value);
}

bool resize_pixels(const PixelView &from, int64_t height, int64_t width, Interpolation way,
                   uint8_t *to) {
  int64_t channels = from.channels, across = from.width * channels;
  if (height == from.height && width == from.width) {
    for (int64_t y = 0; y < height; ++y)
      memcpy(to + y * across, from.pixels + y * from.stride, size_t(across));
    return true;
  }
  if (way == Interpolation::Fitting)
    way = height > from.height && width > from.width   ? Interpolation::Cubic
          : height < from.height && width < from.width ? Interpolation::Area
                                                       : Interpolation::Linear;
  if (way == Interpolation::Area && (height > from.height || width > from.width))
    way = Interpolation::Linear;
  Axis rows, columns;
  int32_t *sums = static_cast<int32_t *>(malloc(size_t(across) * sizeof(int32_t)));
  bool made = sums && make_axis(from.height, height, way, rows) &&
              make_axis(from.width, width, way, columns);
  for (int64_t y = 0; made && y < height; ++y) {
    for (int64_t k = 0; k < rows.taps; ++k) {
      const uint8_t *row = from.pixels + rows.places[y * rows.taps + k] * from.stride;
      int32_t weight = rows.weights[y * rows.taps + k];
      if (k == 0)
        for (int64_t i = 0; i < across; ++i)
          sums[i] = row[i] * weight;
      else
        for (int64_t i = 0; i < across; ++i)
          sums[i] += row[i] * weight;
    }
    uint8_t *out = to + y * width * channels;
    const int32_t *places = columns.places, *weights = columns.weights;
    for (int64_t x = 0; x < width; ++x, places += columns.taps, weights += columns.taps)
      for (int64_t c = 0; c < channels; ++c) {
        int32_t sum = 0;
        for (int64_t k = 0; k < columns.taps; ++k)
          sum += sums[places[k] * channels + c] * weights[k];
        *out++ = byte_of(sum);
      }
  }
  free(sums);
  return made;
}

bool warp_pixels(const PixelView &from, const double map[6], int64_t height, int64_t width,
                 bool nearest, uint8_t fill, uint8_t *to) {
  double determinant = map[0] * map[4] - map[1] * map[3];
  if (!(fabs(determinant) > 1e-12))
    return false;
  double a = map[4] / determinant, b = -map[1] / determinant;
  double d = -map[3] / determinant, e = map[0] / determinant;
  double c = -(a * map[2] + b * map[5]), f = -(d * map[2] + e * map[5]);
  int64_t channels = from.channels;
  // Places are counted in parts of 1,024, and used in parts of 32.
  auto fixed = [](double value) { return int64_t(llrint(value * 1024)); };
  for (int64_t y = 0; y < height; ++y) {
    int64_t beginX = fixed(b * double(y) + c), beginY = fixed(e * double(y) + f);
    for (int64_t x = 0; x < width; ++x, to += channels) {
      int64_t placeX = beginX + fixed(a * double(x)), placeY = beginY + fixed(d * double(x));
      if (nearest) {
        int64_t column = (placeX + 512) >> 10, row = (placeY + 512) >> 10;
        bool inside = column >= 0 && column < from.width && row >= 0 && row < from.height;
        for (int64_t k = 0; k < channels; ++k)
          to[k] = inside ? from.pixels[row * from.stride + column * channels + k] : fill;
        continue;
      }
      placeX = (placeX + 16) >> 5;
      placeY = (placeY + 16) >> 5;
      int64_t column = placeX >> 5, row = placeY >> 5, right = placeX & 31, lower = placeY & 31;
      for (int64_t k = 0; k < channels; ++k) {
        auto at = [&](int64_t i, int64_t j) -> int64_t {
          bool inside = j >= 0 && j < from.width && i >= 0 && i < from.height;
          return inside ? from.pixels[i * from.stride + j * channels + k] : fill;
        };
        int64_t sum = at(row, column) * (32 - right) * (32 - lower) +
                      at(row, column + 1) * right * (32 - lower) +
                      at(row + 1, column) * (32 - right) * lower +
                      at(row + 1, column + 1) * right * lower;
        to[k] = uint8_t((sum + 512) >> 10);
      }
    }
  }
  return true;
}

} // namespace symc
