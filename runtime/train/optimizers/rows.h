// rows.h: what the files of optimizers share: their rows of symc/optimizers.def, the places of
// their values, and loops over the elements of a range, which become vectors.
#ifndef SYMC_RUNTIME_TRAIN_OPTIMIZERS_ROWS_H
#define SYMC_RUNTIME_TRAIN_OPTIMIZERS_ROWS_H

#include "../optimizer.h"
#include "symc/update_formulas.h"

namespace symc {

// --- Rows of the table ----------------------------------------------------------

inline constexpr symc_hyper_info hyperInfos[] = {
#define SYMC_HYPER(id, name, value, least, most, meaning) {#id, #name, value, least, most},
#include "symc/optimizers.def"
};

constexpr bool same_text(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return *a == *b;
}

// The first of an optimizer's own hyper-parameters, and how many there are.
constexpr int32_t first_hyper(const char *optimizer) {
  int32_t i = 0;
  for (const symc_hyper_info &info : hyperInfos) {
    if (same_text(info.optimizer, optimizer))
      return i;
    ++i;
  }
  return 0;
}
constexpr int32_t count_hyper(const char *optimizer) {
  int32_t count = 0;
  for (const symc_hyper_info &info : hyperInfos)
    count += same_text(info.optimizer, optimizer);
  return count;
}

// Lines of the file: hyper-parameters stand behind their optimizer.
enum FilePlace {
#define SYMC_OPTIMIZER(id, rate, decay, meaning) row_of_##id,
#define SYMC_HYPER(id, name, value, least, most, meaning) place_of_##id##_##name,
#include "symc/optimizers.def"
};

// --- Values ---------------------------------------------------------------------

// What all optimizers have, as MXNet's operators take it: float32. No bound is -1.
struct Rates {
  explicit Rates(const double *values)
      : lr(float(values[SYMC_HYPER_LEARNING_RATE])), wd(float(values[SYMC_HYPER_WD])),
        rescale(float(values[SYMC_HYPER_RESCALE_GRAD])),
        clip(values[SYMC_HYPER_CLIP_GRADIENT] > 0 ? float(values[SYMC_HYPER_CLIP_GRADIENT])
                                                  : -1.0f) {}
  float lr, wd, rescale, clip;
};

// Calls body(clip), which is compiled for a bound and once more without one.
template <class Body> [[gnu::always_inline]] inline void with_clip(float clip, const Body &body) {
  if (clip < 0)
    body(-1.0f);
  else
    body(clip);
}

// --- Loops ----------------------------------------------------------------------

// weight[i] = body(weight[i], gradient[i], states[i]...). No two of the arrays overlap.
template <class Body>
inline void each(int64_t count, float *__restrict weight, const float *__restrict gradient,
                 const Body &body) {
  for (int64_t i = 0; i < count; ++i)
    weight[i] = body(weight[i], gradient[i]);
}
template <class Body>
inline void each(int64_t count, float *__restrict weight, const float *__restrict gradient,
                 float *__restrict state, const Body &body) {
  for (int64_t i = 0; i < count; ++i)
    weight[i] = body(weight[i], gradient[i], state[i]);
}
template <class Body>
inline void each(int64_t count, float *__restrict weight, const float *__restrict gradient,
                 float *__restrict first, float *__restrict second, const Body &body) {
  for (int64_t i = 0; i < count; ++i)
    weight[i] = body(weight[i], gradient[i], first[i], second[i]);
}
template <class Body>
inline void each(int64_t count, float *__restrict weight, const float *__restrict gradient,
                 float *__restrict first, float *__restrict second, float *__restrict third,
                 const Body &body) {
  for (int64_t i = 0; i < count; ++i)
    weight[i] = body(weight[i], gradient[i], first[i], second[i], third[i]);
}

// Of value(0), ..., value(count - 1), floats whose squares are exact as doubles: the sum of these,
// in lanes side by side that a tree joins. Values are computed in blocks, by vectors of floats.
template <class Value> inline double sum_of_squares(int64_t count, const Value &value) {
  constexpr int64_t kLanes = 16, kBlock = 16 * kLanes;
  double sums[kLanes] = {};
  float block[kBlock];
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    int64_t length = count - begin < kBlock ? count - begin : kBlock;
    for (int64_t i = 0; i < length; ++i)
      block[i] = value(begin + i);
    for (int64_t i = length; i % kLanes; ++i)
      block[i] = 0;
    for (int64_t i = 0; i < length; i += kLanes)
      for (int64_t lane = 0; lane < kLanes; ++lane)
        sums[lane] += double(block[i + lane]) * double(block[i + lane]);
  }
  for (int64_t half = kLanes / 2; half > 0; half /= 2)
    for (int64_t lane = 0; lane < half; ++lane)
      sums[lane] += sums[lane + half];
  return sums[0];
}

} // namespace symc

// The value of an optimizer's own hyper-parameter among `values`.
#define SYMC_OWN(values, id, name)                                                                 \
  ((values)[SYMC_HYPER_OWN - 1 + symc::place_of_##id##_##name - symc::row_of_##id])

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
