// lamb.cpp: optimizers that take steps in proportion to norms of whole parameters: LAMB, LARS and
// LBSGD. A first pass leaves sums of squares, a second one moves.
#include "rows.h"

#include <string.h>

using namespace symc;

static bool ends_in(const char *name, const char *end) {
  size_t length = strlen(name), n = strlen(end);
  return length >= n && !strcmp(name + length - n, end);
}

// --- LAMB: the direction is computed twice, which is cheaper than memory for it -----------------

static int32_t lamb_states(const double *) { return 2; }

static void prepare_lamb(const symc_update_begin *begin) {
  begin->derived[0] =
      update::begun(float(SYMC_OWN(begin->values, lamb, beta1)), float(begin->step));
  begin->derived[1] =
      update::begun(float(SYMC_OWN(begin->values, lamb, beta2)), float(begin->step));
}

namespace {
struct LambDirection {
  explicit LambDirection(const symc_update_args *args)
      : wd(float(args->values[SYMC_HYPER_WD])),
        epsilon(float(SYMC_OWN(args->values, lamb, epsilon))), left1(float(args->derived[0])),
        left2(float(args->derived[1])),
        correct(SYMC_OWN(args->values, lamb, bias_correction) != 0) {}
  float operator()(float weight, float mean, float var) const {
    return update::lamb_direction(weight, mean, var, wd, epsilon, left1, left2, correct);
  }
  float wd, epsilon, left1, left2;
  bool correct;
};
} // namespace

static void gather_lamb(const symc_update_args *args) {
  const Rates rates(args->values);
  const LambDirection direction(args);
  const float beta1 = float(SYMC_OWN(args->values, lamb, beta1)),
              beta2 = float(SYMC_OWN(args->values, lamb, beta2));
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    each(args->count, args->weight, args->gradient, args->states[0], args->states[1],
         [&](float w, float g, float &mean, float &var) {
           update::run_moments(mean, var, update::clipped(rates.rescale * g, clip), beta1, beta2);
           return w;
         });
  });
  const float *weight = args->weight, *mean = args->states[0], *var = args->states[1];
  args->partial[0] = sum_of_squares(args->count, [&](int64_t i) { return weight[i]; });
  args->partial[1] =
      sum_of_squares(args->count, [&](int64_t i) { return direction(weight[i], mean[i], var[i]); });
}

static void run_lamb(const symc_update_args *args) {
  const LambDirection direction(args);
  const double least = SYMC_OWN(args->values, lamb, lower_bound),
               most = SYMC_OWN(args->values, lamb, upper_bound);
  double length = __builtin_sqrt(args->sums[0]), step = __builtin_sqrt(args->sums[1]);
  length = least > 0 && length < least ? least : length;
  length = most > 0 && length > most ? most : length;
  double rate = args->values[SYMC_HYPER_LEARNING_RATE];
  const float lr = float(length != 0 && step != 0 ? rate * length / step : rate);
  each(args->count, args->weight, args->gradient, args->states[0], args->states[1],
       [&](float w, float, float &mean, float &var) {
         return update::moved(w, direction(w, mean, var), lr);
       });
}

SYMC_OPTIMIZER_ROW(lamb, lamb_states, nullptr, nullptr, prepare_lamb, 0, gather_lamb, run_lamb);

// --- LARS -----------------------------------------------------------------------
//
// MXNet updates groups of four parameters. The momentum correction is the ratio of the rate to that
// of the group before: of the last update for the first group, 1 for the others. schedule: the rate
// of the last update and the ratio of this one, by the first parameter's, which multipliers do not
// change; the update that they are of, and its next parameter.

static int32_t lars_states(const double *values) { return SYMC_OWN(values, lars, momentum) != 0; }

static void prepare_lars(const symc_update_begin *begin) {
  double rate = begin->values[SYMC_HYPER_LEARNING_RATE], *schedule = begin->schedule;
  if (schedule[2] != double(begin->step)) {
    schedule[1] = schedule[2] > 0 && schedule[0] != 0 ? rate / schedule[0] : 1;
    schedule[0] = rate;
    schedule[2] = double(begin->step);
    schedule[3] = 0;
  }
  constexpr double group = 4;
  bool corrects = SYMC_OWN(begin->values, lars, momentum_correction) != 0 && schedule[3] < group;
  begin->derived[0] = SYMC_OWN(begin->values, lars, momentum) * (corrects ? schedule[1] : 1);
  begin->derived[1] = !ends_in(begin->name, "gamma") && !ends_in(begin->name, "beta") &&
                      !ends_in(begin->name, "bias");
  ++schedule[3];
}

static void gather_lars(const symc_update_args *args) {
  if (args->derived[1] == 0)
    return;
  const float *weight = args->weight, *gradient = args->gradient;
  args->partial[0] = sum_of_squares(args->count, [&](int64_t i) { return weight[i]; });
  args->partial[1] = sum_of_squares(args->count, [&](int64_t i) { return gradient[i]; });
}

static void run_lars(const symc_update_args *args) {
  const Rates rates(args->values);
  double rate = args->values[SYMC_HYPER_LEARNING_RATE];
  double length = __builtin_sqrt(args->sums[0]),
         slope = __builtin_sqrt(args->sums[1]) * args->values[SYMC_HYPER_RESCALE_GRAD];
  if (length > 0 && slope > 0) // sums are 0 of names that are not scaled
    rate *= SYMC_OWN(args->values, lars, eta) * length /
            (slope + args->values[SYMC_HYPER_WD] * length + SYMC_OWN(args->values, lars, eps));
  const float lr = float(rate), given = float(args->derived[0]), momentum = given > 0 ? given : 0;
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    if (!args->states[0])
      each(args->count, args->weight, args->gradient, [&](float w, float g) {
        return update::sgd_of_several(w, g, lr, rates.wd, rates.rescale, clip);
      });
    else
      each(args->count, args->weight, args->gradient, args->states[0],
           [&](float w, float g, float &mom) {
             return update::sgd_momentum(w, g, mom, lr, rates.wd, momentum, rates.rescale, clip);
           });
  });
}

SYMC_OPTIMIZER_ROW(lars, lars_states, nullptr, nullptr, prepare_lars, 0, gather_lars, run_lars);

// --- LBSGD: states are the momentum, if any, and the sum of gradients where an update is of
// several

static int32_t lbsgd_states(const double *values) {
  return (SYMC_OWN(values, lbsgd, momentum) != 0) + (SYMC_OWN(values, lbsgd, batch_scale) > 1);
}

namespace {
enum Warmup { Linear, Power2, Sqrt, Lars };
}

// derived: what the rate is multiplied by, and whether this gradient ends a batch.
static void prepare_lbsgd(const symc_update_begin *begin) {
  const double *values = begin->values;
  const double scale = SYMC_OWN(values, lbsgd, batch_scale),
               per_epoch = SYMC_OWN(values, lbsgd, updates_per_epoch),
               last = SYMC_OWN(values, lbsgd, warmup_epochs) * per_epoch,
               done = SYMC_OWN(values, lbsgd, begin_epoch) * per_epoch + double(begin->step);
  double part = 0;
  switch (int(SYMC_OWN(values, lbsgd, warmup_strategy))) {
  case Linear:
    part = done / last;
    break;
  case Power2:
    part = (done * done) / (last * last);
    break;
  case Sqrt:
    part = __builtin_sqrt(done / last);
    break;
  }
  begin->derived[0] = done >= last ? scale : last <= 1 ? 1.0 : 1.0 + (scale - 1) * part;
  begin->derived[1] = int64_t(done) % int64_t(scale) == 0;
}

// The sum of gradients, where there is one: the last state.
static float *sum_of(const symc_update_args *args) {
  bool several = SYMC_OWN(args->values, lbsgd, batch_scale) > 1;
  return !several ? nullptr : args->states[1] ? args->states[1] : args->states[0];
}

static void gather_lbsgd(const symc_update_args *args) {
  float *__restrict sum = sum_of(args);
  const float *__restrict gradient = args->gradient;
  for (int64_t i = 0; sum && i < args->count; ++i)
    sum[i] += gradient[i];
  if (args->derived[1] == 0 || SYMC_OWN(args->values, lbsgd, warmup_strategy) != Lars)
    return;
  const float *weight = args->weight, *total = sum ? sum : gradient;
  const float scale = float(SYMC_OWN(args->values, lbsgd, batch_scale));
  args->partial[0] = sum_of_squares(args->count, [&](int64_t i) { return weight[i]; });
  args->partial[1] = sum_of_squares(args->count, [&](int64_t i) { return total[i] / scale; });
}

static void run_lbsgd(const symc_update_args *args) {
  const Rates rates(args->values);
  float *sum = sum_of(args), *mom = args->states[0] == sum ? nullptr : args->states[0];
  if (args->derived[1] == 0)
    return; // MXNet's update at the rate 0
  double rate = args->values[SYMC_HYPER_LEARNING_RATE];
  if (SYMC_OWN(args->values, lbsgd, warmup_strategy) == Lars) {
    double ratio = __builtin_sqrt(
        args->sums[0] / (args->sums[1] + args->values[SYMC_HYPER_WD] * args->sums[0] + 1e-18));
    rate *= ratio < 0.01 ? 0.01 : ratio > 100 ? 100 : ratio;
  } else {
    rate *= args->derived[0];
  }
  const float lr = float(rate), momentum = float(SYMC_OWN(args->values, lbsgd, momentum)),
              scale = float(SYMC_OWN(args->values, lbsgd, batch_scale));
  const float *gradient = sum ? sum : args->gradient;
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    if (!mom)
      each(args->count, args->weight, gradient, [&](float w, float g) {
        return update::sgd(w, g / scale, lr, rates.wd, rates.rescale, clip);
      });
    else
      each(args->count, args->weight, gradient, mom, [&](float w, float g, float &m) {
        return update::sgd_momentum(w, g / scale, m, lr, rates.wd, momentum, rates.rescale, clip);
      });
  });
  for (int64_t i = 0; sum && i < args->count; ++i)
    sum[i] = 0;
}

SYMC_OPTIMIZER_ROW(lbsgd, lbsgd_states, nullptr, nullptr, prepare_lbsgd, 0, gather_lbsgd,
                   run_lbsgd);
