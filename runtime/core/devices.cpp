// devices.cpp: the device table, a row of functions for each device. A device is added by adding
// a row.
#include "environment.h"
#include "memory.h"
#include "symc/runtime.h"

#include <string.h>

// The CPU: one ordinal, copies are done when they return. Large blocks lie in huge pages.
static void *cpu_allocate(int32_t, size_t bytes, size_t alignment) {
  const char *huge = symc::environment(symc::Variable::SYMC_HUGEPAGES);
  if (alignment <= SYMC_ALIGN)
    return symc::allocate_large(nullptr, bytes, !huge || strcmp(huge, "0") != 0);
  return symc::allocate(nullptr, bytes, alignment);
}
static void cpu_release(int32_t, void *memory, size_t bytes) {
  symc::release(nullptr, memory, bytes);
}
static symc_status cpu_copy(void *target, const void *source, size_t bytes, int32_t, void *) {
  memmove(target, source, bytes);
  return SYMC_STATUS_OK;
}
static symc_status cpu_synchronize(void *) { return SYMC_STATUS_OK; }
static int32_t cpu_current(void) { return 0; }
static void cpu_make_current(int32_t) {}

// Indexed by SYMC_DEVICE_*.
static const symc_device devices[SYMC_DEVICE_COUNT] = {
    {"cpu", cpu_allocate, cpu_release, cpu_copy, cpu_synchronize, cpu_current, cpu_make_current}};

static bool is_device(int32_t device) { return device >= 0 && device < SYMC_DEVICE_COUNT; }

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

symc_status symc_device_enter(int32_t device, int32_t ordinal, symc_device_guard *guard) {
  if (!is_device(device) || !guard)
    return SYMC_STATUS_BAD_ARGUMENT;
  guard->device = device;
  guard->previous = devices[device].current();
  if (guard->previous != ordinal)
    devices[device].make_current(ordinal);
  return SYMC_STATUS_OK;
}

void symc_device_leave(const symc_device_guard *guard) {
  const symc_device &row = devices[guard->device];
  if (row.current() != guard->previous)
    row.make_current(guard->previous);
}
