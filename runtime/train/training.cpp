// training.cpp: the memory of a context that trains. One block is parameters, gradients, optimizer
// states, scratch and outputs that calls leave out, each at an address aligned to SYMC_ALIGN.
#include "training.h"

#include "../core/memory.h"

#include <string.h>

namespace symc {

static size_t padded(int64_t bytes) { return allocated_bytes(size_t(bytes), SYMC_ALIGN); }

static size_t bytes_of(const symc_tensor_info &info) { return padded(info.max_bytes); }

static int64_t tasks_of(int64_t count) {
  return (count + SYMC_UPDATE_RANGE - 1) / SYMC_UPDATE_RANGE;
}

// The block that holds the small arrays.
static Training *make_training(symc_context &context) {
  const symc_model &model = *context.model;
  const symc_training &table = *model.training;
  size_t parameters = size_t(model.n_parameters), tasks = 0;
  for (size_t i = 0; i < parameters; ++i)
    if (table.parameters[i].gradient >= 0)
      tasks += size_t(tasks_of(model.parameters[i].max_bytes / int64_t(sizeof(float))));
  size_t sizes[] = {padded(sizeof(Training)),
                    padded(int64_t((parameters + 1) * sizeof(Parameter))),
                    padded(int64_t((parameters + 1) * sizeof(UpdateOfOne))),
                    padded(int64_t((tasks + 1) * SYMC_MAX_SUMS * sizeof(double))),
                    padded(int64_t((size_t(table.n_heads) + 1) * sizeof(void *))),
                    padded(int64_t((parameters + 1) * sizeof(Waiting))),
                    padded(int64_t((parameters + 1) * sizeof(Place))),
                    padded(int64_t((size_t(model.n_outputs) + 1) * sizeof(int32_t))),
                    padded(table.prediction ? (int64_t(table.prediction->n_inputs) +
                                               table.prediction->n_parameters + 1) *
                                                  int64_t(sizeof(symc_tensor))
                                            : 1)};
  size_t bytes = 0;
  for (size_t size : sizes)
    bytes += size;
  uint8_t *memory = static_cast<uint8_t *>(allocate(&context.allocator, bytes, SYMC_ALIGN));
  if (!memory)
    return nullptr;
  memset(memory, 0, bytes);
  auto next = [&, part = 0]() mutable {
    uint8_t *begin = memory;
    memory += sizes[part++];
    return begin;
  };
  Training *training = reinterpret_cast<Training *>(next());
  training->bytes = bytes;
  training->nParameters = model.n_parameters;
  training->parameters = reinterpret_cast<Parameter *>(next());
  training->updates = reinterpret_cast<UpdateOfOne *>(next());
  training->partial = reinterpret_cast<double *>(next());
  training->heads = reinterpret_cast<void **>(next());
  training->updating.waiting = reinterpret_cast<Waiting *>(next());
  training->updating.places = reinterpret_cast<Place *>(next());
  training->parameterOf = reinterpret_cast<int32_t *>(next());
  training->predicted = reinterpret_cast<symc_tensor *>(next());
  training->nTasks = int64_t(tasks);
  return training;
}

// Gives every array its place behind `memory`, or only counts where that is NULL.
static size_t place(symc_context &context, Training &training, uint8_t *memory) {
  const symc_model &model = *context.model;
  const symc_training &table = *model.training;
  size_t used = 0;
  auto take = [&](size_t bytes) {
    size_t at = used;
    used += bytes;
    return memory ? reinterpret_cast<float *>(memory + at) : nullptr;
  };
  for (int32_t i = 0; i < model.n_parameters; ++i)
    training.parameters[i].weight = take(bytes_of(model.parameters[i]));
  size_t gradients = used;
  for (int32_t i = 0; i < model.n_parameters; ++i)
    if (table.parameters[i].gradient >= 0)
      training.parameters[i].gradient = take(bytes_of(model.parameters[i]));
  training.gradients = memory ? reinterpret_cast<float *>(memory + gradients) : nullptr;
  training.gradientBytes = used - gradients;
  for (int32_t i = 0; i < model.n_parameters; ++i) {
    Parameter &parameter = training.parameters[i];
    if (table.parameters[i].gradient < 0)
      continue;
    for (int32_t k = 0; k < training.nStates; ++k)
      parameter.states[k] = take(bytes_of(model.parameters[i]));
    if (table.optimizer->needs_scratch)
      parameter.scratch = take(bytes_of(model.parameters[i]));
  }
  training.headsAt = used;
  for (int32_t i = 0; i < table.n_heads; ++i)
    training.heads[i] = take(bytes_of(model.outputs[i]));
  return used;
}

static symc_status open_training(Text &error, symc_context &context) {
  const symc_model &model = *context.model;
  const symc_training &table = *model.training;
  Training *training = context.training = make_training(context);
  if (!training) {
    error << "cannot allocate the tables of a training";
    return SYMC_STATUS_OUT_OF_MEMORY;
  }
  int64_t task = 0;
  for (int32_t i = 0; i < model.n_outputs; ++i)
    training->parameterOf[i] = -1;
  for (int32_t i = 0; i < model.n_parameters; ++i) {
    Parameter &parameter = training->parameters[i];
    parameter.info = &model.parameters[i];
    parameter.trained = &table.parameters[i];
    parameter.count = parameter.info->max_bytes / int64_t(sizeof(float));
    training->updates[i].firstTask = task;
    if (parameter.trained->gradient >= 0)
      training->parameterOf[parameter.trained->gradient] = i;
    task += parameter.trained->gradient >= 0 ? tasks_of(parameter.count) : 0;
  }
  training->updates[model.n_parameters].firstTask = task;
  training->nStates = table.optimizer->count_states(table.values);
  size_t bytes = place(context, *training, nullptr);
  training->memory = allocate_large(&context.allocator, bytes, true);
  if (!training->memory) {
    error << "cannot allocate " << int64_t(bytes) << " bytes of parameters and what trains them";
    return SYMC_STATUS_OUT_OF_MEMORY;
  }
  training->memoryBytes = bytes;
  place(context, *training, static_cast<uint8_t *>(training->memory));
  // Gradients and outputs stay untouched, and so need no pages where gradients share memory and
  // calls take all outputs.
  uint8_t *memory = static_cast<uint8_t *>(training->memory),
          *gradients = reinterpret_cast<uint8_t *>(training->gradients);
  memset(memory, 0, size_t(gradients - memory));
  uint8_t *behind = gradients + training->gradientBytes;
  memset(behind, 0, size_t(memory + training->headsAt - behind));
  for (int32_t i = 0; i < table.n_values; ++i)
    training->values[i] = table.values[i];
  return begin_training(context);
}

static void close_training(symc_context &context) {
  Training *training = context.training;
  if (!training)
    return;
  forget_rows(*training);
  symc_destroy(training->predictor);
  release(&context.allocator, training->memory, training->memoryBytes);
  release(&context.allocator, training, training->bytes);
  context.training = nullptr;
}

symc_status begin_training(symc_context &context) {
  Training &training = *context.training;
  const symc_training &table = *context.model->training;
  for (int32_t i = 0; i < training.nParameters; ++i) {
    Parameter &parameter = training.parameters[i];
    int64_t offset = parameter.trained->image_offset;
    parameter.hasValue = offset >= 0 && context.weights.data;
    if (parameter.hasValue)
      memcpy(parameter.weight, context.weights.data + offset, size_t(parameter.info->max_bytes));
    for (int32_t k = 0; k < training.nStates && parameter.gradient; ++k)
      memset(parameter.states[k], 0, size_t(parameter.info->max_bytes));
  }
  context.hasChanged = true;
  training.hasGradients = training.hasStates = false;
  training.step = 0;
  memset(training.schedule, 0, sizeof training.schedule);
  if (table.optimizer->begin)
    table.optimizer->begin(training.values, training.schedule);
  return context.weights.data ? reset_states(context) : SYMC_STATUS_OK;
}

Training *training_of(symc_context *context) {
  if (!context)
    return nullptr;
  context->error[0] = 0;
  if (!context->training)
    Text(context->error, sizeof context->error)
        << "model '" << context->model->name << "' was not compiled by symc train";
  return context->training;
}

Parameter *find_parameter(symc_context &context, const char *name, symc_status &status) {
  Text error(context.error, sizeof context.error);
  status = SYMC_STATUS_BAD_ARGUMENT;
  if (!name) {
    error << "name is NULL";
    return nullptr;
  }
  int32_t index = symc_find_parameter(context.model, name);
  status = index < 0 ? SYMC_STATUS_BAD_NAME : SYMC_STATUS_OK;
  if (index >= 0)
    return &context.training->parameters[index];
  error << "no parameter is called '" << name << "'";
  return nullptr;
}

} // namespace symc

extern "C" const symc_training_work symc_train_work;
const symc_training_work symc_train_work = {symc::open_training, symc::close_training};
