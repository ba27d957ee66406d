// statistics.cpp: reference kernels of percentiles and of counts of small numbers.
#include "symc/generated/op_params/Statistics.h"
#include "number.h"
#include "order.h"
#include "walk.h"

using namespace symc::ref;

namespace {

// Between which two of n elements in order a percentile lies, and how much of each it is. All
// of the first where the place is rounded to one.
struct Place {
  int64_t below, above;
  float weight_below, weight_above;
};

// q / 100 * (n - 1), in the steps and types in which MXNet computes it.
float exact_place(const symc_tensor *q, int64_t i, double scalar, int64_t n) {
  if (!q)
    return float(scalar * double(n - 1) / 100.0);
  float place = 0;
  with_element(q->dtype, [&](auto element) {
    using Q = decltype(element);
    using Number = typename Q::Number;
    Number product = Q::load(data_of<Q>(*q)[i]) * Number(n - 1);
    if (sizeof(typename Q::Storage) == 2) // each step is rounded
      place = float(Q::load(Q::store(Q::load(Q::store(product)) / Number(100))));
    else
      place = float(double(product) / 100.0);
  });
  return place;
}

Place place_of(float exact, int64_t interpolation, int64_t n) {
  int64_t floor = int64_t(exact), ceil = floor + (exact > float(floor));
  float place = exact;
  switch (interpolation) {
  case SYMC_PERCENTILE_INTERPOLATION_LOWER:
    place = float(floor);
    break;
  case SYMC_PERCENTILE_INTERPOLATION_HIGHER:
    place = float(ceil);
    break;
  case SYMC_PERCENTILE_INTERPOLATION_NEAREST:
    place = float(int64_t(double(exact) + 0.5));
    break;
  case SYMC_PERCENTILE_INTERPOLATION_MIDPOINT:
    place = float(floor + ceil) / 2;
    break;
  default:
    break;
  }
  auto inside = [&](int64_t at) { return at < n ? at : n - 1; };
  int64_t below = int64_t(place);
  bool one = interpolation != SYMC_PERCENTILE_INTERPOLATION_LINEAR &&
             interpolation != SYMC_PERCENTILE_INTERPOLATION_MIDPOINT;
  float weight = place - float(below);
  return {inside(below), one ? -1 : inside(below + 1), 1 - weight, weight};
}

// a * weight in the type of a, float for integers.
float weighted(float a, float weight) { return a * weight; }
double weighted(double a, float weight) { return a * double(weight); }
float weighted(int64_t a, float weight) { return float(a) * weight; }

// at(n): the nth number in order.
template <class E, class Out, class At> Out value_of(At at, const Place &place) {
  if (place.above < 0)
    return Out(at(place.below));
  auto part = [&](int64_t n, float weight) {
    auto value = weighted(at(n), weight);
    if (sizeof(typename E::Storage) == 2) // a half times a float is a half
      return Out(E::load(E::store(value)));
    return Out(value);
  };
  return part(place.below, place.weight_below) + part(place.above, place.weight_above);
}

// The axes that stay and those that are gathered, the others with an extent of 1.
struct Axes {
  int64_t kept[SYMC_MAX_RANK], reduced[SYMC_MAX_RANK], lines = 1, n = 1;

  Axes(const symc_tensor &a, const symc_percentile_params &params) {
    for (int32_t i = 0; i < a.rank; ++i) {
      bool gathered = !params.has_axis;
      for (int64_t k = 0; k < params.axis.n && !gathered; ++k)
        gathered = normal_axis(params.axis.v[k], a.rank) == i;
      kept[i] = gathered ? 1 : a.shape[i];
      reduced[i] = gathered ? a.shape[i] : 1;
      lines *= kept[i];
      n *= reduced[i];
    }
  }
};

template <class E> int32_t percentile(const symc_kernel_args *args) {
  using Out = decltype(weighted(typename E::Number(), 0.0f));
  const auto &params = params_of<symc_percentile_params>(args);
  const symc_tensor &a = args->inputs[0];
  const symc_tensor *q = params.has_q_scalar ? nullptr : &args->inputs[1];
  int64_t queries = q ? count_of(*q) : 1;
  for (int64_t i = 0; q && i < queries; ++i)
    if (double value = number_at(*q, i); !(value >= 0 && value <= 100))
      return refuse(Refusal::PERCENTILE);
  Axes axes(a, params);
  Strides strides(a);
  auto offset = [&](const Walk &walk) {
    int64_t place = 0;
    for (int32_t i = 0; i < a.rank; ++i)
      place += walk.at[i] * strides.by[i];
    return place;
  };
  int64_t *places = static_cast<int64_t *>(args->scratch), line_number = 0;
  auto *line = reinterpret_cast<typename E::Storage *>(places + 2 * axes.n);
  auto before = [&](int64_t m, int64_t n) {
    auto x = E::load(line[m]), y = E::load(line[n]);
    return x != x || y != y ? x == x && y != y : x < y;
  };
  for (Walk walk(a.rank, axes.kept); walk.more && axes.n; walk.step(), ++line_number) {
    const typename E::Storage *first = data_of<E>(a) + offset(walk);
    int64_t n = axes.n;
    each_in(a.rank, axes.reduced, [&](const Walk &inner, int64_t i) {
      line[i] = first[offset(inner)];
      places[i] = i;
    });
    wait_for_block();
    bool keyed = !kOnDevice && has_keys<E>(n);
    const int64_t *order =
        keyed ? order_keys<E>(places, n, true, [&](int64_t place) { return line[place]; })
              : order_places(places, places + n, n, before);
    auto at = [&](int64_t rank) {
      return E::load(line[keyed ? place_of_key(order[rank]) : order[rank]]);
    };
    each_of_block(queries, [&](int64_t i) {
      Place place = place_of(exact_place(q, i, params.q_scalar, n), params.interpolation, n);
      static_cast<Out *>(args->outputs[0].data)[i * axes.lines + line_number] =
          value_of<E, Out>(at, place);
    });
  }
  return axes.n ? SYMC_STATUS_OK : refuse(Refusal::NO_ELEMENT);
}

template <class E> int32_t bincount(const symc_kernel_args *args) {
  const auto &params = params_of<symc_bincount_params>(args);
  const symc_tensor &data = args->inputs[0], &result = args->outputs[0];
  const typename E::Storage *in = data_of<E>(data);
  int64_t count = count_of(data), extent = params.minlength > 0 ? params.minlength : 0;
  for (int64_t i = 0; i < count; ++i) {
    if (in[i] < 0)
      return refuse(Refusal::NEGATIVE);
    extent = in[i] < extent ? extent : int64_t(in[i]) + 1;
  }
  if (args->frame) // none where a kernel is called by itself
    args->frame->dims[params.size] = extent;
  return with_element(result.dtype, [&](auto element) {
    using R = decltype(element);
    typename R::Storage *out = target_of<R>(result);
    for (int64_t n = 0; n < extent; ++n)
      out[n] = 0;
    for (int64_t i = 0; i < count; ++i) {
      auto more =
          params.has_weights ? R::load(data_of<R>(args->inputs[1])[i]) : typename R::Number(1);
      out[in[i]] = R::store(R::load(out[in[i]]) + more);
    }
  });
}

} // namespace

SYMC_REFERENCE_NUMBERS(percentile, percentile)
SYMC_REFERENCE(bincount, u8, bincount<U8>)
SYMC_REFERENCE(bincount, i8, bincount<I8>)

SYMC_ON_BLOCK(percentile)
