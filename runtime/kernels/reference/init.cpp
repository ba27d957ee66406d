// init.cpp: reference kernels of tensors made from parameters. Values are computed in
// the element type, as MXNet does: an integer range has an integer start and step.
#include "symc/generated/op_params/Init.h"
#include "walk.h"

using namespace symc::ref;

namespace {

template <class E> int32_t full(const symc_kernel_args *args) {
  typename E::Storage value = E::store(params_of<symc_full_params>(args).value);
  typename E::Storage *out = target_of<E>(args->outputs[0]);
  each_of(count_of(args->outputs[0]), [&](int64_t i) { out[i] = value; });
  return SYMC_STATUS_OK;
}

template <class E> constexpr bool is_half = false;
template <> constexpr bool is_half<F16> = true;
template <> constexpr bool is_half<BF16> = true;

// Half floats begin and step by integers: MXNet takes them for unsigned numbers here.
template <class E>
int32_t range(const symc_tensor &result, double start, double step, int64_t repeat) {
  using T = typename E::Number;
  if (is_half<E>) {
    start = double(integer_of(start));
    step = double(integer_of(step));
  }
  T first = E::load(E::store(start)), by = E::load(E::store(step));
  typename E::Storage *out = target_of<E>(result);
  each_of(count_of(result), [&](int64_t i) { out[i] = E::store(T(first + T(i / repeat) * by)); });
  return SYMC_STATUS_OK;
}

template <class E> int32_t arange(const symc_kernel_args *args) {
  const auto &params = params_of<symc_arange_params>(args);
  bool from_zero = !params.has_stop && !params.infer_range;
  return range<E>(args->outputs[0], from_zero ? 0 : params.start, params.step, params.repeat);
}

template <class E> int32_t arange_like(const symc_kernel_args *args) {
  const auto &params = params_of<symc_arange_like_params>(args);
  return range<E>(args->outputs[0], params.start, params.step, params.repeat);
}

template <class E> int32_t eye(const symc_kernel_args *args) {
  const symc_tensor &result = args->outputs[0];
  int64_t k = params_of<symc_eye_params>(args).k;
  typename E::Storage *out = target_of<E>(result);
  each_row_in(1, result.shape, result.shape[1], [&](const Walk &, int64_t row, int64_t column) {
    out[row * result.shape[1] + column] = E::store(int64_t(column - row == k));
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t linspace(const symc_kernel_args *args) {
  const auto &params = params_of<symc_linspace_params>(args);
  int64_t parts = params.endpoint ? params.num - 1 : params.num;
  double step = parts > 0 ? (params.stop - params.start) / double(parts) : 0;
  typename E::Storage *out = target_of<E>(args->outputs[0]);
  each_of(params.num, [&](int64_t i) { out[i] = E::store(params.start + step * double(i)); });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_NUMBERS(full, full)
SYMC_REFERENCE_NUMBERS(arange, arange)
SYMC_REFERENCE_NUMBERS(arange_like, arange_like)
SYMC_REFERENCE_NUMBERS(eye, eye)
SYMC_REFERENCE_NUMBERS(linspace, linspace)

SYMC_ON_GRID(full, arange, arange_like, eye, linspace)
