// schedule.cpp: see schedule.h.
#include "schedule.h"

#include "../options/option_text.h"

#include <math.h>

namespace symc::train {

bool Schedule::check(char *error, size_t errorBytes) const {
  choices::Sentence sentence(error, errorBytes);
  if (warmupUpdates < 0) {
    sentence << "a warm-up of " << warmupUpdates << " updates, needs at least 0";
    return false;
  }
  if (warmupRate > baseRate) {
    sentence << "the warm-up begins above the rate that it leads to";
    return false;
  }
  if ((kind == Factor || kind == MultiFactor) && factor > 1) {
    sentence << "the factor of a schedule is above 1";
    return false;
  }
  if (kind == Factor && step < 1) {
    sentence << "a schedule changes behind each " << step << " updates, needs at least 1";
    return false;
  }
  if (kind == MultiFactor) {
    bool grows = stepCount > 0 && steps[0] >= 1;
    for (int64_t i = 1; i < stepCount; ++i)
      grows = grows && steps[i] > steps[i - 1];
    if (!grows)
      sentence << "the steps of a schedule are numbers of updates that grow from at least 1 on";
    return grows;
  }
  if ((kind == Polynomial || kind == Cosine) && lastUpdate < 1) {
    sentence << "a schedule ends at update " << lastUpdate << ", needs at least 1";
    return false;
  }
  return true;
}

double Schedule::rate(int64_t updates) const {
  if (updates < warmupUpdates)
    return warmupIsConstant
               ? warmupRate
               : warmupRate + (baseRate - warmupRate) * double(updates) / double(warmupUpdates);
  double rate = baseRate;
  switch (kind) {
  case Constant:
    break;
  case Factor:
    for (int64_t count = 0; updates > count + step; count += step) {
      double before = rate;
      rate = rate * factor > leastRate ? rate * factor : leastRate;
      if (rate == before) // and stays so
        break;
    }
    break;
  case MultiFactor:
    for (int64_t i = 0; i < stepCount && updates > steps[i]; ++i)
      rate *= factor;
    break;
  case Polynomial:
  case Cosine: {
    int64_t at = updates < lastUpdate ? updates : lastUpdate;
    double done = double(at - warmupUpdates) / double(lastUpdate - warmupUpdates);
    double left = kind == Polynomial ? pow(1 - done, power) : (1 + cos(M_PI * done)) / 2;
    rate = finalRate + (baseRate - finalRate) * left;
    break;
  }
  }
  return rate;
}

} // namespace symc::train
