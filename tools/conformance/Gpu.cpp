// Gpu.cpp: see Gpu.h. The driver is asked by its names, as the runtime asks it.
#include "tools/conformance/Gpu.h"

#include "codegen/emit/Resources.h"
#include "runtime/cuda/driver.h"

using namespace symc;

static llvm::Expected<std::string> ask() {
  using namespace symc::cuda;
  char text[512] = "";
  Text error(text, sizeof text);
  if (open_driver(error) != SYMC_STATUS_OK)
    return codegen::emitError(text);
  const Driver &driver = symc::cuda::driver();
  CUdevice device = 0;
  CUcontext context = nullptr;
  int major = 0, minor = 0;
  CUresult result = driver.cuDeviceGet(&device, 0);
  for (auto [attribute, value] :
       {std::pair(ComputeCapabilityMajor, &major), std::pair(ComputeCapabilityMinor, &minor)})
    if (result == Success)
      result = driver.cuDeviceGetAttribute(value, attribute, device);
  if (result == Success)
    result = driver.cuDevicePrimaryCtxRetain(&context, device);
  if (result != Success)
    return codegen::emitError(std::string("cannot use cuda:0: ") + words_of(result));
  return std::to_string(10 * major + minor) + (major >= 9 ? "a" : "");
}

llvm::Expected<std::string> symc::conformance::architectureOfGpu() {
  static std::string architecture;
  if (!architecture.empty())
    return architecture;
  llvm::Expected<std::string> asked = ask();
  if (asked)
    architecture = *asked;
  return asked;
}
