// rows.h: what the files of optimizers share: their rows of symc/optimizers.def, and how a gradient
// becomes what formulas take.
#ifndef SYMC_RUNTIME_TRAIN_OPTIMIZERS_ROWS_H
#define SYMC_RUNTIME_TRAIN_OPTIMIZERS_ROWS_H

#include "../optimizer.h"

namespace symc {

inline constexpr symc_hyper_info hyperInfos[] = {
#define SYMC_HYPER(id, name, value, least, most, meaning) {#id, #name, value, least, most},
#include "symc/optimizers.def"
};
inline constexpr int32_t hyperInfoCount = int32_t(sizeof hyperInfos / sizeof hyperInfos[0]);

constexpr bool same_text(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return *a == *b;
}

// The first of an optimizer's own hyper-parameters, and how many there are.
constexpr int32_t first_hyper(const char *optimizer) {
  int32_t i = 0;
  while (i < hyperInfoCount && !same_text(hyperInfos[i].optimizer, optimizer))
    ++i;
  return i;
}
constexpr int32_t count_hyper(const char *optimizer) {
  int32_t count = 0;
  for (const symc_hyper_info &info : hyperInfos)
    count += same_text(info.optimizer, optimizer);
  return count;
}

// The rate times the gradient, multiplied by rescale_grad and bounded by clip_gradient, in the
// order of MXNet's operators.
struct RateTimesGradient {
  explicit RateTimesGradient(const double *values)
      : rate(float(values[SYMC_HYPER_LEARNING_RATE])),
        rescale(float(values[SYMC_HYPER_RESCALE_GRAD])),
        bound(float(values[SYMC_HYPER_CLIP_GRADIENT])) {}
  bool clips() const { return bound > 0; }
  float plain(float gradient) const { return (rate * rescale) * gradient; }
  float clipped(float gradient) const {
    float value = rescale * gradient;
    value = value > bound ? bound : value < -bound ? -bound : value;
    return rate * value;
  }
  float rate, rescale, bound;
};

} // namespace symc

// The row of an optimizer of symc/optimizers.def, which has its own hyper-parameters.
#define SYMC_OPTIMIZER_ROW(id, count_states, begin, create, prepare, scratch, ...)                 \
  extern "C" const symc_optimizer_row symc_optimizer_##id;                                         \
  const symc_optimizer_row symc_optimizer_##id = {                                                 \
      #id,                                                                                         \
      SYMC_HYPER_OWN + symc::count_hyper(#id),                                                     \
      int32_t(sizeof((const symc_update_fn[]){__VA_ARGS__}) / sizeof(symc_update_fn)),             \
      symc::hyperInfos + symc::first_hyper(#id),                                                   \
      count_states,                                                                                \
      begin,                                                                                       \
      create,                                                                                      \
      prepare,                                                                                     \
      {__VA_ARGS__},                                                                               \
      scratch,                                                                                     \
      0}

#endif
