// device.cpp: CUDA as a row of functions (symc_device). A context works in the primary context of
// its device, which frameworks in the same process use, too. What contexts share stands here, under
// one lock: the driver, primary contexts, and the loaded image of each program on each device. All
// of it is counted, and given back with its last user; only the driver stays.
#include "../core/memory.h"
#include "driver.h"
#include "images.h"
#include "module.h"
#include "work.h"

#include <pthread.h>

namespace symc::cuda {

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Of each ordinal.
static struct {
  CUcontext context;
  int64_t users;
  CUdevice device;
} primaries[SYMC_CUDA_DEVICES];

static symc_status say_failure(Text &error, const char *what, CUresult result) {
  error << "cannot " << what << ": " << words_of(result);
  return status_of(result);
}

static symc_status find_device(int32_t ordinal, CUdevice &device, Text &error) {
  int count = 0;
  CUresult result = driver().cuDeviceGetCount(&count);
  if (result != Success)
    return say_failure(error, "count the CUDA devices", result);
  if (count == 0) {
    error << "the machine has no CUDA device";
    return SYMC_STATUS_NO_DEVICE;
  }
  if (count > SYMC_CUDA_DEVICES)
    count = SYMC_CUDA_DEVICES;
  if (ordinal < 0 || ordinal >= count) {
    error << "cuda:" << ordinal
          << " was requested, expected a device in cuda:0..cuda:" << count - 1;
    return SYMC_STATUS_BAD_ORDINAL;
  }
  result = driver().cuDeviceGet(&device, ordinal);
  return result == Success ? SYMC_STATUS_OK : say_failure(error, "find the CUDA device", result);
}

static symc_status find_architecture(CUdevice device, int32_t &architecture, Text &error) {
  CUresult result = ask_architecture(device, architecture);
  return result == Success ? SYMC_STATUS_OK
                           : say_failure(error, "read the CUDA device's architecture", result);
}

static symc_status retain(int32_t ordinal, CUdevice device, Text &error) {
  auto &primary = primaries[ordinal];
  if (primary.users++)
    return SYMC_STATUS_OK;
  CUcontext made = nullptr;
  CUresult result = driver().cuDevicePrimaryCtxRetain(&made, device);
  if (result != Success) {
    primary.users = 0;
    return say_failure(error, "use the CUDA device", result);
  }
  primary.device = device;
  primary.context = made;
  return SYMC_STATUS_OK;
}

static void drop(int32_t ordinal) {
  auto &primary = primaries[ordinal];
  if (--primary.users)
    return;
  primary.context = nullptr;
  driver().cuDevicePrimaryCtxRelease_v2(primary.device);
}

// What leave gets where the device was in use already.
static char sameContext;

static symc_status enter(int32_t ordinal, void **previous) {
  CUcontext wanted = primaries[ordinal].context, current = nullptr;
  *previous = &sameContext;
  if (driver().cuCtxGetCurrent(&current) == Success && current == wanted)
    return SYMC_STATUS_OK;
  CUresult result = driver().cuCtxSetCurrent(wanted);
  if (result == Success)
    *previous = current;
  return status_of(result);
}

static void leave(void *previous) {
  if (previous != &sameContext)
    driver().cuCtxSetCurrent(static_cast<CUcontext>(previous));
}

static symc_status open_programs(int32_t ordinal, int32_t architecture, const void *const *programs,
                                 int32_t n, Text &error) {
  void *previous;
  symc_status status = enter(ordinal, &previous);
  if (status != SYMC_STATUS_OK) {
    error << "cannot use the CUDA device: " << symc_status_message(status);
    return status;
  }
  int32_t opened = 0;
  for (; opened < n && status == SYMC_STATUS_OK; ++opened)
    status = open_module(*static_cast<const symc_cuda_program *>(programs[opened]), ordinal,
                         architecture, error);
  if (status != SYMC_STATUS_OK)
    for (int32_t i = 0; i < opened - 1; ++i) // the last one has failed
      close_module(*static_cast<const symc_cuda_program *>(programs[i]), ordinal);
  leave(previous);
  return status;
}

static symc_status open_locked(int32_t ordinal, const void *const *programs, int32_t n,
                               Text &error) {
  CUdevice device = 0;
  int32_t architecture = 0;
  symc_status status = open_driver(error);
  if (status == SYMC_STATUS_OK)
    status = find_device(ordinal, device, error);
  if (status == SYMC_STATUS_OK)
    status = find_architecture(device, architecture, error);
  if (status == SYMC_STATUS_OK)
    status = retain(ordinal, device, error);
  if (status != SYMC_STATUS_OK)
    return status;
  status = open_programs(ordinal, architecture, programs, n, error);
  if (status != SYMC_STATUS_OK)
    drop(ordinal);
  return status;
}

static symc_status open(int32_t ordinal, const void *const *programs, int32_t n, char *text,
                        size_t bytes) {
  Text error(text, bytes);
  pthread_mutex_lock(&lock);
  symc_status status = open_locked(ordinal, programs, n, error);
  pthread_mutex_unlock(&lock);
  return status;
}

// Of a lost device the driver refuses all calls, which is why nobody reads what they return.
static void close(int32_t ordinal, const void *const *programs, int32_t n) {
  pthread_mutex_lock(&lock);
  void *previous;
  symc_status entered = enter(ordinal, &previous);
  if (entered != SYMC_STATUS_OK) // what fails once may be over
    entered = enter(ordinal, &previous);
  for (int32_t i = 0; i < n; ++i)
    close_module(*static_cast<const symc_cuda_program *>(programs[i]), ordinal);
  if (entered == SYMC_STATUS_OK)
    leave(previous);
  drop(ordinal);
  pthread_mutex_unlock(&lock);
}

static CUdeviceptr address_of(const void *memory) {
  return CUdeviceptr(reinterpret_cast<uintptr_t>(memory));
}

static symc_status allocate(int32_t, size_t bytes, size_t alignment, void **memory) {
  constexpr size_t promised = 256; // by cuMemAlloc
  *memory = nullptr;
  if (alignment > promised)
    return SYMC_STATUS_BAD_ALIGNMENT;
  CUdeviceptr made = 0;
  CUresult result = driver().cuMemAlloc_v2(&made, bytes);
  if (result == Success)
    *memory = reinterpret_cast<void *>(uintptr_t(made));
  return status_of(result);
}

// Also where the end of a context could not enter the device.
static void release(int32_t ordinal, void *memory, size_t) {
  void *previous;
  symc_status entered = enter(ordinal, &previous);
  driver().cuMemFree_v2(address_of(memory));
  if (entered == SYMC_STATUS_OK)
    leave(previous);
}

static symc_status copy(void *target, const void *source, size_t bytes, int32_t direction,
                        void *stream) {
  CUstream to = static_cast<CUstream>(stream);
  if (direction == SYMC_COPY_TO_DEVICE)
    return status_of(driver().cuMemcpyHtoDAsync_v2(address_of(target), source, bytes, to));
  if (direction == SYMC_COPY_FROM_DEVICE)
    return status_of(driver().cuMemcpyDtoHAsync_v2(target, address_of(source), bytes, to));
  return status_of(
      driver().cuMemcpyDtoDAsync_v2(address_of(target), address_of(source), bytes, to));
}

static symc_status synchronize(void *stream) {
  return status_of(driver().cuStreamSynchronize(static_cast<CUstream>(stream)));
}

static int64_t free_bytes(int32_t) {
  size_t left = 0, all = 0;
  return driver().cuMemGetInfo_v2(&left, &all) == Success ? int64_t(left) : -1;
}

} // namespace symc::cuda

const symc_device symc_cuda_device = {"cuda",
                                      symc::cuda::allocate,
                                      symc::cuda::release,
                                      symc::cuda::copy,
                                      symc::cuda::synchronize,
                                      symc::cuda::enter,
                                      symc::cuda::leave,
                                      symc::cuda::open,
                                      symc::cuda::close,
                                      symc::cuda::free_bytes,
                                      &symc::deviceWork};
