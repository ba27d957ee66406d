// NvrtcPlace.h: where the tools look for NVRTC (codegen/cuda/Nvrtc.h) and nvdisasm.
#ifndef SYMC_TOOLS_DRIVER_NVRTCPLACE_H
#define SYMC_TOOLS_DRIVER_NVRTCPLACE_H

#include "codegen/cuda/Nvrtc.h"

namespace symc {

/// The library that SYMC_NVRTC names; else the packages beside symc, if it is one of Python's, and
/// those of the virtual environment that is active.
codegen::NvrtcSearch nvrtcPlace();
/// The program that SYMC_NVDISASM names; else the same.
codegen::NvrtcSearch nvdisasmPlace();

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_NVRTCPLACE_H
