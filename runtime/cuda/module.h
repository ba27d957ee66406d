// module.h: the code of a program on a device. Callers hold the lock of device.cpp, and the
// device is the one that the thread uses.
#ifndef SYMC_RUNTIME_CUDA_MODULE_H
#define SYMC_RUNTIME_CUDA_MODULE_H

#include "driver.h"
#include "symc/cuda.h"

struct symc_cuda_module {
  int64_t users; // contexts
  bool waits;    // its kernels do, as in symc_cuda_image
  bool maps;     // its kernels use symc_cuda_program.maps
  CUmodule module;
  CUfunction functions[1]; // n_kernels of them
};

namespace symc::cuda {

// Loads the image for that architecture, once for all contexts. NO_CODE, OLD_DRIVER, OUT_OF_MEMORY
// or the driver's status, with a sentence.
symc_status open_module(const symc_cuda_program &program, int32_t ordinal, int32_t architecture,
                        Text &error);
void close_module(const symc_cuda_program &program, int32_t ordinal);

} // namespace symc::cuda
#endif
