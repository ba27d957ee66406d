// image.cpp: reference kernels of operators on pictures [N,] H, W, C. Resampling follows
// OpenCV: pixel centres at halves, edges repeated, 8-bit results rounded.
#include "symc/generated/op_params/Image.h"
#include "colours.h"

using namespace symc::ref;

namespace {

// A picture with its channels last; one picture has items = 1.
struct Picture {
  int64_t items, height, width, channels;
  explicit Picture(const symc_tensor &tensor)
      : items(tensor.rank == 4 ? tensor.shape[0] : 1), height(tensor.shape[tensor.rank - 3]),
        width(tensor.shape[tensor.rank - 2]), channels(tensor.shape[tensor.rank - 1]) {}
  int64_t at(int64_t n, int64_t y, int64_t x, int64_t c) const {
    return ((n * height + y) * width + x) * channels + c;
  }
};

template <class E> int32_t image_to_tensor(const symc_kernel_args *args) {
  Picture in(args->inputs[0]);
  const auto *data = data_of<E>(args->inputs[0]);
  float *out = static_cast<float *>(args->outputs[0].data);
  const int64_t rows[3] = {in.items, in.channels, in.height};
  each_row_in(3, rows, in.width, [&](const Walk &o, int64_t row, int64_t x) {
    out[row * in.width + x] = float(E::load(data[in.at(o.at[0], o.at[2], x, o.at[1])])) / 255.0f;
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t image_normalize(const symc_kernel_args *args) {
  const auto &params = params_of<symc_image_normalize_params>(args);
  const symc_tensor &data = args->inputs[0];
  using N = typename E::Number;
  int64_t channels = data.shape[data.rank - 3];
  int64_t pixels = data.shape[data.rank - 2] * data.shape[data.rank - 1];
  for (int64_t plane = 0; pixels && plane < count_of(data) / pixels; ++plane) {
    int64_t c = plane % channels;
    N mean = N(params.mean.v[params.mean.n == 1 ? 0 : c]),
      std = N(params.std.v[params.std.n == 1 ? 0 : c]);
    const auto *in = data_of<E>(data) + plane * pixels;
    auto *out = target_of<E>(args->outputs[0]) + plane * pixels;
    each_of(pixels, [&](int64_t i) { out[i] = E::store((E::load(in[i]) - mean) / std); });
  }
  return SYMC_STATUS_OK;
}

int32_t image_crop(const symc_kernel_args *args) {
  const auto &params = params_of<symc_image_crop_params>(args);
  Picture in(args->inputs[0]), out(args->outputs[0]);
  if (params.y + out.height > in.height || params.x + out.width > in.width)
    return refuse(Refusal::CROP);
  return move_elements(args->inputs[0], args->outputs[0], [&](const int64_t *place) {
    int32_t spatial = args->outputs[0].rank - 3;
    return in.at(spatial ? place[0] : 0, place[spatial] + params.y, place[spatial + 1] + params.x,
                 place[spatial + 2]);
  });
}

int32_t image_flip(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0];
  int32_t axis = data.rank + int32_t(params_of<symc_image_flip_params>(args).axis);
  int64_t outer = product(data.shape, 0, axis), extent = data.shape[axis];
  int64_t length = product(data.shape, axis + 1, data.rank), each = symc_dtype_bytes(data.dtype);
  const char *from = static_cast<const char *>(data.data);
  char *to = static_cast<char *>(args->outputs[0].data);
  move_runs(outer * extent, length, each, [=](int64_t n) {
    int64_t i = n % extent;
    return Run{to + n * length * each, from + (n - i + extent - 1 - i) * length * each};
  });
  return SYMC_STATUS_OK;
}

enum Interp { kNearest, kBilinear, kBicubic, kArea, kLanczos };

double size_of(double value) { return value < 0 ? -value : value; }

// The pixels along an axis that make one of the result, and their weights. Means by area
// (`shrinks`) have as many as the pixel covers; all others have eight at most.
class Taps {
public:
  int64_t first;
  int64_t count = 1;

  Taps() = default;
  Taps(int64_t to, int64_t from_extent, int64_t to_extent, int64_t interp, bool shrinks)
      : extent(from_extent), scale(double(from_extent) / double(to_extent)),
        covers(interp == kArea && shrinks) {
    double centre = (double(to) + 0.5) * scale - 0.5;
    begin = double(to) * scale;
    first = int64_t(__builtin_floor(interp == kNearest || interp == kArea ? begin : centre));
    if (covers) {
      end = begin + scale < double(extent) ? begin + scale : double(extent);
      count = int64_t(__builtin_ceil(end)) - first;
    } else if (interp == kArea) {
      double t = double(to + 1) - double(first + 1) / scale;
      bilinear(t <= 0 ? 0 : t - __builtin_floor(t));
    } else if (interp == kBilinear) {
      bilinear(centre - double(first));
    } else if (interp == kBicubic) {
      bicubic(centre - double(first));
    } else if (interp == kLanczos) {
      lanczos(centre - double(first));
    }
  }
  bool isPair() const { return count == 2 && !covers; }
  int64_t place(int64_t i) const {
    int64_t at = first + i;
    return at < 0 ? 0 : at >= extent ? extent - 1 : at;
  }
  double weight(int64_t i) const {
    if (!covers)
      return weights[i];
    double low = double(first + i), high = low + 1,
           whole = scale < double(extent) - begin ? scale : double(extent) - begin;
    low = low > begin ? low : begin;
    high = high < end ? high : end;
    return high - low > 1e-3 ? (high - low) / whole : 0; // what OpenCV leaves out, too
  }

private:
  void bilinear(double t) {
    count = 2;
    weights[0] = 1 - t;
    weights[1] = t;
  }
  void bicubic(double t) {
    const double a = -0.75; // the cubic of OpenCV
    count = 4;
    first -= 1;
    weights[0] = ((a * (t + 1) - 5 * a) * (t + 1) + 8 * a) * (t + 1) - 4 * a;
    weights[1] = ((a + 2) * t - (a + 3)) * t * t + 1;
    weights[2] = ((a + 2) * (1 - t) - (a + 3)) * (1 - t) * (1 - t) + 1;
    weights[3] = 1 - weights[0] - weights[1] - weights[2];
  }
  // sin(pi x) sin(pi x / 4) / x^2, made to sum to 1.
  void lanczos(double t) {
    const double pi = 3.141592653589793;
    double sum = 0;
    count = 8;
    first -= 3;
    for (int64_t i = 0; i < count; ++i) {
      double x = t + 3 - double(i);
      weights[i] = size_of(x) < 1e-6 ? pi * pi / 4
                                     : __builtin_sin(pi * x) * __builtin_sin(pi * x / 4) / (x * x);
      sum += weights[i];
    }
    for (double &weight : weights)
      weight /= sum;
  }

  int64_t extent;
  double scale, begin = 0, end = 0, weights[8] = {1};
  bool covers = false;
};

// One pixel of `from`'s picture `in` in all channels: sums over the taps, row by row.
template <class E, class Store>
void resample(const typename E::Storage *in, const Picture &from, const Taps &rows,
              const Taps &columns, typename E::Storage *to, Store store) {
  for (int64_t c = 0; c < from.channels; ++c) {
    double sum = 0;
    for (int64_t i = 0; i < rows.count; ++i)
      for (int64_t j = 0; j < columns.count; ++j)
        sum += rows.weight(i) * columns.weight(j) *
               double(E::load(in[from.at(0, rows.place(i), columns.place(j), c)]));
    to[c] = store(sum);
  }
}

// The same of pixels side by side where two taps each way make one: what lies between two rows is
// found first for all that the pixels reach, and what is alike in all rows once.
struct Pairs {
  static constexpr int64_t kMost = 128, kReach = 512; // elements
  int64_t begin, count;                               // of a row that is reached
  int32_t left[kMost], right[kMost];                  // 32 bits: from there on, below kReach
  double first[kMost], second[kMost];                 // weights
  double between[kReach];

  static int64_t width(const Taps &from, const Taps &to, int64_t channels) {
    return (to.place(1) + 1) * channels - from.place(0) * channels;
  }
  bool reach(const Taps &from, const Taps &to, int64_t channels) {
    begin = from.place(0) * channels;
    count = width(from, to, channels);
    return count <= kReach;
  }
  void set(int64_t element, int64_t channels, const Taps &columns) {
    for (int64_t c = 0; c < channels; ++c, ++element) {
      // 32 bits: below kReach.
      left[element] = int32_t(columns.place(0) * channels + c - begin);
      // 32 bits: below kReach.
      right[element] = int32_t(columns.place(1) * channels + c - begin);
      first[element] = columns.weight(0);
      second[element] = columns.weight(1);
    }
  }
  template <class E, class Store>
  void sum(const typename E::Storage *in, const Picture &from, const Taps &rows, int64_t elements,
           typename E::Storage *to, Store store) {
    const auto *upper = in + from.at(0, rows.place(0), 0, 0) + begin;
    const auto *lower = in + from.at(0, rows.place(1), 0, 0) + begin;
    double above = rows.weight(0), below = rows.weight(1);
    for (int64_t i = 0; i < count; ++i)
      between[i] = above * double(E::load(upper[i])) + below * double(E::load(lower[i]));
    for (int64_t i = 0; i < elements; ++i)
      to[i] = store(first[i] * between[left[i]] + second[i] * between[right[i]]);
  }
};

template <class E> int32_t image_resize(const symc_kernel_args *args) {
  int64_t interp = params_of<symc_image_resize_params>(args).interp;
  if (count_of(args->inputs[0]) == 0)
    return count_of(args->outputs[0]) ? refuse(Refusal::NO_PIXEL) : SYMC_STATUS_OK;
  Picture in(args->inputs[0]), out(args->outputs[0]);
  bool shrinks = in.height >= out.height && in.width >= out.width;
  // OpenCV rounds the means of 2 x 2 bytes up at a half, all others to even.
  bool is_half = interp == kArea && in.height == 2 * out.height && in.width == 2 * out.width &&
                 (in.channels == 1 || in.channels == 3 || in.channels == 4);
  const auto *data = data_of<E>(args->inputs[0]);
  auto *target = target_of<E>(args->outputs[0]);
  auto store = [&](double sum) {
    if constexpr (is_same<E, U8>)
      // 32 bits: a byte.
      return uint8_t(int32_t(!(sum > 0)  ? 0
                             : sum > 255 ? 255
                             : is_half   ? __builtin_floor(sum + 0.5)
                                         : __builtin_rint(sum)));
    else
      return E::store(sum);
  };
  constexpr int64_t kTogether = 32; // pixels of a row whose taps are found once for all rows
  if constexpr (kOnDevice) {
    const int64_t pixels[3] = {out.items, out.height, out.width};
    each_in(3, pixels, [&](const Walk &o, int64_t pixel) {
      Taps rows(o.at[1], in.height, out.height, interp, shrinks),
          columns(o.at[2], in.width, out.width, interp, shrinks);
      const auto *picture = data + in.at(o.at[0], 0, 0, 0);
      auto *to = target + pixel * out.channels;
      int64_t left = o.at[2] / kTogether * kTogether;
      int64_t last = left + kTogether < out.width ? left + kTogether - 1 : out.width - 1;
      bool paired = (last - left + 1) * in.channels <= Pairs::kMost && rows.isPair() &&
                    columns.isPair() &&
                    Pairs::width(Taps(left, in.width, out.width, interp, shrinks),
                                 Taps(last, in.width, out.width, interp, shrinks),
                                 in.channels) <= Pairs::kReach;
      if (!paired)
        return resample<E>(picture, in, rows, columns, to, store);
      for (int64_t c = 0; c < in.channels; ++c) {
        auto between = [&](int64_t tap) {
          auto at = [&](int64_t row) {
            return double(E::load(picture[in.at(0, rows.place(row), columns.place(tap), c)]));
          };
          return rows.weight(0) * at(0) + rows.weight(1) * at(1);
        };
        to[c] = store(columns.weight(0) * between(0) + columns.weight(1) * between(1));
      }
    });
    return SYMC_STATUS_OK;
  }
  Taps along[kTogether];
  Pairs pairs;
  for (int64_t n = 0; n < out.items; ++n)
    for (int64_t left = 0; left < out.width; left += kTogether) {
      int64_t many = out.width - left < kTogether ? out.width - left : kTogether;
      bool paired = many * in.channels <= Pairs::kMost;
      for (int64_t i = 0; i < many; ++i) {
        along[i] = Taps(left + i, in.width, out.width, interp, shrinks);
        paired = paired && along[i].isPair();
      }
      paired = paired && pairs.reach(along[0], along[many - 1], in.channels);
      for (int64_t i = 0; paired && i < many; ++i)
        pairs.set(i * in.channels, in.channels, along[i]);
      for (int64_t y = 0; y < out.height; ++y) {
        Taps rows(y, in.height, out.height, interp, shrinks);
        auto *to = target + out.at(n, y, left, 0);
        if (paired && rows.isPair()) {
          pairs.sum<E>(data + in.at(n, 0, 0, 0), in, rows, many * in.channels, to, store);
          continue;
        }
        for (int64_t x = 0; x < many; ++x, to += out.channels)
          resample<E>(data + in.at(n, 0, 0, 0), in, rows, along[x], to, store);
      }
    }
  return SYMC_STATUS_OK;
}

template <class E> int32_t image_adjust_lighting(const symc_kernel_args *args) {
  // The principal colours: eigenvectors scaled by their eigenvalues.
  static const float colours[3][3] = {{55.46f * -0.5675f, 4.794f * 0.7192f, 1.148f * 0.4009f},
                                      {55.46f * -0.5808f, 4.794f * -0.0045f, 1.148f * -0.8140f},
                                      {55.46f * -0.5836f, 4.794f * -0.6948f, 1.148f * 0.4203f}};
  const symc_tensor &data = args->inputs[0];
  const symc_f64s &alpha = params_of<symc_image_adjust_lighting_params>(args).alpha;
  if (data.shape[2] == 1)
    return copy_elements(data, args->outputs[0]);
  float shift[3];
  for (int c = 0; c < 3; ++c)
    shift[c] = colours[c][0] * float(alpha.v[0]) + colours[c][1] * float(alpha.v[1]) +
               colours[c][2] * float(alpha.v[2]);
  shift_colours<E>(data_of<E>(data), target_of<E>(args->outputs[0]), count_of(data), shift);
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_NUMBERS(image_to_tensor, image_to_tensor)
SYMC_REFERENCE_FLOATS(image_normalize, image_normalize)
SYMC_REFERENCE_ANY(image_crop, image_crop)
SYMC_REFERENCE_ANY(image_flip, image_flip)
SYMC_REFERENCE_NUMBERS(image_resize, image_resize)
SYMC_REFERENCE_NUMBERS(image_adjust_lighting, image_adjust_lighting)

SYMC_ON_GRID(image_to_tensor, image_normalize, image_crop, image_flip, image_resize)
SYMC_ON_GRID(image_adjust_lighting)
