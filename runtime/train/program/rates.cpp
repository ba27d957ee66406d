// rates.cpp: see rates.h.
#include "rates.h"

#include <stdlib.h>
#include <string.h>

namespace symc::train {

static bool bad_steps(const char *text, Problem &problem) {
  return problem.set(Usage,
                     "--lr-step-epochs: expected epochs with commas that grow (30,60), pow and a "
                     "power, or cosine, got '%s'",
                     text);
}

bool Rates::start(const Options &options, double rate, int64_t perEpoch, Problem &problem) {
  const char *text = options.text(Option::LrStepEpochs);
  schedule.baseRate = rate;
  schedule.factor = options.number(Option::LrFactor);
  schedule.lastUpdate = options.count(Option::NumEpochs) * perEpoch;
  schedule.warmupUpdates = int64_t(options.number(Option::WarmupEpochs) * double(perEpoch));
  if (schedule.warmupUpdates >= schedule.lastUpdate)
    return problem.set(Usage, "--warmup-epochs: expected fewer than --num-epochs");
  if (!text || !*text)
    return true;
  if (strcmp(text, "cosine") == 0) {
    schedule.kind = Schedule::Cosine;
  } else if (strncmp(text, "pow", 3) == 0) {
    schedule.kind = Schedule::Polynomial;
    const char *at = text + 3;
    while (*at == '-' || *at == ' ')
      ++at;
    if (!number_of(at, schedule.power) || schedule.power <= 0)
      return bad_steps(text, problem);
  } else if (schedule.factor < 1) { // else the rate stays, as in fit.py
    schedule.kind = Schedule::MultiFactor;
    schedule.steps = steps;
    for (const char *at = text;;) {
      char *end;
      long epoch = strtol(at, &end, 10);
      if (end == at || schedule.stepCount == mostSteps)
        return bad_steps(text, problem);
      steps[schedule.stepCount++] = int64_t(epoch) * perEpoch;
      if (*end == 0)
        break;
      if (*end != ',')
        return bad_steps(text, problem);
      at = end + 1;
    }
  }
  char error[200];
  return schedule.check(error, sizeof error) || bad_steps(text, problem);
}

} // namespace symc::train
