// Gpu.cpp: see Gpu.h. The driver is queried by its names, as the runtime queries it.
#include "tools/conformance/Gpu.h"

#include "codegen/emit/Resources.h"
#include "runtime/cuda/driver.h"

using namespace symc;

static llvm::Expected<std::string> query() {
  using namespace symc::cuda;
  char text[512] = "";
  Text error(text, sizeof text);
  if (open_driver(error) != SYMC_STATUS_OK)
    return codegen::emitError(text);
  const Driver &driver = symc::cuda::driver();
  CUdevice device = 0;
  CUcontext context = nullptr;
  int32_t architecture = 0;
  CUresult result = driver.cuDeviceGet(&device, 0);
  if (result == Success)
    result = ask_architecture(device, architecture);
  if (result == Success)
    result = driver.cuDevicePrimaryCtxRetain(&context, device);
  if (result != Success)
    return codegen::emitError(std::string("cannot use cuda:0: ") + words_of(result));
  return std::to_string(architecture) + (architecture >= 90 ? "a" : "");
}

llvm::Expected<std::string> symc::conformance::architectureOfGpu() {
  static std::string architecture;
  if (!architecture.empty())
    return architecture;
  llvm::Expected<std::string> found = query();
  if (found)
    architecture = *found;
  return found;
}
