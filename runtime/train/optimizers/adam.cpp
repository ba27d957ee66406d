// adam.cpp: the family of Adam: running means of the gradient and of its square, or of the largest
// gradient. Rates that MXNet computes in Python are computed in double here.
#include "rows.h"

using namespace symc;

static int32_t two_states(const double *) { return 2; }
static double power(double base, int64_t exponent) { return __builtin_pow(base, double(exponent)); }
// What the rate is multiplied by, since the means began as 0.
static double corrected(double beta1, double beta2, int64_t step) {
  return __builtin_sqrt(1.0 - power(beta2, step)) / (1.0 - power(beta1, step));
}

// --- Adam -----------------------------------------------------------------------

static void prepare_adam(const symc_update_begin *begin) {
  const double *values = begin->values;
  begin->derived[0] =
      values[SYMC_HYPER_LEARNING_RATE] *
      corrected(SYMC_OWN(values, adam, beta1), SYMC_OWN(values, adam, beta2), begin->step);
}

static void run_adam(const symc_update_args *args) {
  const Rates rates(args->values);
  const float lr = float(args->derived[0]), beta1 = float(SYMC_OWN(args->values, adam, beta1)),
              beta2 = float(SYMC_OWN(args->values, adam, beta2)),
              epsilon = float(SYMC_OWN(args->values, adam, epsilon));
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    each(args->count, args->weight, args->gradient, args->states[0], args->states[1],
         [&](float w, float g, float &mean, float &var) {
           return update::adam(w, g, mean, var, lr, rates.wd, beta1, beta2, epsilon, rates.rescale,
                               clip);
         });
  });
}

SYMC_OPTIMIZER_ROW(adam, two_states, nullptr, nullptr, prepare_adam, 0, run_adam);

// --- AdamW: MXNet's operator, whose eta is the rate and whose lr corrects the means -------------

static void prepare_adamw(const symc_update_begin *begin) {
  const double *values = begin->values;
  begin->derived[0] =
      SYMC_OWN(values, adamw, correct_bias) == 0
          ? 1
          : corrected(SYMC_OWN(values, adamw, beta1), SYMC_OWN(values, adamw, beta2), begin->step);
}

// A gradient whose factor is 0 or not finite changes nothing: that of a loss scale that was too
// high.
static void run_adamw(const symc_update_args *args) {
  const Rates rates(args->values);
  if (rates.rescale == 0 || rates.rescale - rates.rescale != 0)
    return;
  const float lr = float(args->derived[0]), beta1 = float(SYMC_OWN(args->values, adamw, beta1)),
              beta2 = float(SYMC_OWN(args->values, adamw, beta2)),
              epsilon = float(SYMC_OWN(args->values, adamw, epsilon));
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    each(args->count, args->weight, args->gradient, args->states[0], args->states[1],
         [&](float w, float g, float &mean, float &var) {
           return update::adamw(w, g, mean, var, lr, rates.lr, rates.wd, beta1, beta2, epsilon,
                                rates.rescale, clip);
         });
  });
}

SYMC_OPTIMIZER_ROW(adamw, two_states, nullptr, nullptr, prepare_adamw, 0, run_adamw);

// --- Adamax: an element that had no gradient yet stays, where MXNet divides 0 by 0 ---------------

static void prepare_adamax(const symc_update_begin *begin) {
  const double *values = begin->values;
  begin->derived[0] = values[SYMC_HYPER_LEARNING_RATE] /
                      (1.0 - power(SYMC_OWN(values, adamax, beta1), begin->step));
}

static void run_adamax(const symc_update_args *args) {
  const Rates rates(args->values);
  const double exact1 = SYMC_OWN(args->values, adamax, beta1);
  const float lr = float(args->derived[0]), beta1 = float(exact1), rest1 = float(1.0 - exact1),
              beta2 = float(SYMC_OWN(args->values, adamax, beta2));
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    each(args->count, args->weight, args->gradient, args->states[0], args->states[1],
         [&](float w, float gradient, float &mean, float &largest) {
           float g = update::clipped(gradient * rates.rescale + rates.wd * w, clip);
           mean = mean * beta1 + rest1 * g;
           float kept = beta2 * largest, size = g < 0 ? -g : g;
           largest = kept > size ? kept : size;
           return largest == 0 ? w : w - lr * mean / largest;
         });
  });
}

SYMC_OPTIMIZER_ROW(adamax, two_states, nullptr, nullptr, prepare_adamax, 0, run_adamax);

// --- Nadam: schedule[0] is the product of the momenta of all updates, of every parameter --------

static void begin_nadam(const double *, double *schedule) { schedule[0] = 1; }

static void prepare_nadam(const symc_update_begin *begin) {
  const double *values = begin->values;
  const double decay = SYMC_OWN(values, nadam, schedule_decay);
  auto momentum = [&](int64_t step) {
    return SYMC_OWN(values, nadam, beta1) * (1.0 - 0.5 * __builtin_pow(0.96, double(step) * decay));
  };
  double now = momentum(begin->step), following = momentum(begin->step + 1);
  begin->schedule[0] *= now;
  begin->derived[0] = 1.0 - now;
  begin->derived[1] = following;
  begin->derived[2] = 1.0 - begin->schedule[0];
  begin->derived[3] = 1.0 - begin->schedule[0] * following;
  begin->derived[4] = 1.0 - power(SYMC_OWN(values, nadam, beta2), begin->step);
}

static void run_nadam(const symc_update_args *args) {
  const Rates rates(args->values);
  const double exact1 = SYMC_OWN(args->values, nadam, beta1),
               exact2 = SYMC_OWN(args->values, nadam, beta2);
  const float beta1 = float(exact1), rest1 = float(1.0 - exact1), beta2 = float(exact2),
              rest2 = float(1.0 - exact2), epsilon = float(SYMC_OWN(args->values, nadam, epsilon));
  const float rest_now = float(args->derived[0]), following = float(args->derived[1]),
              gradient_left = float(args->derived[2]), mean_left = float(args->derived[3]),
              var_left = float(args->derived[4]);
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    each(args->count, args->weight, args->gradient, args->states[0], args->states[1],
         [&](float w, float gradient, float &mean, float &var) {
           float g = update::clipped(gradient * rates.rescale + rates.wd * w, clip);
           mean = mean * beta1 + rest1 * g;
           var = var * beta2 + rest2 * g * g;
           float bar = rest_now * (g / gradient_left) + following * (mean / mean_left);
           return w - rates.lr * bar / (update::sqrt(var / var_left) + epsilon);
         });
  });
}

SYMC_OPTIMIZER_ROW(nadam, two_states, begin_nadam, nullptr, prepare_nadam, 0, run_nadam);
