// random.cpp: kernels of operators that draw random numbers (random.h describes how).
#include "random.h"
#include "symc/generated/op_params/Nn.h"
#include "symc/generated/op_params/Random.h"

using namespace symc::ref;

namespace {

// One number of a distribution with parameters a and b; NaN where they are outside its range.
double draw(int64_t kind, Draw &source, double a, double b) {
  double nan = __builtin_nan("");
  switch (kind) {
  case SYMC_SAMPLE_KIND_UNIFORM:
    return a + (b - a) * source.unit();
  case SYMC_SAMPLE_KIND_NORMAL:
    return b >= 0 ? a + b * source.normal() : nan;
  case SYMC_SAMPLE_KIND_GAMMA:
    return a > 0 && b > 0 ? b * source.gamma(a) : nan;
  case SYMC_SAMPLE_KIND_EXPONENTIAL:
    return a > 0 ? source.exponential() / a : nan;
  case SYMC_SAMPLE_KIND_POISSON:
    return a >= 0 ? source.poisson(a) : nan;
  case SYMC_SAMPLE_KIND_NEGATIVE_BINOMIAL: // a failures, each with chance b
    if (!(a >= 0 && b > 0 && b <= 1))
      return nan;
    return a == 0 || b == 1 ? 0 : source.poisson(source.gamma(a) * (1 - b) / b);
  case SYMC_SAMPLE_KIND_GENERALIZED_NEGATIVE_BINOMIAL: // mean a, dispersion b
    if (!(a >= 0 && b >= 0))
      return nan;
    return source.poisson(b == 0 ? a : source.gamma(1 / b) * a * b);
  default:
    return nan;
  }
}

// A float below `high` that rounding has brought to it goes to the one before.
template <class E> typename E::Storage store_drawn(double value, bool bounded, double high) {
  typename E::Storage stored = E::store(value);
  if (bounded && !(double(E::load(stored)) < high) && value < high)
    stored = E::store(value - (value < 0 ? -value : value) * 0x1p-8);
  return stored;
}

template <class E, class Params> void fill(const symc_kernel_args *args, const Params &params) {
  double a = params.low, b = params.high;
  switch (params.kind) {
  case SYMC_SAMPLE_KIND_NORMAL:
    a = params.loc;
    b = params.scale;
    break;
  case SYMC_SAMPLE_KIND_GAMMA:
    a = params.alpha;
    b = params.beta;
    break;
  case SYMC_SAMPLE_KIND_EXPONENTIAL:
  case SYMC_SAMPLE_KIND_POISSON:
    a = params.lam;
    break;
  case SYMC_SAMPLE_KIND_NEGATIVE_BINOMIAL:
    a = double(params.k);
    b = params.p;
    break;
  case SYMC_SAMPLE_KIND_GENERALIZED_NEGATIVE_BINOMIAL:
    a = params.mu;
    b = params.alpha;
    break;
  default:
    break;
  }
  uint64_t key = key_of(args);
  bool bounded = params.kind == SYMC_SAMPLE_KIND_UNIFORM;
  int64_t before = first_element(args, args->outputs[0]);
  each_of(count_of(args->outputs[0]), [&](int64_t i) {
    Draw source(key, uint64_t(before + i));
    target_of<E>(args->outputs[0])[i] = store_drawn<E>(draw(params.kind, source, a, b), bounded, b);
  });
}

template <class E> int32_t random(const symc_kernel_args *args) {
  fill<E>(args, params_of<symc_random_params>(args));
  return SYMC_STATUS_OK;
}
template <class E> int32_t random_like(const symc_kernel_args *args) {
  fill<E>(args, params_of<symc_random_like_params>(args));
  return SYMC_STATUS_OK;
}

template <class E> int32_t random_int(const symc_kernel_args *args) {
  const auto &params = params_of<symc_random_int_params>(args);
  int64_t low = integer_of(__builtin_ceil(params.low)),
          high = integer_of(__builtin_ceil(params.high));
  uint64_t range = uint64_t(high) - uint64_t(low), key = key_of(args);
  int64_t before = first_element(args, args->outputs[0]);
  each_of(count_of(args->outputs[0]), [&](int64_t i) {
    Draw source(key, uint64_t(before + i));
    uint64_t place = below(source.bits(), range);
    target_of<E>(args->outputs[0])[i] = E::store(int64_t(uint64_t(low) + place));
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t sample(const symc_kernel_args *args) {
  const auto &params = params_of<symc_sample_params>(args);
  const symc_tensor &first = args->inputs[0], &output = args->outputs[0];
  int64_t total = count_of(output), sets = count_of(first), each = sets ? total / sets : 0;
  uint64_t key = key_of(args);
  int64_t before = first_element(args, output);
  each_of(total, [&](int64_t i) {
    Draw source(key, uint64_t(before + i));
    double a = double(E::load(data_of<E>(first)[i / each]));
    double b = args->n_inputs > 1 ? double(E::load(data_of<E>(args->inputs[1])[i / each])) : 0;
    store_at(output, i, draw(params.kind, source, a, b));
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t multinomial(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0], &output = args->outputs[0];
  int64_t classes = data.shape[data.rank - 1], total = count_of(output);
  int64_t rows = classes ? count_of(data) / classes : 0, each = rows ? total / rows : 0;
  uint64_t key = key_of(args);
  int64_t before = first_element(args, output);
  each_of(total, [&](int64_t i) {
    Draw source(key, uint64_t(before + i));
    const auto *row = data_of<E>(data) + i / each * classes;
    double rest = source.unit();
    int64_t chosen = 0;
    for (int64_t c = 0; c < classes; ++c) {
      double chance = double(E::load(row[c]));
      chosen = chance > 0 ? c : chosen; // the last possible one, where they sum to less than 1
      rest -= chance;
      if (rest < 0)
        break;
    }
    store_at(output, i, chosen);
    if (args->n_outputs > 1)
      target_of<E>(args->outputs[1])[i] = E::store(__builtin_log(double(E::load(row[chosen]))));
  });
  return SYMC_STATUS_OK;
}

// Classes by rounding range_max to the power of an even number; a row has each once. What it has
// stands in a table with open places.
int32_t unique_zipfian(const symc_kernel_args *args) {
  const symc_tensor &output = args->outputs[0];
  int64_t rows = output.shape[0], count = output.shape[1], places = 1;
  while (places < 2 * count)
    places *= 2;
  double range = __builtin_log(double(params_of<symc_unique_zipfian_params>(args).range_max));
  int64_t *table = static_cast<int64_t *>(args->scratch), *drawn = target_of<I64>(output);
  uint64_t key = key_of(args);
  int64_t before = first_element(args, rows, 1);
  for (int64_t row = 0; row < rows; ++row) {
    Draw source(key, uint64_t(before + row));
    int64_t tries = 0;
    for (int64_t i = 0; i < places; ++i)
      table[i] = -1;
    for (int64_t found = 0; found < count; ++tries) {
      int64_t value = int64_t(__builtin_floor(__builtin_exp(source.unit() * range) + 0.5)) - 1;
      int64_t place = int64_t(mix(uint64_t(value))) & (places - 1);
      while (table[place] >= 0 && table[place] != value)
        place = (place + 1) & (places - 1);
      if (table[place] < 0)
        drawn[row * count + found++] = table[place] = value;
    }
    target_of<I64>(args->outputs[1])[row] = tries;
  }
  return SYMC_STATUS_OK;
}

int32_t shuffle(const symc_kernel_args *args) {
  const symc_tensor &data = args->inputs[0];
  int64_t rows = data.shape[0], each = symc_dtype_bytes(data.dtype);
  int64_t length = product(data.shape, 1, data.rank);
  int64_t *order = static_cast<int64_t *>(args->scratch);
  each_of_block(rows, [&](int64_t i) { order[i] = i; });
  uint64_t key = key_of(args);
  for (int64_t i = rows - 1; i > 0 && block_thread() == 0; --i) {
    Draw source(key, uint64_t(i));
    int64_t other = int64_t(below(source.bits(), uint64_t(i + 1))), swap = order[i];
    order[i] = order[other];
    order[other] = swap;
  }
  wait_for_block();
  move_runs(rows, length, each, [&](int64_t i) {
    return Run{static_cast<char *>(args->outputs[0].data) + i * length * each,
               static_cast<const char *>(data.data) + order[i] * length * each};
  });
  return SYMC_STATUS_OK;
}

// mode = always: zeros with chance p, one number for all places along the axes given.
template <class E> int32_t dropout(const symc_kernel_args *args) {
  const auto &params = params_of<symc_dropout_params>(args);
  const symc_tensor &data = args->inputs[0];
  if (params.mode != SYMC_DROPOUT_MODE_ALWAYS || params.p == 0)
    return copy_elements(data, args->outputs[0]);
  int64_t shape[SYMC_MAX_RANK];
  for (int32_t axis = 0; axis < data.rank; ++axis)
    shape[axis] = data.shape[axis];
  for (int64_t i = 0; i < params.axes.n; ++i)
    if (int64_t axis = normal_axis(params.axes.v[i], data.rank); axis >= 0 && axis < data.rank)
      shape[axis] = 1;
  Strides strides(data.rank, shape);
  int64_t before = data.rank && shape[0] == data.shape[0]
                       ? first_element(args, shape[0], product(shape, 1, data.rank))
                       : 0; // one number for all rows is one for all processes
  uint64_t key = key_of(args);
  const auto *in = data_of<E>(data);
  auto *out = target_of<E>(args->outputs[0]);
  each_in(data.rank, data.shape, [&](const Walk &walk, int64_t n) {
    int64_t place = before;
    for (int32_t axis = 0; axis < data.rank; ++axis)
      place += shape[axis] == 1 ? 0 : walk.at[axis] * strides.by[axis];
    Draw source(key, uint64_t(place));
    bool keep = source.unit() >= params.p;
    out[n] = keep ? E::store(double(E::load(in[n])) / (1 - params.p)) : E::store(double(0));
  });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(random, random)
SYMC_REFERENCE_FLOATS(random_like, random_like)
SYMC_REFERENCE(random_int, i32, random_int<I32>)
SYMC_REFERENCE(random_int, i64, random_int<I64>)
SYMC_REFERENCE_NUMBERS(sample, sample)
SYMC_REFERENCE_FLOATS(multinomial, multinomial)
SYMC_REFERENCE(unique_zipfian, i64, unique_zipfian)
SYMC_REFERENCE_ANY(shuffle, shuffle)
SYMC_REFERENCE_NUMBERS(dropout, dropout)

SYMC_ON_GRID(random, random_like, random_int, sample, multinomial, dropout)
SYMC_ON_BLOCK(shuffle)
