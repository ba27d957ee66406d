// context_memory.cpp: memory of a context on its device. All of it comes through the row of the
// device.
#include "context.h"
#include "memory.h"

namespace symc {

DeviceScope::DeviceScope(const symc_context &context) : context(context) {
  if (context.variant->device != SYMC_DEVICE_CPU && context.device->enter)
    status = context.device->enter(context.ordinal, &previous);
}

DeviceScope::~DeviceScope() {
  bool entered = context.variant->device != SYMC_DEVICE_CPU && status == SYMC_STATUS_OK;
  if (entered && context.device->leave)
    context.device->leave(previous);
}

symc_status DeviceScope::check(Text &error) const {
  if (status != SYMC_STATUS_OK)
    say_device(error << "cannot use ", context) << ": " << symc_status_message(status);
  return status;
}

Text &say_device(Text &text, const symc_context &context) {
  return text << context.device->name << ":" << context.ordinal;
}

static bool by_hooks(const symc_context &context) {
  return context.variant->device == SYMC_DEVICE_CPU && context.allocator.allocate;
}

symc_status allocate_on_device(symc_context &context, size_t bytes, const char *what, Text &error,
                               void **memory) {
  size_t rounded = bytes > SIZE_MAX - SYMC_ALIGN ? 0 : allocated_bytes(bytes, SYMC_ALIGN);
  bool onCpu = context.variant->device == SYMC_DEVICE_CPU;
  symc_status status = onCpu ? SYMC_STATUS_OUT_OF_MEMORY : SYMC_STATUS_NO_DEVICE_MEMORY;
  *memory = nullptr;
  if (by_hooks(context))
    *memory = allocate(&context.allocator, bytes, SYMC_ALIGN);
  else if (rounded)
    status = context.device->allocate(context.ordinal, rounded, SYMC_ALIGN, memory);
  if (*memory)
    return SYMC_STATUS_OK;
  error << "cannot allocate " << int64_t(bytes) << " bytes of " << what;
  if (onCpu)
    return status;
  say_device(error << " on ", context);
  int64_t left = context.device->free_bytes ? context.device->free_bytes(context.ordinal) : -1;
  if (status != SYMC_STATUS_NO_DEVICE_MEMORY)
    error << ": " << symc_status_message(status);
  else if (left >= 0)
    error << ", which has " << left << " bytes free";
  return status;
}

void release_on_device(symc_context &context, void *memory, size_t bytes) {
  if (by_hooks(context))
    release(&context.allocator, memory, bytes);
  else if (memory)
    context.device->release(context.ordinal, memory, allocated_bytes(bytes, SYMC_ALIGN));
}

symc_status upload_weights(Text &error, symc_context &context) {
  context.frame.weights = context.weights.data;
  if (context.variant->device == SYMC_DEVICE_CPU || !context.weights.data ||
      !context.model->weights_bytes)
    return SYMC_STATUS_OK;
  return context.work->upload_weights(error, context);
}

} // namespace symc
