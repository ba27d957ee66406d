// elementwise.cpp: reference kernels of the elementwise family. The scalar functions
// come from the op table (symc/generated/scalar_functions.h); a kernel chooses its
// function anew for every element, which keeps it small rather than fast.
#include "symc/generated/op_params/Elementwise.h"
#include "any_element.h"
#include "number.h"
#include "walk.h"

#include "rounded.h"
#include "scalar_primitives.h"
#include "symc/generated/scalar_functions.h"

using namespace symc::ref;
using namespace symc::scalar_fn;

namespace {

template <class E> constexpr bool is_bool = false;
template <> constexpr bool is_bool<BOOL> = true;

// A parameter as a number of the kind that data is computed in.
template <class T> T number_of(double value) { return T(value); }
template <> int64_t number_of<int64_t>(double value) { return integer_of(value); }

// out[i] = function(i) for all elements of the result, whose places are their numbers.
template <class E, class Function>
int32_t fill(const symc_kernel_args *args, int64_t work, Function function) {
  typename E::Storage *out = target_of<E>(args->outputs[0]);
  return run_rows(args, {count_of(args->outputs[0]), work}, [=](const RowRange &range) -> int32_t {
    for (int64_t i = range.first; i < range.end; ++i)
      out[i] = function(i);
    return SYMC_STATUS_OK;
  });
}

// out[i] = function(in[i]) for one operand of the result's shape.
template <class E, class Function> int32_t map(const symc_kernel_args *args, Function function) {
  const typename E::Storage *in = data_of<E>(args->inputs[0]);
  constexpr int64_t work = 4; // between a copy and a function of libm
  return fill<E>(args, work, [=](int64_t i) { return function(E::load(in[i])); });
}

template <class E> typename E::Storage apply_unary(int64_t fn, typename E::Number x) {
  switch (fn) {
#define SYMC_CASE(name, NAME)                                                                      \
  case SYMC_UNARY_FN_##NAME:                                                                       \
    return E::store(fn_##name(x));
    SYMC_UNARY_FUNCTIONS(SYMC_CASE)
#undef SYMC_CASE
  }
  return E::store(x);
}

template <class E>
typename E::Storage apply_binary(int64_t fn, typename E::Number x, typename E::Number y) {
  switch (fn) {
#define SYMC_CASE(name, NAME)                                                                      \
  case SYMC_BINARY_FN_##NAME:                                                                      \
    return E::store(fn_##name(x, y));
    SYMC_BINARY_FUNCTIONS(SYMC_CASE)
#undef SYMC_CASE
  }
  return E::store(x);
}

template <class E> int32_t unary(const symc_kernel_args *args) {
  int64_t fn = params_of<symc_unary_params>(args).fn;
  if (is_bool<E> && fn == SYMC_UNARY_FN_BIT_NOT) // a bool has one bit
    fn = SYMC_UNARY_FN_LOGICAL_NOT;
  return map<E>(args, [=](auto x) { return apply_unary<E>(fn, x); });
}

template <class E> int32_t binary(const symc_kernel_args *args) {
  int64_t fn = params_of<symc_binary_params>(args).fn;
  const typename E::Storage *lhs = data_of<E>(args->inputs[0]), *rhs = data_of<E>(args->inputs[1]);
  const symc_tensor &result = args->outputs[0];
  typename E::Storage *out = target_of<E>(result);
  constexpr int64_t work = 8;
  int64_t count = count_of(result);
  // Nothing is repeated: elements have the number of the result's, and no place is needed.
  if (count_of(args->inputs[0]) == count && count_of(args->inputs[1]) == count)
    return fill<E>(args, work, [=](int64_t i) {
      return apply_binary<E>(fn, E::load(lhs[i]), E::load(rhs[i]));
    });
  Strides left = repeated(args->inputs[0], result), right = repeated(args->inputs[1], result);
  return each_place(args, result.rank, result.shape, work, [&](const Walk &walk, int64_t element) {
    int64_t i = 0, j = 0;
    for (int32_t axis = 0; axis < walk.rank; ++axis) {
      i += walk.at[axis] * left.by[axis];
      j += walk.at[axis] * right.by[axis];
    }
    out[element] = apply_binary<E>(fn, E::load(lhs[i]), E::load(rhs[j]));
  });
}

// The functions of `scalar` are those of `binary`, in the same order.
// 32 bits: a number of a table.
static_assert(SYMC_SCALAR_FN_LOGICAL_XOR == int(SYMC_BINARY_FN_LOGICAL_XOR), "one list");

template <class E> int32_t scalar_kernel(const symc_kernel_args *args) {
  const auto &params = params_of<symc_scalar_params>(args);
  auto number = rounded<E>(number_of<typename E::Number>(params.scalar));
  if (params.reverse)
    return map<E>(args, [&](auto x) { return apply_binary<E>(params.fn, number, x); });
  return map<E>(args, [&](auto x) { return apply_binary<E>(params.fn, x, number); });
}

template <class E> int32_t activation(const symc_kernel_args *args) {
  int64_t type = params_of<symc_activation_params>(args).act_type;
  return map<E>(args, [=](auto x) {
    switch (type) {
    case SYMC_ACTIVATION_ACT_TYPE_SIGMOID:
      return E::store(fn_sigmoid(x));
    case SYMC_ACTIVATION_ACT_TYPE_TANH:
      return E::store(fn_tanh(x));
    case SYMC_ACTIVATION_ACT_TYPE_SOFTRELU:
      return E::store(fn_softrelu(x));
    case SYMC_ACTIVATION_ACT_TYPE_SOFTSIGN:
      return E::store(fn_softsign(x));
    default:
      return E::store(fn_relu(x));
    }
  });
}

template <class E> int32_t leaky_relu(const symc_kernel_args *args) {
  using T = typename E::Number;
  const auto &params = params_of<symc_leaky_relu_params>(args);
  const symc_tensor &data = args->inputs[0];
  T slope = number_of<T>(params.slope);
  switch (params.act_type) {
  case SYMC_LEAKY_RELU_ACT_TYPE_ELU:
    return map<E>(args, [=](T x) { return E::store(fn_elu(x, slope)); });
  case SYMC_LEAKY_RELU_ACT_TYPE_SELU:
    return map<E>(args, [](T x) { return E::store(fn_selu(x)); });
  case SYMC_LEAKY_RELU_ACT_TYPE_GELU:
    return map<E>(args, [](T x) { return E::store(fn_gelu(x)); });
  case SYMC_LEAKY_RELU_ACT_TYPE_PRELU: {
    const typename E::Storage *in = data_of<E>(data), *gamma = data_of<E>(args->inputs[1]);
    typename E::Storage *out = target_of<E>(args->outputs[0]);
    // From its last axis on gamma runs along data's second and first, and repeats where it has 1.
    const symc_tensor &slopes = args->inputs[1];
    int32_t last = data.rank > 1 ? 1 : 0, left = slopes.rank;
    int64_t by[2] = {0, 0}, apart = 1;
    for (int32_t axis = last; axis >= 0 && left > 0; --axis) {
      int64_t extent = slopes.shape[left - 1];
      if (extent != data.shape[axis] && extent != 1)
        continue;
      by[axis] = extent == 1 ? 0 : apart;
      apart *= extent;
      --left;
    }
    int64_t inner = product(data.shape, last + 1, data.rank), extent = data.shape[last];
    each_of(count_of(data), [&](int64_t i) {
      int64_t row = i / inner;
      int64_t place = row % extent * by[last] + (last ? row / extent * by[0] : 0);
      out[i] = E::store(fn_leaky(E::load(in[i]), E::load(gamma[place])));
    });
    return SYMC_STATUS_OK;
  }
  case SYMC_LEAKY_RELU_ACT_TYPE_RRELU:
    slope = number_of<T>((params.lower_bound + params.upper_bound) / 2);
    if (args->n_outputs > 1) { // mask
      typename E::Storage *mask = target_of<E>(args->outputs[1]);
      each_of(count_of(args->outputs[1]), [&](int64_t i) { mask[i] = E::store(slope); });
    }
    break;
  }
  return map<E>(args, [=](T x) { return E::store(fn_leaky(x, slope)); });
}

template <class E> int32_t clip(const symc_kernel_args *args) {
  using T = typename E::Number;
  const auto &params = params_of<symc_clip_params>(args);
  T low = rounded<E>(number_of<T>(params.a_min)), high = rounded<E>(number_of<T>(params.a_max));
  return map<E>(args, [=](T x) { return E::store(fn_clip(x, low, high)); });
}

template <class E> int32_t hard_sigmoid(const symc_kernel_args *args) {
  using T = typename E::Number;
  const auto &params = params_of<symc_hard_sigmoid_params>(args);
  T alpha = T(params.alpha), beta = T(params.beta);
  return map<E>(args, [=](T x) { return E::store(fn_hard_sigmoid(x, alpha, beta)); });
}

template <class E> int32_t smooth_l1(const symc_kernel_args *args) {
  using T = typename E::Number;
  T s = T(params_of<symc_smooth_l1_params>(args).scalar);
  return map<E>(args, [=](T x) { return E::store(fn_smooth_l1(x, s)); });
}

template <class E> int32_t quadratic(const symc_kernel_args *args) {
  using T = typename E::Number;
  const auto &params = params_of<symc_quadratic_params>(args);
  T a = T(params.a), b = T(params.b), c = T(params.c);
  return map<E>(args, [=](T x) { return E::store(fn_quadratic(x, a, b, c)); });
}

template <class E> int32_t add_n(const symc_kernel_args *args) {
  typename E::Storage *out = target_of<E>(args->outputs[0]);
  each_of(count_of(args->outputs[0]), [&](int64_t i) {
    auto sum = E::load(data_of<E>(args->inputs[0])[i]);
    for (int32_t n = 1; n < args->n_inputs; ++n)
      sum = symc::scalar::add(sum, E::load(data_of<E>(args->inputs[n])[i]));
    out[i] = E::store(sum);
  });
  return SYMC_STATUS_OK;
}

// Converts all of one operand into the element type of a result.
template <class E> int32_t convert(const symc_tensor &from, const symc_tensor &to) {
  const typename E::Storage *in = data_of<E>(from);
  return with_any_element(to.dtype, [&](auto element) {
    using R = decltype(element);
    typename R::Storage *out = target_of<R>(to);
    if constexpr (is_same<E, U64> && !is_same<typename R::Number, int64_t>)
      each_of(count_of(to), [&](int64_t i) { out[i] = R::store(double(in[i])); });
    else
      each_of(count_of(to), [&](int64_t i) { out[i] = R::store(E::load(in[i])); });
  });
}

template <class E> int32_t cast(const symc_kernel_args *args) {
  return convert<E>(args->inputs[0], args->outputs[0]);
}

// Short floats of several types; a loop for each pair of types would be the library's largest
// kernel.
int32_t amp_multicast(const symc_kernel_args *args) {
  for (int32_t n = 0; n < args->n_outputs; ++n) {
    const symc_tensor &from = args->inputs[n], &to = args->outputs[n];
    if (from.dtype == to.dtype)
      copy_elements(from, to);
    else
      each_of(count_of(to), [&](int64_t i) { store_at(to, i, number_at(from, i)); });
  }
  return SYMC_STATUS_OK;
}

int32_t copy(const symc_kernel_args *args) {
  return copy_elements(args->inputs[0], args->outputs[0]);
}

// The condition may be of another type than x and y; the kernel is that of the condition's.
template <class E> int32_t where(const symc_kernel_args *args) {
  const symc_tensor &condition = args->inputs[0], &result = args->outputs[0];
  const typename E::Storage *choice = data_of<E>(condition);
  int64_t bytes = symc_dtype_bytes(result.dtype), count = count_of(result);
  bool by_row = condition.rank == 1 && result.rank > 1;
  int64_t inner = by_row ? count / (condition.shape[0] ? condition.shape[0] : 1) : 1;
  each_of(count, [&](int64_t i) {
    const symc_tensor &from = E::load(choice[i / inner]) != 0 ? args->inputs[1] : args->inputs[2];
    __builtin_memcpy(static_cast<char *>(result.data) + i * bytes,
                     static_cast<const char *>(from.data) + i * bytes, size_t(bytes));
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t fill_like(const symc_kernel_args *args) {
  double value = params_of<symc_fill_like_params>(args).value;
  typename E::Storage *out = target_of<E>(args->outputs[0]);
  each_of(count_of(args->outputs[0]), [&](int64_t i) { out[i] = E::store(value); });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_NUMBERS(unary, unary)
SYMC_REFERENCE_NUMBERS(binary, binary)
SYMC_REFERENCE_NUMBERS(scalar, scalar_kernel)
SYMC_REFERENCE_NUMBERS(activation, activation)
SYMC_REFERENCE_FLOATS(leaky_relu, leaky_relu)
SYMC_REFERENCE_NUMBERS(clip, clip)
SYMC_REFERENCE_FLOATS(hard_sigmoid, hard_sigmoid)
SYMC_REFERENCE_FLOATS(smooth_l1, smooth_l1)
SYMC_REFERENCE_NUMBERS(quadratic, quadratic)
SYMC_REFERENCE_NUMBERS(add_n, add_n)
SYMC_REFERENCE_NUMBERS(cast, cast)
SYMC_REFERENCE(cast, i16, cast<I16>)
SYMC_REFERENCE(cast, u16, cast<U16>)
SYMC_REFERENCE(cast, u32, cast<U32>)
SYMC_REFERENCE(cast, u64, cast<U64>)
SYMC_REFERENCE_ANY(amp_multicast, amp_multicast)
SYMC_REFERENCE_ANY(copy, copy)
SYMC_REFERENCE_ANY(block_grad, copy)
SYMC_REFERENCE_ANY(gradient_multiplier, copy)
SYMC_REFERENCE_ANY(copy_like, copy)
SYMC_REFERENCE_NUMBERS(where, where)
SYMC_REFERENCE_NUMBERS(fill_like, fill_like)

SYMC_ON_GRID(unary, binary, scalar, activation, leaky_relu, clip, hard_sigmoid, smooth_l1)
SYMC_ON_GRID(quadratic, add_n, cast, amp_multicast, copy, block_grad, gradient_multiplier,
             copy_like)
SYMC_ON_GRID(where, fill_like)
