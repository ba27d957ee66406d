// quantized.cpp: reference kernels that make quantised integers, move them and compute
// with them element by element. Scales are float, as the limits are.
#include "quantized.h"
#include "symc/generated/op_params/Quantized.h"

using namespace symc::ref;

namespace {

// The least and the greatest element.
struct Extremes {
  float min = __FLT_MAX__, max = -__FLT_MAX__;
  template <class T> Extremes(const T *in, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      min = float(in[i]) < min ? float(in[i]) : min;
      max = float(in[i]) > max ? float(in[i]) : max;
    }
  }
};

template <class In, class Out>
void rescale(const symc_tensor &from, const symc_tensor &to, float scale) {
  const auto *in = data_of<In>(from);
  auto *out = target_of<Out>(to);
  each_of(count_of(to), [&](int64_t i) { out[i] = saturate<Out>(float(in[i]) * scale); });
}

int32_t quantize(const symc_kernel_args *args) {
  float min = limit_at(args->inputs[1]), max = limit_at(args->inputs[2]), real = reach(min, max);
  bool isSigned = args->outputs[0].dtype == SYMC_I8;
  set_limits(args, isSigned ? -real : min, isSigned ? real : max);
  return with_byte(args->outputs[0].dtype, [&](auto element) {
    rescale<F32, decltype(element)>(args->inputs[0], args->outputs[0],
                                    scale_for(isSigned ? 127.f : 255.f, real));
  });
}

template <class E> int32_t quantize_v2(const symc_kernel_args *args) {
  const auto &params = params_of<symc_quantize_v2_params>(args);
  bool given = params.has_min_calib_range && params.has_max_calib_range;
  float min = float(params.min_calib_range), max = float(params.max_calib_range);
  if (args->inputs[0].dtype != SYMC_F32) {
    bool isSigned = args->inputs[0].dtype == SYMC_I8;
    set_limits(args,
               given      ? min
               : isSigned ? -kRange<I8>
                          : 0,
               given      ? max
               : isSigned ? kRange<I8>
                          : kRange<U8>);
    return copy_elements(args->inputs[0], args->outputs[0]);
  }
  if (!given) {
    Extremes found(data_of<F32>(args->inputs[0]), count_of(args->inputs[0]));
    min = found.min;
    max = found.max;
  }
  float real = reach(min, max);
  bool isSigned = args->outputs[0].dtype == SYMC_I8;
  set_limits(args, isSigned ? -real : min, isSigned ? real : max);
  return with_byte(args->outputs[0].dtype, [&](auto element) {
    using Out = decltype(element);
    rescale<F32, Out>(args->inputs[0], args->outputs[0], scale_for(kRange<Out>, real));
  });
}

template <class E> int32_t dequantize(const symc_kernel_args *args) {
  float scale = reach_at(args, 1) / kRange<E>;
  const auto *in = data_of<E>(args->inputs[0]);
  auto *out = target_of<F32>(args->outputs[0]);
  each_of(count_of(args->outputs[0]), [&](int64_t i) { out[i] = float(in[i]) * scale; });
  return SYMC_STATUS_OK;
}

int32_t requantize(const symc_kernel_args *args) {
  const auto &params = params_of<symc_requantize_params>(args);
  float first = reach_at(args, 1), real;
  if (params.has_min_calib_range && params.has_max_calib_range) {
    real = reach(float(params.min_calib_range), float(params.max_calib_range));
  } else {
    Extremes found(data_of<I32>(args->inputs[0]), count_of(args->inputs[0]));
    real = reach(found.min, found.max) * first / kWideRange;
  }
  bool isSigned = args->outputs[0].dtype == SYMC_I8;
  set_limits(args, isSigned ? -real : 0, real);
  float scale = first / kWideRange * scale_for(isSigned ? 127.f : 255.f, real);
  return with_byte(args->outputs[0].dtype, [&](auto element) {
    rescale<I32, decltype(element)>(args->inputs[0], args->outputs[0], scale);
  });
}

// Data as it is, with its limits.
int32_t pass_limits(const symc_kernel_args *args) {
  set_limits(args, limit_at(args->inputs[1]), limit_at(args->inputs[2]));
  return copy_elements(args->inputs[0], args->outputs[0]);
}

template <class E> int32_t quantized_act(const symc_kernel_args *args) {
  set_limits(args, limit_at(args->inputs[1]), limit_at(args->inputs[2]));
  const auto *in = data_of<E>(args->inputs[0]);
  auto *out = target_of<E>(args->outputs[0]);
  each_of(count_of(args->outputs[0]), [&](int64_t i) { out[i] = in[i] > 0 ? in[i] : 0; });
  return SYMC_STATUS_OK;
}

// One operand into its place of the result, in the result's scale.
template <class In, class Out>
void place(const symc_tensor &from, const symc_tensor &to, int32_t axis, int64_t first,
           float scale) {
  const auto *in = data_of<In>(from);
  auto *out = target_of<Out>(to);
  int64_t outer = product(to.shape, 0, axis), inner = product(to.shape, axis + 1, to.rank);
  int64_t rows = from.shape[axis] * inner, pitch = to.shape[axis] * inner;
  each_row_in(1, &outer, rows, [&](const Walk &, int64_t o, int64_t i) {
    out[o * pitch + first * inner + i] = saturate<Out>(float(in[o * rows + i]) * scale);
  });
}

int32_t quantized_concat(const symc_kernel_args *args) {
  const auto &params = params_of<symc_quantized_concat_params>(args);
  int64_t count = params.num_args;
  int32_t status = SYMC_STATUS_OK;
  const symc_tensor &to = args->outputs[0];
  int32_t axis = int32_t(normal_axis(params.dim, to.rank));
  float min = 0, max = 0;
  for (int64_t i = 0; i < count; ++i) {
    float low = limit_at(args->inputs[count + 2 * i]),
          high = limit_at(args->inputs[count + 2 * i + 1]);
    min = low < min ? low : min;
    max = high > max ? high : max;
  }
  set_limits(args, min, max);
  int64_t first = 0;
  for (int64_t i = 0; i < count && status == SYMC_STATUS_OK; ++i) {
    const symc_tensor &from = args->inputs[i];
    status = with_byte(from.dtype, [&](auto in) {
      with_byte(to.dtype, [&](auto out) {
        using In = decltype(in);
        using Out = decltype(out);
        float own = scale_for(kRange<In>, reach_at(args, count + 2 * i));
        float scale = scale_for(kRange<Out>, reach(min, max));
        place<In, Out>(from, to, axis, first, own == scale ? 1 : scale / own);
      });
    });
    first += from.shape[axis];
  }
  return status;
}

template <class A, class B, class Out>
void add(const symc_kernel_args *args, float left, float right) {
  const auto *a = data_of<A>(args->inputs[0]);
  const auto *b = data_of<B>(args->inputs[1]);
  auto *out = target_of<Out>(args->outputs[0]);
  each_of(count_of(args->outputs[0]),
          [&](int64_t i) { out[i] = saturate<Out>(float(a[i]) * left + float(b[i]) * right); });
}

template <class A> int32_t quantized_elemwise_add(const symc_kernel_args *args) {
  const auto &params = params_of<symc_quantized_elemwise_add_params>(args);
  float left = reach_at(args, 2), right = reach_at(args, 4);
  float min = -(left + right), max = left + right;
  if (params.has_min_calib_range && params.has_max_calib_range) {
    min = float(params.min_calib_range);
    max = float(params.max_calib_range);
  }
  set_limits(args, min, max);
  float whole = reach(min, max);
  return with_byte(args->inputs[1].dtype, [&](auto other) {
    using B = decltype(other);
    auto run = [&](auto result, float range) {
      // 0 where nothing but 0 can be meant.
      float a = whole ? left * range / (whole * kRange<A>) : 0;
      float b = whole ? right * range / (whole * kRange<B>) : 0;
      add<A, B, decltype(result)>(args, a, b);
    };
    if (args->outputs[0].dtype == SYMC_I32)
      run(I32(), kWideRange);
    else if (args->outputs[0].dtype == SYMC_U8)
      run(U8(), kRange<U8>);
    else
      run(I8(), kRange<I8>);
  });
}

template <class Out> void multiply(const symc_kernel_args *args, float scale) {
  const int8_t *a = data_of<I8>(args->inputs[0]), *b = data_of<I8>(args->inputs[1]);
  auto *out = target_of<Out>(args->outputs[0]);
  each_of(count_of(args->outputs[0]),
          [&](int64_t i) { out[i] = Out::store(float(a[i] * b[i]) * scale); });
}

int32_t quantized_elemwise_mul(const symc_kernel_args *args) {
  const auto &params = params_of<symc_quantized_elemwise_mul_params>(args);
  float left = reach_at(args, 2), right = reach_at(args, 4);
  float one = 1 / scale_for(kRange<I8>, left) / scale_for(kRange<I8>, right);
  if (params.enable_float_output) {
    multiply<F32>(args, one);
    return SYMC_STATUS_OK;
  }
  if (params.has_min_calib_range && params.has_max_calib_range) {
    float min = float(params.min_calib_range), max = float(params.max_calib_range);
    set_limits(args, min, max);
    multiply<I8>(args, scale_for(kRange<I8>, reach(min, max)) / scale_for(kRange<I8>, left) /
                           scale_for(kRange<I8>, right));
    return SYMC_STATUS_OK;
  }
  float max = left / 127 * (right / 127) * kWideRange;
  set_limits(args, -max, max);
  multiply<I32>(args, 1);
  return SYMC_STATUS_OK;
}

int32_t quantized_embedding(const symc_kernel_args *args) {
  const symc_tensor &numbers = args->inputs[0], &weight = args->inputs[1];
  int64_t rows = weight.shape[0], length = weight.shape[1];
  move_runs(count_of(numbers), length, 1, [&](int64_t i) {
    int64_t row = index_at(numbers, i);
    row = row < 0 ? 0 : row >= rows ? rows - 1 : row;
    return Run{target_of<I8>(args->outputs[0]) + i * length, data_of<I8>(weight) + row * length};
  });
  set_limits(args, limit_at(args->inputs[2]), limit_at(args->inputs[3]));
  return SYMC_STATUS_OK;
}

// As oneDNN does it: bytes without sign first become ones with sign, and eps counts once
// more, for the variance of 1 that is left after scaling.
template <class E> int32_t quantized_batch_norm(const symc_kernel_args *args) {
  const auto &params = params_of<symc_quantized_batch_norm_params>(args);
  const symc_tensor &data = args->inputs[0];
  int32_t axis = int32_t(normal_axis(params.axis, data.rank));
  int64_t channels = data.shape[axis], inner = product(data.shape, axis + 1, data.rank);
  float min = float(params.min_calib_range), max = float(params.max_calib_range);
  float whole = reach(min, max), range = reach_at(args, 5);
  float rest = __builtin_sqrtf(1 + float(params.eps));
  set_limits(args, min, max);
  const auto *in = data_of<E>(data);
  const float *gamma = data_of<F32>(args->inputs[1]), *beta = data_of<F32>(args->inputs[2]),
              *mean = data_of<F32>(args->inputs[3]), *variance = data_of<F32>(args->inputs[4]);
  each_of(count_of(data), [&](int64_t i) {
    int64_t c = i / inner % channels;
    float inverse = float(1.0 / __builtin_sqrt(double(variance[c]) + params.eps));
    float scale = gamma[c] * inverse * range / whole / rest;
    float shift = (beta[c] - mean[c] * gamma[c] * inverse) * kRange<I8> / whole;
    float value = float(in[i]);
    if (kRange<E> != kRange<I8>)
      value = float(saturate<I8>(value * (kRange<I8> / kRange<E>)));
    target_of<I8>(args->outputs[0])[i] =
        saturate<I8>(float(double(value) * double(scale) + double(shift)));
  });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE(quantize, f32, quantize)
SYMC_REFERENCE(quantize_v2, f32, quantize_v2<F32>)
SYMC_REFERENCE(quantize_v2, i8, quantize_v2<I8>)
SYMC_REFERENCE(quantize_v2, u8, quantize_v2<U8>)
SYMC_REFERENCE_BYTES(dequantize, dequantize)
SYMC_REFERENCE(requantize, i32, requantize)
SYMC_REFERENCE_BYTES(quantized_act, quantized_act)
SYMC_REFERENCE(quantized_flatten, i8, pass_limits)
SYMC_REFERENCE(quantized_flatten, u8, pass_limits)
SYMC_REFERENCE(quantized_concat, i8, quantized_concat)
SYMC_REFERENCE(quantized_concat, u8, quantized_concat)
SYMC_REFERENCE_BYTES(quantized_elemwise_add, quantized_elemwise_add)
SYMC_REFERENCE(quantized_elemwise_mul, i8, quantized_elemwise_mul)
SYMC_REFERENCE_ANY(quantized_embedding, quantized_embedding)
SYMC_REFERENCE_BYTES(quantized_batch_norm, quantized_batch_norm)

SYMC_ON_GRID(quantize, quantize_v2, dequantize, requantize, quantized_act, quantized_flatten)
SYMC_ON_GRID(quantized_concat, quantized_elemwise_add, quantized_elemwise_mul)
SYMC_ON_GRID(quantized_embedding, quantized_batch_norm)
