// train_shim.cpp: the parts of training as a library that Python opens, for comparisons with
// symc.optimizer and its kin (optimizers_beside_python.py).
#include "train/initializers.h"
#include "train/program/metric.h"
#include "train/program/schedule.h"
#include "update_driver.h"

#include <cstring>

using namespace symc;

extern "C" {

// A driver of "sgd,momentum=0.9", or NULL with a sentence.
void *shim_optimizer(const char *text, char *error, size_t error_bytes) {
  OptimizerChoice choice;
  return parse_optimizer(text, choice, error, error_bytes) ? new Driver(choice) : nullptr;
}
void shim_release(void *driver) { delete static_cast<Driver *>(driver); }
int32_t shim_states(void *driver) { return static_cast<Driver *>(driver)->states(); }
double shim_decays(void *driver, const char *name) {
  OptimizerChoice choice;
  parse_optimizer(static_cast<Driver *>(driver)->row->name, choice, nullptr, 0);
  return optimizer_decays(choice.optimizer, name);
}
// Whether the optimizer takes a parameter of this shape and decay.
int32_t shim_takes(void *driver, const char *name, const int64_t *shape, int32_t rank, double decay,
                   char *error, size_t error_bytes) {
  OptimizerChoice choice;
  parse_optimizer(static_cast<Driver *>(driver)->row->name, choice, nullptr, 0);
  return optimizer_takes(choice.optimizer, name, shape, rank, decay, error, error_bytes);
}
void shim_set_value(void *driver, const char *name, double value) {
  auto &own = *static_cast<Driver *>(driver);
  OptimizerChoice choice;
  parse_optimizer(own.row->name, choice, nullptr, 0);
  own.values[size_t(find_optimizer_value(choice.optimizer, name))] = value;
}

double shim_value(void *driver, const char *name) {
  auto &own = *static_cast<Driver *>(driver);
  OptimizerChoice choice;
  parse_optimizer(own.row->name, choice, nullptr, 0);
  return own.values[size_t(find_optimizer_value(choice.optimizer, name))];
}

// One update of n parameters; `states` has SYMC_MAX_STATES pointers of each.
void shim_update(void *driver, int32_t n, const char *const *names, float *const *weights,
                 const float *const *gradients, float *const *states, const int64_t *counts,
                 const int64_t *rows, const double *lr_mults, const double *wd_mults, int64_t step,
                 int64_t range, int32_t backwards, uint64_t seed) {
  std::vector<DrivenParameter> parameters;
  for (int32_t i = 0; i < n; ++i) {
    DrivenParameter one = {names[i],  weights[i], gradients[i], {},
                           counts[i], rows[i],    lr_mults[i],  wd_mults[i]};
    memcpy(one.states, states + i * SYMC_MAX_STATES, sizeof one.states);
    parameters.push_back(one);
  }
  auto &own = *static_cast<Driver *>(driver);
  own.range = range;
  own.backwards = backwards;
  own.seed = seed;
  own.update(parameters, step);
}

// Fills `data`, or looks where that is NULL. Returns the status, with a sentence.
int32_t shim_initialize(const char *name, const int64_t *shape, int32_t rank, const char *attribute,
                        const char *initializer, uint64_t seed, float *data, char *error,
                        size_t error_bytes) {
  InitialArray array = {name, shape, rank, attribute, data};
  return data ? initialize_array(array, initializer, seed, error, error_bytes)
              : check_initial(array, initializer, error, error_bytes);
}

// The rates of updates 1 to n; 0 with a sentence. kind: of Schedule::Kind.
int32_t shim_rates(int32_t kind, double base, double factor, int64_t step, double least,
                   const int64_t *steps, int64_t step_count, int64_t last, double power,
                   double final_rate, int64_t warmup, double warmup_rate, int32_t constant,
                   int64_t n, double *rates, char *error, size_t error_bytes) {
  train::Schedule schedule;
  schedule.kind = train::Schedule::Kind(kind);
  schedule.baseRate = base;
  schedule.factor = factor;
  schedule.step = step;
  schedule.leastRate = least;
  schedule.steps = steps;
  schedule.stepCount = step_count;
  schedule.lastUpdate = last;
  schedule.power = power;
  schedule.finalRate = final_rate;
  schedule.warmupUpdates = warmup;
  schedule.warmupRate = warmup_rate;
  schedule.warmupIsConstant = constant;
  if (!schedule.check(error, error_bytes))
    return 0;
  for (int64_t i = 0; i < n; ++i)
    rates[i] = schedule.rate(i + 1);
  return 1;
}

void *shim_metric(const char *text, char *error, size_t error_bytes) {
  auto *metric = new train::Metric;
  if (metric->start(text, error, error_bytes))
    return metric;
  delete metric;
  return nullptr;
}
void shim_metric_release(void *metric) { delete static_cast<train::Metric *>(metric); }
const char *shim_metric_name(void *metric) { return static_cast<train::Metric *>(metric)->name(); }
void shim_metric_reset(void *metric, int32_t local) {
  auto *own = static_cast<train::Metric *>(metric);
  local ? own->resetLocal() : own->reset();
}
double shim_metric_value(void *metric, int32_t local) {
  auto *own = static_cast<train::Metric *>(metric);
  return local ? own->local() : own->global();
}
int32_t shim_metric_update(void *metric, const float *labels, const int64_t *label_shape,
                           int32_t label_rank, const float *output, const int64_t *shape,
                           int32_t rank, char *error, size_t error_bytes) {
  return static_cast<train::Metric *>(metric)->update({labels, label_shape, label_rank},
                                                      {output, shape, rank}, error, error_bytes);
}

} // extern "C"
