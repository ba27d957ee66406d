// context_memory.cpp: memory of a context on its device, and the weights there. All of it comes and
// is filled through the row of the device. Contexts of one model on one device other than the CPU
// share one copy of the weights that came with the model; who replaces them has a copy of its own.
#include "context.h"
#include "memory.h"

#include <pthread.h>

namespace symc {

struct UploadedWeights {
  UploadedWeights *next;
  const symc_model *model;
  const symc_device *device;
  int32_t ordinal;
  WeightsFrom from;
  int64_t users;
  void *memory;
};

static UploadedWeights *uploads;
static pthread_mutex_t uploadsLock = PTHREAD_MUTEX_INITIALIZER;

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
  size_t rounded = (bytes + SYMC_ALIGN - 1) & ~size_t(SYMC_ALIGN - 1);
  bool onCpu = context.variant->device == SYMC_DEVICE_CPU;
  symc_status status = onCpu ? SYMC_STATUS_OUT_OF_MEMORY : SYMC_STATUS_NO_DEVICE_MEMORY;
  *memory = nullptr;
  if (by_hooks(context))
    *memory = allocate(&context.allocator, bytes, SYMC_ALIGN);
  else if (rounded >= bytes)
    status = context.device->allocate(context.ordinal, rounded ? rounded : SYMC_ALIGN, SYMC_ALIGN,
                                      memory);
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
    context.device->release(context.ordinal, memory, bytes);
}

static symc_status copy_weights(Text &error, symc_context &context, void *memory) {
  symc_status status =
      context.device->copy(memory, context.weights.data, size_t(context.model->weights_bytes),
                           SYMC_COPY_TO_DEVICE, context.frame.stream);
  if (status == SYMC_STATUS_OK)
    status = context.device->synchronize(context.frame.stream);
  if (status != SYMC_STATUS_OK)
    say_device(error << "cannot copy the weights to ", context)
        << ": " << symc_status_message(status);
  return status;
}

static UploadedWeights *find_upload(const symc_context &context) {
  UploadedWeights *upload = uploads;
  while (upload && (upload->model != context.model || upload->device != context.device ||
                    upload->ordinal != context.ordinal || upload->from != context.weights.from))
    upload = upload->next;
  return upload;
}

// With the lock.
static symc_status share_weights(Text &error, symc_context &context) {
  UploadedWeights *upload = find_upload(context);
  if (!upload) {
    upload = static_cast<UploadedWeights *>(allocate(nullptr, sizeof *upload, SYMC_ALIGN));
    if (!upload) {
      error << "cannot allocate a context";
      return SYMC_STATUS_OUT_OF_MEMORY;
    }
    void *memory;
    size_t bytes = size_t(context.model->weights_bytes);
    symc_status status = allocate_on_device(context, bytes, "weights", error, &memory);
    if (status == SYMC_STATUS_OK && (status = copy_weights(error, context, memory)) != 0)
      release_on_device(context, memory, bytes);
    if (status != SYMC_STATUS_OK) {
      release(nullptr, upload, sizeof *upload);
      return status;
    }
    *upload = {uploads, context.model, context.device, context.ordinal, context.weights.from,
               0,       memory};
    uploads = upload;
  }
  ++upload->users;
  context.sharedWeights = upload;
  context.frame.weights = static_cast<const uint8_t *>(upload->memory);
  return SYMC_STATUS_OK;
}

// Ends the context's part in the copy; returns the memory to who had it last, else NULL.
static void *stop_sharing(symc_context &context) {
  UploadedWeights *upload = context.sharedWeights;
  context.sharedWeights = nullptr;
  if (!upload)
    return nullptr;
  pthread_mutex_lock(&uploadsLock);
  bool last = --upload->users == 0;
  for (UploadedWeights **at = &uploads; last && *at; at = &(*at)->next)
    if (*at == upload) {
      *at = upload->next;
      break;
    }
  pthread_mutex_unlock(&uploadsLock);
  if (!last)
    return nullptr;
  void *memory = upload->memory;
  release(nullptr, upload, sizeof *upload);
  return memory;
}

symc_status upload_weights(Text &error, symc_context &context) {
  context.frame.weights = context.weights.data;
  size_t bytes = size_t(context.model->weights_bytes);
  if (context.variant->device == SYMC_DEVICE_CPU || !context.weights.data || !bytes)
    return SYMC_STATUS_OK;
  WeightsFrom from = context.weights.from;
  if (from == WeightsFrom::Embedded || from == WeightsFrom::SideFile) {
    pthread_mutex_lock(&uploadsLock);
    symc_status status = share_weights(error, context);
    pthread_mutex_unlock(&uploadsLock);
    return status;
  }
  if (context.sharedWeights)
    context.deviceWeights = stop_sharing(context);
  symc_status status = SYMC_STATUS_OK;
  if (!context.deviceWeights)
    status = allocate_on_device(context, bytes, "weights", error, &context.deviceWeights);
  context.frame.weights = static_cast<const uint8_t *>(context.deviceWeights);
  return status == SYMC_STATUS_OK ? copy_weights(error, context, context.deviceWeights) : status;
}

void release_weights(symc_context &context) {
  size_t bytes = size_t(context.model->weights_bytes);
  release_on_device(context, stop_sharing(context), bytes);
  release_on_device(context, context.deviceWeights, bytes);
}

} // namespace symc
