// sgd.cpp: gradient descent as MXNet's SGD: its operators for several weights, plain and with
// momentum where that was not 0 when the model was compiled.
#include "rows.h"

static int32_t count_states(const double *values) { return values[SYMC_HYPER_OWN] != 0; }

template <typename Step> static void descend(const symc_update_args *args, float decay, Step step) {
  float *__restrict weight = args->weight;
  const float *__restrict gradient = args->gradient;
  for (int64_t i = 0; i < args->count; ++i)
    weight[i] = weight[i] + (-(decay * weight[i]) - step(gradient[i]));
}

template <typename Step>
static void descend_with_momentum(const symc_update_args *args, float decay, Step step) {
  const float momentum = float(args->values[SYMC_HYPER_OWN]);
  float *__restrict weight = args->weight, *__restrict moving = args->states[0];
  const float *__restrict gradient = args->gradient;
  for (int64_t i = 0; i < args->count; ++i) {
    moving[i] = momentum * moving[i] - decay * weight[i] - step(gradient[i]);
    weight[i] = weight[i] + moving[i];
  }
}

static void run(const symc_update_args *args) {
  const symc::RateTimesGradient step(args->values);
  const float decay = step.rate * float(args->values[SYMC_HYPER_WD]);
  auto plain = [&](float gradient) { return step.plain(gradient); };
  auto clipped = [&](float gradient) { return step.clipped(gradient); };
  if (!args->states[0])
    step.clips() ? descend(args, decay, clipped) : descend(args, decay, plain);
  else
    step.clips() ? descend_with_momentum(args, decay, clipped)
                 : descend_with_momentum(args, decay, plain);
}

SYMC_OPTIMIZER_ROW(sgd, count_states, nullptr, nullptr, nullptr, 0, run);
