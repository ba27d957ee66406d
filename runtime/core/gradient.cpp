// gradient.cpp: the two parts of a run with gradients, each by itself. What backward reads of
// forward lies in the arena, where no step of backward writes it: backward may run later, several
// times or not at all. Extents are fixed. Everything is checked before anything is written.
#include "check.h"
#include "memory.h"

using namespace symc;

// The first of `n` infos that is backward's, or n.
static int32_t first_of_backward(const symc_tensor_info *infos, int32_t n) {
  int32_t i = 0;
  while (i < n && !(infos[i].flags & SYMC_TENSOR_BACKWARD))
    ++i;
  return i;
}

// Checks the tensors of a list and writes their data to `data`.
static symc_status check_list(symc_context &context, const List &list, const symc_tensor *given,
                              int32_t n, bool mayBeNull, void **data) {
  Text error(context.error, sizeof context.error);
  Selection selection(list, given, n);
  symc_status status = selection.check(error);
  for (int32_t i = 0; i < list.count && status == SYMC_STATUS_OK; ++i) {
    const symc_tensor_info &info = list.infos[i];
    const symc_tensor *tensor = selection.next(i);
    if (tensor && (tensor->data || !mayBeNull))
      status = check_tensor(list, info, info.shape, *tensor, error);
    data[i] = tensor ? tensor->data : nullptr;
  }
  return status;
}

// Gives gradients that the caller leaves out memory of the context, made once for all of them.
static symc_status fill_left_out(symc_context &context, int32_t first) {
  const symc_model &model = *context.model;
  size_t bytes = 0;
  bool any = false;
  for (int32_t i = first; i < model.n_outputs; ++i) {
    bytes += allocated_bytes(size_t(model.outputs[i].max_bytes), SYMC_ALIGN);
    any |= !context.outputs()[i] && model.outputs[i].max_bytes;
  }
  if (!any)
    return SYMC_STATUS_OK;
  if (!context.leftOut) {
    context.leftOut = allocate(&context.allocator, bytes, SYMC_ALIGN);
    context.leftOutBytes = bytes;
  }
  if (!context.leftOut) {
    Text(context.error, sizeof context.error)
        << "cannot allocate " << int64_t(bytes) << " bytes of gradients that are left out";
    return SYMC_STATUS_OUT_OF_MEMORY;
  }
  uint8_t *memory = static_cast<uint8_t *>(context.leftOut);
  for (int32_t i = first; i < model.n_outputs; ++i) {
    if (!context.outputs()[i])
      context.outputs()[i] = memory;
    memory += allocated_bytes(size_t(model.outputs[i].max_bytes), SYMC_ALIGN);
  }
  return SYMC_STATUS_OK;
}

static symc_status check_part(symc_context &context, bool backward, const RunTensors &tensors) {
  const symc_model &model = *context.model;
  if (!context.variant->backward) {
    Text(context.error, sizeof context.error)
        << "model '" << model.name << "' was compiled without gradients";
    return SYMC_STATUS_NO_GRADIENTS;
  }
  int32_t inputs = first_of_backward(model.inputs, model.n_inputs);
  int32_t outputs = first_of_backward(model.outputs, model.n_outputs);
  IoRange range = {0, inputs, 0, outputs};
  if (backward)
    range = {inputs, model.n_inputs, outputs, model.n_outputs};
  List in = input_list(context), out = output_list(context);
  in.plural = backward ? "inputs of backward" : "inputs of forward";
  in.infos += range.firstInput;
  in.count = range.endInput - range.firstInput;
  out.plural = backward ? "outputs of backward" : "outputs of forward";
  out.infos += range.firstOutput;
  out.count = range.endOutput - range.firstOutput;
  symc_status status = check_list(context, in, tensors.inputs, tensors.n_inputs, false,
                                  context.inputs() + range.firstInput);
  if (status == SYMC_STATUS_OK)
    status = check_list(context, out, tensors.outputs, tensors.n_outputs, backward,
                        context.outputs() + range.firstOutput);
  if (status == SYMC_STATUS_OK && backward)
    status = fill_left_out(context, outputs);
  if (status != SYMC_STATUS_OK)
    return status;
  infer_extents(context);
  status = check_overlaps(context, range);
  return status == SYMC_STATUS_OK && !backward ? check_weights(context) : status;
}

symc_status symc_forward(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                         const symc_tensor *outputs, int32_t n_outputs) {
  if (!context)
    return SYMC_STATUS_BAD_ARGUMENT;
  context->error[0] = 0;
  symc_status status = check_part(*context, false, {inputs, n_inputs, outputs, n_outputs});
  if (status != SYMC_STATUS_OK)
    return status;
  context->hasForward = false;
  Text error(context->error, sizeof context->error);
  status = run_code(*context, context->variant->forward, error);
  if (status != SYMC_STATUS_OK)
    return status;
  advance_states(*context, 0);
  context->hasForward = true;
  context->forwardSeed = context->frame.seed;
  context->forwardIteration = context->frame.iteration++;
  return SYMC_STATUS_OK;
}

symc_status symc_backward(symc_context *context, const symc_tensor *inputs, int32_t n_inputs,
                          const symc_tensor *outputs, int32_t n_outputs) {
  if (!context)
    return SYMC_STATUS_BAD_ARGUMENT;
  context->error[0] = 0;
  symc_status status = check_part(*context, true, {inputs, n_inputs, outputs, n_outputs});
  if (status != SYMC_STATUS_OK)
    return status;
  Text error(context->error, sizeof context->error);
  if (!context->hasForward) {
    error << symc_status_message(SYMC_STATUS_NO_FORWARD);
    return SYMC_STATUS_NO_FORWARD;
  }
  symc_frame &frame = context->frame;
  uint64_t seed = frame.seed, iteration = frame.iteration;
  frame.seed = context->forwardSeed;
  frame.iteration = context->forwardIteration;
  status = run_code(*context, context->variant->backward, error);
  frame.seed = seed;
  frame.iteration = iteration;
  if (status == SYMC_STATUS_OK)
    advance_states(*context, SYMC_TENSOR_BACKWARD);
  return status;
}
