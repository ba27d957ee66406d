// TensorCores.h: the functions over tensor cores that kernels call, each one instruction of PTX or,
// of a group of four warps, a few.
#ifndef SYMC_CODEGEN_CUDA_TENSORCORES_H
#define SYMC_CODEGEN_CUDA_TENSORCORES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace symc::codegen::cuda {

/// For the top of a source, valid from compute capability 8.0 on. What they mean is written down
/// for the shim in tools/cuda-shim/TensorPrelude.inc, which lane holds which element there too.
llvm::StringRef tensorFunctions();
/// Behind them, where kernels call start_group_f16 or start_group_bf16: wgmma on sm_90a.
std::string groupFunctions();
/// Behind these, where kernels have tensor maps: copies by the device's engine (TMA), announced at
/// barriers in shared memory, and products of what they bring.
llvm::StringRef mapFunctions();

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_TENSORCORES_H
