// fused.cpp: reference kernels of quantised layers with what follows them. Weights are
// quantised first, into scratch, then sums are exact in 32 bits; scales, bias, the other
// tensor of a sum and the functions are applied in float, as oneDNN does, and rounded once.
#include "symc/generated/op_params/Fused.h"
#include "integer_windows.h"

using namespace symc::ref;

namespace {

// A function that follows, on a real number; the numbers are those of SG_FollowerFns.
float follow(int64_t fn, float x, float alpha) {
  switch (fn) {
  case SYMC_FUSED_CONV_ACT_RELU:
    return x > 0 ? x : 0;
  case SYMC_FUSED_CONV_ACT_SIGMOID:
    return 1 / (1 + __builtin_expf(-x));
  case SYMC_FUSED_CONV_ACT_SOFTRELU:
    return x > 20 ? x : __builtin_log1pf(__builtin_expf(x));
  case SYMC_FUSED_CONV_ACT_TANH:
    return __builtin_tanhf(x);
  case SYMC_FUSED_CONV_ACT_SOFTSIGN:
    return x / (1 + size_of(x));
  case SYMC_FUSED_CONV_ACT_LEAKY:
    return x > 0 ? x : alpha * x;
  case SYMC_FUSED_CONV_ACT_ELU:
    return x > 0 ? x : alpha * __builtin_expm1f(x);
  case SYMC_FUSED_CONV_ACT_GELU:
    return 0.5f * x * (1 + __builtin_erff(x * 0.70710678f));
  case SYMC_FUSED_CONV_ACT_CLIP:
    return x < 0 ? 0 : x > alpha ? alpha : x;
  case SYMC_FUSED_CONV_ACT_SQUARE:
    return x * x;
  case SYMC_FUSED_CONV_ACT_SQRT:
    return x < 0 ? 0 : __builtin_sqrtf(x);
  case SYMC_FUSED_CONV_ACT_EXP:
    return __builtin_expf(x);
  case SYMC_FUSED_CONV_ACT_ABS:
    return size_of(x);
  default:
    return x;
  }
}

// The same on a number in units of 1 / `unit`. Where a factor passes through the function
// it is not taken out and put back, which would round twice.
float follow_scaled(int64_t fn, float x, float alpha, float unit) {
  bool passes = fn == SYMC_FUSED_CONV_ACT_RELU || fn == SYMC_FUSED_CONV_ACT_LEAKY;
  return passes ? follow(fn, x, alpha) : follow(fn, x / unit, alpha) * unit;
}

// What lies in scratch: rows of integers, and a bias and a scale for each.
struct Rows {
  int8_t *integers;
  int32_t *bias;
  float *scale;
  char *rest;

  Rows(const symc_kernel_args *args, int64_t rows, int64_t count) {
    char *at = static_cast<char *>(args->scratch);
    integers = reinterpret_cast<int8_t *>(at);
    at += (rows * count + 63) / 64 * 64;
    bias = reinterpret_cast<int32_t *>(at);
    scale = reinterpret_cast<float *>(at + rows * 4);
    rest = at + (rows * 8 + 63) / 64 * 64;
  }
};

// The scale of a row that reaches so far: small enough for its bias to fit half of 32 bits.
float row_scale(float reach, float bias, float data_scale) {
  float scale = scale_for(kRange<I8>, reach);
  float most = bias == 0 ? scale : 1073741824.0f / size_of(bias) / data_scale;
  return scale < most ? scale : most;
}

struct Normalisation {
  const float *gamma = nullptr, *beta = nullptr, *mean = nullptr, *variance = nullptr;
  double eps = 0;
  bool fixed = false;

  float factor(int64_t f) const {
    return gamma
               ? float(double(fixed ? 1.0f : gamma[f]) / __builtin_sqrt(double(variance[f]) + eps))
               : 1;
  }
  float bias(int64_t f, const float *own) const {
    float value = own ? own[f] : 0;
    return gamma ? beta[f] + factor(f) * (value - mean[f]) : value;
  }
};

// The norm's inputs, if there are any, of which the first has the number `next`; that of what
// follows them is left in it.
template <class Params>
Normalisation take_norm(const symc_kernel_args *args, const Params &params, int32_t &next) {
  if (!params.with_bn)
    return {};
  const symc_tensor *inputs = args->inputs + next;
  next += 4;
  return {data_of<F32>(inputs[0]), data_of<F32>(inputs[1]), data_of<F32>(inputs[2]),
          data_of<F32>(inputs[3]), params.bn_eps,           params.bn_fix_gamma != 0};
}

// Quantises weights and bias with what is folded into them; returns how far weights reach.
float quantise_rows(const Rows &rows, const float *weight, const float *bias,
                    const Normalisation &norm, int64_t n_rows, int64_t count, float data_scale,
                    bool by_row) {
  float furthest = 0;
  for (int64_t f = 0; f < n_rows; ++f) {
    float factor = norm.factor(f), reach = 0;
    for (int64_t k = 0; k < count; ++k) {
      float size = size_of(weight[f * count + k] * factor);
      reach = size > reach ? size : reach;
    }
    furthest = reach > furthest ? reach : furthest;
    rows.scale[f] = row_scale(reach, norm.bias(f, bias), data_scale);
  }
  for (int64_t f = 0; f < n_rows; ++f) {
    if (!by_row)
      rows.scale[f] = scale_for(kRange<I8>, furthest);
    float factor = norm.factor(f);
    for (int64_t k = 0; k < count; ++k)
      rows.integers[f * count + k] = saturate<I8>(weight[f * count + k] * factor * rows.scale[f]);
    rows.bias[f] = saturate<I32>(norm.bias(f, bias) * (rows.scale[f] * data_scale));
  }
  return furthest;
}

// Calls body(E()) with the type of what is added, or of nothing.
template <class Body> int32_t with_sum(const symc_tensor *sum, Body body) {
  if (!sum || sum->dtype == SYMC_I32)
    body(I32());
  else
    return with_byte(sum->dtype, body);
  return SYMC_STATUS_OK;
}

template <class E> int32_t fused_conv(const symc_kernel_args *args) {
  const auto &params = params_of<symc_fused_conv_params>(args);
  int32_t next = 2;
  const float *bias = params.no_bias ? nullptr : data_of<F32>(args->inputs[next++]);
  Normalisation norm = take_norm(args, params, next);
  const symc_tensor *sum = params.with_sum ? &args->inputs[next++] : nullptr;
  float data_reach = reach_at(args, next), data_scale = scale_for(kRange<E>, data_reach);
  IntegerWindows windows(args, params);
  int64_t filters = windows.output.channels, count = windows.filter_count(),
          plane = windows.plane();
  Rows rows(args, filters, count);
  int32_t *sums = reinterpret_cast<int32_t *>(rows.rest);
  bool calibrated = params.has_min_calib_range && params.has_max_calib_range;
  float weight_reach = quantise_rows(rows, data_of<F32>(args->inputs[1]), bias, norm, filters,
                                     count, data_scale, calibrated);
  float unit; // integers of the result for one
  const symc_tensor &to = args->outputs[0];
  if (calibrated) {
    float min = float(params.min_calib_range), max = float(params.max_calib_range);
    set_limits(args, min, max);
    unit = scale_for(to.dtype == SYMC_U8 ? kRange<U8> : kRange<I8>, reach(min, max));
  } else {
    bool isSigned = args->inputs[0].dtype == SYMC_I8;
    float max = weight_reach / 127 * (data_reach / (isSigned ? 127 : 255)) * kWideRange;
    set_limits(args, -max, max);
    unit = data_scale * rows.scale[0];
  }
  return with_sum(sum, [&](auto added) {
    using S = decltype(added);
    const auto *other = sum ? data_of<S>(*sum) : nullptr;
    float other_range = sum && sum->dtype == SYMC_U8 ? kRange<U8> : kRange<I8>;
    // MXNet writes the result over an int8 tensor of the sum, which holds no more.
    bool cut = sum && sum->dtype == SYMC_I8 && to.dtype == SYMC_U8;
    float other_scale = sum ? unit / scale_for(other_range, reach_at(args, next + 2)) : 0;
    for (int64_t n = 0; n < windows.output.items; ++n)
      for (int64_t f = 0; f < filters; ++f) {
        for (int64_t i = 0; i < plane; ++i)
          sums[i] = 0;
        windows.template add<E>(data_of<E>(args->inputs[0]), rows.integers + f * count, n, f, sums);
        float scale = calibrated ? unit / data_scale / rows.scale[f] : 1;
        int64_t first = windows.output.at(n, f);
        for (int64_t i = 0; i < plane; ++i) {
          float value = (float(sums[i]) + float(rows.bias[f])) * scale;
          if (params.with_act)
            value = follow_scaled(params.act, value, float(params.act_alpha), unit);
          if (sum)
            value = float(double(value) + double(other_scale) * double(other[first + i]));
          if (params.with_postsum_act)
            value = follow_scaled(params.postsum_act, value, float(params.postsum_alpha), unit);
          if (to.dtype == SYMC_U8)
            target_of<U8>(to)[first + i] = saturate<U8>(cut && value > 127 ? 127 : value);
          else if (to.dtype == SYMC_I8)
            target_of<I8>(to)[first + i] = saturate<I8>(value);
          else
            target_of<I32>(to)[first + i] = saturate<I32>(value);
        }
      }
  });
}

// What sg-split-quantized makes of fused_conv: the rows ...
int32_t quantize_rows_of(const symc_kernel_args *args) {
  const auto &params = params_of<symc_quantize_rows_params>(args);
  const symc_tensor &weight = args->inputs[0];
  int64_t filters = weight.shape[0], count = filters ? count_of(weight) / filters : 0;
  int32_t next = 1;
  const float *bias = params.no_bias ? nullptr : data_of<F32>(args->inputs[next++]);
  Normalisation norm = take_norm(args, params, next);
  auto next_reach = [&](bool known, double reach) {
    next += known ? 0 : 2;
    return known ? float(reach) : reach_at(args, next - 2);
  };
  float data_scale = scale_for(params.data_signed ? kRange<I8> : kRange<U8>,
                               next_reach(params.has_data_reach, params.data_reach));
  float min = float(params.min_calib_range), max = float(params.max_calib_range);
  float unit = scale_for(params.result_signed ? kRange<I8> : kRange<U8>, reach(min, max));
  Rows rows(args, filters, count);
  quantise_rows(rows, data_of<F32>(weight), bias, norm, filters, count, data_scale, true);
  for (int64_t f = 0; f < filters; ++f) {
    int64_t sum = 0;
    for (int64_t k = 0; k < count; ++k) {
      int8_t integer = rows.integers[f * count + k];
      target_of<I8>(args->outputs[0])[f * count + k] = integer;
      sum += integer;
    }
    // 32 bits: a quantised sum.
    target_of<I32>(args->outputs[1])[f] = params.data_signed ? int32_t(-128 * sum) : 0;
    target_of<F32>(args->outputs[2])[f] = float(rows.bias[f]);
    target_of<F32>(args->outputs[3])[f] = unit / data_scale / rows.scale[f];
  }
  float other_range = params.sum_signed ? kRange<I8> : kRange<U8>;
  target_of<F32>(args->outputs[4])[0] =
      params.with_sum
          ? unit / scale_for(other_range, next_reach(params.has_sum_reach, params.sum_reach))
          : 1;
  return SYMC_STATUS_OK;
}

// Rounds to bytes around a zero point.
struct Rounding {
  float least, most;
  int64_t zero;

  template <class Params> Rounding(const Params &params, bool is_unsigned) : zero(params.zero) {
    // The range of what is rounded, before the zero point is added.
    least = float((params.has_least ? params.least : is_unsigned ? 0 : -128) - params.zero);
    most = float((params.has_most ? params.most : is_unsigned ? 255 : 127) - params.zero);
  }

  int64_t operator()(float value) const {
    value = value > least ? value : least;
    value = value < most ? value : most;
    // Adding 1.5 * 2^23 rounds what is small as rint does.
    constexpr float whole = 12582912.0f;
    return int64_t((value + whole) - whole) + zero;
  }
};

// ... and the convolution. Here data is read as it is, without a correction.
template <class E> int32_t integer_conv(const symc_kernel_args *args) {
  const auto &params = params_of<symc_integer_conv_params>(args);
  IntegerWindows windows(args, params);
  int64_t filters = windows.output.channels, count = windows.filter_count(),
          plane = windows.plane();
  int32_t *sums = static_cast<int32_t *>(args->scratch);
  const symc_tensor *sum = params.with_sum ? &args->inputs[5] : nullptr, &to = args->outputs[0];
  const float *bias = data_of<F32>(args->inputs[3]), *scale = data_of<F32>(args->inputs[4]);
  double other_scale = sum ? double(data_of<F32>(args->inputs[6])[0]) : 0;
  bool is_unsigned = to.dtype == SYMC_U8;
  Rounding rounded(params, is_unsigned);
  return with_sum(sum, [&](auto added) {
    using S = decltype(added);
    const auto *other = sum ? data_of<S>(*sum) : nullptr;
    bool cut = sum && sum->dtype == SYMC_I8 && is_unsigned;
    for (int64_t n = 0; n < windows.output.items; ++n)
      for (int64_t f = 0; f < filters; ++f) {
        for (int64_t i = 0; i < plane; ++i)
          sums[i] = 0;
        windows.template add<E>(data_of<E>(args->inputs[0]),
                                data_of<I8>(args->inputs[1]) + f * count, n, f, sums,
                                params.data_zero);
        int64_t first = windows.output.at(n, f);
        for (int64_t i = 0; i < plane; ++i) {
          float value = (float(sums[i]) + bias[f]) * scale[f];
          value = params.relu && !(value > 0) ? 0 : value;
          if (sum)
            value = float(double(value) + other_scale * double(other[first + i]));
          value = params.postsum_relu && !(value > 0) ? 0 : value;
          if (to.dtype == SYMC_F32) {
            target_of<F32>(to)[first + i] = value;
            continue;
          }
          int64_t integer = rounded(cut && value > 127 ? 127 : value);
          if (is_unsigned)
            target_of<U8>(to)[first + i] = uint8_t(integer);
          else
            target_of<I8>(to)[first + i] = int8_t(integer);
        }
      }
  });
}

template <class E> int32_t integer_product(const symc_kernel_args *args) {
  const auto &params = params_of<symc_integer_product_params>(args);
  const symc_tensor &weight = args->inputs[1], &to = args->outputs[0];
  int64_t outputs = weight.shape[0], depth = weight.shape[1];
  constexpr bool is_signed = typename E::Storage(-1) < 0;
  bool scales = to.dtype != SYMC_I32;
  const float *scale = scales ? data_of<F32>(args->inputs[3]) : nullptr;
  const float *bias = scales ? data_of<F32>(args->inputs[4]) : nullptr;
  Rounding rounded(params, to.dtype == SYMC_U8);
  for (int64_t i = 0; i < count_of(to); ++i) {
    int64_t o = i % outputs;
    const auto *row = data_of<E>(args->inputs[0]) + i / outputs * depth;
    const int8_t *filter = data_of<I8>(weight) + o * depth;
    uint32_t sum = uint32_t(data_of<I32>(args->inputs[2])[o]);
    for (int64_t k = 0; k < depth; ++k)
      sum += uint32_t((row[k] + (is_signed ? 128 : 0)) * filter[k]);
    if (!scales) {
      // 32 bits: a quantised sum.
      target_of<I32>(to)[i] = int32_t(sum);
      continue;
    }
    // Rounded twice, as generated code rounds it.
    float value = float(int32_t(sum)) * scale[o];
    value = value + bias[o];
    if (to.dtype == SYMC_F32)
      target_of<F32>(to)[i] = value;
    else if (to.dtype == SYMC_U8)
      target_of<U8>(to)[i] = uint8_t(rounded(value));
    else
      target_of<I8>(to)[i] = int8_t(rounded(value));
  }
  return SYMC_STATUS_OK;
}

// Weights and bias of int8 with limits of their own, the bias in units of the sums.
float take_rows(const symc_kernel_args *args, const Rows &rows, const int8_t *bias, int32_t limits,
                int64_t hidden, int64_t depth, float data_scale) {
  float scale = scale_for(kRange<I8>, reach_at(args, limits + 2)), shrink = 1, unit = 0;
  if (bias) {
    float reach = reach_at(args, limits + 4), bias_scale = scale_for(kRange<I8>, reach);
    unit = data_scale * scale / bias_scale;
    float most = 1073741823.0f / reach / bias_scale;
    if (unit > most) { // weights give way so that the bias fits
      shrink = most / unit;
      unit = most;
    }
  }
  for (int64_t i = 0; i < hidden * depth; ++i)
    rows.integers[i] = int8_t(__builtin_roundf(float(data_of<I8>(args->inputs[1])[i]) * shrink));
  for (int64_t f = 0; f < hidden; ++f) {
    rows.scale[f] = scale * shrink;
    rows.bias[f] = bias ? int32_t(__builtin_roundf(float(bias[f]) * unit)) : 0;
  }
  return scale * shrink;
}

template <class E> int32_t fused_fully_connected(const symc_kernel_args *args) {
  const auto &params = params_of<symc_fused_fully_connected_params>(args);
  int64_t hidden = args->inputs[1].shape[0], depth = args->inputs[1].shape[1];
  int32_t limits = params.no_bias ? 2 : 3;
  float data_reach = reach_at(args, limits), data_scale = scale_for(kRange<E>, data_reach);
  Rows rows(args, hidden, depth);
  const symc_tensor &to = args->outputs[0];
  if (params.has_channel_wise_quantize && params.channel_wise_quantize)
    quantise_rows(rows, data_of<F32>(args->inputs[1]),
                  params.no_bias ? nullptr : data_of<F32>(args->inputs[2]), Normalisation(), hidden,
                  depth, data_scale, true);
  else
    take_rows(args, rows, params.no_bias ? nullptr : data_of<I8>(args->inputs[2]), limits, hidden,
              depth, data_scale);
  float unit = 1;
  if (to.dtype == SYMC_I32) {
    bool isSigned = args->inputs[0].dtype == SYMC_I8;
    float max =
        data_reach / 127 * (reach_at(args, limits + 2) / (isSigned ? 127 : 255)) * kWideRange;
    set_limits(args, -max, max);
  } else if (to.dtype != SYMC_F32) {
    float min = float(params.min_calib_range), max = float(params.max_calib_range);
    set_limits(args, min, max);
    unit = scale_for(to.dtype == SYMC_U8 ? kRange<U8> : kRange<I8>, reach(min, max));
  }
  for (int64_t i = 0; i < count_of(to); ++i) {
    const auto *in = data_of<E>(args->inputs[0]) + i / hidden * depth;
    int64_t f = i % hidden;
    const int8_t *row = rows.integers + f * depth;
    uint32_t sum = 0;
    for (int64_t k = 0; k < depth; ++k)
      sum += uint32_t(in[k] * row[k]);
    float value = float(int32_t(sum)) + float(rows.bias[f]);
    if (to.dtype == SYMC_I32) {
      float one = data_scale * rows.scale[f];
      if (params.with_eltwise)
        value = follow_scaled(params.eltwise, value, float(params.eltwise_alpha), one);
      target_of<I32>(to)[i] =
          // 32 bits: a quantised sum.
          params.with_eltwise ? saturate<I32>(value) : int32_t(sum + uint32_t(rows.bias[f]));
      continue;
    }
    value *= (params.with_eltwise ? 1.0f : unit) / data_scale / rows.scale[f];
    if (params.with_eltwise)
      value = follow(params.eltwise, value, float(params.eltwise_alpha)) * unit;
    if (to.dtype == SYMC_F32)
      target_of<F32>(to)[i] = value;
    else if (to.dtype == SYMC_U8)
      target_of<U8>(to)[i] = saturate<U8>(value);
    else
      target_of<I8>(to)[i] = saturate<I8>(value);
  }
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_BYTES(fused_conv, fused_conv)
SYMC_REFERENCE(quantize_rows, f32, quantize_rows_of)
SYMC_REFERENCE_BYTES(integer_conv, integer_conv)
SYMC_REFERENCE_BYTES(integer_product, integer_product)
SYMC_REFERENCE_BYTES(fused_fully_connected, fused_fully_connected)
