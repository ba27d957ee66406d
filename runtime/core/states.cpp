// states.cpp: what a run changes. A context holds each state twice and exchanges the two after
// a run, or the part of it that writes the state, that succeeded: code reads one and writes the
// other, whatever the order of its steps, and a run that fails changes nothing. Exchanging is a few
// pointers; no run copies a state.
#include "check.h"
#include "memory.h"

namespace symc {

static size_t padded(int64_t bytes) {
  return (size_t(bytes) + SYMC_ALIGN - 1) & ~size_t(SYMC_ALIGN - 1);
}

static symc_status reset(symc_context &context, int32_t index) {
  context.hasChanged = true;
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
  symc_status status = allocate_on_device(context, bytes, "states", error, &context.ownStates);
  if (status != SYMC_STATUS_OK)
    return status;
  context.ownStatesBytes = bytes;
  uint8_t *memory = static_cast<uint8_t *>(context.ownStates);
  for (int32_t i = 0; i < model.n_states; ++i) {
    size_t one = padded(model.states[i].tensor.max_bytes);
    context.states()[i] = memory;
    context.nextStates()[i] = memory + one;
    memory += 2 * one;
  }
  if (context.weights.data)
    status = reset_states(context);
  if (status != SYMC_STATUS_OK)
    say_device(error << "cannot copy states to ", context) << ": " << symc_status_message(status);
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

void advance_states(symc_context &context, uint32_t part) {
  context.hasChanged = true;
  void **now = context.states(), **next = context.nextStates();
  for (int32_t i = 0; i < context.model->n_states; ++i) {
    if ((context.model->states[i].tensor.flags & SYMC_TENSOR_BACKWARD) != part)
      continue;
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
  DeviceScope scope(*context);
  status = scope.check(error);
  if (status != SYMC_STATUS_OK)
    return status;
  void *state = context->states()[index], *stream = context->frame.stream;
  const symc_device &device = *context->device;
  size_t bytes = size_t(info.max_bytes);
  context->hasChanged |= !toCaller;
  status = toCaller ? device.copy(value->data, state, bytes, SYMC_COPY_FROM_DEVICE, stream)
                    : device.copy(state, value->data, bytes, SYMC_COPY_TO_DEVICE, stream);
  if (status == SYMC_STATUS_OK)
    status = device.synchronize(stream);
  if (status != SYMC_STATUS_OK)
    say_device(error << "cannot copy state '" << name << (toCaller ? "' from " : "' to "), *context)
        << ": " << symc_status_message(status);
  return status;
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
  symc::Text error(context->error, sizeof context->error);
  if (!name && context->weights.from == symc::WeightsFrom::None) {
    error << symc_status_message(SYMC_STATUS_NO_WEIGHTS);
    return SYMC_STATUS_NO_WEIGHTS;
  }
  symc_status status = SYMC_STATUS_OK;
  int32_t index = name ? symc::find(*context, name, status) : 0;
  if (index < 0)
    return status;
  symc::DeviceScope scope(*context);
  status = scope.check(error);
  if (status != SYMC_STATUS_OK)
    return status;
  status = name ? symc::reset(*context, index) : symc::reset_states(*context);
  if (name && status == SYMC_STATUS_OK)
    status = context->device->synchronize(context->frame.stream);
  if (status != SYMC_STATUS_OK)
    symc::say_device(error << "cannot copy states to ", *context)
        << ": " << symc_status_message(status);
  return status;
}
