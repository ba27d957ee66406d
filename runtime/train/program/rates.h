// rates.h: the learning rate of each update, as common/fit.py of MXNet makes it of its options.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_RATES_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_RATES_H

#include "options.h"
#include "schedule.h"

namespace symc::train {

class Rates {
public:
  // `base`: the rate at first. `perEpoch`: updates of an epoch.
  bool start(const Options &options, double base, int64_t perEpoch, Problem &problem);
  // Of update number `update`, from 1 on. A function of it alone, so that a training can go on.
  double of(int64_t update) const { return schedule.rate(update); }

private:
  static constexpr int mostSteps = 64;
  Schedule schedule;
  int64_t steps[mostSteps];
};

} // namespace symc::train
#endif
