// run.cpp: one run of a model, and the change of its weights. Everything is checked
// before anything is written; with one thread a run is checks and calls alone.
#include "check.h"
#include "float_mode.h"
#include "memory.h"

using namespace symc;

static symc_status check_outputs(symc_context &context, const symc_tensor *outputs, int32_t n) {
  const symc_model &model = *context.model;
  Text error(context.error, sizeof context.error);
  List list = output_list(context);
  Selection selection(list, outputs, n);
  symc_status status = selection.check(error);
  const int64_t *extents = context.extents;
  for (int32_t i = 0; i < model.n_outputs && status == SYMC_STATUS_OK; ++i) {
    const symc_tensor *tensor = selection.next(i);
    status = check_tensor(list, model.outputs[i], extents, *tensor, error);
    context.outputs()[i] = tensor->data;
    extents += model.outputs[i].rank;
  }
  return status;
}

symc_status symc::run_code(symc_context &context, int32_t (*code)(const symc_frame *),
                           Text &error) {
  int32_t ended;
  {
    FlushDenormals scope(context.flags & SYMC_FLUSH_DENORMALS);
    ended = code(&context.frame);
  }
  if (ended < 0) {
    say_condition(context, -1 - ended, error);
    return SYMC_STATUS_BAD_SHAPE;
  }
  if (ended != SYMC_STATUS_OK && !context.error[0]) // else the step has reported why
    error << "a step failed: " << symc_status_message(ended);
  return symc_status(ended);
}

symc_status symc::run_variant(symc_context &context, Text &error) {
  context.hasForward = false; // what it left in the arena is overwritten
  symc_status status = run_code(context, context.variant->run, error);
  if (status == SYMC_STATUS_OK)
    ++context.frame.iteration;
  return status;
}

symc_status symc_run(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                     const symc_tensor *outputs, int32_t n_outputs) {
  if (!context)
    return SYMC_STATUS_BAD_ARGUMENT;
  context->error[0] = 0;
  symc_status status = check_inputs(*context, inputs, n_inputs, true);
  if (status != SYMC_STATUS_OK)
    return status;
  infer_extents(*context);
  status = check_outputs(*context, outputs, n_outputs);
  if (status == SYMC_STATUS_OK)
    status = check_overlaps(*context, whole_range(*context->model));
  if (status == SYMC_STATUS_OK)
    status = check_weights(*context);
  if (status != SYMC_STATUS_OK)
    return status;
  Text error(context->error, sizeof context->error);
  status = context->variant->device == SYMC_DEVICE_CPU
               ? run_variant(*context, error)
               : context->work->run(*context, {inputs, n_inputs, outputs, n_outputs}, error);
  if (status == SYMC_STATUS_OK) {
    advance_states(*context, 0);
    advance_states(*context, SYMC_TENSOR_BACKWARD);
  }
  return status;
}

static symc_status check_room(symc_context &context, const int64_t *extents, int32_t capacity) {
  if (extents && capacity >= context.nExtents)
    return SYMC_STATUS_OK;
  Text error(context.error, sizeof context.error);
  if (extents)
    error << "extents: expected room for " << context.nExtents << ", got " << capacity;
  else
    error << "extents is NULL";
  return SYMC_STATUS_BAD_ARGUMENT;
}

static void copy_extents(symc_context &context, int64_t *extents) {
  infer_extents(context);
  for (int32_t i = 0; i < context.nExtents; ++i)
    extents[i] = context.extents[i];
}

symc_status symc_infer_outputs(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                               int64_t *extents, int32_t capacity) {
  if (!context)
    return SYMC_STATUS_BAD_ARGUMENT;
  context->error[0] = 0;
  symc_status status = check_room(*context, extents, capacity);
  if (status == SYMC_STATUS_OK)
    status = check_inputs(*context, inputs, n_inputs, false);
  if (status == SYMC_STATUS_OK)
    copy_extents(*context, extents);
  return status;
}

symc_status symc_run_extents(symc_context *context, int64_t *extents, int32_t capacity) {
  if (!context)
    return SYMC_STATUS_BAD_ARGUMENT;
  context->error[0] = 0;
  symc_status status = check_room(*context, extents, capacity);
  if (status == SYMC_STATUS_OK)
    copy_extents(*context, extents);
  return status;
}

symc_status symc_set_parameters(symc_context *context, const symc_tensor *parameters,
                                int32_t n_parameters) {
  if (!context)
    return SYMC_STATUS_BAD_ARGUMENT;
  const symc_model &model = *context->model;
  Text error(context->error, sizeof context->error);
  if (!model.prepare) {
    error << symc_status_message(SYMC_STATUS_NO_PREPARE);
    return SYMC_STATUS_NO_PREPARE;
  }
  List list = {
      "parameter", "parameters", model.parameters, model.n_parameters, 0, SYMC_DEVICE_CPU, 0};
  Selection selection(list, parameters, n_parameters);
  symc_status status = selection.check(error);
  for (int32_t i = 0; i < model.n_parameters && status == SYMC_STATUS_OK; ++i)
    status = check_tensor(list, model.parameters[i], model.parameters[i].shape, *selection.next(i),
                          error);
  if (status != SYMC_STATUS_OK)
    return status;
  size_t bytes = size_t(model.weights_bytes);
  Weights fresh;
  fresh.owned = allocate(&context->allocator, bytes, SYMC_ALIGN);
  if (!fresh.owned) {
    error << "cannot allocate " << int64_t(bytes) << " bytes of weights";
    return SYMC_STATUS_OUT_OF_MEMORY;
  }
  status = run_prepare(model, &context->allocator, context->frame.pool, parameters,
                       static_cast<uint8_t *>(fresh.owned));
  if (status != SYMC_STATUS_OK) {
    error << "a step of prepare failed: " << symc_status_message(status);
    release(&context->allocator, fresh.owned, bytes);
    return status;
  }
  close_weights(&context->allocator, model.weights_bytes, context->weights);
  fresh.data = static_cast<const uint8_t *>(fresh.owned);
  fresh.from = WeightsFrom::Parameters;
  context->weights = fresh;
  context->hasForward = false; // it ran with the old ones
  DeviceScope scope(*context);
  status = scope.check(error);
  if (status == SYMC_STATUS_OK)
    status = upload_weights(error, *context);
  if (status == SYMC_STATUS_OK && (status = reset_states(*context)) != SYMC_STATUS_OK)
    say_device(error << "cannot copy states to ", *context) << ": " << symc_status_message(status);
  if (status != SYMC_STATUS_OK) // what the device holds is unknown
    context->weights.from = WeightsFrom::None;
  return status;
}

symc_status symc_set_seed(symc_context *context, uint64_t seed) {
  if (!context)
    return SYMC_STATUS_BAD_ARGUMENT;
  context->error[0] = 0;
  context->frame.seed = seed;
  context->frame.iteration = 0;
  return SYMC_STATUS_OK;
}
