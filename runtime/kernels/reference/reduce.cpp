// reduce.cpp: reference kernels of reductions. The axes of data are sorted into kept
// and reduced ones; for each place of the kept, all places of the reduced are walked in
// row-major order, so that the order of a sum never changes. Sums of floats are kept
// in double, of integers in 64 bits.
#include "symc/generated/op_params/Reduce.h"
#include "walk.h"

#include "scalar_primitives.h"

using namespace symc::ref;

namespace {

// Data's axes as two smaller shapes with the strides of data.
struct Axes {
  int32_t kept_rank = 0, reduced_rank = 0;
  int64_t kept[SYMC_MAX_RANK], kept_stride[SYMC_MAX_RANK];
  int64_t reduced[SYMC_MAX_RANK], reduced_stride[SYMC_MAX_RANK];
  int64_t reduced_count = 1;

  // Those of `axes`, or all others; all where none is named.
  Axes(const symc_tensor &data, bool given, const symc_i64s &axes, bool exclude) {
    bool all = !given || axes.n == 0, marked[SYMC_MAX_RANK] = {};
    for (int64_t i = 0; !all && i < axes.n; ++i)
      marked[normal_axis(axes.v[i], data.rank)] = true;
    Strides strides(data);
    for (int32_t axis = 0; axis < data.rank; ++axis) {
      if (all || marked[axis] != exclude) {
        reduced[reduced_rank] = data.shape[axis];
        reduced_stride[reduced_rank++] = strides.by[axis];
        reduced_count *= data.shape[axis];
      } else {
        kept[kept_rank] = data.shape[axis];
        kept_stride[kept_rank++] = strides.by[axis];
      }
    }
  }

  // Calls body(output element, first) for each kept place.
  template <class Body> void each_kept(Body body) const {
    each_in(kept_rank, kept, [&](const Walk &walk, int64_t i) {
      int64_t first = 0;
      for (int32_t axis = 0; axis < kept_rank; ++axis)
        first += walk.at[axis] * kept_stride[axis];
      body(i, first);
    });
  }
  // Calls body(element) for each element that is reduced into the place that begins at `first`.
  template <class Body> void each_reduced(int64_t first, Body body) const {
    for (Walk walk(reduced_rank, reduced); walk.more; walk.step()) {
      int64_t element = first;
      for (int32_t axis = 0; axis < reduced_rank; ++axis)
        element += walk.at[axis] * reduced_stride[axis];
      body(element);
    }
  }
};

template <class E> int32_t reduce(const symc_kernel_args *args) {
  using Wide = typename E::Wide;
  const auto &params = params_of<symc_reduce_params>(args);
  const typename E::Storage *in = data_of<E>(args->inputs[0]);
  typename E::Storage *out = target_of<E>(args->outputs[0]);
  Axes axes(args->inputs[0], params.has_axis, params.axis, params.exclude);
  int64_t kind = params.kind;
  bool product = kind == SYMC_REDUCE_KIND_PROD || kind == SYMC_REDUCE_KIND_NANPROD;
  bool skips = kind == SYMC_REDUCE_KIND_NANSUM || kind == SYMC_REDUCE_KIND_NANPROD;
  axes.each_kept([&](int64_t place, int64_t first) {
    Wide total = product ? 1 : 0;
    bool begun = false;
    axes.each_reduced(first, [&](int64_t element) {
      Wide value = Wide(E::load(in[element]));
      if (kind == SYMC_REDUCE_KIND_MAX) // a NaN that was met stays
        total = !begun || value != value || value > total ? value : total;
      else if (kind == SYMC_REDUCE_KIND_MIN)
        total = !begun || value != value || value < total ? value : total;
      else if (skips && value != value)
        return;
      else
        total = product ? symc::scalar::mul(total, value) : symc::scalar::add(total, value);
      begun = true;
    });
    if (kind == SYMC_REDUCE_KIND_MEAN)
      total = symc::scalar::div(total, Wide(axes.reduced_count));
    out[place] = E::store(total);
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t norm(const symc_kernel_args *args) {
  const auto &params = params_of<symc_norm_params>(args);
  const typename E::Storage *in = data_of<E>(args->inputs[0]);
  Axes axes(args->inputs[0], params.has_axis, params.axis, false);
  axes.each_kept([&](int64_t place, int64_t first) {
    double total = 0;
    axes.each_reduced(first, [&](int64_t element) {
      double value = double(E::load(in[element]));
      total += params.ord == 1 ? symc::scalar::abs(value) : value * value;
    });
    store_at(args->outputs[0], place, params.ord == 1 ? total : symc::scalar::sqrt(total));
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t moments(const symc_kernel_args *args) {
  const auto &params = params_of<symc_moments_params>(args);
  const typename E::Storage *in = data_of<E>(args->inputs[0]);
  typename E::Storage *means = target_of<E>(args->outputs[0]);
  typename E::Storage *variances = target_of<E>(args->outputs[1]);
  Axes axes(args->inputs[0], params.has_axes, params.axes, false);
  axes.each_kept([&](int64_t place, int64_t first) {
    double total = 0, spread = 0;
    axes.each_reduced(first, [&](int64_t element) { total += double(E::load(in[element])); });
    double mean = total / double(axes.reduced_count);
    axes.each_reduced(first, [&](int64_t element) {
      double distance = double(E::load(in[element])) - mean;
      spread += distance * distance;
    });
    means[place] = E::store(mean);
    variances[place] = E::store(spread / double(axes.reduced_count));
  });
  return SYMC_STATUS_OK;
}

// The first of the largest or smallest; a NaN beats all that is none.
template <class E> int32_t arg_reduce(const symc_kernel_args *args) {
  const auto &params = params_of<symc_arg_reduce_params>(args);
  const typename E::Storage *in = data_of<E>(args->inputs[0]);
  typename E::Storage *out = target_of<E>(args->outputs[0]);
  symc_i64s axis = {params.has_axis ? 1 : 0, &params.axis};
  Axes axes(args->inputs[0], params.has_axis, axis, false);
  bool largest = params.kind == SYMC_ARG_REDUCE_KIND_ARGMAX;
  axes.each_kept([&](int64_t place, int64_t first) {
    int64_t chosen = 0, index = 0;
    typename E::Number best = 0;
    axes.each_reduced(first, [&](int64_t element) {
      auto value = E::load(in[element]);
      bool better = largest ? value > best : value < best;
      if (index == 0 || (best == best && (better || value != value))) {
        best = value;
        chosen = index;
      }
      ++index;
    });
    out[place] = E::store(chosen);
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t cumsum(const symc_kernel_args *args) {
  const auto &params = params_of<symc_cumsum_params>(args);
  const symc_tensor &data = args->inputs[0];
  const typename E::Storage *in = data_of<E>(data);
  int64_t axis = params.has_axis ? normal_axis(params.axis, data.rank) : 0;
  int64_t extent = params.has_axis ? data.shape[axis] : count_of(data);
  int64_t inner = params.has_axis ? product(data.shape, axis + 1, data.rank) : 1;
  int64_t outer = params.has_axis ? product(data.shape, 0, axis) : 1;
  return with_element(args->outputs[0].dtype, [&](auto element) {
    using R = decltype(element);
    typename R::Storage *out = target_of<R>(args->outputs[0]);
    const int64_t lines[2] = {outer, inner};
    each_in(2, lines, [&](const Walk &walk, int64_t) {
      typename R::Wide total = 0;
      for (int64_t n = 0; n < extent; ++n) {
        int64_t place = (walk.at[0] * extent + n) * inner + walk.at[1];
        total += typename R::Wide(R::load(R::store(E::load(in[place]))));
        out[place] = R::store(total);
      }
    });
  });
}

} // namespace

SYMC_REFERENCE_NUMBERS(reduce, reduce)
SYMC_REFERENCE_NUMBERS(norm, norm)
SYMC_REFERENCE_FLOATS(moments, moments)
SYMC_REFERENCE_NUMBERS(arg_reduce, arg_reduce)
SYMC_REFERENCE_NUMBERS(cumsum, cumsum)

SYMC_ON_GRID(reduce, norm, moments, arg_reduce, cumsum)
