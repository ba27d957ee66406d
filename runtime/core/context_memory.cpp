// context_memory.cpp: memory of a context on its device. All of it comes and is filled through
// the row of the device.
#include "context.h"
#include "memory.h"

namespace symc {

static bool by_hooks(const symc_context &context) {
  return context.variant->device == SYMC_DEVICE_CPU && context.allocator.allocate;
}

void *allocate_on_device(symc_context &context, size_t bytes) {
  if (by_hooks(context))
    return allocate(&context.allocator, bytes, SYMC_ALIGN);
  size_t rounded = (bytes + SYMC_ALIGN - 1) & ~size_t(SYMC_ALIGN - 1);
  return rounded < bytes ? nullptr
                         : context.device->allocate(context.ordinal, rounded ? rounded : SYMC_ALIGN,
                                                    SYMC_ALIGN);
}

void release_on_device(symc_context &context, void *memory, size_t bytes) {
  if (by_hooks(context))
    release(&context.allocator, memory, bytes);
  else if (memory)
    context.device->release(context.ordinal, memory, bytes);
}

symc_status upload_weights(Text &error, symc_context &context) {
  context.frame.weights = context.weights.data;
  size_t bytes = size_t(context.model->weights_bytes);
  if (context.variant->device == SYMC_DEVICE_CPU || !context.weights.data || !bytes)
    return SYMC_STATUS_OK;
  if (!context.deviceWeights)
    context.deviceWeights = allocate_on_device(context, bytes);
  if (!context.deviceWeights) {
    error << "cannot allocate " << int64_t(bytes) << " bytes of weights on "
          << context.device->name;
    return SYMC_STATUS_OUT_OF_MEMORY;
  }
  context.frame.weights = static_cast<const uint8_t *>(context.deviceWeights);
  symc_status status = context.device->copy(context.deviceWeights, context.weights.data, bytes,
                                            SYMC_COPY_TO_DEVICE, context.frame.stream);
  if (status == SYMC_STATUS_OK)
    status = context.device->synchronize(context.frame.stream);
  if (status != SYMC_STATUS_OK)
    error << "cannot copy the weights to " << context.device->name << ": "
          << symc_status_message(status);
  return status;
}

} // namespace symc
