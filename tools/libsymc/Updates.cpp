// Updates.cpp: one update of parameters that a caller holds, by the optimizers of compiled trainers
// (runtime/train/optimizers): the same functions on the same ranges, so that bits are a trainer's.
#include "Library.h"

#include "runtime/core/float_mode.h"
#include "runtime/train/optimizer.h"
#include "symc/optimizer_options.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>

using namespace symc;
using namespace symc::library;

static_assert(SYMC_UPDATE_STATES == SYMC_MAX_STATES &&
              SYMC_UPDATE_SCHEDULE == SYMC_SCHEDULE_NUMBERS);

extern "C" {
#define SYMC_OPTIMIZER(id, rate, decay, meaning)                                                   \
  extern const symc_optimizer_row symc_optimizer_##id;
#include "symc/optimizers.def"
}

static const symc_optimizer_row *const rows[] = {
#define SYMC_OPTIMIZER(id, rate, decay, meaning) &symc_optimizer_##id,
#include "symc/optimizers.def"
};

/// The optimizer of a name, an alias included; -1 with a message.
static int32_t find(const char *optimizer) {
  char error[256];
  OptimizerChoice choice;
  llvm::StringRef name(optimizer);
  if (name.contains(','))
    return fail("expected the name of an optimizer, got '" + name + "'");
  return parse_optimizer(optimizer, choice, error, sizeof error) ? choice.optimizer : fail(error);
}

/// A momentum may be above 1: that of lars follows the rate.
static double mostOf(const symc_hyper_info &info) {
  return llvm::StringRef(info.name) == "momentum" ? HUGE_VAL : info.most;
}

extern "C" int symc_update_values(const char *optimizer, size_t *count, const char *const **names,
                                  const double **least, const double **most) {
  const std::pair<const void *, const char *> pointers[] = {{optimizer, "optimizer"},
                                                            {count, "count"},
                                                            {names, "names"},
                                                            {least, "least"},
                                                            {most, "most"}};
  for (auto [pointer, name] : pointers)
    if (!pointer)
      return failNull(name);
  int32_t number = find(optimizer);
  if (number < 0)
    return -1;
  const symc_optimizer_row &row = *rows[number];
  static thread_local double bounds[2][SYMC_MAX_HYPER];
  returned().texts.clear();
  for (int32_t i = 0; i < row.n_values; ++i) {
    bool own = i >= SYMC_HYPER_OWN;
    returned().texts.push_back(optimizer_value_name(number, i));
    bounds[0][i] = own ? row.own[i - SYMC_HYPER_OWN].least : -HUGE_VAL;
    bounds[1][i] = own ? mostOf(row.own[i - SYMC_HYPER_OWN]) : HUGE_VAL;
  }
  *count = size_t(row.n_values);
  *names = returned().list();
  *least = bounds[0];
  *most = bounds[1];
  return 0;
}

/// What the functions of a row would trip over.
static int check(const symc_optimizer_row &row, int32_t optimizer, size_t place,
                 const symc_updated_parameter &one) {
  const std::pair<const void *, const char *> pointers[] = {{one.name, "name"},
                                                            {one.weight, "weight"},
                                                            {one.gradient, "gradient"},
                                                            {one.values, "values"}};
  for (auto [pointer, name] : pointers)
    if (!pointer)
      return fail(llvm::formatv("parameter {0}: '{1}' is NULL", place, name).str());
  if (one.count < 0 || one.step < 1 || one.rows < 1 || one.count % one.rows)
    return fail(llvm::formatv("parameter '{0}': expected a step of at least 1 and rows that divide "
                              "its elements, got step {1}, {2} rows, {3} elements",
                              one.name, one.step, one.rows, one.count)
                    .str());
  for (int32_t i = SYMC_HYPER_OWN; i < row.n_values; ++i) {
    const symc_hyper_info &info = row.own[i - SYMC_HYPER_OWN];
    double value = one.values[i];
    if (!(value >= info.least && value <= mostOf(info))) {
      char range[96];
      snprintf(range, sizeof range, "%g, expected a number from %g to %g", value, info.least,
               mostOf(info));
      return fail(llvm::formatv("parameter '{0}': option '{1}' of optimizer '{2}' is {3}", one.name,
                                info.name, row.name, range)
                      .str());
    }
  }
  int64_t shape[] = {one.rows, one.count / one.rows};
  char error[256];
  if (!optimizer_takes(optimizer, one.name, shape, 2, one.values[SYMC_HYPER_WD], error,
                       sizeof error))
    return fail(error);
  int32_t given = 0, needed = row.count_states(one.values);
  while (given < SYMC_MAX_STATES && one.states[given])
    ++given;
  if (given < needed)
    return fail(llvm::formatv("parameter '{0}': optimizer '{1}' needs {2} {3}, got {4}", one.name,
                              row.name, needed, needed == 1 ? "state" : "states", given)
                    .str());
  return 0;
}

static void update(const symc_optimizer_row &row, const symc_updated_parameter &one,
                   double *schedule, uint64_t seed, size_t stream) {
  double derived[SYMC_MAX_DERIVED] = {}, sums[SYMC_MAX_SUMS] = {};
  symc_update_begin begin = {one.name, one.count, one.step, one.values,
                             derived,  schedule,  one.rows};
  if (row.prepare)
    row.prepare(&begin);
  for (int32_t pass = 0; pass < row.n_passes; ++pass) {
    double total[SYMC_MAX_SUMS] = {};
    for (int64_t first = 0; first < one.count; first += SYMC_UPDATE_RANGE) {
      double partial[SYMC_MAX_SUMS] = {};
      symc_update_args args = {};
      args.first = first;
      args.count = std::min<int64_t>(SYMC_UPDATE_RANGE, one.count - first);
      args.weight = one.weight + first;
      args.gradient = one.gradient + first;
      for (int32_t k = 0; k < SYMC_MAX_STATES && one.states[k]; ++k)
        args.states[k] = one.states[k] + first;
      args.values = one.values;
      args.derived = derived;
      args.step = one.step;
      args.sums = sums;
      args.partial = partial;
      args.seed = seed;
      args.stream = stream;
      row.passes[pass](&args);
      for (int32_t k = 0; k < SYMC_MAX_SUMS; ++k)
        total[k] += partial[k];
    }
    memcpy(sums, total, sizeof sums);
  }
}

extern "C" int symc_update_parameters(const char *optimizer, size_t count,
                                      const symc_updated_parameter *parameters, double *schedule,
                                      uint64_t seed) {
  if (!optimizer || !schedule || (count && !parameters))
    return failNull(!optimizer ? "optimizer" : !schedule ? "schedule" : "parameters");
  int32_t number = find(optimizer);
  if (number < 0 || checkCount(count, "parameters"))
    return -1;
  const symc_optimizer_row &row = *rows[number];
  for (size_t i = 0; i < count; ++i)
    if (check(row, number, i, parameters[i]))
      return -1;
  FlushDenormals scope(true);
  for (size_t i = 0; i < count; ++i)
    update(row, parameters[i], schedule, seed, i);
  return 0;
}
