// update_driver.h: runs an optimizer's row over arrays as a step of training does, with ranges of
// any length in any order: what tests of the rows share.
#ifndef SYMC_TEST_UNIT_TRAIN_UPDATE_DRIVER_H
#define SYMC_TEST_UNIT_TRAIN_UPDATE_DRIVER_H

#include "symc/optimizer_options.h"
#include "train/optimizer.h"

#include <string>
#include <vector>

// The row of a name, NULL where there is none.
const symc_optimizer_row *rowOf(const std::string &name);
std::vector<const symc_optimizer_row *> allRows();

struct DrivenParameter {
  std::string name;
  float *weight;
  const float *gradient;
  float *states[SYMC_MAX_STATES];
  int64_t count, rows;
  double lrMult, wdMult;
};

struct Driver {
  const symc_optimizer_row *row;
  std::vector<double> values; // of the row, with wd not multiplied yet
  double schedule[SYMC_SCHEDULE_NUMBERS] = {};
  int64_t range = SYMC_UPDATE_RANGE;
  bool backwards = false; // ranges from the last to the first
  uint64_t seed = 0;

  explicit Driver(const symc::OptimizerChoice &choice);
  int32_t states() const { return row->count_states(values.data()); }
  // Update number `step`, 1 for the first.
  void update(std::vector<DrivenParameter> &parameters, int64_t step);
};

#endif
