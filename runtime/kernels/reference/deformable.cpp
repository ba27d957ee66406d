// deformable.cpp: reference kernels of deformable convolutions, of the columns they are made of,
// and of correlation. Where a tap lies is computed in the arithmetic of data's type; sums
// are kept in double.
#include "symc/generated/op_params/Deformable.h"
#include "four_pixels.h"
#include "pixels.h"
#include "walk.h"

using namespace symc::ref;

namespace {

inline int64_t element(const symc_i64s &values, int64_t i, int64_t otherwise) {
  return values.n ? values.v[i] : otherwise;
}

// A point of which pixels that are 0 lie at -1, and a factor of its value.
template <class N> struct Sample : FourPixels<N> {
  N factor = 1;

  Sample() : FourPixels<N>{{-1, -1, -1, -1}, {}} {}
  bool is_inside() const {
    return this->at[0] >= 0 && this->at[1] >= 0 && this->at[2] >= 0 && this->at[3] >= 0;
  }
  // The point (y, x) with the last row and column repeated beyond the image.
  static Sample clipped(int64_t rows, int64_t columns, N y, N x) {
    Sample sample;
    if (!(y >= 0 && x >= 0 && y < N(rows) && x < N(columns)))
      return sample;
    int64_t top = int64_t(y), left = int64_t(x);
    top = top < rows ? top : rows - 1; // a large extent is rounded up in a float
    left = left < columns ? left : columns - 1;
    int64_t bottom = top + 1 < rows ? top + 1 : top, right = left + 1 < columns ? left + 1 : left;
    sample.mix(bottom > top ? y - N(top) : N(0), right > left ? x - N(left) : N(0));
    for (int i = 0; i < 4; ++i)
      sample.at[i] = (i < 2 ? top : bottom) * columns + (i % 2 ? right : left);
    return sample;
  }
  // The point (y, x) with zeros around the image.
  static Sample padded(int64_t rows, int64_t columns, N y, N x) {
    Sample sample;
    if (!(y > -1 && x > -1 && y < N(rows) && x < N(columns)))
      return sample;
    int64_t top = int64_t(__builtin_floor(double(y))), left = int64_t(__builtin_floor(double(x)));
    sample.mix(y - N(top), x - N(left));
    for (int i = 0; i < 4; ++i) {
      int64_t row = top + i / 2, column = left + i % 2;
      bool inside = row >= 0 && column >= 0 && row < rows && column < columns;
      sample.at[i] = inside ? row * columns + column : -1;
    }
    return sample;
  }
  template <class E> N sampled(const typename E::Storage *plane) const {
    if (is_inside())
      return this->template value<E>(plane) * factor;
    N sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += this->part[i] * (this->at[i] < 0 ? N(0) : N(E::load(plane[this->at[i]])));
    return sum * factor;
  }
};

// The moved taps of a deformable convolution.
template <class E> struct Taps {
  using N = typename E::Number;
  const symc_tensor &data, &offset;
  const symc_tensor *mask;
  int64_t kernel[2], stride[2], dilate[2], pad[2], groups;
  int64_t rows, columns, out_rows, out_columns;

  template <class Params>
  Taps(const symc_kernel_args *args, const Params &params, bool masked)
      : data(args->inputs[0]), offset(args->inputs[1]), mask(masked ? &args->inputs[2] : nullptr),
        groups(params.num_deformable_group), rows(data.shape[2]), columns(data.shape[3]),
        out_rows(offset.shape[2]), out_columns(offset.shape[3]) {
    for (int i = 0; i < 2; ++i) {
      kernel[i] = params.kernel.v[i];
      stride[i] = element(params.stride, i, 1);
      dilate[i] = element(params.dilate, i, 1);
      pad[i] = element(params.pad, i, 0);
    }
  }
  int64_t count() const { return kernel[0] * kernel[1]; }

  // Where tap `tap` of a group's channels lies for one place of output, and its factor.
  Sample<N> sample(int64_t item, int64_t group, int64_t tap, int64_t row, int64_t column) const {
    int64_t plane = out_rows * out_columns, place = row * out_columns + column;
    int64_t first = (item * groups + group) * count() + tap;
    const auto *move = data_of<E>(offset) + first * 2 * plane + place;
    N y = N(row * stride[0] - pad[0] + tap / kernel[1] * dilate[0]) + E::load(move[0]);
    N x = N(column * stride[1] - pad[1] + tap % kernel[1] * dilate[1]) + E::load(move[plane]);
    if (!mask)
      return Sample<N>::clipped(rows, columns, y, x);
    Sample<N> padded = Sample<N>::padded(rows, columns, y, x);
    padded.factor = E::load(data_of<E>(*mask)[first * plane + place]);
    return padded;
  }
  int64_t group_channels() const { return data.shape[1] / groups; }
  // Tap `tap` of channel `channel` for one place of output.
  N at(int64_t item, int64_t channel, int64_t tap, int64_t row, int64_t column) const {
    return sample(item, channel / group_channels(), tap, row, column)
        .template sampled<E>(data_of<E>(data) + (item * data.shape[1] + channel) * rows * columns);
  }
};

// The values of a sample of `width` channels, which lie side by side in each pixel; `zeros` stands
// for one beyond the image.
template <class E, class N>
void sample_pixels(const Sample<N> &sample, const typename E::Storage *pixels, int64_t channels,
                   int64_t width, const typename E::Storage *zeros, typename E::Storage *out) {
  const typename E::Storage *four[4];
  for (int i = 0; i < 4; ++i)
    four[i] = sample.at[i] < 0 ? zeros : pixels + sample.at[i] * channels;
  for (int64_t c = 0; c < width; ++c)
    out[c] = E::store(sample.template value<E>(four, c) * sample.factor);
}

// A row of one tap for `channels` channels of a group, whose pixels begin at `pixels` and are
// `apart` elements apart; `out` is the row in the first channel's plane, the next one's lies
// `plane` behind.
template <class E, class At>
void sample_row(int64_t length, int64_t channels, const typename E::Storage *pixels, int64_t apart,
                typename E::Storage *out, int64_t plane, At at) {
  const typename E::Storage zeros[kChannelsOfPixels] = {};
  typename E::Storage lines[kSquareSide * kChannelsOfPixels];
  for (int64_t begin = 0; begin < length; begin += kSquareSide) {
    int64_t many = length - begin < kSquareSide ? length - begin : kSquareSide;
    Sample<typename E::Number> samples[kSquareSide];
    for (int64_t i = 0; i < many; ++i)
      samples[i] = at(begin + i);
    for (int64_t c = 0; c < channels; c += kChannelsOfPixels) {
      int64_t width = channels - c < kChannelsOfPixels ? channels - c : kChannelsOfPixels;
      for (int64_t i = 0; i < many; ++i)
        if (width == kChannelsOfPixels) // a number that compilers know
          sample_pixels<E>(samples[i], pixels + c, apart, kChannelsOfPixels, zeros,
                           lines + i * kChannelsOfPixels);
        else
          sample_pixels<E>(samples[i], pixels + c, apart, width, zeros,
                           lines + i * kChannelsOfPixels);
      write_planes(lines, width, many, out + c * plane + begin, plane);
    }
  }
}

// A row of one tap is sampled in pieces: its places are worked out once for all channels.
template <class E> int32_t deformable_columns(const symc_kernel_args *args) {
  using N = typename E::Number;
  Taps<E> taps(args, params_of<symc_deformable_columns_params>(args), args->n_inputs > 2);
  const symc_tensor &output = args->outputs[0];
  int64_t channels = taps.group_channels(), count = taps.count(), image = taps.rows * taps.columns;
  int64_t length = output.shape[3], plane = output.shape[2] * length;
  const int64_t each[4] = {output.shape[0], taps.groups, count, output.shape[2]};
  symc_kernel_args rest;
  if (const auto *pixels = lay_pixels<E>(args, 0, rest))
    return each_place(args, 4, each, length * (16 + channels), [&](const Walk &o, int64_t) {
      int64_t c = o.at[1] * channels, all = taps.data.shape[1];
      auto *out =
          target_of<E>(output) + ((o.at[0] * all + c) * count + o.at[2]) * plane + o.at[3] * length;
      sample_row<E>(
          length, channels, pixels + o.at[0] * image * all + c, all, out, count * plane,
          [&](int64_t column) { return taps.sample(o.at[0], o.at[1], o.at[2], o.at[3], column); });
    });
  return each_place(args, 4, each, length * (16 + 4 * channels), [&](const Walk &o, int64_t) {
    constexpr int64_t kTogether = kOnDevice ? 1 : 64;
    Sample<N> samples[kTogether];
    for (int64_t begin = 0; begin < length; begin += kTogether) {
      int64_t many = length - begin < kTogether ? length - begin : kTogether;
      for (int64_t i = 0; i < many; ++i)
        samples[i] = taps.sample(o.at[0], o.at[1], o.at[2], o.at[3], begin + i);
      for (int64_t c = o.at[0] * output.shape[1] / count + o.at[1] * channels, last = c + channels;
           c < last; ++c) {
        const auto *from = data_of<E>(taps.data) + c * image;
        auto *out = target_of<E>(output) + (c * count + o.at[2]) * plane + o.at[3] * length + begin;
        for (int64_t i = 0; i < many; ++i)
          out[i] = E::store(samples[i].template sampled<E>(from));
      }
    }
  });
}

// The column of taps of one place, then its product with each filter of each group.
template <class E, class Params> int32_t convolve(const symc_kernel_args *args, bool masked) {
  const auto &params = params_of<Params>(args);
  Taps<E> taps(args, params, masked);
  const symc_tensor &output = args->outputs[0];
  const int32_t weight = masked ? 3 : 2;
  const auto *filters = data_of<E>(args->inputs[weight]);
  const auto *bias = args->n_inputs > weight + 1 ? data_of<E>(args->inputs[weight + 1]) : nullptr;
  int64_t channels = taps.data.shape[1], length = channels * taps.count();
  int64_t outputs = output.shape[1], part = length / params.num_group;
  int64_t plane = taps.out_rows * taps.out_columns;
  auto *column = static_cast<double *>(args->scratch);
  if constexpr (kOnDevice) {
    each_in(4, output.shape, [&](const Walk &o, int64_t element) {
      int64_t f = o.at[1], first = f / (outputs / params.num_group) * part;
      double sum = bias ? double(E::load(bias[f])) : 0;
      for (int64_t i = 0; i < part; ++i)
        sum += double(taps.at(o.at[0], (first + i) / taps.count(), (first + i) % taps.count(),
                              o.at[2], o.at[3])) *
               double(E::load(filters[f * part + i]));
      target_of<E>(output)[element] = E::store(sum);
    });
    return SYMC_STATUS_OK;
  }
  if (length * int64_t(sizeof(double)) > args->scratch_bytes)
    return refuse(Refusal::SCRATCH);
  for (int64_t item = 0; item < output.shape[0]; ++item)
    for (int64_t place = 0; place < plane; ++place) {
      for (int64_t i = 0; i < length; ++i)
        column[i] = double(taps.at(item, i / taps.count(), i % taps.count(),
                                   place / taps.out_columns, place % taps.out_columns));
      for (int64_t f = 0; f < outputs; ++f) {
        const double *first = column + f / (outputs / params.num_group) * part;
        double sum = bias ? double(E::load(bias[f])) : 0;
        for (int64_t i = 0; i < part; ++i)
          sum += first[i] * double(E::load(filters[f * part + i]));
        target_of<E>(output)[(item * outputs + f) * plane + place] = E::store(sum);
      }
    }
  return SYMC_STATUS_OK;
}

template <class E> int32_t deformable_convolution(const symc_kernel_args *args) {
  return convolve<E, symc_deformable_convolution_params>(args, false);
}
template <class E> int32_t modulated_deformable_convolution(const symc_kernel_args *args) {
  return convolve<E, symc_modulated_deformable_convolution_params>(args, true);
}

// One row of output's sums for one tap of one channel. `a` and `b` are rows of the images, null
// outside; an element of them lies at o * stride + a_first (b_first), and is 0 outside.
template <class E>
void add_row(double *sums, int64_t count, int64_t stride, const typename E::Storage *a,
             int64_t a_first, const typename E::Storage *b, int64_t b_first, int64_t columns,
             bool multiply) {
  auto at = [&](const typename E::Storage *row, int64_t x) {
    return row && x >= 0 && x < columns ? double(E::load(row[x])) : 0.0;
  };
  // Where both lie inside: o * stride + lower >= 0 and o * stride + upper < columns.
  int64_t lower = a_first < b_first ? a_first : b_first,
          upper = a_first < b_first ? b_first : a_first;
  int64_t begin = lower < 0 ? (-lower + stride - 1) / stride : 0;
  int64_t end = upper < columns ? (columns - upper + stride - 1) / stride : 0;
  begin = a && b && begin < count ? begin : count;
  end = end < begin ? begin : end < count ? end : count;
  for (int64_t o = begin; o < end; ++o) {
    double x = double(E::load(a[o * stride + a_first])),
           y = double(E::load(b[o * stride + b_first]));
    sums[o] += multiply ? x * y : __builtin_fabs(x - y);
  }
  for (int64_t o = 0; !multiply && o < count; o = o + 1 == begin ? end : o + 1)
    if (o < begin || o >= end)
      sums[o] += __builtin_fabs(at(a, o * stride + a_first) - at(b, o * stride + b_first));
}

template <class E> int32_t correlation(const symc_kernel_args *args) {
  const auto &params = params_of<symc_correlation_params>(args);
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  int64_t channels = data.shape[1], rows = data.shape[2], columns = data.shape[3];
  int64_t kernel = params.kernel_size, radius = params.max_displacement / params.stride2;
  int64_t places = 2 * radius + 1, taps = kernel * kernel, count = output.shape[3];
  const auto *first = data_of<E>(data), *second = data_of<E>(args->inputs[1]);
  auto *out = target_of<E>(output);
  auto *sums = static_cast<double *>(args->scratch);
  if constexpr (kOnDevice) {
    each_in(4, output.shape, [&](const Walk &o, int64_t element) {
      int64_t down = (o.at[1] / places - radius) * params.stride2;
      int64_t along = (o.at[1] % places - radius) * params.stride2;
      double sum = 0;
      for (int64_t i = 0; i < channels * taps; ++i) {
        int64_t plane = (o.at[0] * channels + i / taps) * rows * columns;
        int64_t y = o.at[2] * params.stride1 + params.max_displacement + i % taps / kernel -
                    params.pad_size;
        int64_t x =
            o.at[3] * params.stride1 + params.max_displacement + i % kernel - params.pad_size;
        auto inside = [=](int64_t row, int64_t column) {
          return row >= 0 && row < rows && column >= 0 && column < columns;
        };
        bool has_a = inside(y, x), has_b = inside(y + down, x + along);
        double a = has_a ? double(E::load(first[plane + y * columns + x])) : 0,
               b = has_b ? double(E::load(second[plane + (y + down) * columns + x + along])) : 0;
        if (!params.is_multiply)
          sum += __builtin_fabs(a - b);
        else if (has_a && has_b)
          sum += a * b;
      }
      out[element] = E::store(sum / double(taps * channels));
    });
    return SYMC_STATUS_OK;
  }
  if (count * int64_t(sizeof(double)) > args->scratch_bytes)
    return refuse(Refusal::SCRATCH);
  for (Walk o(3, output.shape); o.more; o.step()) {
    int64_t down = (o.at[1] / places - radius) * params.stride2;
    int64_t along = (o.at[1] % places - radius) * params.stride2;
    for (int64_t i = 0; i < count; ++i)
      sums[i] = 0;
    for (int64_t i = 0; i < channels * taps; ++i) {
      int64_t plane = (o.at[0] * channels + i / taps) * rows * columns;
      int64_t y =
          o.at[2] * params.stride1 + params.max_displacement + i % taps / kernel - params.pad_size;
      int64_t x = params.max_displacement + i % kernel - params.pad_size;
      const auto *a = y >= 0 && y < rows ? first + plane + y * columns : nullptr;
      const auto *b =
          y + down >= 0 && y + down < rows ? second + plane + (y + down) * columns : nullptr;
      add_row<E>(sums, count, params.stride1, a, x, b, x + along, columns, params.is_multiply);
    }
    for (int64_t i = 0; i < count; ++i)
      *out++ = E::store(sums[i] / double(taps * channels));
  }
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(deformable_columns, deformable_columns)
SYMC_REFERENCE_FLOATS(deformable_convolution, deformable_convolution)
SYMC_REFERENCE_FLOATS(modulated_deformable_convolution, modulated_deformable_convolution)
SYMC_REFERENCE_FLOATS(correlation, correlation)

SYMC_ON_GRID(deformable_columns, deformable_convolution, modulated_deformable_convolution)
SYMC_ON_GRID(correlation)
