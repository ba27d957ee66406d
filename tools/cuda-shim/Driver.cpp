// Driver.cpp: see Driver.h. One device, whose memory is this process's and whose launches run one
// at a time under a lock.
#include "tools/cuda-shim/Driver.h"
#include "tools/cuda-shim/Execution.h"
#include "tools/cuda-shim/Streams.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <set>
#include <sys/mman.h>

using namespace symc::shim;

namespace {
struct Function {
  const Module *module;
  std::string name;
};
struct LoadedModule {
  std::unique_ptr<Module> code;
  std::map<std::string, std::unique_ptr<Function>> functions;
};

struct Device {
  std::recursive_mutex lock;
  bool initialized = false;
  bool print = true;
  int retained = 0; // of the primary context
  CUresult failed = CUDA_SUCCESS;
  bool unseen = false; // a kernel without checks ran: what was written is unknown
  std::map<CUdeviceptr, size_t> allocations; // bytes requested
  size_t used = 0;
  std::set<LoadedModule *> modules;
  int architecture = 0; // that it plays: see Driver.h
};
} // namespace

static Device &device() {
  static Device one;
  return one;
}

static int architectureToPlay() {
  const char *name = getenv("SYMC_CUDA_SHIM_DEVICE");
  return name && strncmp(name, "sm_", 3) == 0 ? atoi(name + 3) : 0;
}

// Limits of sm_80, which kernels for any later device keep too.
static constexpr size_t totalBytes = size_t(16) << 30;
static constexpr unsigned maxThreads = 1024, maxSharedBytes = 163 << 10;
static constexpr size_t guardBytes = 1 << 20; // on both sides of an allocation
static CUcontext const primaryContext = reinterpret_cast<CUcontext>(0x5c);
static thread_local std::vector<CUcontext> contexts;

using Lock = std::lock_guard<std::recursive_mutex>;

/// What every call checks first that needs a context.
static CUresult ready() {
  if (!device().initialized)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (device().retained == 0 || contexts.empty() || !contexts.back())
    return CUDA_ERROR_INVALID_CONTEXT;
  return device().failed;
}

/// A call that takes the lock and needs a context.
#define SHIM_BEGIN                                                                                 \
  Lock locked(device().lock);                                                                      \
  if (CUresult result = ready())                                                                   \
    return result;

static CUresult failWith(const std::string &message, CUresult result) {
  if (device().print)
    fprintf(stderr, "cuda shim: %s\n", message.c_str());
  execution().setFailure(message);
  return device().failed = result;
}

//===-- Devices and contexts -----------------------------------------------------------------===//

CUresult cuInit(unsigned) {
  // Kernels find the shim's calls also where a program opened it for itself alone.
  Dl_info self;
  if (dladdr(reinterpret_cast<void *>(&cuInit), &self))
    dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
  Lock locked(device().lock);
  device().initialized = true;
  device().architecture = architectureToPlay();
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
  *version = 13000;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  *count = 1;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *handle, int ordinal) {
  *handle = 0;
  return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice) {
  snprintf(name, length, "symc CUDA shim");
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice) {
  switch (attribute) {
  case 1: // threads of a block
  case 2: // its x
  case 3: // y
    *value = maxThreads;
    return CUDA_SUCCESS;
  case 4: // z
    *value = 64;
    return CUDA_SUCCESS;
  case 5: // a grid's x
    *value = 0x7fffffff;
    return CUDA_SUCCESS;
  case 6: // y
  case 7: // z
    *value = 65535;
    return CUDA_SUCCESS;
  case 8: // shared bytes of a block, without a request
    *value = 48 << 10;
    return CUDA_SUCCESS;
  case 10: // lanes of a warp
    *value = 32;
    return CUDA_SUCCESS;
  case 16: // multiprocessors
    *value = 4;
    return CUDA_SUCCESS;
  case 75: // compute capability, major and minor
    *value = device().architecture / 10;
    return CUDA_SUCCESS;
  case 76:
    *value = device().architecture % 10;
    return CUDA_SUCCESS;
  case 97: // shared bytes of a block, on request
    *value = maxSharedBytes;
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice) {
  *bytes = totalBytes;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
  Lock locked(device().lock);
  if (!device().initialized)
    return CUDA_ERROR_NOT_INITIALIZED;
  ++device().retained;
  *context = primaryContext;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice handle) {
  Lock locked(device().lock);
  if (device().retained == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  return --device().retained ? CUDA_SUCCESS : cuDevicePrimaryCtxReset_v2(handle);
}

static void freeAllocation(CUdeviceptr pointer) {
  size_t bytes = device().allocations[pointer];
  execution().memory.remove(pointer);
  munmap(reinterpret_cast<char *>(pointer) - guardBytes,
         ((bytes + 4095) & ~size_t(4095)) + 2 * guardBytes);
  device().used -= bytes;
  device().allocations.erase(pointer);
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice) {
  Lock locked(device().lock);
  for (LoadedModule *module : device().modules)
    delete module;
  device().modules.clear();
  while (!device().allocations.empty())
    freeAllocation(device().allocations.begin()->first);
  device().failed = CUDA_SUCCESS;
  device().unseen = false;
  execution().setFailure("");
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  if (!contexts.empty())
    contexts.pop_back();
  if (context)
    contexts.push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = contexts.empty() ? nullptr : contexts.back();
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  contexts.push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  if (contexts.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context)
    *context = contexts.back();
  contexts.pop_back();
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize() {
  SHIM_BEGIN
  return CUDA_SUCCESS;
}

//===-- Modules ------------------------------------------------------------------------------===//

CUresult cuModuleLoadData(CUmodule *handle, const void *image) {
  SHIM_BEGIN
  auto module = std::make_unique<LoadedModule>();
  std::string message;
  module->code = Module::load(image, execution().memory, message);
  if (!module->code) {
    if (device().print)
      fprintf(stderr, "cuda shim: %s\n", message.c_str());
    execution().setFailure(message);
    return CUDA_ERROR_INVALID_IMAGE;
  }
  device().modules.insert(module.get());
  *handle = reinterpret_cast<CUmodule>(module.release());
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule handle) {
  SHIM_BEGIN
  auto *module = reinterpret_cast<LoadedModule *>(handle);
  if (!device().modules.erase(module))
    return CUDA_ERROR_INVALID_HANDLE;
  delete module;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *handle, CUmodule moduleHandle, const char *name) {
  SHIM_BEGIN
  auto *module = reinterpret_cast<LoadedModule *>(moduleHandle);
  if (!module->code->entry(name))
    return CUDA_ERROR_NOT_FOUND;
  auto &function = module->functions[name];
  if (!function)
    function.reset(new Function{module->code.get(), name});
  *handle = reinterpret_cast<CUfunction>(function.get());
  return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction, int, int) {
  SHIM_BEGIN
  return CUDA_SUCCESS;
}

//===-- Memory -------------------------------------------------------------------------------===//

CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes) {
  SHIM_BEGIN
  if (bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (bytes > totalBytes - device().used)
    return CUDA_ERROR_OUT_OF_MEMORY;
  void *memory = mmap(nullptr, ((bytes + 4095) & ~size_t(4095)) + 2 * guardBytes,
                      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *pointer = reinterpret_cast<CUdeviceptr>(memory) + guardBytes;
  device().allocations[*pointer] = bytes;
  device().used += bytes;
  Region *region = execution().memory.add(*pointer, bytes, false, "device memory");
  if (device().architecture) {
    memset(reinterpret_cast<void *>(*pointer), 0xff, bytes);
    region->markWritten(*pointer, *pointer + bytes);
  }
  return CUDA_SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr pointer) {
  SHIM_BEGIN
  if (!device().allocations.count(pointer))
    return CUDA_ERROR_INVALID_VALUE;
  freeAllocation(pointer);
  return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(size_t *freeBytes, size_t *allBytes) {
  SHIM_BEGIN
  *freeBytes = totalBytes - device().used;
  *allBytes = totalBytes;
  return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned) {
  SHIM_BEGIN
  *pointer = malloc(bytes);
  return *pointer ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFreeHost(void *pointer) {
  free(pointer);
  return CUDA_SUCCESS;
}

/// The region of a copy or fill of that place, or null, which is the caller's mistake.
static Region *regionOf(CUdeviceptr pointer, size_t bytes) {
  Region *region = execution().memory.find(pointer);
  return region && pointer + bytes <= region->end ? region : nullptr;
}

static CUresult outsideOf(const char *what, CUdeviceptr pointer, size_t bytes) {
  Region *region = execution().memory.nearest(pointer);
  std::string place =
      region ? "byte " + std::to_string(static_cast<long long>(pointer - region->begin)) + " of " +
                   region->name + ", which has " + std::to_string(region->end - region->begin)
             : "memory that nobody allocated";
  failWith(std::string(what) + " " + std::to_string(bytes) + " bytes at " + place,
           CUDA_ERROR_INVALID_VALUE);
  device().failed = CUDA_SUCCESS; // a mistake of the caller does no harm to the context
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  SHIM_BEGIN
  if (bytes == 0)
    return CUDA_SUCCESS;
  Region *region = regionOf(to, bytes);
  if (!region)
    return outsideOf("a copy writes", to, bytes);
  memcpy(reinterpret_cast<void *>(to), from, bytes);
  region->markWritten(to, to + bytes);
  return CUDA_SUCCESS;
}

/// What is read must have been written.
static CUresult checkRead(CUdeviceptr from, size_t bytes) {
  Region *region = regionOf(from, bytes);
  if (!region)
    return outsideOf("a copy reads", from, bytes);
  if (device().unseen)
    return CUDA_SUCCESS;
  if (uintptr_t hole = region->firstUnwritten(from, from + bytes); hole < from + bytes)
    return failWith("a copy reads byte " + std::to_string(hole - region->begin) + " of " +
                        region->name + ", which nobody wrote",
                    CUDA_ERROR_LAUNCH_FAILED);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  SHIM_BEGIN
  if (bytes == 0)
    return CUDA_SUCCESS;
  if (CUresult result = checkRead(from, bytes))
    return result;
  memcpy(to, reinterpret_cast<void *>(from), bytes);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream) {
  SHIM_BEGIN
  if (bytes == 0)
    return CUDA_SUCCESS;
  Region *region = regionOf(to, bytes);
  if (!region)
    return outsideOf("a copy writes", to, bytes);
  if (CUresult result = checkRead(from, bytes))
    return result;
  memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes);
  region->markWritten(to, to + bytes);
  return CUDA_SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream) {
  SHIM_BEGIN
  if (bytes == 0)
    return CUDA_SUCCESS;
  Region *region = regionOf(to, bytes);
  if (!region)
    return outsideOf("a fill writes", to, bytes);
  memset(reinterpret_cast<void *>(to), value, bytes);
  region->markWritten(to, to + bytes);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream) {
  return cuMemcpyHtoD_v2(to, from, bytes);
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream) {
  return cuMemcpyDtoH_v2(to, from, bytes);
}

//===-- Launches (streams: Streams.cpp) ------------------------------------------------------===//

CUresult cuStreamSynchronize(CUstream stream) {
  SHIM_BEGIN
  return isCaptured(stream) ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction handle, unsigned gridX, unsigned gridY, unsigned gridZ,
                        unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                        CUstream stream, void **arguments, void **extra) {
  SHIM_BEGIN
  const auto *function = reinterpret_cast<const Function *>(handle);
  if (!function || extra || !gridX || !gridY || !gridZ || !blockX || !blockY || !blockZ ||
      blockX > maxThreads || blockY > maxThreads || blockZ > 64 || gridY > 65535 || gridZ > 65535 ||
      gridX > 0x7fffffff || size_t(blockX) * blockY * blockZ > maxThreads ||
      sharedBytes > maxSharedBytes)
    return CUDA_ERROR_INVALID_VALUE;
  if (isCaptured(stream)) {
    CapturedLaunch launch = {
        handle, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, {}};
    for (size_t bytes : function->module->argumentBytes(function->name)) {
      CapturedArgument value = {};
      memcpy(value.bytes, arguments[launch.arguments.size()], bytes);
      launch.arguments.push_back(value);
    }
    keepLaunch(stream, std::move(launch));
    return CUDA_SUCCESS;
  }
  device().unseen |= !function->module->checked();
  if (execution().run(*function->module, function->name, {gridX, gridY, gridZ},
                      {blockX, blockY, blockZ}, sharedBytes, arguments))
    return CUDA_SUCCESS;
  failWith(std::string(execution().failure()), CUDA_ERROR_LAUNCH_FAILED);
  return CUDA_SUCCESS; // the device reports it later
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments,
                          void **extra) {
  return cuLaunchKernel(function, config->gridX, config->gridY, config->gridZ, config->blockX,
                        config->blockY, config->blockZ, config->sharedBytes, config->stream,
                        arguments, extra);
}

//===-- Errors and addresses -----------------------------------------------------------------===//

static const struct {
  CUresult result;
  const char *name, *text;
} errors[] = {{CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
              {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
              {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
              {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "not initialized"},
              {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device"},
              {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "invalid image"},
              {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid context"},
              {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid handle"},
              {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "not found"},
              {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
               "not possible in a captured stream"},
              {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "launch failed"}};

CUresult cuGetErrorName(CUresult error, const char **name) {
  for (const auto &row : errors)
    if (row.result == error) {
      *name = row.name;
      return CUDA_SUCCESS;
    }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  for (const auto &row : errors)
    if (row.result == error) {
      *text = row.text;
      return CUDA_SUCCESS;
    }
  *text = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetProcAddress_v2(const char *name, void **function, int, uint64_t, int *status) {
  *function = nullptr;
  for (const char *ending : {"_v2", ""})
    if (!*function)
      *function = dlsym(RTLD_DEFAULT, (std::string(name) + ending).c_str());
  if (status)
    *status = *function ? 0 : 1; // CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

//===-- The shim's own -----------------------------------------------------------------------===//

const char *symc_cuda_shim_failure() { return execution().failure().c_str(); }

void symc_cuda_shim_print_failures(bool print) { device().print = print; }

void symc_cuda_shim_count_banks(bool count) {
  Lock locked(device().lock);
  execution().countBanks = count;
  execution().banksOf.clear();
}

void symc_cuda_shim_banks(const char *kernel, symc_cuda_shim_bank_count *count) {
  Lock locked(device().lock);
  auto found = execution().banksOf.find(kernel);
  if (found == execution().banksOf.end())
    *count = {0, 0, 0, ""};
  else
    *count = {found->second.count.accesses, found->second.count.wavefronts,
              found->second.count.ideal, found->second.line.c_str()};
}

void symc_cuda_shim_name(CUdeviceptr pointer, const char *name) {
  Lock locked(device().lock);
  if (Region *region = execution().memory.find(pointer))
    region->name = name;
}
