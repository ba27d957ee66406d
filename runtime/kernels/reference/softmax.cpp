// softmax.cpp: reference kernels of the softmax family. All of them run over lanes: the
// places along one axis, `outer` * `inner` of them. Sums are kept in double.
#include "symc/generated/op_params/Nn.h"
#include "walk.h"

using namespace symc::ref;

namespace {

struct Lanes {
  int64_t outer, length, inner;

  // The axes [begin, end) of a tensor as one.
  Lanes(const symc_tensor &tensor, int64_t begin, int64_t end)
      : outer(product(tensor.shape, 0, begin)), length(product(tensor.shape, begin, end)),
        inner(product(tensor.shape, end, tensor.rank)) {}
  int64_t count() const { return outer * inner; }
  // Element `i` of a lane.
  int64_t at(int64_t lane, int64_t i) const {
    return (lane / inner * length + i) * inner + lane % inner;
  }
};

enum class Kind { Softmax, Log };

// One lane: elements beyond `used` give 0.
template <class E, class Result>
void normalise(const typename E::Storage *in, const Lanes &lanes, int64_t lane, int64_t used,
               double factor, Kind kind, Result result) {
  double greatest = -__builtin_inf(), sum = 0;
  auto value = [&](int64_t i) { return double(E::load(in[lanes.at(lane, i)])) * factor; };
  for (int64_t i = 0; i < used; ++i)
    greatest = value(i) > greatest ? value(i) : greatest;
  for (int64_t i = 0; i < used; ++i)
    sum += __builtin_exp(value(i) - greatest);
  for (int64_t i = 0; i < lanes.length; ++i) {
    double out = 0;
    if (i < used)
      out = kind == Kind::Log ? value(i) - greatest - __builtin_log(sum)
                              : __builtin_exp(value(i) - greatest) / sum;
    result(lanes.at(lane, i), out);
  }
}

template <class E, class R> void softmax_into(const symc_kernel_args *args) {
  const auto &params = params_of<symc_softmax_params>(args);
  int64_t axis = normal_axis(params.axis, args->inputs[0].rank);
  Lanes lanes(args->inputs[0], axis, axis + 1);
  double factor = params.kind == SYMC_SOFTMAX_KIND_SOFTMIN ? -1 : 1;
  if (params.has_temperature)
    factor /= params.temperature;
  auto *out = target_of<R>(args->outputs[0]);
  each_of(lanes.count(), [&](int64_t lane) {
    int64_t used = lanes.length;
    if (args->n_inputs > 1) {
      used = index_at(args->inputs[1], lane);
      used = used < 0 ? 0 : used > lanes.length ? lanes.length : used;
    }
    normalise<E>(data_of<E>(args->inputs[0]), lanes, lane, used, factor,
                 params.kind == SYMC_SOFTMAX_KIND_LOG_SOFTMAX ? Kind::Log : Kind::Softmax,
                 [&](int64_t at, double value) { out[at] = R::store(value); });
  });
}

template <class E> int32_t softmax(const symc_kernel_args *args) {
  switch (args->outputs[0].dtype) {
  case SYMC_F32:
    softmax_into<E, F32>(args);
    return SYMC_STATUS_OK;
  case SYMC_F64:
    softmax_into<E, F64>(args);
    return SYMC_STATUS_OK;
  case SYMC_F16:
    softmax_into<E, F16>(args);
    return SYMC_STATUS_OK;
  case SYMC_BF16:
    softmax_into<E, BF16>(args);
    return SYMC_STATUS_OK;
  default:
    return SYMC_STATUS_BAD_DTYPE;
  }
}

template <class E> int32_t plain(const symc_kernel_args *args, const Lanes &lanes) {
  auto *out = target_of<E>(args->outputs[0]);
  each_of(lanes.count(), [&](int64_t lane) {
    normalise<E>(data_of<E>(args->inputs[0]), lanes, lane, lanes.length, 1, Kind::Softmax,
                 [&](int64_t at, double value) { out[at] = E::store(value); });
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t softmax_output(const symc_kernel_args *args) {
  const auto &params = params_of<symc_softmax_output_params>(args);
  const symc_tensor &data = args->inputs[0];
  if (params.multi_output)
    return plain<E>(args, Lanes(data, 1, 2));
  int64_t first = params.preserve_shape || data.rank == 1 ? data.rank - 1 : 1;
  return plain<E>(args, Lanes(data, first, data.rank));
}

template <class E> int32_t softmax_activation(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0];
  bool channel =
      params_of<symc_softmax_activation_params>(args).mode == SYMC_SOFTMAX_ACTIVATION_MODE_CHANNEL;
  return plain<E>(args, channel ? Lanes(data, 1, 2) : Lanes(data, data.rank - 1, data.rank));
}

template <class E> int32_t softmax_cross_entropy(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0];
  Lanes lanes(data, 1, 2);
  double loss = 0;
  for (int64_t lane = 0; lane < lanes.count(); ++lane) {
    int64_t label = lanes.at(lane, index_at(args->inputs[1], lane));
    normalise<E>(data_of<E>(data), lanes, lane, lanes.length, 1, Kind::Softmax,
                 [&](int64_t at, double value) {
                   if (at == label)
                     loss -= __builtin_log(value < 1e-8 ? 1e-8 : value);
                 });
  }
  target_of<E>(args->outputs[0])[0] = E::store(loss);
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(softmax, softmax)
SYMC_REFERENCE_FLOATS(softmax_output, softmax_output)
SYMC_REFERENCE_FLOATS(softmax_activation, softmax_activation)
SYMC_REFERENCE_FLOATS(softmax_cross_entropy, softmax_cross_entropy)

SYMC_ON_GRID(softmax, softmax_output, softmax_activation)
