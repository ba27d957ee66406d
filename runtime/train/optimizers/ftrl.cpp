// ftrl.cpp: follow the regularised leader, and the moving one.
#include "rows.h"

using namespace symc;

static int32_t ftrl_states(const double *) { return 2; }

static void run_ftrl(const symc_update_args *args) {
  const Rates rates(args->values);
  const float lamda1 = float(SYMC_OWN(args->values, ftrl, lamda1)),
              beta = float(SYMC_OWN(args->values, ftrl, beta));
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    each(args->count, args->weight, args->gradient, args->states[0], args->states[1],
         [&](float w, float g, float &z, float &n) {
           return update::ftrl(w, g, z, n, rates.lr, rates.wd, lamda1, beta, rates.rescale, clip);
         });
  });
}

SYMC_OPTIMIZER_ROW(ftrl, ftrl_states, nullptr, nullptr, nullptr, 0, run_ftrl);

static int32_t ftml_states(const double *) { return 3; }

static void prepare_ftml(const symc_update_begin *begin) {
  begin->derived[0] =
      update::begun(float(SYMC_OWN(begin->values, ftml, beta1)), float(begin->step));
  begin->derived[1] =
      update::begun(float(SYMC_OWN(begin->values, ftml, beta2)), float(begin->step));
}

static void run_ftml(const symc_update_args *args) {
  const Rates rates(args->values);
  const float beta1 = float(SYMC_OWN(args->values, ftml, beta1)),
              beta2 = float(SYMC_OWN(args->values, ftml, beta2)),
              epsilon = float(SYMC_OWN(args->values, ftml, epsilon)),
              left1 = float(args->derived[0]), left2 = float(args->derived[1]);
  with_clip(rates.clip, [&](float clip) __attribute__((always_inline)) {
    each(args->count, args->weight, args->gradient, args->states[0], args->states[1],
         args->states[2], [&](float w, float g, float &d, float &v, float &z) {
           return update::ftml(w, g, d, v, z, rates.lr, rates.wd, beta1, beta2, epsilon,
                               rates.rescale, clip, left1, left2);
         });
  });
}

SYMC_OPTIMIZER_ROW(ftml, ftml_states, nullptr, nullptr, prepare_ftml, 0, run_ftml);
