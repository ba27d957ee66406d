// sampling_gradient.cpp: reference kernels of the gradients of sampled images. Which pixels a place
// takes stands in sampling.h. A plane of an image is one task's, which goes through the places in
// their order: sums of pixels are the same bits for any number of threads.
#include "sampling.h"
#include "symc/generated/op_params/Vision.h"
#include "walk.h"

using namespace symc::ref;

namespace {

// The gradient of data: pixels get their parts of the places around them.
template <class E, class Place>
int32_t gradient_of_data(const symc_kernel_args *args, Place place) {
  using N = typename E::Number;
  const symc_tensor &gradient = args->inputs[2], &output = args->outputs[0];
  const int64_t rows = output.shape[2], columns = output.shape[3], channels = output.shape[1];
  const int64_t places = gradient.shape[2] * gradient.shape[3];
  Rows planes = {output.shape[0] * channels, rows * columns + 64 * places};
  return run_rows(args, planes, [&](const RowRange &range) -> int32_t {
    for (int64_t row = range.first; row < range.end; ++row) {
      auto *plane = target_of<E>(output) + row * rows * columns;
      const auto *slopes = data_of<E>(gradient) + row * places;
      for (int64_t i = 0; i < rows * columns; ++i)
        plane[i] = E::store(N(0));
      for (int64_t i = 0; i < places; ++i) {
        N to[2];
        place(row / channels, i, to);
        const Around<E> around(rows, columns, to[0], to[1]);
        for (int64_t pixel = 0; pixel < 4; ++pixel)
          if (around.is_inside(pixel)) {
            auto &sum = plane[around.at(pixel)];
            sum = E::store(E::load(sum) +
                           E::load(slopes[i]) * around.row_part(pixel) * around.column_part(pixel));
          }
      }
    }
    return SYMC_STATUS_OK;
  });
}

// The gradients of a place's x and y.
template <class E, class Place>
void gradient_of_place(const symc_kernel_args *args, const Place &place, int64_t n, int64_t i,
                       typename E::Number *result) {
  using N = typename E::Number;
  const symc_tensor &data = args->inputs[0], &gradient = args->inputs[2];
  const int64_t rows = data.shape[2], columns = data.shape[3], channels = data.shape[1];
  const int64_t places = gradient.shape[2] * gradient.shape[3];
  N to[2];
  place(n, i, to);
  const Around<E> around(rows, columns, to[0], to[1]);
  N along = 0, down = 0;
  for (int64_t c = n * channels; c < (n + 1) * channels; ++c) {
    N value[4];
    for (int64_t pixel = 0; pixel < 4; ++pixel)
      value[pixel] = around.is_inside(pixel)
                         ? N(E::load(data_of<E>(data)[c * rows * columns + around.at(pixel)]))
                         : N(0);
    const N slope = E::load(data_of<E>(gradient)[c * places + i]);
    const N twist = value[0] - value[1] - value[2] + value[3];
    down -= slope * (value[1] - value[3] + twist * around.part[1][0]);
    along -= slope * (value[2] - value[3] + twist * around.part[0][0]);
  }
  result[0] = along * N(columns - 1) / 2;
  result[1] = down * N(rows - 1) / 2;
}

template <class E> int32_t sampler_gradient(const symc_kernel_args *args) {
  const symc_tensor &gradient = args->inputs[2], &output = args->outputs[0];
  const int64_t places = gradient.shape[2] * gradient.shape[3];
  const PlacesOfGrid<E> place{data_of<E>(args->inputs[1]), places};
  if (params_of<symc_sampler_gradient_params>(args).of == SYMC_SAMPLER_GRADIENT_OF_DATA)
    return gradient_of_data<E>(args, place);
  const int64_t each[2] = {output.shape[0], places};
  auto *out = target_of<E>(output);
  return each_place(args, 2, each, 32 * gradient.shape[1], [&](const Walk &o, int64_t) {
    typename E::Number slopes[2];
    gradient_of_place<E>(args, place, o.at[0], o.at[1], slopes);
    for (int axis = 0; axis < 2; ++axis)
      out[(o.at[0] * 2 + axis) * places + o.at[1]] = E::store(slopes[axis]);
  });
}

// An image has a matrix of its own, by whose elements its places move.
template <class E> int32_t transformer_gradient(const symc_kernel_args *args) {
  const symc_tensor &gradient = args->inputs[2], &output = args->outputs[0];
  const int64_t rows = gradient.shape[2], columns = gradient.shape[3];
  const PlacesOfMatrix<E> place{data_of<E>(args->inputs[1]), rows, columns};
  if (params_of<symc_transformer_gradient_params>(args).of == SYMC_TRANSFORMER_GRADIENT_OF_DATA)
    return gradient_of_data<E>(args, place);
  auto *out = target_of<E>(output);
  Rows images = {output.shape[0], 32 * gradient.shape[1] * rows * columns};
  return run_rows(args, images, [&](const RowRange &range) -> int32_t {
    for (int64_t n = range.first; n < range.end; ++n) {
      double sums[6] = {};
      for (int64_t i = 0; i < rows * columns; ++i) {
        typename E::Number slopes[2];
        gradient_of_place<E>(args, place, n, i, slopes);
        const double to[3] = {double(TransformerPlaces<E>::at(i % columns, columns)),
                              double(TransformerPlaces<E>::at(i / columns, rows)), 1};
        for (int k = 0; k < 6; ++k)
          sums[k] += double(rounded<E>(slopes[k / 3])) * to[k % 3];
      }
      for (int k = 0; k < 6; ++k)
        out[n * 6 + k] = E::store(sums[k]);
    }
    return SYMC_STATUS_OK;
  });
}

} // namespace

SYMC_REFERENCE_FLOATS(sampler_gradient, sampler_gradient)
SYMC_REFERENCE_FLOATS(transformer_gradient, transformer_gradient)

SYMC_ON_GRID(sampler_gradient, transformer_gradient)
