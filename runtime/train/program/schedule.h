// schedule.h: learning rates as functions of the number of updates, by MXNet 1.9.1's formulas and
// in its order of operations: FactorScheduler, MultiFactorScheduler, PolyScheduler,
// CosineScheduler, each with a warm-up. MXNet's schedulers count along; these can begin anywhere.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_SCHEDULE_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

namespace symc::train {

struct Schedule {
  enum Kind { Constant, Factor, MultiFactor, Polynomial, Cosine };
  Kind kind = Constant;
  double baseRate = 0.01;
  double factor = 1;              // Factor, MultiFactor: what the rate is multiplied by
  int64_t step = 1;               // Factor: behind each so many updates
  double leastRate = 1e-8;        // Factor: where it ends
  const int64_t *steps = nullptr; // MultiFactor: behind these numbers of updates
  int64_t stepCount = 0;
  int64_t lastUpdate = 1;    // Polynomial, Cosine: the last update that changes the rate
  double power = 2;          // Polynomial
  double finalRate = 0;      // Polynomial, Cosine: at lastUpdate
  int64_t warmupUpdates = 0; // in which the rate goes from warmupRate to baseRate
  double warmupRate = 0;
  bool warmupIsConstant = false; // it stays at warmupRate instead

  // Whether MXNet's scheduler would take these options. False with a sentence.
  bool check(char *error, size_t errorBytes) const;
  // `updates`: MXNet's num_update, 1 at the first update.
  double rate(int64_t updates) const;
};

} // namespace symc::train
#endif
