// devices.cpp: the device table, a row of functions for each device that every model can run on.
#include "environment.h"
#include "memory.h"
#include "symc/runtime.h"

#include <string.h>

// The CPU: one ordinal, copies are done when they return. Large blocks lie in huge pages.
static symc_status cpu_allocate(int32_t, size_t bytes, size_t alignment, void **memory) {
  const char *huge = symc::environment(symc::Variable::SYMC_HUGEPAGES);
  *memory = alignment <= SYMC_ALIGN
                ? symc::allocate_large(nullptr, bytes, !huge || strcmp(huge, "0") != 0)
                : symc::allocate(nullptr, bytes, alignment);
  return *memory ? SYMC_STATUS_OK : SYMC_STATUS_OUT_OF_MEMORY;
}
static void cpu_release(int32_t, void *memory, size_t bytes) {
  symc::release(nullptr, memory, bytes);
}
static symc_status cpu_copy(void *target, const void *source, size_t bytes, int32_t, void *) {
  memmove(target, source, bytes);
  return SYMC_STATUS_OK;
}
static symc_status cpu_synchronize(void *) { return SYMC_STATUS_OK; }

// Indexed by SYMC_DEVICE_*. Functions that open a driver would require a dynamic loader of every
// program, which is why CUDA's functions come with the models that have code for it.
static const symc_device devices[SYMC_DEVICE_COUNT] = {{"cpu", cpu_allocate, cpu_release, cpu_copy,
                                                        cpu_synchronize, nullptr, nullptr, nullptr,
                                                        nullptr, nullptr, nullptr}};

static bool is_device(int32_t device) {
  return device >= 0 && device < SYMC_DEVICE_COUNT && devices[device].name;
}

const symc_device *symc_find_device(int32_t device) {
  return is_device(device) ? &devices[device] : nullptr;
}

symc_status symc_copy(int32_t target_device, void *target, int32_t source_device,
                      const void *source, size_t bytes, int32_t mode, void *stream) {
  bool toDevice = source_device == SYMC_DEVICE_CPU, fromDevice = target_device == SYMC_DEVICE_CPU;
  if (!is_device(target_device) || !is_device(source_device) ||
      (mode != SYMC_COPY_SYNC && mode != SYMC_COPY_ASYNC) || (bytes && (!target || !source)) ||
      (target_device != source_device && !toDevice && !fromDevice))
    return SYMC_STATUS_BAD_ARGUMENT;
  if (!bytes)
    return SYMC_STATUS_OK;
  const symc_device &row = devices[toDevice ? target_device : source_device];
  int32_t direction = target_device == source_device ? SYMC_COPY_ON_DEVICE
                      : toDevice                     ? SYMC_COPY_TO_DEVICE
                                                     : SYMC_COPY_FROM_DEVICE;
  symc_status status = row.copy(target, source, bytes, direction, stream);
  return status == SYMC_STATUS_OK && mode == SYMC_COPY_SYNC ? row.synchronize(stream) : status;
}

symc_status symc_device_enter(const symc_device *device, int32_t ordinal,
                              symc_device_guard *guard) {
  if (!device || !guard)
    return SYMC_STATUS_BAD_ARGUMENT;
  *guard = {device, nullptr};
  return device->enter ? device->enter(ordinal, &guard->previous) : SYMC_STATUS_OK;
}

void symc_device_leave(const symc_device_guard *guard) {
  if (guard->device->leave)
    guard->device->leave(guard->previous);
}
