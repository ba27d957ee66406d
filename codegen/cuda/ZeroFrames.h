// ZeroFrames.h: paddings that nobody has to write. Kernels of convolutions know which rows and
// columns of their data are zeros (`zeros` of kernel.conv) and read none of them.
#ifndef SYMC_CODEGEN_CUDA_ZEROFRAMES_H
#define SYMC_CODEGEN_CUDA_ZEROFRAMES_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::codegen::cuda {

/// Whether the kernel of the step, as it is now, leaves out what its `zeros`
/// name: of known rows and columns, and at most 32 taps. Terms keep their order, and bits are the
/// same.
bool leavesOutZeros(kernel::ConvOp conv);

/// Removes the fills of zeros around the images of buffers, each a start of a kernel, where such
/// steps alone read them.
void dropFrames(kernel::ProgramOp program);

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_ZEROFRAMES_H
