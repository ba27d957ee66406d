// attention.cpp: reference kernels of the products inside attention layers; sums in
// double. A projection is [length, batch, heads, parts, D].
#include "symc/generated/op_params/Attention.h"
#include "blocked_product.h"
#include "walk.h"

using namespace symc::ref;

namespace {

// One part of a projection with `parts` of them side by side in each head.
template <class E> struct Part {
  const typename E::Storage *data;
  int64_t heads, width, batch_step, length_step, head_step;

  Part(const symc_tensor &tensor, int64_t heads_, int64_t parts, int64_t own) : heads(heads_) {
    width = tensor.shape[2] / (heads * parts);
    batch_step = tensor.shape[2];
    length_step = tensor.shape[1] * batch_step;
    head_step = parts * width;
    data = data_of<E>(tensor) + own * width;
  }
  // The first of `width` elements; `item` counts batch and heads.
  const typename E::Storage *at(int64_t place, int64_t item) const {
    return data + place * length_step + item / heads * batch_step + item % heads * head_step;
  }
};

template <class E> int32_t interleaved_qk(const symc_kernel_args *args) {
  const auto &params = params_of<symc_interleaved_qk_params>(args);
  Part<E> queries(args->inputs[0], params.heads, params.is_self ? 3 : 1, 0);
  Part<E> keys(args->inputs[params.is_self ? 0 : 1], params.heads, params.is_self ? 3 : 2,
               params.is_self ? 1 : 0);
  const symc_tensor &output = args->outputs[0];
  double scale = 1 / __builtin_sqrt(double(queries.width));
  auto *out = target_of<E>(output);
  int64_t rows = output.shape[1], columns = output.shape[2];
  for (int64_t item = 0; item < output.shape[0]; ++item, out += rows * columns)
    multiply_blocks<double>(
        rows, columns, queries.width,
        [=](int64_t i, int64_t d) { return E::load(queries.at(i, item)[d]); },
        [=](int64_t d, int64_t j) { return E::load(keys.at(j, item)[d]); },
        [=](int64_t i, int64_t j, double sum) { out[i * columns + j] = E::store(sum * scale); });
  return SYMC_STATUS_OK;
}

template <class E> int32_t interleaved_valatt(const symc_kernel_args *args) {
  const auto &params = params_of<symc_interleaved_valatt_params>(args);
  int64_t parts = params.is_self ? 3 : 2;
  Part<E> values(args->inputs[0], params.heads, parts, parts - 1);
  const symc_tensor &attention = args->inputs[1], &output = args->outputs[0];
  int64_t rows = attention.shape[1], length = attention.shape[2];
  for (int64_t item = 0; item < attention.shape[0]; ++item) {
    const auto *weights = data_of<E>(attention) + item * rows * length;
    auto *out = target_of<E>(output) + item / params.heads * output.shape[2] +
                item % params.heads * values.width;
    int64_t step = output.shape[1] * output.shape[2];
    multiply_blocks<double>(
        rows, values.width, length,
        [=](int64_t i, int64_t k) { return E::load(weights[i * length + k]); },
        [=](int64_t k, int64_t j) { return E::load(values.at(k, item)[j]); },
        [=](int64_t i, int64_t j, double sum) { out[i * step + j] = E::store(sum); });
  }
  return SYMC_STATUS_OK;
}

template <class E> int32_t div_sqrt_dim(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0];
  using Number = typename E::Number;
  double root = __builtin_sqrt(double(data.shape[data.rank - 1]));
  each_of(count_of(data), [&](int64_t i) {
    target_of<E>(args->outputs[0])[i] = E::store(E::load(data_of<E>(data)[i]) / Number(root));
  });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(interleaved_qk, interleaved_qk)
SYMC_REFERENCE_FLOATS(interleaved_valatt, interleaved_valatt)
SYMC_REFERENCE_FLOATS(div_sqrt_dim, div_sqrt_dim)

SYMC_ON_GRID(interleaved_qk, interleaved_valatt, div_sqrt_dim)
