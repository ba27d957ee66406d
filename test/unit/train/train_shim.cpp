// train_shim.cpp: the parts of training as a library that Python opens, for comparisons with
// symc.optimizer and its kin (optimizers_beside_python.py).
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

} // extern "C"
