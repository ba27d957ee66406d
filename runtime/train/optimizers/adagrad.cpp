// adagrad.cpp: optimizers whose rates follow sums or means of squares: AdaGrad, GroupAdaGrad,
// AdaDelta, RMSProp.
#include "rows.h"

using namespace symc;

static int32_t one_state(const double *) { return 1; }
static int32_t two_states(const double *) { return 2; }

// --- AdaGrad --------------------------------------------------------------------

static void run_adagrad(const symc_update_args *args) {
  const Rates rates(args->values);
  const float eps = float(SYMC_OWN(args->values, adagrad, eps));
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    each(args->count, args->weight, args->gradient, args->states[0],
         [&](float w, float gradient, float &history) {
           float g = update::clipped(gradient * rates.rescale, clip);
           history = history + g * g;
           return w + (g / update::sqrt(history + eps) + w * rates.wd) * -rates.lr;
         });
  });
}

SYMC_OPTIMIZER_ROW(adagrad, one_state, nullptr, nullptr, nullptr, 0, run_adagrad);

// --- GroupAdaGrad: of its state, element r is the history of row r ------------------------------

static void prepare_groupadagrad(const symc_update_begin *begin) {
  begin->derived[0] = begin->rows > 0 ? double(begin->count / begin->rows) : 1;
}

// The mean square of each row that begins in the range; its elements may lie in others.
static void gather_groupadagrad(const symc_update_args *args) {
  const Rates rates(args->values);
  const int64_t columns = int64_t(args->derived[0]);
  float *histories = args->states[0] - args->first;
  for (int64_t row = (args->first + columns - 1) / columns;
       row * columns < args->first + args->count; ++row) {
    const float *gradient = args->gradient + (row * columns - args->first);
    double sum = sum_of_squares(columns, [&](int64_t i) {
      return update::clipped(gradient[i] * rates.rescale, rates.clip);
    });
    histories[row] += float(sum / double(columns));
  }
}

static void run_groupadagrad(const symc_update_args *args) {
  const Rates rates(args->values);
  const float eps = float(SYMC_OWN(args->values, groupadagrad, eps));
  const int64_t columns = int64_t(args->derived[0]), end = args->first + args->count;
  const float *histories = args->states[0] - args->first;
  for (int64_t at = args->first; at < end;) {
    int64_t row = at / columns, stop = (row + 1) * columns < end ? (row + 1) * columns : end;
    const float size = update::sqrt(histories[row] + eps);
    each(stop - at, args->weight + (at - args->first), args->gradient + (at - args->first),
         [&](float w, float gradient) {
           float g = update::clipped(gradient * rates.rescale, rates.clip);
           return w - rates.lr * g / size;
         });
    at = stop;
  }
}

SYMC_OPTIMIZER_ROW(groupadagrad, one_state, nullptr, nullptr, prepare_groupadagrad, 0,
                   gather_groupadagrad, run_groupadagrad);

// --- AdaDelta -------------------------------------------------------------------

static void run_adadelta(const symc_update_args *args) {
  const Rates rates(args->values);
  const double exact = SYMC_OWN(args->values, adadelta, rho);
  const float rho = float(exact), rest = float(1.0 - exact),
              epsilon = float(SYMC_OWN(args->values, adadelta, epsilon));
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    each(args->count, args->weight, args->gradient, args->states[0], args->states[1],
         [&](float w, float gradient, float &gradients, float &deltas) {
           float g = update::clipped(gradient * rates.rescale, clip);
           gradients = gradients * rho + rest * g * g;
           float delta = update::sqrt(deltas + epsilon) / update::sqrt(gradients + epsilon) * g;
           deltas = deltas * rho + rest * delta * delta;
           return w - (delta + rates.wd * w);
         });
  });
}

SYMC_OPTIMIZER_ROW(adadelta, two_states, nullptr, nullptr, nullptr, 0, run_adadelta);

// --- RMSProp --------------------------------------------------------------------

static int32_t rmsprop_states(const double *values) {
  return SYMC_OWN(values, rmsprop, centered) != 0 ? 3 : 1;
}

static void run_rmsprop(const symc_update_args *args) {
  const Rates rates(args->values);
  const float gamma1 = float(SYMC_OWN(args->values, rmsprop, gamma1)),
              gamma2 = float(SYMC_OWN(args->values, rmsprop, gamma2)),
              epsilon = float(SYMC_OWN(args->values, rmsprop, epsilon)),
              given = float(SYMC_OWN(args->values, rmsprop, clip_weights)),
              bound = given > 0 ? given : -1;
  const bool centered = SYMC_OWN(args->values, rmsprop, centered) != 0;
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    if (!centered)
      each(args->count, args->weight, args->gradient, args->states[0],
           [&](float w, float g, float &n) {
             return update::rmsprop(w, g, n, rates.lr, rates.wd, gamma1, epsilon, rates.rescale,
                                    clip, bound);
           });
    else
      each(args->count, args->weight, args->gradient, args->states[0], args->states[1],
           args->states[2], [&](float w, float gradient, float &n, float &g, float &delta) {
             return update::rmsprop_centered(w, gradient, n, g, delta, rates.lr, rates.wd, gamma1,
                                             gamma2, epsilon, rates.rescale, clip, bound);
           });
  });
}

SYMC_OPTIMIZER_ROW(rmsprop, rmsprop_states, nullptr, nullptr, nullptr, 0, run_rmsprop);
