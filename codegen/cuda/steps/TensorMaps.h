// TensorMaps.h: the slices of a convolution on tensor cores, brought by a device's engine for
// copies (TMA, sm_90a): one thread of a block requests boxes of the operands, which arrive in
// shared memory in the order that wgmma reads, zeros in place of what lies beyond them. No device
// has run it.
#ifndef SYMC_CODEGEN_CUDA_STEPS_TENSORMAPS_H
#define SYMC_CODEGEN_CUDA_STEPS_TENSORMAPS_H

#include "codegen/cuda/steps/ConvViews.h"

namespace symc::codegen::cuda {

/// Whether the engine can bring the operands: 16 bits, in the arena or the weights, at places that
/// are known to the byte, in blocks of whole multiples of 16 lanes, and a window within its limits.
bool hasTensorMaps(ConvViews &conv);

/// Parameters and barriers of the kernel, before its walk over tiles.
void writeTensorMaps(ConvViews &conv, const CudaTile &tile);
/// Lines that add the products of `slices` slices to `sum`, in their order, by instructions for
/// operands of `precision`. `inputs` and `filters` are the stages in shared memory.
void writeSumsByMaps(ConvViews &conv, const CudaTile &tile, llvm::StringRef precision,
                     int64_t slices);

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_STEPS_TENSORMAPS_H
