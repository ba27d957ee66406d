// describe.cpp: questions about a model and a context that run nothing.
#include "context.h"

#include <string.h>

static int32_t find(const symc_tensor_info *infos, int32_t count, const char *name) {
  for (int32_t i = 0; name && i < count; ++i)
    if (strcmp(infos[i].name, name) == 0)
      return i;
  return -1;
}

static const symc_tensor_info *at(const symc_tensor_info *infos, int32_t count, int32_t index) {
  return index >= 0 && index < count ? infos + index : nullptr;
}

int32_t symc_input_count(const symc_model *model) { return model->n_inputs; }
int32_t symc_output_count(const symc_model *model) { return model->n_outputs; }
int32_t symc_parameter_count(const symc_model *model) { return model->n_parameters; }
int32_t symc_state_count(const symc_model *model) { return model->n_states; }

const symc_tensor_info *symc_input(const symc_model *model, int32_t index) {
  return at(model->inputs, model->n_inputs, index);
}
const symc_tensor_info *symc_output(const symc_model *model, int32_t index) {
  return at(model->outputs, model->n_outputs, index);
}
const symc_tensor_info *symc_parameter(const symc_model *model, int32_t index) {
  return at(model->parameters, model->n_parameters, index);
}

const symc_tensor_info *symc_state(const symc_model *model, int32_t index) {
  return index >= 0 && index < model->n_states ? &model->states[index].tensor : nullptr;
}

int32_t symc_find_input(const symc_model *model, const char *name) {
  return find(model->inputs, model->n_inputs, name);
}
int32_t symc_find_output(const symc_model *model, const char *name) {
  return find(model->outputs, model->n_outputs, name);
}
int32_t symc_find_parameter(const symc_model *model, const char *name) {
  return find(model->parameters, model->n_parameters, name);
}
int32_t symc_find_state(const symc_model *model, const char *name) {
  for (int32_t i = 0; name && i < model->n_states; ++i)
    if (strcmp(model->states[i].tensor.name, name) == 0)
      return i;
  return -1;
}

int64_t symc_arena_bytes(const symc_model *model) {
  symc::Chosen chosen;
  symc::Text nowhere(nullptr, 0);
  if (symc::choose_variant(*model, symc::Wanted({}), nowhere, chosen) != SYMC_STATUS_OK)
    return 0;
  return chosen.variant->arena_bytes;
}

const symc_model *symc_context_model(const symc_context *context) { return context->model; }
const symc_variant *symc_context_variant(const symc_context *context) { return context->variant; }
int32_t symc_context_threads(const symc_context *context) {
  return symc_pool_threads(context->frame.pool);
}
const symc_device *symc_context_device(const symc_context *context) { return context->device; }
int32_t symc_context_ordinal(const symc_context *context) { return context->ordinal; }
const char *symc_last_error(const symc_context *context) {
  return context ? context->error : "context is NULL";
}

const char *symc_context_weights(const symc_context *context) {
  switch (context->weights.from) {
  case symc::WeightsFrom::None:
    return "none";
  case symc::WeightsFrom::Embedded:
    return "embedded";
  case symc::WeightsFrom::SideFile:
    return "side file";
  case symc::WeightsFrom::Supplied:
    return "supplied";
  case symc::WeightsFrom::Parameters:
    return "parameters";
  }
  return "none";
}
