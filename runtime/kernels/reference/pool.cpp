// pool.cpp: reference kernels of poolings. A window is clipped to the image; what its
// padding counts for depends on the operator. Sums are kept in double.
#include "spatial.h"
#include "symc/generated/op_params/Nn.h"

using namespace symc::ref;

namespace {

template <class E, class Body>
void each_element(const Image &data, const symc_tensor &tensor, int64_t n, int64_t c,
                  const Window &window, Body body) {
  const auto *in = data_of<E>(tensor);
  for (Walk k(3, window.size); k.more; k.step()) {
    int64_t place[3];
    for (int axis = 0; axis < 3; ++axis)
      place[axis] = window.first[axis] + k.at[axis];
    body(E::load(in[data.at(n, c, place)]));
  }
}

// The least number of the type: a window without elements has it as its maximum, NaN
// is never greater.
template <class E> typename E::Storage least();
template <> float least<F32>() { return -__FLT_MAX__; }
template <> double least<F64>() { return -__DBL_MAX__; }
template <> uint16_t least<F16>() { return 0xfbff; }
template <> uint16_t least<BF16>() { return 0xff7f; }

template <class E>
typename E::Number maximum(const Image &data, const symc_tensor &tensor, int64_t n, int64_t c,
                           const Window &window) {
  typename E::Number greatest = E::load(least<E>());
  each_element<E>(data, tensor, n, c, window, [&](typename E::Number value) {
    greatest = value > greatest ? value : greatest;
  });
  return greatest;
}

// With their signs, as in MXNet: odd powers of negative numbers cancel positive ones.
double power_of(double value, int64_t p) {
  return p == 1 ? value : p == 2 ? value * value : value * value * value;
}
double root_of(double value, int64_t p) {
  return p == 1 ? value : p == 2 ? __builtin_sqrt(value) : __builtin_cbrt(value);
}

template <class E> int32_t pooling(const symc_kernel_args *args) {
  const auto &params = params_of<symc_pooling_params>(args);
  bool last = params.has_layout && params.layout >= SYMC_POOLING_LAYOUT_NWC;
  int32_t spatial = args->inputs[0].rank - 2;
  Image data(args->inputs[0], last), output(args->outputs[0], last);
  PoolingWindows windows(params, data, spatial, params.pad_end);
  bool with_padding = !params.has_count_include_pad || params.count_include_pad;
  int64_t p = params.has_p_value ? params.p_value : 1;
  auto *out = target_of<E>(args->outputs[0]);
  each_pixel(output, [&](int64_t n, int64_t c, const int64_t *place) {
    Window window(data, place, windows);
    auto &result = out[output.at(n, c, place)];
    if (params.pool_type == SYMC_POOLING_POOL_TYPE_MAX) {
      result = E::store(maximum<E>(data, args->inputs[0], n, c, window));
      return;
    }
    bool lp = params.pool_type == SYMC_POOLING_POOL_TYPE_LP;
    double sum = 0;
    each_element<E>(data, args->inputs[0], n, c, window, [&](typename E::Number value) {
      sum += lp ? power_of(double(value), p) : double(value);
    });
    if (params.pool_type == SYMC_POOLING_POOL_TYPE_AVG) {
      int64_t divisor = with_padding ? window.padded_count : window.clipped_extents;
      if (window.count > 0)
        sum /= double(divisor);
      else if (spatial == 3 && divisor == 0) // MXNet divides by it, over volumes alone
        sum = __builtin_nan("");
    }
    result = E::store(lp ? root_of(sum, p) : sum);
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t pooling_v1(const symc_kernel_args *args) {
  const auto &params = params_of<symc_pooling_v1_params>(args);
  int32_t spatial = args->inputs[0].rank - 2;
  Image data(args->inputs[0], false), output(args->outputs[0], false);
  PoolingWindows windows(params, data, spatial);
  // MXNet multiplies by a 32-bit float, and a maximum of nothing is minus infinity.
  double part = double(1.0f / float(product(windows.kernel.by, 0, 3)));
  auto *out = target_of<E>(args->outputs[0]);
  each_pixel(output, [&](int64_t n, int64_t c, const int64_t *place) {
    Window window(data, place, windows);
    auto &result = out[output.at(n, c, place)];
    if (params.pool_type == SYMC_POOLING_V1_POOL_TYPE_MAX && window.nothing) {
      result = E::store(-__builtin_inf());
      return;
    }
    if (params.pool_type == SYMC_POOLING_V1_POOL_TYPE_MAX) {
      auto greatest = maximum<E>(data, args->inputs[0], n, c, window);
      result = E::store(window.padded_count > window.count && greatest < 0 ? 0 : greatest);
      return;
    }
    double sum = 0;
    each_element<E>(data, args->inputs[0], n, c, window,
                    [&](typename E::Number value) { sum += double(value); });
    result = E::store(params.pool_type == SYMC_POOLING_V1_POOL_TYPE_AVG ? sum * part : sum);
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t adaptive_avg_pooling(const symc_kernel_args *args) {
  Image data(args->inputs[0], false), output(args->outputs[0], false);
  auto *out = target_of<E>(args->outputs[0]);
  const auto *in = data_of<E>(args->inputs[0]);
  each_pixel(output, [&](int64_t n, int64_t c, const int64_t *at) {
    int64_t first[3], size[3];
    for (int axis = 0; axis < 3; ++axis) {
      int64_t from = data.extent[axis], to = output.extent[axis];
      first[axis] = at[axis] * from / to;
      size[axis] = ((at[axis] + 1) * from + to - 1) / to - first[axis];
    }
    double sum = 0;
    for (Walk k(3, size); k.more; k.step()) {
      int64_t place[3] = {first[0] + k.at[0], first[1] + k.at[1], first[2] + k.at[2]};
      sum += double(E::load(in[data.at(n, c, place)]));
    }
    out[output.at(n, c, at)] = E::store(sum / double(size[0] * size[1] * size[2]));
  });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(pooling, pooling)
SYMC_REFERENCE_FLOATS(pooling_v1, pooling_v1)
SYMC_REFERENCE_FLOATS(adaptive_avg_pooling, adaptive_avg_pooling)

SYMC_ON_GRID(pooling, pooling_v1, adaptive_avg_pooling)
