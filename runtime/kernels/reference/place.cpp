// place.cpp: reference kernels of operators on places: coordinates, replaced slices,
// histograms and event sequences. Indices outside make the run fail.
#include "symc/generated/op_params/Place.h"
#include "scalar_primitives.h"
#include "walk.h"

using namespace symc::ref;

namespace {

int32_t unravel_index(const symc_kernel_args *args) {
  const symc_i64s &shape = params_of<symc_unravel_index_params>(args).shape;
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  int64_t count = count_of(data), bytes = symc_dtype_bytes(data.dtype);
  if (data.rank > 1) { // as MXNet leaves it: see Place.td
    int64_t wanted = count_of(output), held = count < wanted ? count : wanted;
    move_bytes(output.data, data.data, held * bytes);
    clear_bytes(static_cast<char *>(output.data) + held * bytes, (wanted - held) * bytes);
    return SYMC_STATUS_OK;
  }
  return with_element(data.dtype, [&](auto element) {
    using E = decltype(element);
    auto *out = target_of<E>(output);
    each_of(count, [&](int64_t n) {
      int64_t flat = integer_of(E::load(data_of<E>(data)[n]));
      for (int64_t axis = shape.n - 1; axis > 0; --axis) {
        int64_t extent = shape.v[axis], whole;
        if (flat >= 0 &&
            ((flat | extent) >> 32) == 0) // dividing 32 bits takes a fraction of the time
          // 32 bits: both are below 2^32.
          whole = int64_t(uint32_t(flat) / uint32_t(extent));
        else
          whole = flat / extent;
        out[axis * count + n] = E::store(flat - whole * extent);
        flat = whole;
      }
      out[n] = E::store(flat);
    });
  });
}

int32_t index_array(const symc_kernel_args *args) {
  const auto &params = params_of<symc_index_array_params>(args);
  const symc_tensor &data = args->inputs[0];
  int64_t *out = static_cast<int64_t *>(args->outputs[0].data);
  int64_t length = params.has_axes ? params.axes.n : data.rank;
  each_in(data.rank, data.shape, [&](const Walk &walk, int64_t place) {
    for (int64_t n = 0; n < length; ++n)
      out[place * length + n] =
          walk.at[params.has_axes ? normal_axis(params.axes.v[n], data.rank) : n];
  });
  return SYMC_STATUS_OK;
}

// Slices that meet what is there, in their order; each element of a slice on its own.
template <class Function>
int32_t combine_slices(const symc_kernel_args *args, int64_t length, const Function &function) {
  const symc_tensor &index = args->inputs[1], &output = args->outputs[0];
  for (int64_t n = 0; n < index.shape[0]; ++n) {
    int64_t place = index_at(index, n);
    if (place < 0 || place >= output.shape[0])
      return refuse(Refusal::OUTSIDE);
    with_element(output.dtype, [&](auto element) {
      using E = decltype(element);
      auto *out = target_of<E>(output) + place * length;
      const auto *in = data_of<E>(args->inputs[2]) + n * length;
      each_of(length,
              [&](int64_t i) { out[i] = E::store(function(E::load(out[i]), E::load(in[i]))); });
    });
  }
  return SYMC_STATUS_OK;
}

int32_t index_copy(const symc_kernel_args *args) {
  const symc_tensor &index = args->inputs[1], &output = args->outputs[0];
  copy_elements(args->inputs[0], output);
  wait_for_block();
  int64_t length = product(output.shape, 1, output.rank), each = symc_dtype_bytes(output.dtype);
  switch (params_of<symc_index_copy_params>(args).combine) {
  case SYMC_INDEX_COPY_COMBINE_ADD:
    return combine_slices(args, length, [](auto a, auto b) { return symc::scalar::add(a, b); });
  case SYMC_INDEX_COPY_COMBINE_MUL:
    return combine_slices(args, length, [](auto a, auto b) { return symc::scalar::mul(a, b); });
  case SYMC_INDEX_COPY_COMBINE_MAX:
    return combine_slices(args, length, [](auto a, auto b) { return symc::scalar::max(a, b); });
  case SYMC_INDEX_COPY_COMBINE_MIN:
    return combine_slices(args, length, [](auto a, auto b) { return symc::scalar::min(a, b); });
  default:
    break;
  }
  // The last of several slices for a place stays: one after the other, all threads at each.
  for (int64_t n = 0; n < index.shape[0]; ++n) {
    int64_t place = index_at(index, n);
    if (place < 0 || place >= output.shape[0])
      return refuse(Refusal::OUTSIDE);
    move_runs(1, length, each, [&](int64_t) {
      return Run{static_cast<char *>(output.data) + place * length * each,
                 static_cast<const char *>(args->inputs[2].data) + n * length * each};
    });
  }
  return SYMC_STATUS_OK;
}

template <class E> int32_t histogram(const symc_kernel_args *args) {
  const auto &params = params_of<symc_histogram_params>(args);
  const symc_tensor &data = args->inputs[0], &bounds = args->outputs[1];
  int64_t *counts = static_cast<int64_t *>(args->outputs[0].data);
  int64_t ranges = args->outputs[0].shape[0];
  auto *bound = target_of<E>(bounds);
  if (params.has_bin_cnt) {
    double low = params.range.v[0], high = params.range.v[1];
    each_of(ranges + 1, [&](int64_t i) {
      bound[i] = E::store(low + double(i) * (high - low) / double(ranges));
    });
  } else {
    copy_elements(args->inputs[1], bounds);
  }
  clear_bytes(counts, ranges * int64_t(sizeof(int64_t)));
  wait_for_block();
  const auto *in = data_of<E>(data);
  auto least = E::load(bound[0]), most = E::load(bound[ranges]);
  // Ranges of one width: a guess that is one off at most.
  double width = double(most) - double(least), inverse = width > 0 ? double(ranges) / width : 0;
  each_of(count_of(data), [&](int64_t i) {
    auto value = E::load(in[i]);
    if (!(value >= least && value <= most))
      return;
    if (params.has_bin_cnt) {
      int64_t at = int64_t((double(value) - double(least)) * inverse);
      at = at < ranges ? at : ranges - 1;
      while (at > 0 && E::load(bound[at]) > value)
        --at;
      while (at + 1 < ranges && E::load(bound[at + 1]) <= value)
        ++at;
      return count_one(counts + at);
    }
    int64_t low = 0, high = ranges - 1; // the last range whose lower bound is not above value
    while (low < high) {
      int64_t middle = (low + high + 1) / 2;
      if (E::load(bound[middle]) <= value)
        low = middle;
      else
        high = middle - 1;
    }
    count_one(counts + low);
  });
  return SYMC_STATUS_OK;
}

// Rates decay since the last event of a kind; `last` holds its time, for each kind.
template <class E> int32_t hawkesll(const symc_kernel_args *args) {
  using N = typename E::Number;
  const symc_tensor *in = args->inputs;
  int64_t kinds = in[0].shape[1], steps = in[4].shape[1];
  double *last = static_cast<double *>(args->scratch);
  auto at = [&](int32_t operand, int64_t i) { return E::load(data_of<E>(in[operand])[i]); };
  copy_elements(in[3], args->outputs[1]);
  auto *state = target_of<E>(args->outputs[1]);
  for (int64_t n = 0; n < in[0].shape[0]; ++n) {
    for (int64_t k = 0; k < kinds; ++k)
      last[k] = 0;
    N likelihood = 0, time = 0;
    // Lets kind `k` decay to `now`; returns what it contributed since its last event.
    auto decay = [&](int64_t k, N now, N &rate) {
      N passed = now - N(last[k]), decayed = symc::scalar::exp(-at(2, k) * passed);
      N own = E::load(state[n * kinds + k]), mu = at(0, n * kinds + k);
      rate = mu + at(1, k) * at(2, k) * own * decayed;
      state[n * kinds + k] = E::store(own * decayed);
      return mu * passed + at(1, k) * own * (1 - decayed);
    };
    for (int64_t j = 0, given = integer_of(at(6, n)); j < steps && j < given; ++j) {
      int64_t k = index_at(in[5], n * steps + j);
      if (k < 0 || k >= kinds)
        return refuse(Refusal::MARK);
      N rate;
      time += at(4, n * steps + j);
      N compensator = decay(k, time, rate);
      likelihood += symc::scalar::log(rate) - compensator;
      state[n * kinds + k] = E::store(1 + E::load(state[n * kinds + k]));
      last[k] = double(time);
    }
    for (int64_t k = 0; k < kinds; ++k) {
      N rate;
      likelihood -= decay(k, at(7, n), rate);
    }
    target_of<E>(args->outputs[0])[n] = E::store(likelihood);
  }
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_ANY(unravel_index, unravel_index)
SYMC_REFERENCE_ANY(index_array, index_array)
SYMC_REFERENCE_ANY(index_copy, index_copy)
SYMC_REFERENCE_NUMBERS(histogram, histogram)
// Slopes of the same sum by the rates lda, by alpha and by beta. A mark's state depends on beta
// as well, through what decayed of it.
template <class E> int32_t hawkesll_gradient(const symc_kernel_args *args) {
  const symc_tensor *in = args->inputs;
  int64_t kinds = in[0].shape[1], steps = in[4].shape[1];
  double *last = static_cast<double *>(args->scratch), *state = last + kinds;
  double *byBeta = state + kinds, *alphas = byBeta + kinds, *betas = alphas + kinds;
  auto at = [&](int32_t operand, int64_t i) { return double(E::load(data_of<E>(in[operand])[i])); };
  for (int64_t k = 0; k < kinds; ++k)
    alphas[k] = betas[k] = 0;
  for (int64_t n = 0; n < in[0].shape[0]; ++n) {
    auto *rates = target_of<E>(args->outputs[0]) + n * kinds;
    for (int64_t k = 0; k < kinds; ++k) {
      last[k] = byBeta[k] = 0;
      state[k] = at(3, n * kinds + k);
      rates[k] = E::store(0);
    }
    double head = at(8, n), time = 0;
    // Kind `k` from its last event to `now`, where it has another one or not.
    auto pass = [&](int64_t k, double now, bool event) {
      double alpha = at(1, k), beta = at(2, k), passed = now - last[k];
      double decay = symc::scalar::exp(-beta * passed), kept = state[k] * decay;
      double slope = byBeta[k] * decay - passed * kept; // of kept, by beta
      double ofRate = -passed, ofAlpha = kept - state[k], ofBeta = alpha * (slope - byBeta[k]);
      if (event) {
        double rate = at(0, n * kinds + k) + alpha * beta * kept;
        ofRate += 1 / rate;
        ofAlpha += beta * kept / rate;
        ofBeta += alpha * (kept + beta * slope) / rate;
      }
      rates[k] = E::store(E::load(rates[k]) + head * ofRate);
      alphas[k] += head * ofAlpha;
      betas[k] += head * ofBeta;
      state[k] = kept + (event ? 1 : 0);
      byBeta[k] = slope;
      last[k] = now;
    };
    for (int64_t j = 0, given = integer_of(at(6, n)); j < steps && j < given; ++j) {
      int64_t k = index_at(in[5], n * steps + j);
      if (k < 0 || k >= kinds)
        return refuse(Refusal::MARK);
      time += at(4, n * steps + j);
      pass(k, time, /*event=*/true);
    }
    for (int64_t k = 0; k < kinds; ++k)
      pass(k, at(7, n), /*event=*/false);
  }
  for (int64_t k = 0; k < kinds; ++k) {
    target_of<E>(args->outputs[1])[k] = E::store(alphas[k]);
    target_of<E>(args->outputs[2])[k] = E::store(betas[k]);
  }
  return SYMC_STATUS_OK;
}
SYMC_REFERENCE(hawkesll_gradient, f32, hawkesll_gradient<F32>)
SYMC_REFERENCE(hawkesll_gradient, f64, hawkesll_gradient<F64>)

SYMC_REFERENCE(hawkesll, f32, hawkesll<F32>)
SYMC_REFERENCE(hawkesll, f64, hawkesll<F64>)

SYMC_ON_GRID(unravel_index, index_array)
SYMC_ON_BLOCK(index_copy, histogram)
