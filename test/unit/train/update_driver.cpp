// update_driver.cpp: see update_driver.h.
#include "update_driver.h"

#include <cstring>

extern "C" {
#define SYMC_OPTIMIZER(id, rate, decay, meaning)                                                   \
  extern const symc_optimizer_row symc_optimizer_##id;
#include "symc/optimizers.def"
}

std::vector<const symc_optimizer_row *> allRows() {
  return {
#define SYMC_OPTIMIZER(id, rate, decay, meaning) &symc_optimizer_##id,
#include "symc/optimizers.def"
  };
}

const symc_optimizer_row *rowOf(const std::string &name) {
  for (const symc_optimizer_row *row : allRows())
    if (name == row->name)
      return row;
  return nullptr;
}

Driver::Driver(const symc::OptimizerChoice &choice)
    : row(rowOf(symc::optimizer_name(choice.optimizer))),
      values(choice.values, choice.values + SYMC_MAX_HYPER) {
  if (row->begin)
    row->begin(values.data(), schedule);
}

void Driver::update(std::vector<DrivenParameter> &parameters, int64_t step) {
  struct One {
    std::vector<double> values;
    double derived[SYMC_MAX_DERIVED] = {}, sums[SYMC_MAX_SUMS] = {};
  };
  std::vector<One> ones(parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    One &one = ones[i];
    one.values = values;
    one.values[SYMC_HYPER_LEARNING_RATE] *= parameters[i].lrMult;
    one.values[SYMC_HYPER_WD] *= parameters[i].wdMult;
    symc_update_begin begin = {};
    begin.name = parameters[i].name.c_str();
    begin.count = parameters[i].count;
    begin.rows = parameters[i].rows;
    begin.step = step;
    begin.values = one.values.data();
    begin.derived = one.derived;
    begin.schedule = schedule;
    if (row->prepare)
      row->prepare(&begin);
  }
  auto pass = [&](symc_update_fn run) {
    for (size_t i = 0; i < parameters.size(); ++i) {
      DrivenParameter &parameter = parameters[i];
      int64_t ranges = (parameter.count + range - 1) / range;
      std::vector<double> partial(size_t(ranges) * SYMC_MAX_SUMS);
      for (int64_t task = 0; task < ranges; ++task) {
        int64_t at = backwards ? ranges - 1 - task : task;
        symc_update_args args = {};
        args.first = at * range;
        args.count = std::min(range, parameter.count - args.first);
        args.weight = parameter.weight + args.first;
        args.gradient = parameter.gradient + args.first;
        for (int32_t k = 0; k < states(); ++k)
          args.states[k] = parameter.states[k] + args.first;
        args.values = ones[i].values.data();
        args.derived = ones[i].derived;
        args.sums = ones[i].sums;
        args.step = step;
        args.partial = &partial[size_t(at) * SYMC_MAX_SUMS];
        args.seed = seed;
        args.stream = i;
        run(&args);
      }
      memset(ones[i].sums, 0, sizeof ones[i].sums);
      for (int64_t at = 0; at < ranges; ++at)
        for (int k = 0; k < SYMC_MAX_SUMS; ++k)
          ones[i].sums[k] += partial[size_t(at) * SYMC_MAX_SUMS + size_t(k)];
    }
  };
  if (step == 1 && row->create)
    pass(row->create);
  for (int32_t p = 0; p < row->n_passes; ++p)
    pass(row->passes[p]);
}
