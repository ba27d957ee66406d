// quantized_layers.cpp: reference kernels of convolution, fully connected layers and
// pooling over quantised integers. Sums are exact in 32 bits and wrap beyond.
#include "integer_windows.h"
#include "symc/generated/op_params/Quantized.h"

using namespace symc::ref;

namespace {

// The limits of sums of products: data and weight in units of their reach over `data_range`
// and `weight_range`.
void set_product_limits(const symc_kernel_args *args, int32_t first, float data_range,
                        float weight_range) {
  float unit = reach_at(args, first) / data_range * (reach_at(args, first + 2) / weight_range);
  set_limits(args, -(unit * kWideRange), unit * kWideRange);
}

template <class E> int32_t quantized_conv(const symc_kernel_args *args) {
  const auto &params = params_of<symc_quantized_conv_params>(args);
  IntegerWindows windows(args, params);
  const int8_t *bias = params.no_bias ? nullptr : data_of<I8>(args->inputs[2]);
  int64_t plane = windows.plane();
  const int64_t planes[2] = {windows.output.items, windows.output.channels};
  each_in(2, planes, [&](const Walk &walk, int64_t) {
    int64_t n = walk.at[0], f = walk.at[1];
    int32_t *sums = target_of<I32>(args->outputs[0]) + windows.output.at(n, f);
    for (int64_t i = 0; i < plane; ++i)
      sums[i] = bias ? bias[f] : 0;
    windows.add<E>(data_of<E>(args->inputs[0]),
                   data_of<I8>(args->inputs[1]) + f * windows.filter_count(), n, f, sums);
  });
  // MXNet takes the range of int8 for data of uint8 too.
  set_product_limits(args, params.no_bias ? 2 : 3, 127, 127);
  return SYMC_STATUS_OK;
}

template <class E> int32_t quantized_fully_connected(const symc_kernel_args *args) {
  const auto &params = params_of<symc_quantized_fully_connected_params>(args);
  const symc_tensor &weight = args->inputs[1];
  int64_t hidden = weight.shape[0], depth = weight.shape[1];
  const auto *in = data_of<E>(args->inputs[0]);
  const int8_t *rows = data_of<I8>(weight);
  int32_t first = params.no_bias ? 2 : 3;
  float unit = 0; // of bias, in units of the sums
  if (!params.no_bias)
    unit = scale_for(kRange<E>, reach_at(args, first)) *
           scale_for(kRange<I8>, reach_at(args, first + 2)) * reach_at(args, first + 4) /
           kRange<I8>;
  each_of(count_of(args->outputs[0]), [&](int64_t i) {
    int64_t item = i / hidden, row = i % hidden;
    uint32_t sum = 0;
    if (!params.no_bias)
      sum = uint32_t(short_integer_of(float(data_of<I8>(args->inputs[2])[row]) * unit));
    for (int64_t k = 0; k < depth; ++k)
      sum += uint32_t(in[item * depth + k] * rows[row * depth + k]);
    // 32 bits: a quantised sum.
    target_of<I32>(args->outputs[0])[i] = int32_t(sum);
  });
  bool isSigned = args->inputs[0].dtype == SYMC_I8;
  set_product_limits(args, first, 127, isSigned ? 127 : 255);
  return SYMC_STATUS_OK;
}

template <class E> int32_t quantized_pooling(const symc_kernel_args *args) {
  const auto &params = params_of<symc_quantized_pooling_params>(args);
  int32_t spatial = args->inputs[0].rank - 2;
  Image data(args->inputs[0], false), output(args->outputs[0], false);
  PoolingWindows windows(params, data, spatial);
  bool with_padding = !params.has_count_include_pad || params.count_include_pad;
  const auto *in = data_of<E>(args->inputs[0]);
  each_pixel(output, [&](int64_t n, int64_t c, const int64_t *at) {
    Window window(data, at, windows);
    int32_t sum = 0, greatest = E::store(int64_t(-128)) < 0 ? -128 : 0;
    for (Walk k(3, window.size); k.more; k.step()) {
      int64_t place[3] = {window.first[0] + k.at[0], window.first[1] + k.at[1],
                          window.first[2] + k.at[2]};
      int32_t value = in[data.at(n, c, place)];
      sum += value;
      greatest = value > greatest ? value : greatest;
    }
    int64_t count = with_padding ? window.padded_count : window.count;
    target_of<E>(args->outputs[0])[output.at(n, c, at)] =
        params.pool_type == SYMC_QUANTIZED_POOLING_POOL_TYPE_MAX
            ? typename E::Storage(greatest)
            : saturate<E>(count > 0 ? float(sum) / float(count) : 0);
  });
  set_limits(args, limit_at(args->inputs[1]), limit_at(args->inputs[2]));
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_BYTES(quantized_conv, quantized_conv)
SYMC_REFERENCE_BYTES(quantized_fully_connected, quantized_fully_connected)
SYMC_REFERENCE_BYTES(quantized_pooling, quantized_pooling)

SYMC_ON_GRID(quantized_conv, quantized_fully_connected, quantized_pooling)
