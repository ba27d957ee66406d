// backward.cpp: reference kernels of the operators that gradients are made of. Sums are kept in
// double where they are made at one place, and in the element type where windows add to places.
#include "symc/generated/op_params/Backward.h"
#include "refusal.h"
#include "spatial.h"

#include "../../core/ranks.h"

#include "scalar_primitives.h"
#include "symc/generated/scalar_functions.h"

using namespace symc::ref;
using namespace symc::scalar_fn;

namespace {

constexpr int64_t kMostArgs = 4; // of a scalar function

template <class T> T slope_of(int64_t fn, int64_t by, const T *x) {
  switch (fn) {
#define SYMC_CASE(name, NAME)                                                                      \
  case SYMC_SLOPE_FN_##NAME:                                                                       \
    return slope_##name(by, x);
    SYMC_SLOPE_FUNCTIONS(SYMC_CASE)
#undef SYMC_CASE
  }
  return T(0);
}

template <class E> int32_t slope(const symc_kernel_args *args) {
  using T = typename E::Number;
  const auto &params = params_of<symc_slope_params>(args);
  const symc_tensor &result = args->outputs[0];
  const int64_t operands = args->n_inputs - 1;
  const auto *gradient = data_of<E>(args->inputs[operands]);
  auto *out = target_of<E>(result);
  Strides strides[kMostArgs];
  for (int64_t n = 0; n < operands; ++n)
    strides[n] = repeated(args->inputs[n], result);
  constexpr int64_t work = 16;
  return each_place(args, result.rank, result.shape, work, [&](const Walk &walk, int64_t element) {
    T x[kMostArgs];
    for (int64_t n = 0; n < params.numbers.n && n < kMostArgs; ++n)
      x[n] = T(params.numbers.v[n]);
    for (int64_t n = 0; n < operands; ++n) {
      int64_t i = 0;
      for (int32_t axis = 0; axis < walk.rank; ++axis)
        i += walk.at[axis] * strides[n].by[axis];
      x[params.places.v[n]] = E::load(data_of<E>(args->inputs[n])[i]);
    }
    out[element] = E::store(slope_of(params.fn, params.by, x) * E::load(gradient[element]));
  });
}

template <class E> int32_t convolution_weights(const symc_kernel_args *args) {
  const auto &params = params_of<symc_convolution_weights_params>(args);
  int32_t spatial = args->inputs[0].rank - 2;
  Image data(args->inputs[0], false), gradient(args->inputs[1], false),
      weight(args->outputs[0], false);
  Triple stride(params.stride, spatial, 1), dilate(params.dilate, spatial, 1),
      pad(params.pad, spatial, 0);
  const auto *in = data_of<E>(args->inputs[0]), *slopes = data_of<E>(args->inputs[1]);
  auto *out = target_of<E>(args->outputs[0]);
  int64_t group_filters = gradient.channels / params.num_group;
  each_pixel(weight, [&](int64_t f, int64_t c, const int64_t *tap) {
    double sum = 0;
    int64_t channel = f / group_filters * weight.channels + c;
    for (int64_t n = 0; n < data.items; ++n)
      for (Walk at(3, gradient.extent); at.more; at.step()) {
        int64_t place[3];
        bool inside = true;
        for (int axis = 0; axis < 3; ++axis) {
          place[axis] = at.at[axis] * stride.by[axis] + tap[axis] * dilate.by[axis] - pad.by[axis];
          inside = inside && place[axis] >= 0 && place[axis] < data.extent[axis];
        }
        if (inside)
          sum += double(E::load(in[data.at(n, channel, place)])) *
                 double(E::load(slopes[gradient.at(n, f, at.at)]));
      }
    out[weight.at(f, c, tap)] = E::store(sum);
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t pooling_gradient(const symc_kernel_args *args) {
  using T = typename E::Number;
  const auto &params = params_of<symc_pooling_gradient_params>(args);
  int32_t spatial = args->inputs[0].rank - 2;
  Image data(args->inputs[0], false), pooled(args->inputs[1], false);
  PoolingWindows windows(params, data, spatial);
  const auto *in = data_of<E>(args->inputs[0]), *results = data_of<E>(args->inputs[1]),
             *gradient = data_of<E>(args->inputs[2]);
  auto *out = target_of<E>(args->outputs[0]);
  bool with_padding = !params.has_count_include_pad || params.count_include_pad;
  bool maximum = params.pool_type == SYMC_POOLING_GRADIENT_POOL_TYPE_MAX;
  int64_t whole = product(windows.kernel.by, 0, 3);
  // Windows overlap, channels do not.
  int64_t channels = data.items * data.channels;
  Rows rows = {channels, whole * product(pooled.extent, 0, 3)};
  return run_rows(args, rows, [&](const RowRange &range) -> int32_t {
    for (int64_t row = range.first; row < range.end; ++row) {
      int64_t n = row / data.channels, c = row % data.channels;
      for (Walk at(3, data.extent); at.more; at.step())
        out[data.at(n, c, at.at)] = E::store(T(0));
      for (Walk at(3, pooled.extent); at.more; at.step()) {
        Window window(data, at.at, windows);
        T result = E::load(results[pooled.at(n, c, at.at)]);
        T slope = E::load(gradient[pooled.at(n, c, at.at)]);
        if (params.pool_type == SYMC_POOLING_GRADIENT_POOL_TYPE_AVG) {
          slope /= T(with_padding ? window.padded_count : window.clipped_extents);
        }
        for (Walk k(3, window.size); k.more; k.step()) {
          int64_t place[3] = {window.first[0] + k.at[0], window.first[1] + k.at[1],
                              window.first[2] + k.at[2]};
          int64_t i = data.at(n, c, place);
          T element = E::load(in[i]);
          if (maximum && element != result)
            continue;
          out[i] = E::store(E::load(out[i]) + slope);
          if (maximum && !params.ties)
            break;
        }
      }
    }
    return SYMC_STATUS_OK;
  });
}

template <class E> int32_t scatter_add(const symc_kernel_args *args) {
  const auto &params = params_of<symc_scatter_add_params>(args);
  const symc_tensor &data = args->inputs[0], &indices = args->inputs[1];
  int64_t places = count_of(indices), extent = params.extent;
  int64_t outer = product(data.shape, 0, params.axis);
  int64_t inner = product(data.shape, params.axis + indices.rank, data.rank);
  const auto *in = data_of<E>(data);
  auto *out = target_of<E>(args->outputs[0]);
  for (int64_t i = 0; i < outer * extent * inner; ++i)
    out[i] = E::store(typename E::Number(0));
  for (int64_t n = 0; n < places; ++n) {
    int64_t place = index_at(indices, n);
    if (params.mode == SYMC_SCATTER_ADD_MODE_RAISE && (place < -extent || place >= extent))
      return refuse(Refusal::OUTSIDE);
    if (extent < 1)
      continue;
    place =
        params.mode == SYMC_SCATTER_ADD_MODE_CLIP ? clipped(place, extent) : wrapped(place, extent);
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t i = 0; i < inner; ++i) {
        auto &sum = out[(o * extent + place) * inner + i];
        sum = E::store(E::load(sum) + E::load(in[(o * places + n) * inner + i]));
      }
  }
  return SYMC_STATUS_OK;
}

// Slopes of normalised elements y = (data - mean) * inverse, in rows along axes.
template <class E> struct NormalisedRows {
  const typename E::Storage *slopes, *elements, *means, *inverses;
  Strides own, mean, inverse;
  int32_t rank;
  int64_t rows[SYMC_MAX_RANK], row[SYMC_MAX_RANK]; // extents: how many there are, and of one
  int64_t count = 1;                               // elements of one

  NormalisedRows(const symc_kernel_args *args, const symc_i64s &axes)
      : slopes(data_of<E>(args->inputs[0])), elements(data_of<E>(args->inputs[1])),
        means(data_of<E>(args->inputs[2])), inverses(data_of<E>(args->inputs[3])),
        own(args->inputs[1]), mean(repeated(args->inputs[2], args->inputs[1])),
        inverse(repeated(args->inputs[3], args->inputs[1])), rank(args->inputs[1].rank) {
    const symc_tensor &data = args->inputs[1];
    for (int32_t axis = 0; axis < rank; ++axis) {
      rows[axis] = data.shape[axis];
      row[axis] = 1;
    }
    for (int64_t i = 0; i < axes.n; ++i) {
      int64_t axis = normal_axis(axes.v[i], rank);
      rows[axis] = 1;
      row[axis] = data.shape[axis];
      count *= data.shape[axis];
    }
  }

  struct Element {
    int64_t place;
    double slope, y, inverse;
  };

  template <class Each> void each(const Walk &walk, Each &&body) const {
    for (Walk in(rank, row); in.more; in.step()) {
      int64_t i = 0, m = 0, v = 0;
      for (int32_t axis = 0; axis < rank; ++axis) {
        int64_t at = walk.at[axis] + in.at[axis];
        i += at * own.by[axis];
        m += at * mean.by[axis];
        v += at * inverse.by[axis];
      }
      double factor = double(E::load(inverses[v]));
      double y = (double(E::load(elements[i])) - double(E::load(means[m]))) * factor;
      body(Element{i, double(E::load(slopes[i])), y, factor});
    }
  }

  struct Sums {
    double along = 0, total = 0;
  };
  Sums sums(const Walk &walk) const {
    Sums sums;
    each(walk, [&](const Element &e) {
      sums.along += e.slope * e.y;
      sums.total += e.slope;
    });
    return sums;
  }
};

constexpr int64_t row_work = 64;

template <class E> int32_t norm_sums(const symc_kernel_args *args) {
  NormalisedRows<E> data(args, params_of<symc_norm_sums_params>(args).axes);
  auto *along = target_of<E>(args->outputs[0]), *total = target_of<E>(args->outputs[1]);
  return each_place(args, data.rank, data.rows, row_work, [&](const Walk &walk, int64_t n) {
    auto sums = data.sums(walk);
    along[n] = E::store(sums.along);
    total[n] = E::store(sums.total);
  });
}

template <class E> int32_t norm_gradient(const symc_kernel_args *args) {
  NormalisedRows<E> data(args, params_of<symc_norm_gradient_params>(args).axes);
  auto *out = target_of<E>(args->outputs[0]);
  return each_place(args, data.rank, data.rows, row_work, [&](const Walk &walk, int64_t) {
    auto sums = data.sums(walk);
    double along = sums.along / double(data.count), shift = sums.total / double(data.count);
    data.each(walk, [&](const auto &e) {
      out[e.place] = E::store((e.slope - shift - e.y * along) * e.inverse);
    });
  });
}

// Nobody calls it to predict.
template <class E> int32_t by_mode(const symc_kernel_args *args) {
  const auto *training = data_of<E>(args->inputs[0]);
  auto *out = target_of<E>(args->outputs[0]);
  int64_t n = count_of(args->inputs[0]);
  for (int64_t i = 0; i < n; ++i)
    out[i] = training[i];
  return 0;
}

// All processes add in the order of ranks, so that they have the same bits.
template <class E> int32_t over_ranks(const symc_kernel_args *args) {
  const auto &params = params_of<symc_over_ranks_params>(args);
  using Element = typename E::Storage;
  const auto *first = data_of<E>(args->inputs[0]), *second = data_of<E>(args->inputs[1]);
  auto *firsts = target_of<E>(args->outputs[0]), *seconds = target_of<E>(args->outputs[1]);
  int64_t n = count_of(args->inputs[0]);
  const Element *all = nullptr;
  int32_t ranks = 0; // 32 bits: as symc_join_ranks takes them
#ifndef SYMC_ON_DEVICE
  uint64_t number = 2 * uint64_t(params.node) + uint64_t(params.kind);
  all = static_cast<const Element *>(
      symc_gather_ranks(args->frame, number, first, second, size_t(n) * sizeof(Element), &ranks));
  if (ranks < 0)
    return -ranks;
#endif
  for (int64_t i = 0; i < n; ++i) {
    double mean = 0, other = 0;
    for (int32_t rank = 0; rank < ranks; ++rank) {
      mean += double(E::load(all[2 * rank * n + i]));
      other += double(E::load(all[(2 * rank + 1) * n + i]));
    }
    if (!ranks) {
      firsts[i] = first[i];
      seconds[i] = second[i];
      continue;
    }
    mean /= ranks;
    other /= ranks;
    for (int32_t rank = 0; rank < ranks && params.kind == SYMC_OVER_RANKS_KIND_MOMENTS; ++rank) {
      double apart = double(E::load(all[2 * rank * n + i])) - mean;
      other += apart * apart / ranks;
    }
    firsts[i] = E::store(mean);
    seconds[i] = E::store(other);
  }
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(slope, slope)
SYMC_REFERENCE_FLOATS(convolution_weights, convolution_weights)
SYMC_REFERENCE_FLOATS(pooling_gradient, pooling_gradient)
SYMC_REFERENCE_FLOATS(scatter_add, scatter_add)
SYMC_REFERENCE_FLOATS(norm_sums, norm_sums)
SYMC_REFERENCE_FLOATS(norm_gradient, norm_gradient)
SYMC_REFERENCE_FLOATS(over_ranks, over_ranks)
SYMC_REFERENCE_FLOATS(by_mode, by_mode)

SYMC_ON_GRID(slope, convolution_weights, pooling_gradient, norm_sums, norm_gradient)
