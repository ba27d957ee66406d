// deformable.cpp: reference kernels of deformable convolutions, of the columns they are made of,
// and of correlation. Where a tap lies is computed in the arithmetic of data's type; sums
// are kept in double.
#include "symc/generated/op_params/Deformable.h"
#include "correlation.h"
#include "pixels.h"
#include "taps.h"

using namespace symc::ref;

namespace {

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
        if (width == kChannelsOfPixels) // a number that is constant for compilers
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
  Taps<E> taps(args, params_of<symc_deformable_columns_params>(args),
               args->n_inputs > 2 ? &args->inputs[2] : nullptr);
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
  Taps<E> taps(args, params, masked ? &args->inputs[2] : nullptr);
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
  const symc_tensor &output = args->outputs[0];
  const Comparisons images(params, args->inputs[0]);
  const int64_t rows = images.rows, columns = images.columns, count = output.shape[3];
  const int64_t compared = images.channels * images.taps; // for each element
  const auto *first = data_of<E>(args->inputs[0]), *second = data_of<E>(args->inputs[1]);
  auto *out = target_of<E>(output);
  auto *sums = static_cast<double *>(args->scratch);
  if constexpr (kOnDevice) {
    each_in(4, output.shape, [&](const Walk &o, int64_t element) {
      int64_t down = images.down(o.at[1]), along = images.along(o.at[1]);
      double sum = 0;
      for (int64_t i = 0; i < compared; ++i) {
        int64_t plane = (o.at[0] * images.channels + i / images.taps) * rows * columns;
        int64_t y = images.at(o.at[2], i % images.taps / images.kernel);
        int64_t x = images.at(o.at[3], i % images.kernel);
        bool has_a = images.is_inside(y, x), has_b = images.is_inside(y + down, x + along);
        double a = has_a ? double(E::load(first[plane + y * columns + x])) : 0,
               b = has_b ? double(E::load(second[plane + (y + down) * columns + x + along])) : 0;
        if (!params.is_multiply)
          sum += __builtin_fabs(a - b);
        else if (has_a && has_b)
          sum += a * b;
      }
      out[element] = E::store(sum / double(compared));
    });
    return SYMC_STATUS_OK;
  }
  if (count * int64_t(sizeof(double)) > args->scratch_bytes)
    return refuse(Refusal::SCRATCH);
  for (Walk o(3, output.shape); o.more; o.step()) {
    int64_t down = images.down(o.at[1]), along = images.along(o.at[1]);
    for (int64_t i = 0; i < count; ++i)
      sums[i] = 0;
    for (int64_t i = 0; i < compared; ++i) {
      int64_t plane = (o.at[0] * images.channels + i / images.taps) * rows * columns;
      int64_t y = images.at(o.at[2], i % images.taps / images.kernel);
      int64_t x = images.at(0, i % images.kernel);
      const auto *a = images.has_row(y) ? first + plane + y * columns : nullptr;
      const auto *b = images.has_row(y + down) ? second + plane + (y + down) * columns : nullptr;
      add_row<E>(sums, count, images.stride1, a, x, b, x + along, columns, params.is_multiply);
    }
    for (int64_t i = 0; i < count; ++i)
      *out++ = E::store(sums[i] / double(compared));
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
