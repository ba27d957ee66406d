// questions.cpp: what the table of a trainer contains.
#include "training.h"

#include <string.h>

static const symc_training *table_of(const symc_model *model) {
  return model ? model->training : nullptr;
}

int32_t symc_is_trainer(const symc_model *model) { return table_of(model) != nullptr; }

int32_t symc_train_input_count(const symc_model *model) {
  return table_of(model) ? model->training->n_inputs : 0;
}

const symc_tensor_info *symc_train_input(const symc_model *model, int32_t index) {
  bool known = index >= 0 && index < symc_train_input_count(model);
  return known ? &model->training->inputs[index] : nullptr;
}

int32_t symc_find_train_input(const symc_model *model, const char *name) {
  for (int32_t i = 0; name && i < symc_train_input_count(model); ++i)
    if (strcmp(model->training->inputs[i].name, name) == 0)
      return i;
  return -1;
}

int32_t symc_train_output_count(const symc_model *model) {
  return table_of(model) ? model->training->n_heads : 0;
}

const symc_tensor_info *symc_train_output(const symc_model *model, int32_t index) {
  bool known = index >= 0 && index < symc_train_output_count(model);
  return known ? &model->outputs[index] : nullptr;
}

int64_t symc_train_input_classes(const symc_model *model, int32_t index) {
  bool known = index >= 0 && index < symc_train_input_count(model);
  return known ? model->training->classes[index] : 0;
}

const char *symc_parameter_name(const symc_model *model, int32_t index) {
  const symc_tensor_info *info = model ? symc_parameter(model, index) : nullptr;
  return info ? info->name : nullptr;
}

uint64_t symc_parameter_bytes(const symc_model *model, int32_t index) {
  const symc_tensor_info *info = model ? symc_parameter(model, index) : nullptr;
  return info ? uint64_t(info->max_bytes) : 0;
}

int32_t symc_parameter_trains(const symc_model *model, int32_t index) {
  bool known = table_of(model) && index >= 0 && index < model->n_parameters;
  return known && model->training->parameters[index].gradient >= 0;
}

const char *symc_optimizer_name(const symc_model *model) {
  return table_of(model) ? model->training->optimizer->name : nullptr;
}
