// sgd.cpp: the optimizers that go along the gradient or its sign: SGD, NAG, Signum, DCASGD, SGLD.
// Where the model was compiled with a momentum of 0 there is no state, and the plain formula runs.
#include "../../core/portable_normal.h"
#include "rows.h"

using namespace symc;

// --- SGD: by MXNet's operators for several weights ----------------------------------------------

static int32_t sgd_states(const double *values) { return SYMC_OWN(values, sgd, momentum) != 0; }

static void run_sgd(const symc_update_args *args) {
  const Rates rates(args->values);
  const float momentum = float(SYMC_OWN(args->values, sgd, momentum));
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    if (!args->states[0])
      each(args->count, args->weight, args->gradient, [&](float w, float g) {
        return update::sgd_of_several(w, g, rates.lr, rates.wd, rates.rescale, clip);
      });
    else
      each(args->count, args->weight, args->gradient, args->states[0],
           [&](float w, float g, float &mom) {
             return update::sgd_momentum(w, g, mom, rates.lr, rates.wd, momentum, rates.rescale,
                                         clip);
           });
  });
}

SYMC_OPTIMIZER_ROW(sgd, sgd_states, nullptr, nullptr, nullptr, 0, run_sgd);

// --- NAG ------------------------------------------------------------------------

static int32_t nag_states(const double *values) { return SYMC_OWN(values, nag, momentum) != 0; }

static void run_nag(const symc_update_args *args) {
  const Rates rates(args->values);
  const float momentum = float(SYMC_OWN(args->values, nag, momentum));
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    if (!args->states[0])
      each(args->count, args->weight, args->gradient, [&](float w, float g) {
        return update::sgd(w, g, rates.lr, rates.wd, rates.rescale, clip);
      });
    else
      each(args->count, args->weight, args->gradient, args->states[0],
           [&](float w, float g, float &mom) {
             return update::nag(w, g, mom, rates.lr, rates.wd, momentum, rates.rescale, clip, true);
           });
  });
}

SYMC_OPTIMIZER_ROW(nag, nag_states, nullptr, nullptr, nullptr, 0, run_nag);

// --- Signum: without a momentum MXNet's neither scales nor bounds the gradient, whose sign it
// takes

static int32_t signum_states(const double *values) {
  return SYMC_OWN(values, signum, momentum) != 0;
}

static void run_signum(const symc_update_args *args) {
  const Rates rates(args->values);
  const float momentum = float(SYMC_OWN(args->values, signum, momentum));
  const float wd_lh = float(SYMC_OWN(args->values, signum, wd_lh));
  if (!args->states[0])
    return each(args->count, args->weight, args->gradient,
                [&](float w, float g) { return update::sign_sgd(w, g, rates.lr, rates.wd); });
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    each(args->count, args->weight, args->gradient, args->states[0],
         [&](float w, float g, float &mom) {
           return update::signum(w, g, mom, rates.lr, rates.wd, wd_lh, momentum, rates.rescale,
                                 clip);
         });
  });
}

SYMC_OPTIMIZER_ROW(signum, signum_states, nullptr, nullptr, nullptr, 0, run_signum);

// --- DCASGD: states are the momentum, if any, and the weight before the last step ---------------

static int32_t dcasgd_states(const double *values) {
  return 1 + (SYMC_OWN(values, dcasgd, momentum) != 0);
}

static void create_dcasgd(const symc_update_args *args) {
  float *previous = args->states[1] ? args->states[1] : args->states[0];
  for (int64_t i = 0; i < args->count; ++i)
    previous[i] = args->weight[i];
}

static void run_dcasgd(const symc_update_args *args) {
  const Rates rates(args->values);
  const float momentum = float(SYMC_OWN(args->values, dcasgd, momentum));
  const float lamda = float(SYMC_OWN(args->values, dcasgd, lamda));
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    auto step = [&](float w, float gradient, float previous) {
      float g = update::clipped(gradient * rates.rescale, clip);
      return -rates.lr * (g + rates.wd * w + lamda * g * g * (w - previous));
    };
    if (!args->states[1])
      each(args->count, args->weight, args->gradient, args->states[0],
           [&](float w, float g, float &previous) {
             float moved = w + step(w, g, previous);
             previous = w;
             return moved;
           });
    else
      each(args->count, args->weight, args->gradient, args->states[0], args->states[1],
           [&](float w, float g, float &mom, float &previous) {
             mom = mom * momentum + step(w, g, previous);
             previous = w;
             return w + mom;
           });
  });
}

SYMC_OPTIMIZER_ROW(dcasgd, dcasgd_states, nullptr, create_dcasgd, nullptr, 0, run_dcasgd);

// --- SGLD: the noise of an element is a function of seed, step, parameter and place -------------

static int32_t no_states(const double *) { return 0; }

static void run_sgld(const symc_update_args *args) {
  const Rates rates(args->values);
  const double lr = args->values[SYMC_HYPER_LEARNING_RATE], deviation = __builtin_sqrt(lr);
  const float half = float(-lr / 2);
  const uint64_t key = mix(args->seed + 0x9e3779b97f4a7c15u) ^
                       mix(uint64_t(args->step) * 0x9e3779b97f4a7c15u + 1) ^
                       mix(args->stream + 0x632be59bd9b4e019u);
  for (int64_t i = 0; i < args->count; ++i) {
    float w = args->weight[i], g = update::clipped(args->gradient[i] * rates.rescale, rates.clip);
    w = w + half * (g + rates.wd * w);
    Draw draw(key, uint64_t(args->first + i));
    args->weight[i] = w + float(deviation * portable_normal(draw));
  }
}

SYMC_OPTIMIZER_ROW(sgld, no_states, nullptr, nullptr, nullptr, 0, run_sgld);
