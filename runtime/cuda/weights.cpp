// weights.cpp: weights on a device. Contexts of one model on one device share one copy of the
// weights that came with the model; who replaces them has a copy of its own. Nothing here depends
// on which device it is.
#include "../core/memory.h"
#include "work.h"

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

symc_status upload_to_device(Text &error, symc_context &context) {
  size_t bytes = size_t(context.model->weights_bytes);
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

void release_uploads(symc_context &context) {
  size_t bytes = size_t(context.model->weights_bytes);
  release_on_device(context, stop_sharing(context), bytes);
  release_on_device(context, context.deviceWeights, bytes);
}

} // namespace symc
