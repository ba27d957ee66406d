// states.cpp: what a run changes. A context holds each state twice and exchanges the two after
// a run that succeeded: code reads one and writes the other, whatever the order of its steps,
// and a run that fails changes nothing. Exchanging is a few pointers; no run copies a state.
#include "check.h"
#include "memory.h"

namespace symc {

static size_t padded(int64_t bytes) {
  return (size_t(bytes) + SYMC_ALIGN - 1) & ~size_t(SYMC_ALIGN - 1);
}

static symc_status reset(symc_context &context, int32_t index) {
  const symc_state_info &info = context.model->states[index];
  return context.device->copy(context.states()[index], context.weights.data + info.image_offset,
                              size_t(info.tensor.max_bytes), SYMC_COPY_TO_DEVICE,
                              context.frame.stream);
}

symc_status open_states(Text &error, symc_context &context) {
  const symc_model &model = *context.model;
  size_t bytes = 0;
  for (int32_t i = 0; i < model.n_states; ++i)
    bytes += 2 * padded(model.states[i].tensor.max_bytes);
  if (!bytes)
    return SYMC_STATUS_OK;
  uint8_t *memory = static_cast<uint8_t *>(allocate_on_device(context, bytes));
  if (!memory) {
    error << "cannot allocate " << int64_t(bytes) << " bytes of states";
    return SYMC_STATUS_OUT_OF_MEMORY;
  }
  context.ownStates = memory;
  context.ownStatesBytes = bytes;
  for (int32_t i = 0; i < model.n_states; ++i) {
    size_t one = padded(model.states[i].tensor.max_bytes);
    context.states()[i] = memory;
    context.nextStates()[i] = memory + one;
    memory += 2 * one;
  }
  symc_status status = context.weights.data ? reset_states(context) : SYMC_STATUS_OK;
  if (status != SYMC_STATUS_OK)
    error << "cannot copy states to " << context.device->name << ": "
          << symc_status_message(status);
  return status;
}

symc_status reset_states(symc_context &context) {
  symc_status status = SYMC_STATUS_OK;
  for (int32_t i = 0; i < context.model->n_states && status == SYMC_STATUS_OK; ++i)
    status = reset(context, i);
  return status == SYMC_STATUS_OK && context.model->n_states
             ? context.device->synchronize(context.frame.stream)
             : status;
}

void advance_states(symc_context &context) {
  void **now = context.states(), **next = context.nextStates();
  for (int32_t i = 0; i < context.model->n_states; ++i) {
    void *left = next[i];
    next[i] = now[i];
    now[i] = left;
  }
}

// The index of the state, or -1 with a sentence and a status.
static int32_t find(symc_context &context, const char *name, symc_status &status) {
  context.error[0] = 0;
  Text error(context.error, sizeof context.error);
  int32_t index = symc_find_state(context.model, name);
  status = SYMC_STATUS_OK;
  if (!name) {
    error << "name is NULL";
    status = SYMC_STATUS_BAD_ARGUMENT;
  } else if (index < 0) {
    error << "no state is called '" << name << "'";
    status = SYMC_STATUS_BAD_NAME;
  } else if (context.weights.from == WeightsFrom::None) {
    error << symc_status_message(SYMC_STATUS_NO_WEIGHTS);
    status = SYMC_STATUS_NO_WEIGHTS;
  }
  return status == SYMC_STATUS_OK ? index : -1;
}

static symc_status copy_state(symc_context *context, const char *name, const symc_tensor *value,
                              bool toCaller) {
  if (!context)
    return SYMC_STATUS_BAD_ARGUMENT;
  symc_status status;
  int32_t index = find(*context, name, status);
  if (index < 0)
    return status;
  Text error(context->error, sizeof context->error);
  if (!value) {
    error << "value is NULL";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  const symc_tensor_info &info = context->model->states[index].tensor;
  List list = {"state", "states", &info, 1, 0, SYMC_DEVICE_CPU, 0};
  status = check_tensor(list, info, info.shape, *value, error);
  if (status != SYMC_STATUS_OK)
    return status;
  void *state = context->states()[index], *stream = context->frame.stream;
  const symc_device &device = *context->device;
  size_t bytes = size_t(info.max_bytes);
  status = toCaller ? device.copy(value->data, state, bytes, SYMC_COPY_FROM_DEVICE, stream)
                    : device.copy(state, value->data, bytes, SYMC_COPY_TO_DEVICE, stream);
  return status == SYMC_STATUS_OK ? device.synchronize(stream) : status;
}

} // namespace symc

symc_status symc_get_state(symc_context *context, const char *name, const symc_tensor *value) {
  return symc::copy_state(context, name, value, true);
}

symc_status symc_set_state(symc_context *context, const char *name, const symc_tensor *value) {
  return symc::copy_state(context, name, value, false);
}

symc_status symc_reset_state(symc_context *context, const char *name) {
  if (!context)
    return SYMC_STATUS_BAD_ARGUMENT;
  context->error[0] = 0;
  if (!name && context->weights.from != symc::WeightsFrom::None)
    return symc::reset_states(*context);
  symc::Text error(context->error, sizeof context->error);
  if (!name) {
    error << symc_status_message(SYMC_STATUS_NO_WEIGHTS);
    return SYMC_STATUS_NO_WEIGHTS;
  }
  symc_status status;
  int32_t index = symc::find(*context, name, status);
  if (index >= 0)
    status = symc::reset(*context, index);
  return status == SYMC_STATUS_OK ? context->device->synchronize(context->frame.stream) : status;
}
