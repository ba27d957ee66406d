// states.cpp: what a run changes. A context holds each state twice and exchanges the two after
// a run, or the part of it that writes the state, that succeeded: code reads one and writes the
// other, whatever the order of its steps, and a run that fails changes nothing. Exchanging is a few
// pointers; no run copies a state.
//
// A state that grows has one memory and a length. A run writes behind the rows that are there, and
// what it wrote counts when it has succeeded.
#include "check.h"
#include "memory.h"

namespace symc {

static size_t padded(int64_t bytes) {
  return (size_t(bytes) + SYMC_ALIGN - 1) & ~size_t(SYMC_ALIGN - 1);
}

int32_t size_of_state(const symc_state_info &state) {
  return state.capacity ? int32_t(-(state.tensor.shape[state.axis] + 1)) : -1;
}

static int64_t bytes_of(const symc_state_info &state) {
  int64_t bytes = state.tensor.max_bytes;
  return state.stored
             ? bytes / symc_dtype_bytes(state.tensor.dtype) * symc_dtype_bytes(state.stored)
             : bytes;
}

static symc_status reset(symc_context &context, int32_t index) {
  context.hasChanged = true;
  const symc_state_info &info = context.model->states[index];
  if (info.capacity) {
    context.lengths[index] = 0;
    return SYMC_STATUS_OK;
  }
  return context.device->copy(context.states()[index], context.weights.data + info.image_offset,
                              size_t(info.tensor.max_bytes), SYMC_COPY_TO_DEVICE,
                              context.frame.stream);
}

symc_status open_states(Text &error, symc_context &context) {
  const symc_model &model = *context.model;
  size_t bytes = 0;
  for (int32_t i = 0; i < model.n_states; ++i)
    bytes += (model.states[i].capacity ? 1 : 2) * padded(bytes_of(model.states[i]));
  if (!bytes)
    return SYMC_STATUS_OK;
  symc_status status = allocate_on_device(context, bytes, "states", error, &context.ownStates);
  if (status != SYMC_STATUS_OK)
    return status;
  context.ownStatesBytes = bytes;
  uint8_t *memory = static_cast<uint8_t *>(context.ownStates);
  for (int32_t i = 0; i < model.n_states; ++i) {
    size_t one = padded(bytes_of(model.states[i]));
    context.states()[i] = memory;
    memory += one;
    if (model.states[i].capacity) {
      context.nextStates()[i] = context.states()[i];
      continue;
    }
    context.nextStates()[i] = memory;
    memory += one;
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

symc_status size_states(symc_context &context, Text &error) {
  const symc_model &model = *context.model;
  for (int32_t i = 0; i < model.n_states; ++i) {
    int32_t size = size_of_state(model.states[i]);
    if (size < 0)
      continue;
    if (context.dims[size] < 0)
      context.dims[size] = context.lengths[i];
    if (context.dims[size] == context.lengths[i])
      continue;
    int32_t first = 0;
    while (size_of_state(model.states[first]) != size)
      ++first;
    error << "state '" << model.states[i].tensor.name << "': expected the length of state '"
          << model.states[first].tensor.name << "', " << context.lengths[first] << ", got "
          << context.lengths[i];
    return SYMC_STATUS_BAD_SHAPE;
  }
  return SYMC_STATUS_OK;
}

static void lengthen(symc_context &context) {
  const symc_model &model = *context.model;
  const int64_t *next = nullptr; // values may have decided some of them
  for (int32_t i = 0; i < model.n_states; ++i) {
    if (!model.states[i].capacity)
      continue;
    if (!next) {
      model.output_shapes(context.dims, context.extents);
      next = context.extents + context.nExtents;
    }
    context.lengths[i] = *next++;
  }
}

void advance_states(symc_context &context, uint32_t part) {
  context.hasChanged = true;
  if (!part)
    lengthen(context);
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
  } else if (!context.model->states[index].capacity && context.weights.from == WeightsFrom::None) {
    error << symc_status_message(SYMC_STATUS_NO_WEIGHTS);
    status = SYMC_STATUS_NO_WEIGHTS;
  }
  return status == SYMC_STATUS_OK ? index : -1;
}

// Writes "f32 [2, 0..16, 8]".
static void say_growing(const symc_state_info &info, Text &error) {
  error << symc_dtype_name(info.tensor.dtype) << " [";
  for (int32_t i = 0; i < info.tensor.rank; ++i) {
    error << (i ? ", " : "");
    if (i == info.axis)
      error << "0.." << info.capacity;
    else
      error << info.tensor.shape[i];
  }
  error << "]";
}

// The extents of a state, or those that it would have with the value's rows.
static symc_status extents_of(const symc_context &context, int32_t index, const symc_tensor *value,
                              int64_t *extents, Text &error) {
  const symc_state_info &info = context.model->states[index];
  for (int32_t i = 0; i < info.tensor.rank; ++i)
    extents[i] = info.tensor.shape[i];
  if (!info.capacity)
    return SYMC_STATUS_OK;
  extents[info.axis] = context.lengths[index];
  bool sameRank = value && value->rank == info.tensor.rank && value->shape;
  if (!sameRank)
    return SYMC_STATUS_OK;
  int64_t rows = value->shape[info.axis];
  extents[info.axis] = rows;
  if (rows >= 0 && rows <= info.capacity)
    return SYMC_STATUS_OK;
  say_growing(info, error << "state '" << info.tensor.name << "': expected ");
  error << ", got ";
  error.tensor(value->dtype, value->shape, value->rank) << " (dimension " << info.axis << ")";
  return SYMC_STATUS_BAD_SHAPE;
}

// Copies between dense memory of the CPU and the state, whose rows lie as all that there is room
// for would. States that are stored in another type are those of CPUs.
static symc_status copy_rows(symc_context &context, int32_t index, const int64_t *extents,
                             void *dense, bool toCaller) {
  const symc_state_info &info = context.model->states[index];
  uint8_t *state = static_cast<uint8_t *>(context.states()[index]);
  uint8_t *other = static_cast<uint8_t *>(dense);
  int64_t count = 1, elements = 1;
  for (int32_t i = 0; i < info.tensor.rank; ++i)
    (info.capacity && i < info.axis ? count : elements) *= extents[i];
  int64_t inner = elements * symc_dtype_bytes(info.tensor.dtype);
  int64_t stride = info.capacity ? bytes_of(info) / (count > 0 ? count : 1) : inner;
  symc_status status = SYMC_STATUS_OK;
  if (info.stored) {
    for (int64_t k = 0; k < count && status == SYMC_STATUS_OK; ++k)
      status = toCaller ? symc_convert(state + k * stride, info.stored, other + k * inner,
                                       info.tensor.dtype, elements)
                        : symc_convert(other + k * inner, info.tensor.dtype, state + k * stride,
                                       info.stored, elements);
    return status;
  }
  for (int64_t k = 0; k < count && inner && status == SYMC_STATUS_OK; ++k)
    status = toCaller ? context.device->copy(other + k * inner, state + k * stride, size_t(inner),
                                             SYMC_COPY_FROM_DEVICE, context.frame.stream)
                      : context.device->copy(state + k * stride, other + k * inner, size_t(inner),
                                             SYMC_COPY_TO_DEVICE, context.frame.stream);
  return status;
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
  int64_t extents[SYMC_MAX_RANK];
  status = extents_of(*context, index, toCaller ? nullptr : value, extents, error);
  if (status == SYMC_STATUS_OK)
    status = check_tensor(list, info, extents, *value, error);
  if (status != SYMC_STATUS_OK)
    return status;
  DeviceScope scope(*context);
  status = scope.check(error);
  if (status != SYMC_STATUS_OK)
    return status;
  context->hasChanged |= !toCaller;
  status = copy_rows(*context, index, extents, value->data, toCaller);
  if (status == SYMC_STATUS_OK)
    status = context->device->synchronize(context->frame.stream);
  if (status == SYMC_STATUS_OK && !toCaller && context->model->states[index].capacity)
    context->lengths[index] = extents[context->model->states[index].axis];
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

symc_status symc_state_extents(symc_context *context, const char *name, int64_t *extents,
                               int32_t capacity) {
  if (!context)
    return SYMC_STATUS_BAD_ARGUMENT;
  context->error[0] = 0;
  symc::Text error(context->error, sizeof context->error);
  if (!name) {
    error << "name is NULL";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  int32_t index = symc_find_state(context->model, name);
  if (index < 0) {
    error << "no state is called '" << name << "'";
    return SYMC_STATUS_BAD_NAME;
  }
  int32_t rank = context->model->states[index].tensor.rank;
  if (!extents || capacity < rank) {
    error << "extents: expected room for " << rank << ", got " << (extents ? capacity : 0);
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  return symc::extents_of(*context, index, nullptr, extents, error);
}

symc_status symc_truncate_state(symc_context *context, const char *name, int64_t rows) {
  if (!context)
    return SYMC_STATUS_BAD_ARGUMENT;
  context->error[0] = 0;
  symc::Text error(context->error, sizeof context->error);
  const symc_model &model = *context->model;
  int32_t index = name ? symc_find_state(&model, name) : 0;
  if (index < 0) {
    error << "no state is called '" << name << "'";
    return SYMC_STATUS_BAD_NAME;
  }
  int32_t end = name ? index + 1 : model.n_states;
  for (int32_t i = index; i < end; ++i) {
    if (!model.states[i].capacity && !name)
      continue;
    if (!model.states[i].capacity)
      error << "state '" << name << "' does not grow";
    else if (rows < 0 || rows > context->lengths[i])
      error << "state '" << model.states[i].tensor.name << "': expected 0.." << context->lengths[i]
            << " rows, got " << rows;
    else
      continue;
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  for (int32_t i = index; i < end; ++i)
    if (model.states[i].capacity)
      context->lengths[i] = rows;
  return SYMC_STATUS_OK;
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
