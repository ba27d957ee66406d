// deformable_gradient.cpp: reference kernels of the gradients of moved taps and of correlation.
// Where taps lie and which pixels are compared stands in taps.h and correlation.h. A plane of an
// image is one task's, which goes through what adds to it in a fixed order: sums are the same bits
// for any number of threads.
#include "correlation.h"
#include "symc/generated/op_params/Deformable.h"
#include "taps.h"

using namespace symc::ref;

namespace {

template <class E> void fill_zeros(typename E::Storage *values, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    values[i] = E::store(typename E::Number(0));
}

template <class E> void add(typename E::Storage &sum, typename E::Number value) {
  sum = E::store(E::load(sum) + value);
}

// Pixels get their parts of the taps around them. `slopes`: [N, C*taps, oH, oW].
template <class E>
int32_t gradient_of_pixels(const symc_kernel_args *args, const Taps<E> &taps,
                           const typename E::Storage *slopes) {
  const symc_tensor &output = args->outputs[0];
  const int64_t channels = output.shape[1], count = taps.count();
  const int64_t pixels = taps.rows * taps.columns, places = taps.out_rows * taps.out_columns;
  Rows planes = {output.shape[0] * channels, pixels + 32 * count * places};
  return run_rows(args, planes, [&](const RowRange &range) -> int32_t {
    for (int64_t row = range.first; row < range.end; ++row) {
      auto *plane = target_of<E>(output) + row * pixels;
      fill_zeros<E>(plane, pixels);
      for (int64_t i = 0; i < count * places; ++i) {
        auto sample =
            taps.sample(row / channels, row % channels / taps.group_channels(), i / places,
                        i % places / taps.out_columns, i % places % taps.out_columns);
        const typename E::Number slope = E::load(slopes[row * count * places + i]) * sample.factor;
        for (int k = 0; k < 4; ++k)
          if (sample.at[k] >= 0)
            add<E>(plane[sample.at[k]], sample.part[k] * slope);
      }
    }
    return SYMC_STATUS_OK;
  });
}

// For each tap of a group of channels: the sum over these of the slope at the tap, times what
// change(sample, plane, which) returns for the tap, as element `which` of `changes` behind each
// other.
template <class E, class Change>
int32_t gradient_of_taps(const symc_kernel_args *args, const Taps<E> &taps,
                         const typename E::Storage *slopes, int64_t changes, Change change) {
  using N = typename E::Number;
  const int64_t channels = taps.group_channels(), count = taps.count(), all = taps.data.shape[1];
  const int64_t pixels = taps.rows * taps.columns, places = taps.out_rows * taps.out_columns;
  const int64_t each[4] = {taps.data.shape[0], taps.groups, count, places};
  auto *out = target_of<E>(args->outputs[0]);
  return each_place(args, 4, each, 32 * channels, [&](const Walk &o, int64_t) {
    auto sample = taps.sample(o.at[0], o.at[1], o.at[2], o.at[3] / taps.out_columns,
                              o.at[3] % taps.out_columns);
    for (int64_t which = 0; which < changes; ++which) {
      N sum = 0;
      for (int64_t c = o.at[0] * all + o.at[1] * channels, last = c + channels; c < last; ++c)
        sum += change(sample, data_of<E>(taps.data) + c * pixels, which) *
               E::load(slopes[(c * count + o.at[2]) * places + o.at[3]]);
      int64_t tap = (o.at[0] * taps.groups + o.at[1]) * count + o.at[2];
      out[(tap * changes + which) * places + o.at[3]] = E::store(sum);
    }
  });
}

template <class E> int32_t deformable_columns_gradient(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_deformable_columns_gradient_params>(args);
  const Taps<E> taps(args, params, args->n_inputs > 3 ? &args->inputs[3] : nullptr);
  const auto *slopes = data_of<E>(args->inputs[2]);
  if (params.of == SYMC_DEFORMABLE_COLUMNS_GRADIENT_OF_DATA)
    return gradient_of_pixels<E>(args, taps, slopes);
  if (params.of == SYMC_DEFORMABLE_COLUMNS_GRADIENT_OF_MASK)
    return gradient_of_taps<E>(args, taps, slopes, 1,
                               [](const Sample<N> &sample, const typename E::Storage *plane,
                                  int64_t) { return sample.template unscaled<E>(plane); });
  return gradient_of_taps<E>(args, taps, slopes, 2,
                             [](const Sample<N> &sample, const typename E::Storage *plane,
                                int64_t axis) { return sample.template slope<E>(plane, axis); });
}

template <class E> int32_t correlation_gradient(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_correlation_gradient_params>(args);
  const symc_tensor &gradient = args->inputs[2], &output = args->outputs[0];
  const Comparisons images(params, args->inputs[0]);
  const bool is_second = params.of == SYMC_CORRELATION_GRADIENT_OF_DATA2;
  const int64_t pixels = images.rows * images.columns;
  const int64_t each[4] = {gradient.shape[2], gradient.shape[3], gradient.shape[1], images.taps};
  Rows planes = {output.shape[0] * images.channels, pixels + 8 * product(each, 0, 4)};
  return run_rows(args, planes, [&](const RowRange &range) -> int32_t {
    for (int64_t row = range.first; row < range.end; ++row) {
      auto *plane = target_of<E>(output) + row * pixels;
      const auto *first = data_of<E>(args->inputs[0]) + row * pixels,
                 *second = data_of<E>(args->inputs[1]) + row * pixels;
      fill_zeros<E>(plane, pixels);
      for (Walk o(4, each); o.more; o.step()) {
        int64_t y = images.at(o.at[0], o.at[3] / images.kernel);
        int64_t x = images.at(o.at[1], o.at[3] % images.kernel);
        int64_t other_y = y + images.down(o.at[2]), other_x = x + images.along(o.at[2]);
        bool has_first = images.is_inside(y, x), has_second = images.is_inside(other_y, other_x);
        if (!(is_second ? has_second : has_first))
          continue;
        N a = has_first ? N(E::load(first[y * images.columns + x])) : N(0);
        N b = has_second ? N(E::load(second[other_y * images.columns + other_x])) : N(0);
        N factor = params.is_multiply ? (is_second ? a : b) : (a >= b) == is_second ? N(-1) : N(1);
        int64_t channel = row / images.channels * gradient.shape[1] + o.at[2];
        N slope = E::load(data_of<E>(gradient)[(channel * each[0] + o.at[0]) * each[1] + o.at[1]]);
        add<E>(plane[is_second ? other_y * images.columns + other_x : y * images.columns + x],
               slope * factor / N(images.taps * images.channels));
      }
    }
    return SYMC_STATUS_OK;
  });
}

} // namespace

SYMC_REFERENCE_FLOATS(deformable_columns_gradient, deformable_columns_gradient)
SYMC_REFERENCE_FLOATS(correlation_gradient, correlation_gradient)

SYMC_ON_GRID(deformable_columns_gradient, correlation_gradient)
