// RowLanes.h: a first layer over a picture of few channels, so that tensor cores get its inputs in
// pieces of 16 bytes: a whole row of its kernel lies in one piece of memory, and is the channels of
// a layer whose kernel has one column.
#ifndef SYMC_CODEGEN_CUDA_ROWLANES_H
#define SYMC_CODEGEN_CUDA_ROWLANES_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::codegen::cuda {

/// Of convolutions of float32 over planes of two to four channels that nothing else reads, with
/// kernels of up to eight columns, an even stride along rows and sizes that are known. Their padded
/// planes become a buffer [N, H, W, 4] of `type`, f16 or bf16, with a channel of zeros; their data
/// a view [N, 1, H, OW, 32] of it, in which pixels overlap: eight columns of four channels from
/// each output's first column on; their weights panels [OB, 1, kH, 1, 32, 16] of `type`, which
/// @prepare_program fills, with zeros where columns and channels are none. Terms keep their order.
/// Buffers have no places yet, and weights get new ones after it.
void layRowsAsLanes(llvm::ArrayRef<mlir::ModuleOp> modules, mlir::FloatType type);

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_ROWLANES_H
