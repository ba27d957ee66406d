// driver.cpp: see driver.h.
#include "driver.h"

#include "../core/environment.h"

#include <dlfcn.h>
#include <string.h>

namespace symc::cuda {

static Driver functions;
static void *library; // with all functions
static bool started;

const Driver &driver() { return functions; }

static const struct {
  const char *name;
  bool optional;
} names[] = {
#define SYMC_CUDA_FUNCTION(name, arguments) {#name, false},
#define SYMC_CUDA_OPTIONAL(name, arguments) {#name, true},
#include "driver_functions.def"
#undef SYMC_CUDA_FUNCTION
};

Text &say_version(Text &error, int version) {
  return error << "CUDA " << version / 1000 << "." << version % 1000 / 10;
}

static symc_status open_library(Text &error) {
  if (library)
    return SYMC_STATUS_OK;
  const char *given = environment(Variable::SYMC_CUDA_DRIVER);
  void *handle = dlopen(given ? given : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    error << "cannot open the CUDA driver: " << dlerror();
    return SYMC_STATUS_NO_DRIVER;
  }
  void *found[sizeof names / sizeof *names];
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    found[i] = dlsym(handle, names[i].name);
    if (found[i] || names[i].optional)
      continue;
    error << "the CUDA driver has no function " << names[i].name << ", as those for ";
    say_version(error, leastDriverVersion) << " and later have";
    dlclose(handle);
    return SYMC_STATUS_OLD_DRIVER;
  }
  memcpy(&functions, found, sizeof found);
  library = handle;
  return SYMC_STATUS_OK;
}

symc_status open_driver(Text &error) {
  if (started)
    return SYMC_STATUS_OK;
  symc_status status = open_library(error);
  if (status != SYMC_STATUS_OK)
    return status;
  int version = 0;
  CUresult result = functions.cuDriverGetVersion(&version);
  if (result == Success && version < leastDriverVersion) {
    say_version(error << "the CUDA driver is one for ", version) << ", expected one for ";
    say_version(error, leastDriverVersion) << " or later";
    return SYMC_STATUS_OLD_DRIVER;
  }
  if (result == Success)
    result = functions.cuInit(0);
  if (result == NoDevice) {
    error << "the machine has no CUDA device";
    return SYMC_STATUS_NO_DEVICE;
  }
  if (result != Success) {
    error << "cannot start the CUDA driver: " << words_of(result);
    return SYMC_STATUS_DRIVER_FAILED;
  }
  functions.version = version;
  started = true;
  return SYMC_STATUS_OK;
}

CUresult ask_architecture(CUdevice device, int32_t &architecture) {
  int major = 0, minor = 0;
  CUresult result = functions.cuDeviceGetAttribute(&major, ComputeCapabilityMajor, device);
  if (result == Success)
    result = functions.cuDeviceGetAttribute(&minor, ComputeCapabilityMinor, device);
  architecture = major * 10 + minor;
  return result;
}

symc_status status_of(CUresult result) {
  if (result >= FirstKernelError && result <= LastKernelError)
    return SYMC_STATUS_DEVICE_LOST;
  switch (result) {
  case Success:
    return SYMC_STATUS_OK;
  case OutOfMemory:
    return SYMC_STATUS_NO_DEVICE_MEMORY;
  case NoDevice:
    return SYMC_STATUS_NO_DEVICE;
  case InvalidDevice:
    return SYMC_STATUS_BAD_ORDINAL;
  case NoBinaryForDevice:
    return SYMC_STATUS_NO_CODE;
  case InvalidImage:
  case UnsupportedCode:
    return SYMC_STATUS_OLD_DRIVER;
  case UncorrectableMemory:
  case LinkError:
  case IllegalAddress:
  case LaunchTimeout:
    return SYMC_STATUS_DEVICE_LOST;
  }
  return SYMC_STATUS_DRIVER_FAILED;
}

const char *words_of(CUresult result) {
  const char *text = nullptr;
  return functions.cuGetErrorString(result, &text) == Success && text ? text : "unknown error";
}

} // namespace symc::cuda
