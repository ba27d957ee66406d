/* optimizer_options.h: an optimizer and its hyper-parameters as text, "adam,beta1=0.9,wd=1e-4", for
 * C++. The compiler and the runtime read it by the same function; symc/optimizers.def has the
 * names. Nothing here allocates; sentences are cut where their buffer ends. */
#ifndef SYMC_OPTIMIZER_OPTIONS_H
#define SYMC_OPTIMIZER_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

namespace symc {

constexpr int32_t kMostOptimizerValues = 20;

struct OptimizerChoice {
  int32_t optimizer; // its number, in the order of optimizers.def
  int32_t n_values;
  // learning_rate (or lr), wd, rescale_grad, clip_gradient, then the optimizer's own in the order
  // of optimizers.def. Where one may be none, that is -1.
  double values[kMostOptimizerValues];
  uint64_t given; // bit i: the text has value i, which is a default otherwise
};

// Reads "NAME,OPTION=VALUE,...". False with a sentence.
bool parse_optimizer(const char *text, OptimizerChoice &choice, char *error, size_t error_bytes);

// "sgd"; NULL where there is no such number.
const char *optimizer_name(int32_t optimizer);
// The name of value `i`, or NULL; the place of the value of a name, or -1.
const char *optimizer_value_name(int32_t optimizer, int32_t i);
int32_t find_optimizer_value(int32_t optimizer, const char *name);
// 1 where parameters of this name decay unless __wd_mult__ has another factor, else 0.
double optimizer_decays(int32_t optimizer, const char *parameter);
// Whether the optimizer can update such a parameter; `decay` is wd times its factor. False with a
// sentence.
bool optimizer_takes(int32_t optimizer, const char *parameter, const int64_t *shape, int32_t rank,
                     double decay, char *error, size_t error_bytes);

// Whether "xavier,magnitude=2" is an initialiser (symc/initializers.def). False with a sentence.
bool check_initializer(const char *text, char *error, size_t error_bytes);

} // namespace symc
#endif
