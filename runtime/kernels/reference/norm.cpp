// norm.cpp: reference kernels of normalisations. Statistics are kept in double.
// Vectors such as gamma may have another element type than data.
#include "symc/generated/op_params/Norm.h"
#include "number.h"
#include "symc/generated/op_params/Nn.h"
#include "walk.h"

using namespace symc::ref;

namespace {

// With `plain` the third result is the variance, else what data is multiplied by.
template <class E, class Params>
int32_t normalise_by_state(const symc_kernel_args *args, const Params &params, bool relu,
                           bool plain) {
  const symc_tensor &data = args->inputs[0];
  int64_t axis = normal_axis(params.axis, data.rank), channels = data.shape[axis];
  int64_t outer = product(data.shape, 0, axis), inner = product(data.shape, axis + 1, data.rank);
  const auto *in = data_of<E>(data);
  auto *out = target_of<E>(args->outputs[0]);
  for (int64_t c = 0; c < channels; ++c) {
    double gamma = params.fix_gamma ? 1 : number_at(args->inputs[1], c);
    double beta = number_at(args->inputs[2], c), mean = number_at(args->inputs[3], c);
    double inverse = 1 / __builtin_sqrt(number_at(args->inputs[4], c) + params.eps);
    if (args->n_outputs > 2)
      each_of(1, [&](int64_t) {
        store_at(args->outputs[1], c, mean);
        store_at(args->outputs[2], c, plain ? number_at(args->inputs[4], c) : inverse);
      });
    each_row_in(1, &outer, inner, [&](const Walk &, int64_t row, int64_t x) {
      int64_t at = (row * channels + c) * inner + x;
      double value = (double(E::load(in[at])) - mean) * inverse * gamma + beta;
      out[at] = E::store(relu && value < 0 ? 0 : value);
    });
  }
  return SYMC_STATUS_OK;
}

template <class E> int32_t batch_norm(const symc_kernel_args *args) {
  const auto &params = params_of<symc_batch_norm_params>(args);
  return normalise_by_state<E>(args, params, false, params.plain_variance);
}
template <class E> int32_t batch_norm_with_relu(const symc_kernel_args *args) {
  return normalise_by_state<E>(args, params_of<symc_batch_norm_with_relu_params>(args), true,
                               false);
}

float root_of(float value) { return __builtin_sqrtf(value); }
double root_of(double value) { return __builtin_sqrt(value); }

template <class E> int32_t lrn(const symc_kernel_args *args) {
  const auto &params = params_of<symc_lrn_params>(args);
  const symc_tensor &data = args->inputs[0];
  int64_t channels = data.shape[1], inner = product(data.shape, 2, data.rank),
          half = params.nsize / 2;
  const auto *in = data_of<E>(data);
  auto *out = target_of<E>(args->outputs[0]);
  constexpr int64_t kTogether = 64; // elements of a channel whose sums grow side by side
  using N = typename E::Number;     // a few squares of one size: no need for double
  bool usual = params.beta == 0.75;
  N knorm = N(params.knorm), alpha = N(params.alpha / double(params.nsize));
  each_of(inner ? count_of(data) / inner : 0, [&](int64_t item) {
    int64_t c = item % channels, least = c > half ? c - half : 0;
    int64_t most = c + half < channels - 1 ? c + half : channels - 1;
    for (int64_t first = 0; first < inner; first += kTogether) {
      int64_t many = inner - first < kTogether ? inner - first : kTogether;
      const auto *own = in + item * inner + first;
      N sums[kTogether] = {};
      for (int64_t other = least; other <= most; ++other)
        for (int64_t i = 0; i < many; ++i) {
          N value = E::load(own[(other - c) * inner + i]);
          sums[i] += value * value;
        }
      if (args->n_outputs > 1)
        for (int64_t i = 0; i < many; ++i)
          store_at(args->outputs[1], item * inner + first + i, double(knorm + alpha * sums[i]));
      auto *result = out + item * inner + first;
      if (usual)
        for (int64_t i = 0; i < many; ++i) {
          N root = root_of(knorm + alpha * sums[i]);
          result[i] = E::store(E::load(own[i]) / (root * root_of(root)));
        }
      else
        for (int64_t i = 0; i < many; ++i)
          result[i] = E::store(double(E::load(own[i])) *
                               __builtin_pow(double(knorm + alpha * sums[i]), -params.beta));
    }
  });
  return SYMC_STATUS_OK;
}

// Groups of elements of which each has its own statistics: `outer` * `inner` groups of
// `length` elements, `inner` apart.
struct Groups {
  int64_t outer, length, inner;
  int64_t count() const { return outer * inner; }
  int64_t at(int64_t group, int64_t i) const {
    return (group / inner * length + i) * inner + group % inner;
  }
};

// What a group's elements add up to, of `value(element)`. Runs of neighbours are added in eight
// sums side by side, in an order that the length alone decides.
template <class E, class Value>
double sum_of(const typename E::Storage *in, const Groups &groups, int64_t group, Value value) {
  double sums[8] = {};
  if (groups.inner == 1) {
    const auto *own = in + group * groups.length;
    int64_t i = 0;
    for (; i + 8 <= groups.length; i += 8)
      for (int64_t k = 0; k < 8; ++k)
        sums[k] += value(double(E::load(own[i + k])));
    for (; i < groups.length; ++i)
      sums[0] += value(double(E::load(own[i])));
  } else {
    for (int64_t i = 0; i < groups.length; ++i)
      sums[i % 8] += value(double(E::load(in[groups.at(group, i)])));
  }
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

template <class E> int32_t l2_normalization(const symc_kernel_args *args) {
  const auto &params = params_of<symc_l2_normalization_params>(args);
  const symc_tensor &data = args->inputs[0];
  int64_t rest = product(data.shape, 2, data.rank);
  Groups groups = {data.shape[0], data.shape[1] * rest, 1};
  if (params.mode == SYMC_L2_NORMALIZATION_MODE_CHANNEL)
    groups = {data.shape[0], data.shape[1], rest};
  else if (params.mode == SYMC_L2_NORMALIZATION_MODE_SPATIAL)
    groups = {data.shape[0] * data.shape[1], rest, 1};
  const auto *in = data_of<E>(data);
  auto *out = target_of<E>(args->outputs[0]);
  each_of(groups.count(), [&](int64_t group) {
    double sum =
        params.eps + sum_of<E>(in, groups, group, [](double value) { return value * value; });
    double inverse = 1 / __builtin_sqrt(sum);
    if (args->n_outputs > 1)
      store_at(args->outputs[1], group, __builtin_sqrt(sum));
    for (int64_t i = 0; i < groups.length; ++i) {
      int64_t at = groups.inner == 1 ? group * groups.length + i : groups.at(group, i);
      out[at] = E::store(double(E::load(in[at])) * inverse);
    }
  });
  return SYMC_STATUS_OK;
}

// out = (in - mean) * inverse * gamma + beta for one group, whose gamma and beta have the type of
// data: one for each element, or one for all (`step` 0).
template <class E>
void scale_run(const typename E::Storage *in, typename E::Storage *out, int64_t length, double mean,
               double inverse, const typename E::Storage *gamma, const typename E::Storage *beta,
               int64_t step) {
  if (step == 0) {
    double scale = inverse * double(E::load(*gamma)), shift = double(E::load(*beta));
    for (int64_t i = 0; i < length; ++i)
      out[i] = E::store((double(E::load(in[i])) - mean) * scale + shift);
    return;
  }
  for (int64_t i = 0; i < length; ++i)
    out[i] = E::store((double(E::load(in[i])) - mean) * inverse * double(E::load(gamma[i])) +
                      double(E::load(beta[i])));
}

// (x - mean) / sqrt(var + eps) * gamma + beta in each group; channel(group, i) gives the
// element of gamma and beta, which with `step` 1 is i, with 0 the same in the whole group. The
// third result is the variance or, with `root`, sqrt(var + eps).
template <class E, class Channel>
void normalise(const symc_kernel_args *args, const Groups &groups, double eps, bool root,
               int64_t step, Channel channel) {
  const symc_tensor &gamma = args->inputs[1], &beta = args->inputs[2];
  const auto *in = data_of<E>(args->inputs[0]);
  auto *out = target_of<E>(args->outputs[0]);
  bool runs =
      groups.inner == 1 && gamma.dtype == args->inputs[0].dtype && beta.dtype == gamma.dtype;
  each_of(groups.count(), [&](int64_t group) {
    double count = double(groups.length),
           mean = sum_of<E>(in, groups, group, [](double value) { return value; }) / count;
    double squares =
        sum_of<E>(in, groups, group, [=](double value) { return (value - mean) * (value - mean); });
    double variance = squares / count, deviation = __builtin_sqrt(variance + eps),
           inverse = 1 / deviation;
    if (args->n_outputs > 2) {
      store_at(args->outputs[1], group, mean);
      store_at(args->outputs[2], group, root ? deviation : variance);
    }
    if (runs) {
      int64_t c = channel(group, 0), begin = group * groups.length;
      scale_run<E>(in + begin, out + begin, groups.length, mean, inverse, data_of<E>(gamma) + c,
                   data_of<E>(beta) + c, step);
      return;
    }
    for (int64_t i = 0; i < groups.length; ++i) {
      int64_t at = groups.at(group, i), c = channel(group, i);
      out[at] = E::store((double(E::load(in[at])) - mean) * inverse * number_at(gamma, c) +
                         number_at(beta, c));
    }
  });
}

template <class E> int32_t instance_norm(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0];
  int64_t channels = data.shape[1];
  normalise<E>(args, {data.shape[0] * channels, product(data.shape, 2, data.rank), 1},
               params_of<symc_instance_norm_params>(args).eps, false, 0,
               [&](int64_t group, int64_t) { return group % channels; });
  return SYMC_STATUS_OK;
}

template <class E> int32_t layer_norm(const symc_kernel_args *args) {
  const auto &params = params_of<symc_layer_norm_params>(args);
  const symc_tensor &data = args->inputs[0];
  int64_t axis = normal_axis(params.axis, data.rank);
  normalise<E>(
      args,
      {product(data.shape, 0, axis), data.shape[axis], product(data.shape, axis + 1, data.rank)},
      params.eps, true, 1, [](int64_t, int64_t i) { return i; });
  return SYMC_STATUS_OK;
}

template <class E> int32_t group_norm(const symc_kernel_args *args) {
  const auto &params = params_of<symc_group_norm_params>(args);
  const symc_tensor &data = args->inputs[0];
  int64_t number = params.num_groups;
  normalise<E>(args, {data.shape[0] * number, product(data.shape, 1, data.rank) / number, 1},
               params.eps, true, 0, [&](int64_t group, int64_t) { return group % number; });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(batch_norm, batch_norm)
SYMC_REFERENCE_FLOATS(batch_norm_with_relu, batch_norm_with_relu)
SYMC_REFERENCE_FLOATS(lrn, lrn)
SYMC_REFERENCE_FLOATS(l2_normalization, l2_normalization)
SYMC_REFERENCE_FLOATS(instance_norm, instance_norm)
SYMC_REFERENCE_FLOATS(layer_norm, layer_norm)
SYMC_REFERENCE_FLOATS(group_norm, group_norm)

SYMC_ON_GRID(batch_norm, batch_norm_with_relu, lrn, l2_normalization, instance_norm, layer_norm)
SYMC_ON_GRID(group_norm)
