// step.cpp: one step of training. The program computes outputs and gradients into memory of the
// context; parameters change behind it, where nothing fails any more.
#include "training.h"

#include "../core/check.h"
#include "../core/memory.h"

#include <string.h>

using namespace symc;

// Checks the caller's inputs and writes their data to where the program reads them.
static symc_status take_inputs(symc_context &context, const symc_tensor *inputs, int32_t n) {
  const symc_training &table = *context.model->training;
  Text error(context.error, sizeof context.error);
  List list = {"argument", "inputs", table.inputs, table.n_inputs, 0, SYMC_DEVICE_CPU, 0};
  Selection selection(list, inputs, n);
  symc_status status = selection.check(error);
  for (int32_t i = 0; i < table.n_inputs && status == SYMC_STATUS_OK; ++i)
    status = check_tensor(list, table.inputs[i], table.inputs[i].shape, inputs[i], error);
  if (status != SYMC_STATUS_OK)
    return status;
  for (int32_t i = 0; i < context.model->n_inputs; ++i) {
    symc_source source = table.sources[i];
    context.inputs()[i] = source.kind == SYMC_FROM_CALLER
                              ? inputs[source.index].data
                              : context.training->parameters[source.index].weight;
  }
  return SYMC_STATUS_OK;
}

// The same of outputs; those that the caller leaves out go to memory of the context.
static symc_status take_outputs(symc_context &context, const symc_tensor *outputs, int32_t n) {
  const symc_model &model = *context.model;
  const symc_training &table = *model.training;
  Training &training = *context.training;
  Text error(context.error, sizeof context.error);
  List list = {"output", "outputs", model.outputs, table.n_heads, 0, SYMC_DEVICE_CPU, 0};
  Selection selection(list, outputs, n);
  symc_status status = n == 0 ? SYMC_STATUS_OK : selection.check(error);
  for (int32_t i = 0; i < table.n_heads && status == SYMC_STATUS_OK; ++i) {
    bool given = n != 0 && outputs[i].data;
    if (given)
      status = check_tensor(list, model.outputs[i], model.outputs[i].shape, outputs[i], error);
    context.outputs()[i] = given ? outputs[i].data : training.heads[i];
  }
  for (int32_t i = 0; i < training.nParameters; ++i)
    if (int32_t output = training.parameters[i].trained->gradient; output >= 0)
      context.outputs()[output] = training.parameters[i].gradient;
  return status;
}

static symc_status check_values(symc_context &context) {
  const Training &training = *context.training;
  for (int32_t i = 0; i < training.nParameters; ++i)
    if (!training.parameters[i].hasValue) {
      Text(context.error, sizeof context.error)
          << "parameter '" << training.parameters[i].info->name
          << "' has no value: symc_initialize draws those that the file lacks, symc_set_parameter "
             "sets one";
      return SYMC_STATUS_NO_WEIGHTS;
    }
  return SYMC_STATUS_OK;
}

// Outputs and gradients, and with `values` updates of what the program reports. Where a step of the
// program fails the gradients are lost, and nothing else has changed.
static symc_status compute(symc_context &context, const RunTensors &tensors,
                           const double *values = nullptr) {
  Training &training = *context.training;
  bool shares = values && training.updating.chosen == SYMC_UPDATES_WITHOUT_GRADIENTS;
  symc_status status = take_inputs(context, tensors.inputs, tensors.n_inputs);
  if (status == SYMC_STATUS_OK)
    status = take_outputs(context, tensors.outputs, tensors.n_outputs);
  if (status != SYMC_STATUS_OK)
    return status;
  infer_extents(context);
  status = check_overlaps(context, whole_range(*context.model));
  if (status == SYMC_STATUS_OK)
    status = check_values(context);
  if (status != SYMC_STATUS_OK)
    return status;
  training.hasGradients = false;
  if (shares)
    training.gapsAreZero = false;
  else
    clear_gaps(training);
  if (values)
    begin_updates(context, values, shares);
  Text error(context.error, sizeof context.error);
  status = run_variant(context, error);
  if (status != SYMC_STATUS_OK && values)
    abandon_updates(training);
  if (status != SYMC_STATUS_OK)
    return status;
  advance_states(context, 0);
  advance_states(context, SYMC_TENSOR_BACKWARD);
  training.hasGradients = !shares;
  return SYMC_STATUS_OK;
}

static symc_status no_training(const symc_context *context) {
  return context ? SYMC_STATUS_NO_TRAINING : SYMC_STATUS_BAD_ARGUMENT;
}

symc_status symc_train_step(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                            const symc_tensor *outputs, int32_t n_outputs,
                            const symc_hyper *hyper) {
  if (!training_of(context))
    return no_training(context);
  double values[SYMC_MAX_HYPER];
  symc_status status = take_hyper(*context, hyper, values);
  if (status != SYMC_STATUS_OK)
    return status;
  // A watcher may change gradients behind the reports of them.
  bool fused =
      context->training->updating.chosen != SYMC_UPDATES_DEFERRED && !context->training->watcher;
  status = compute(*context, {inputs, n_inputs, outputs, n_outputs}, fused ? values : nullptr);
  if (status != SYMC_STATUS_OK)
    return status;
  if (!fused)
    begin_updates(*context, values);
  finish_updates(*context);
  return SYMC_STATUS_OK;
}

symc_status symc_choose_updates(symc_context *context, symc_updates updates) {
  Training *training = training_of(context);
  if (!training)
    return no_training(context);
  if (updates < SYMC_UPDATES_FUSED || updates > SYMC_UPDATES_WITHOUT_GRADIENTS) {
    Text(context->error, sizeof context->error)
        << "updates: expected 0 to " << int64_t(SYMC_UPDATES_WITHOUT_GRADIENTS) << ", got "
        << int64_t(updates);
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  training->updating.chosen = updates;
  return SYMC_STATUS_OK;
}

int32_t symc_updates_in_backward(const symc_context *context, size_t *bytes) {
  const Training *training = context ? context->training : nullptr;
  if (bytes)
    *bytes = training ? training->updating.takenBytes : 0;
  return training ? training->updating.inBackward : 0;
}

symc_status symc_gradients(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                           const symc_tensor *outputs, int32_t n_outputs) {
  return training_of(context) ? compute(*context, {inputs, n_inputs, outputs, n_outputs})
                              : no_training(context);
}

symc_status symc_update(symc_context *context, const symc_hyper *hyper) {
  return update_pieces(context, hyper, nullptr);
}

symc_status symc::update_pieces(symc_context *context, const symc_hyper *hyper,
                                const UpdatePieces *pieces) {
  Training *training = training_of(context);
  if (!training)
    return no_training(context);
  double values[SYMC_MAX_HYPER];
  symc_status status = take_hyper(*context, hyper, values);
  if (status != SYMC_STATUS_OK)
    return status;
  if (!training->hasGradients) {
    Text(context->error, sizeof context->error)
        << "there are no gradients to update by: symc_gradients computes them";
    return SYMC_STATUS_NO_GRADIENTS;
  }
  if ((status = check_values(*context)) != SYMC_STATUS_OK)
    return status;
  begin_updates(*context, values);
  // join has reported why
  return finish_updates(*context, pieces) ? SYMC_STATUS_OK : SYMC_STATUS_RUN_FAILED;
}

// --- Prediction ------------------------------------------------------------

// The arena of training serves prediction where it is large enough for it.
static symc_status open_predictor(symc_context &context) {
  Training &training = *context.training;
  const symc_training &table = *context.model->training;
  const symc_model &model = *table.prediction;
  symc_options options = {};
  options.pool = context.frame.pool;
  options.threads = options.pool ? 0 : 1;
  options.flags = context.flags & SYMC_FLUSH_DENORMALS;
  options.allocator = context.allocator;
  options.isa = context.variant->isa;
  options.error = context.error;
  options.error_bytes = sizeof context.error;
  for (int32_t i = 0; i < model.n_variants; ++i)
    if (strcmp(model.variants[i].isa, options.isa) == 0 &&
        model.variants[i].arena_bytes <= context.variant->arena_bytes) {
      options.arena = context.frame.arena;
      options.arena_bytes = size_t(context.variant->arena_bytes);
    }
  symc_status status = symc_create(&model, &options, &training.predictor);
  if (status != SYMC_STATUS_OK)
    return status;
  for (int32_t i = 0; i < model.n_inputs + model.n_parameters; ++i) {
    const symc_tensor_info &info =
        i < model.n_inputs ? model.inputs[i] : model.parameters[i - model.n_inputs];
    symc_tensor &tensor = training.predicted[i];
    tensor.shape = info.shape;
    tensor.rank = info.rank;
    tensor.dtype = info.dtype;
  }
  return SYMC_STATUS_OK;
}

// Weights of the prediction program, of the parameters and states of now.
static symc_status prepare_predictor(symc_context &context) {
  Training &training = *context.training;
  const symc_training &table = *context.model->training;
  const symc_model &model = *table.prediction;
  symc_tensor *raw = training.predicted + model.n_inputs;
  for (int32_t i = 0; i < model.n_parameters; ++i) {
    symc_source source = table.prepared_of[i];
    raw[i].data = source.kind == SYMC_FROM_PARAMETER ? training.parameters[source.index].weight
                                                     : context.states()[source.index];
  }
  symc_status status = symc_set_parameters(training.predictor, raw, model.n_parameters);
  if (status == SYMC_STATUS_OK)
    context.hasChanged = false;
  else
    memcpy(context.error, training.predictor->error, sizeof context.error);
  return status;
}

// Each input of the prediction program from where it comes.
static void take_predicted(symc_context &context, const symc_tensor *inputs) {
  Training &training = *context.training;
  const symc_training &table = *context.model->training;
  const symc_model &model = *table.prediction;
  for (int32_t i = 0; i < model.n_inputs; ++i) {
    symc_source source = table.predicted_of[i];
    if (source.kind == SYMC_FROM_CALLER)
      training.predicted[i] = inputs[source.index];
    else
      training.predicted[i].data = source.kind == SYMC_FROM_PARAMETER
                                       ? training.parameters[source.index].weight
                                       : context.states()[source.index];
  }
}

static symc_status check_count(symc_context &context, const symc_tensor *inputs, int32_t n) {
  const symc_training &table = *context.model->training;
  if (n == table.n_inputs && (n == 0 || inputs))
    return SYMC_STATUS_OK;
  Text(context.error, sizeof context.error)
      << "expected " << table.n_inputs << " inputs, of which labels may have data NULL, got " << n;
  return n == table.n_inputs ? SYMC_STATUS_BAD_ARGUMENT : SYMC_STATUS_BAD_COUNT;
}

// Inputs and outputs of the steps that predict, by the tables of training.
static symc_status take_for_steps(symc_context &context, const RunTensors &tensors) {
  const symc_model &model = *context.model;
  const symc_training &table = *model.training;
  Text error(context.error, sizeof context.error);
  List inputs = {"argument",      "inputs", table.inputs, table.n_inputs, SYMC_TENSOR_LABEL,
                 SYMC_DEVICE_CPU, 0};
  List outputs = {"output", "outputs", model.outputs, table.n_heads, 0, SYMC_DEVICE_CPU, 0};
  Selection answers(outputs, tensors.outputs, tensors.n_outputs);
  for (int32_t i = 0; i < model.n_inputs; ++i) {
    symc_source source = table.sources[i];
    if (source.kind != SYMC_FROM_CALLER) {
      context.inputs()[i] = context.training->parameters[source.index].weight;
      continue;
    }
    const symc_tensor &tensor = tensors.inputs[source.index];
    const symc_tensor_info &info = table.inputs[source.index];
    bool isLeftOut = (info.flags & SYMC_TENSOR_LABEL) && !tensor.data;
    if (!isLeftOut)
      if (symc_status status = check_tensor(inputs, info, info.shape, tensor, error))
        return status;
    context.inputs()[i] = tensor.data;
  }
  if (symc_status status = answers.check(error))
    return status;
  for (int32_t i = 0; i < table.n_heads; ++i) {
    const symc_tensor_info &info = model.outputs[i];
    if (symc_status status = check_tensor(outputs, info, info.shape, tensors.outputs[i], error))
      return status;
    context.outputs()[i] = tensors.outputs[i].data;
  }
  infer_extents(context);
  return check_overlaps(context, {0, model.n_inputs, 0, table.n_heads});
}

// Nothing of the training changes but the arena; numbers that nodes draw are those of predictions.
static symc_status predict_by_steps(symc_context &context, const RunTensors &tensors) {
  if (symc_status status = take_for_steps(context, tensors))
    return status;
  context.hasForward = false;
  Text error(context.error, sizeof context.error);
  uint64_t iteration = context.frame.iteration;
  context.frame.iteration = context.training->predictions;
  symc_status status = run_code(
      context, context.model->training->predict[context.variant - context.model->variants], error);
  context.frame.iteration = iteration;
  context.training->predictions += status == SYMC_STATUS_OK;
  return status;
}

symc_status symc_predict(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                         const symc_tensor *outputs, int32_t n_outputs) {
  Training *training = training_of(context);
  if (!training)
    return no_training(context);
  symc_status status = check_values(*context);
  if (status == SYMC_STATUS_OK)
    status = check_count(*context, inputs, n_inputs);
  if (status == SYMC_STATUS_OK && !context->model->training->prediction)
    return predict_by_steps(*context, {inputs, n_inputs, outputs, n_outputs});
  if (status == SYMC_STATUS_OK && !training->predictor)
    status = open_predictor(*context);
  if (status == SYMC_STATUS_OK)
    take_predicted(*context, inputs);
  if (status == SYMC_STATUS_OK && context->hasChanged &&
      context->model->training->prediction->prepare)
    status = prepare_predictor(*context);
  if (status != SYMC_STATUS_OK)
    return status;
  context->hasForward = false; // the arena is the same
  symc_context &predictor = *training->predictor;
  status = symc_run(&predictor, training->predicted, context->model->training->prediction->n_inputs,
                    outputs, n_outputs);
  if (status != SYMC_STATUS_OK)
    memcpy(context->error, predictor.error, sizeof context->error);
  return status;
}
