// values.cpp: parameters, gradients and optimizer states by name, as MXNet has them: row-major
// float32. What is stored is what programs compute with, so that a copy is all there is to do.
#include "training.h"

#include <string.h>

using namespace symc;

static symc_status check_bytes(symc_context &context, const char *what,
                               const symc_tensor_info &info, const void *data, size_t bytes) {
  Text error(context.error, sizeof context.error);
  if (!data) {
    error << what << " '" << info.name << "': data is NULL";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  if (bytes == size_t(info.max_bytes))
    return SYMC_STATUS_OK;
  error << what << " '" << info.name << "': expected " << info.max_bytes << " bytes of ";
  error.tensor(info.dtype, info.shape, info.rank) << ", got " << int64_t(bytes);
  return SYMC_STATUS_BAD_SHAPE;
}

static symc_status no_training(const symc_context *context) {
  return context ? SYMC_STATUS_NO_TRAINING : SYMC_STATUS_BAD_ARGUMENT;
}

// The auxiliary state of that name as a tensor over `data`; `index` is -1 where there is none.
static symc_tensor state_tensor(symc_context &context, const char *name, const void *data,
                                int32_t &index) {
  symc_tensor tensor = {};
  index = name ? symc_find_state(context.model, name) : -1;
  if (index < 0)
    return tensor;
  const symc_tensor_info &info = context.model->states[index].tensor;
  tensor.data = const_cast<void *>(data);
  tensor.shape = info.shape;
  tensor.rank = info.rank;
  tensor.dtype = info.dtype;
  return tensor;
}

symc_status symc_get_parameter(symc_context *context, const char *name, void *data, size_t bytes) {
  if (!training_of(context))
    return no_training(context);
  int32_t state;
  symc_tensor tensor = state_tensor(*context, name, data, state);
  symc_status status;
  if (state >= 0) {
    status = check_bytes(*context, "state", context->model->states[state].tensor, data, bytes);
    return status == SYMC_STATUS_OK ? symc_get_state(context, name, &tensor) : status;
  }
  Parameter *parameter = find_parameter(*context, name, status);
  if (parameter)
    status = check_bytes(*context, "parameter", *parameter->info, data, bytes);
  if (status == SYMC_STATUS_OK)
    memcpy(data, parameter->weight, bytes);
  return status;
}

symc_status symc_set_parameter(symc_context *context, const char *name, const void *data,
                               size_t bytes) {
  if (!training_of(context))
    return no_training(context);
  int32_t state;
  symc_tensor tensor = state_tensor(*context, name, data, state);
  symc_status status;
  if (state >= 0) {
    status = check_bytes(*context, "state", context->model->states[state].tensor, data, bytes);
    return status == SYMC_STATUS_OK ? symc_set_state(context, name, &tensor) : status;
  }
  Parameter *parameter = find_parameter(*context, name, status);
  if (parameter)
    status = check_bytes(*context, "parameter", *parameter->info, data, bytes);
  if (status != SYMC_STATUS_OK)
    return status;
  if (parameter->trained->is_state && memcmp(parameter->weight, data, bytes) != 0) {
    Text(context->error, sizeof context->error)
        << "state '" << name
        << "' keeps the value that it was compiled with, since no step changes it";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  memcpy(parameter->weight, data, bytes);
  parameter->hasValue = context->hasChanged = true;
  return SYMC_STATUS_OK;
}

// A parameter that trains; a frozen one has neither gradient nor states.
static Parameter *find_trained(symc_context &context, const char *name, const char *what,
                               const void *data, size_t bytes, symc_status &status) {
  Parameter *parameter = find_parameter(context, name, status);
  if (!parameter)
    return nullptr;
  if (!parameter->gradient) {
    Text(context.error, sizeof context.error)
        << "parameter '" << name << "' is frozen, and has no " << what;
    status = SYMC_STATUS_BAD_NAME;
    return nullptr;
  }
  status = check_bytes(context, what, *parameter->info, data, bytes);
  return status == SYMC_STATUS_OK ? parameter : nullptr;
}

symc_status symc_get_gradient(symc_context *context, const char *name, void *data, size_t bytes) {
  Training *training = training_of(context);
  if (!training)
    return no_training(context);
  symc_status status;
  Parameter *parameter = find_trained(*context, name, "gradient", data, bytes, status);
  if (parameter && !training->hasGradients) {
    Text(context->error, sizeof context->error)
        << "there are no gradients yet: symc_gradients and symc_train_step compute them";
    return SYMC_STATUS_NO_GRADIENTS;
  }
  if (parameter)
    memcpy(data, parameter->gradient, bytes);
  return status;
}

symc_status symc_set_gradient(symc_context *context, const char *name, const void *data,
                              size_t bytes) {
  Training *training = training_of(context);
  if (!training)
    return no_training(context);
  symc_status status;
  Parameter *parameter = find_trained(*context, name, "gradient", data, bytes, status);
  if (!parameter)
    return status;
  if (!training->hasGradients) // those of other parameters are what a failed step left
    memset(training->gradients, 0, training->gradientBytes);
  clear_gaps(*training);
  memcpy(parameter->gradient, data, bytes);
  training->hasGradients = true;
  return SYMC_STATUS_OK;
}

float *symc_gradient_memory(symc_context *context, size_t *bytes) {
  Training *training = training_of(context);
  if (training)
    clear_gaps(*training);
  if (bytes)
    *bytes = training ? training->gradientBytes : 0;
  return training ? training->gradients : nullptr;
}

// --- The optimizer's states ------------------------------------------------

int32_t symc_optimizer_state_count(const symc_context *context) {
  return context && context->training ? context->training->nStates : 0;
}

static float *find_state(symc_context *context, const char *name, int32_t index, const void *data,
                         size_t bytes, symc_status &status) {
  Training *training = training_of(context);
  status = no_training(context);
  if (!training)
    return nullptr;
  Parameter *parameter = find_trained(*context, name, "optimizer state", data, bytes, status);
  if (!parameter)
    return nullptr;
  if (index >= 0 && index < training->nStates)
    return parameter->states[index];
  Text(context->error, sizeof context->error)
      << "optimizer state of '" << name << "': expected a number below " << training->nStates
      << ", got " << index;
  status = SYMC_STATUS_BAD_ARGUMENT;
  return nullptr;
}

symc_status symc_get_optimizer_state(symc_context *context, const char *name, int32_t index,
                                     void *data, size_t bytes) {
  symc_status status;
  if (float *state = find_state(context, name, index, data, bytes, status))
    memcpy(data, state, bytes);
  return status;
}

symc_status symc_set_optimizer_state(symc_context *context, const char *name, int32_t index,
                                     const void *data, size_t bytes) {
  symc_status status;
  if (float *state = find_state(context, name, index, data, bytes, status)) {
    memcpy(state, data, bytes);
    context->training->hasStates = true; // first values would replace it
  }
  return status;
}

int64_t symc_get_step(const symc_context *context) {
  return context && context->training ? context->training->step : 0;
}

symc_status symc_set_step(symc_context *context, int64_t step) {
  Training *training = training_of(context);
  if (!training)
    return no_training(context);
  if (step < 0) {
    Text(context->error, sizeof context->error) << "step: expected 0 or more, got " << step;
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  training->step = step;
  return SYMC_STATUS_OK;
}

symc_status symc_get_schedule(symc_context *context, double *numbers) {
  Training *training = training_of(context);
  if (!training || !numbers)
    return training ? SYMC_STATUS_BAD_ARGUMENT : no_training(context);
  memcpy(numbers, training->schedule, sizeof training->schedule);
  return SYMC_STATUS_OK;
}

symc_status symc_set_schedule(symc_context *context, const double *numbers) {
  Training *training = training_of(context);
  if (!training || !numbers)
    return training ? SYMC_STATUS_BAD_ARGUMENT : no_training(context);
  memcpy(training->schedule, numbers, sizeof training->schedule);
  return SYMC_STATUS_OK;
}

uint64_t symc_get_iteration(const symc_context *context) {
  return context ? context->frame.iteration : 0;
}

symc_status symc_set_iteration(symc_context *context, uint64_t iteration) {
  if (!training_of(context))
    return no_training(context);
  context->frame.iteration = iteration;
  return SYMC_STATUS_OK;
}
