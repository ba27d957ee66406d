// NativeKernels.cpp: see NativeKernels.h.
#include "tools/conformance/NativeKernels.h"

#include "symc/abi.h"

#define SYMC_KERNEL(mnemonic, dtype, symbol, isa)                                                  \
  extern "C" int32_t symbol(const symc_kernel_args *args);
#include "symc/kernels.def"
#undef SYMC_KERNEL

// Where kernels find the functions of shared libraries, which the model's table has filled.
#define SYMC_LIBRARY(id, name) extern "C" void *symc_##id##_functions[];
#include "symc/libraries.def"

std::vector<std::pair<std::string, const void *>> symc::conformance::nativeKernels() {
  return {
#define SYMC_LIBRARY(id, name) {"symc_" #id "_functions", symc_##id##_functions},
#include "symc/libraries.def"
#define SYMC_KERNEL(mnemonic, dtype, symbol, isa) {#symbol, reinterpret_cast<const void *>(symbol)},
#include "symc/kernels.def"
#undef SYMC_KERNEL
  };
}
