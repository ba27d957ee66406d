// hyper.cpp: rates and the other hyper-parameters: what they are called, what they may be, and what
// holds in one update.
#include "training.h"

#include <math.h>
#include <string.h>

using namespace symc;

static const char *const namesOfAll[SYMC_HYPER_OWN] = {"learning_rate", "wd", "rescale_grad",
                                                       "clip_gradient"};

static const char *name_of(const symc_optimizer_row &row, int32_t index) {
  return index < SYMC_HYPER_OWN ? namesOfAll[index] : row.own[index - SYMC_HYPER_OWN].name;
}

static int32_t find_hyper(const symc_optimizer_row &row, const char *name) {
  for (int32_t i = 0; name && i < row.n_values; ++i)
    if (strcmp(name_of(row, i), name) == 0)
      return i;
  return -1;
}

static Text &say_number(Text &text, double value) {
  if (value != value)
    return text << "NaN";
  bool negative = value < 0;
  double size = negative ? -value : value;
  text << (negative ? "-" : "");
  if (size > 1e15)
    return text << "above 1e15";
  int64_t whole = int64_t(size);
  text << whole;
  double rest = size - double(whole);
  char digits[8] = ".";
  int n = 0;
  for (; rest != 0 && n < 6; ++n) {
    rest *= 10;
    int digit = int(rest);
    digits[n + 1] = char('0' + digit);
    rest -= digit;
  }
  digits[n + 1] = 0;
  return n ? text << digits : text;
}

symc_status symc::check_hyper(symc_context &context, int32_t index, const double *values) {
  const symc_optimizer_row &row = *context.model->training->optimizer;
  const Training &training = *context.training;
  Text error(context.error, sizeof context.error);
  double value = values[index];
  double least = -INFINITY, most = INFINITY; // of rates any number: a schedule may have reasons
  if (index >= SYMC_HYPER_OWN) {
    least = row.own[index - SYMC_HYPER_OWN].least;
    most = row.own[index - SYMC_HYPER_OWN].most;
  }
  if (!(value >= least && value <= most) || value - value != 0) {
    error << "hyper-parameter '" << name_of(row, index) << "': expected ";
    if (index < SYMC_HYPER_OWN) {
      error << "a finite number, got ";
    } else {
      say_number(error << "a number in ", least) << "..";
      say_number(error, most) << ", got ";
    }
    say_number(error, value);
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  int32_t states = row.count_states(values);
  if (states <= training.nStates)
    return SYMC_STATUS_OK;
  say_number(error << "hyper-parameter '" << name_of(row, index) << "' = ", value)
      << " needs " << states << (states == 1 ? " state" : " states")
      << " of each parameter, and the model was compiled for " << training.nStates
      << ": compile it with --optimizer " << row.name << "," << name_of(row, index) << "=...";
  return SYMC_STATUS_BAD_ARGUMENT;
}

symc_status symc::take_hyper(symc_context &context, const symc_hyper *hyper, double *values) {
  const symc_optimizer_row &row = *context.model->training->optimizer;
  memcpy(values, context.training->values, sizeof context.training->values);
  if (!hyper)
    return SYMC_STATUS_OK;
  Text error(context.error, sizeof context.error);
  if (hyper->bytes != sizeof(symc_hyper) || hyper->flags != 0) {
    error << "hyper: expected what symc_hyper_defaults() makes, of " << int64_t(sizeof(symc_hyper))
          << " bytes and flags 0, got " << int64_t(hyper->bytes) << " and "
          << int64_t(hyper->flags);
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  const struct {
    const char *name;
    double value;
  } given[] = {{"learning_rate", hyper->learning_rate},
               {"wd", hyper->weight_decay},
               {"rescale_grad", hyper->rescale_gradient},
               {"clip_gradient", hyper->clip_gradient},
               {"momentum", hyper->momentum}};
  for (const auto &one : given) {
    if (one.value != one.value)
      continue;
    int32_t index = find_hyper(row, one.name);
    if (index < 0) {
      error << "optimizer '" << row.name << "' has no hyper-parameter '" << one.name << "'";
      return SYMC_STATUS_BAD_NAME;
    }
    values[index] = one.value;
    symc_status status = check_hyper(context, index, values);
    if (status != SYMC_STATUS_OK)
      return status;
  }
  return SYMC_STATUS_OK;
}

int32_t symc_hyper_count(const symc_model *model) {
  return model && model->training ? model->training->optimizer->n_values : 0;
}

const char *symc_hyper_name(const symc_model *model, int32_t index) {
  bool known = index >= 0 && index < symc_hyper_count(model);
  return known ? name_of(*model->training->optimizer, index) : nullptr;
}

static int32_t find(symc_context *context, const char *name, symc_status &status) {
  status = context ? SYMC_STATUS_NO_TRAINING : SYMC_STATUS_BAD_ARGUMENT;
  if (!training_of(context))
    return -1;
  const symc_optimizer_row &row = *context->model->training->optimizer;
  int32_t index = find_hyper(row, name);
  status = index >= 0 ? SYMC_STATUS_OK : SYMC_STATUS_BAD_NAME;
  if (index >= 0)
    return index;
  Text error(context->error, sizeof context->error);
  error << "optimizer '" << row.name << "' has no hyper-parameter '" << name << "', but ";
  for (int32_t i = 0; i < row.n_values; ++i)
    error << (i ? ", " : "") << name_of(row, i);
  return -1;
}

symc_status symc_get_hyper(symc_context *context, const char *name, double *value) {
  symc_status status;
  int32_t index = find(context, name, status);
  if (index < 0)
    return status;
  if (!value)
    return SYMC_STATUS_BAD_ARGUMENT;
  *value = context->training->values[index];
  return SYMC_STATUS_OK;
}

symc_status symc_set_hyper(symc_context *context, const char *name, double value) {
  symc_status status;
  int32_t index = find(context, name, status);
  if (index < 0)
    return status;
  double values[SYMC_MAX_HYPER];
  memcpy(values, context->training->values, sizeof values);
  values[index] = value;
  if ((status = check_hyper(*context, index, values)) == SYMC_STATUS_OK)
    context->training->values[index] = value;
  return status;
}
