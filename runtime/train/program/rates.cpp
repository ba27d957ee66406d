// rates.cpp: see rates.h. The formulas are those of MXNet's lr_scheduler: MultiFactorScheduler,
// PolyScheduler, CosineScheduler, with a linear warm-up from 0.
#include "rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

namespace symc::train {

static bool bad_steps(const char *text, Problem &problem) {
  return problem.set(Usage,
                     "--lr-step-epochs: expected epochs with commas (30,60), pow and a power, or "
                     "cosine, got '%s'",
                     text);
}

bool Rates::start(const Options &options, double rate, int64_t perEpoch, Problem &problem) {
  base = rate;
  factor = options.number(Option::LrFactor);
  last = options.count(Option::NumEpochs) * perEpoch;
  warmup = int64_t(options.number(Option::WarmupEpochs) * double(perEpoch));
  const char *text = options.text(Option::LrStepEpochs);
  if (!text || !*text)
    return true;
  if (strcmp(text, "cosine") == 0) {
    kind = Cosine;
  } else if (strncmp(text, "pow", 3) == 0) {
    kind = Polynomial;
    text += 3;
    while (*text == '-' || *text == ' ')
      ++text;
    if (!number_of(text, power) || power <= 0)
      return bad_steps(options.text(Option::LrStepEpochs), problem);
  } else if (factor < 1) { // else the rate stays, as in fit.py
    kind = Steps;
    for (;;) {
      char *end;
      long epoch = strtol(text, &end, 10);
      if (end == text || epoch < 0 || nSteps == mostSteps)
        return bad_steps(options.text(Option::LrStepEpochs), problem);
      steps[nSteps++] = int64_t(epoch) * perEpoch;
      if (*end == 0)
        break;
      if (*end != ',')
        return bad_steps(options.text(Option::LrStepEpochs), problem);
      text = end + 1;
    }
  }
  if ((kind == Polynomial || kind == Cosine) && warmup >= last)
    return problem.set(Usage, "--warmup-epochs: expected fewer than --num-epochs");
  return true;
}

double Rates::of(int64_t update) const {
  if (update < warmup)
    return base * (double(update) / double(warmup));
  double rate = base, done = last > warmup ? double(update - warmup) / double(last - warmup) : 1;
  switch (kind) {
  case Constant:
    break;
  case Steps:
    for (int i = 0; i < nSteps; ++i)
      if (update > steps[i])
        rate *= factor;
    break;
  case Polynomial:
    rate = done < 1 ? base * pow(1 - done, power) : 0;
    break;
  case Cosine:
    rate = done < 1 ? base * (1 + cos(3.14159265358979323846 * done)) / 2 : 0;
    break;
  }
  return rate;
}

} // namespace symc::train
