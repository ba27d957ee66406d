// numpy_random.cpp: random numbers under NumPy's names that no older operator draws (random.h).
#include "number.h"
#include "order.h"
#include "random.h"
#include "symc/generated/op_params/Random.h"

using namespace symc::ref;

namespace {

// The outcome that an even number below 1 stands for; the last one where they sum to less.
template <class Chance> int64_t outcome_of(double number, int64_t count, Chance chance) {
  double sum = 0;
  for (int64_t k = 0; k < count; ++k)
    if ((sum += chance(k)) > number)
      return k;
  return count - 1;
}

int32_t numpy_multinomial(const symc_kernel_args *args) {
  const auto &params = params_of<symc_numpy_multinomial_params>(args);
  const symc_tensor &output = args->outputs[0];
  int64_t count = output.shape[output.rank - 1], rows = count ? count_of(output) / count : 0;
  int64_t *times = target_of<I64>(output);
  auto chance = [&](int64_t k) {
    return params.has_pvals ? params.pvals.v[k] : number_at(args->inputs[0], k);
  };
  double sum = 0;
  for (int64_t k = 0; k < count; ++k)
    sum += chance(k);
  if (!(sum <= 1 + (params.has_pvals ? 1e-12 : 1e-5))) // sums of float32 end beside 1
    return refuse(Refusal::CHANCES);
  uint64_t key = key_of(args);
  int64_t before =
      output.rank > 1 ? first_element(args, output.shape[0], rows / output.shape[0]) : 0;
  each_of(rows, [&](int64_t row) {
    Draw source(key, uint64_t(before + row));
    for (int64_t k = 0; k < count; ++k)
      times[row * count + k] = 0;
    for (int64_t i = 0; i < params.n; ++i)
      ++times[row * count + outcome_of(source.unit(), count, chance)];
  });
  return SYMC_STATUS_OK;
}

int32_t numpy_choice(const symc_kernel_args *args) {
  const auto &params = params_of<symc_numpy_choice_params>(args);
  int64_t places = params.has_a ? params.a : count_of(args->inputs[0]),
          wanted = count_of(args->outputs[0]);
  int64_t *out = target_of<I64>(args->outputs[0]), *order = static_cast<int64_t *>(args->scratch);
  uint64_t key = key_of(args);
  auto chance = [&](int64_t k) { return number_at(args->inputs[args->n_inputs - 1], k); };
  if (params.replace) {
    int64_t before = first_element(args, args->outputs[0]);
    each_of(wanted, [&](int64_t i) {
      Draw source(key, uint64_t(before + i));
      out[i] = params.weighted ? outcome_of(source.unit(), places, chance)
                               : int64_t(below(source.bits(), uint64_t(places)));
    });
    return SYMC_STATUS_OK;
  }
  each_of_block(places, [&](int64_t i) { order[i] = i; });
  if (params.weighted) { // the largest of the chances' logarithms and a number of Gumbel's each
    double *keys = reinterpret_cast<double *>(order + 2 * places);
    each_of_block(places, [&](int64_t i) {
      Draw source(key, uint64_t(i));
      keys[i] = __builtin_log(chance(i)) - __builtin_log(-__builtin_log(source.positive()));
    });
    order = order_places(order, order + places, places,
                         [=](int64_t a, int64_t b) { return keys[a] > keys[b]; });
  }
  for (int64_t i = 0; i < wanted && block_thread() == 0; ++i) {
    if (!params.weighted) {
      Draw source(key, uint64_t(i));
      int64_t other = i + int64_t(below(source.bits(), uint64_t(places - i))), swap = order[i];
      order[i] = order[other];
      order[other] = swap;
    }
    out[i] = order[i];
  }
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_ANY(numpy_multinomial, numpy_multinomial)
SYMC_REFERENCE_ANY(numpy_choice, numpy_choice)

SYMC_ON_GRID(numpy_multinomial)
SYMC_ON_BLOCK(numpy_choice)
