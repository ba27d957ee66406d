// NarrowStorage.h: floats that layers read and write, kept in memory as f16 or bf16: half the bytes
// to bring, and operands as tensor cores take them.
#ifndef SYMC_CODEGEN_CUDA_NARROWSTORAGE_H
#define SYMC_CODEGEN_CUDA_NARROWSTORAGE_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::codegen::cuda {

/// Makes buffers and prepared weights of float32 such of `type`, f16 or bf16, in the variants of a
/// module, or of modules that share weights. Buffers that a convolution, product or
/// pooling reads or writes, and those that are moved from or to such ones alone, if every step that
/// touches them has a kernel that converts (CudaStepInterface.takesHalves); not what goes to an
/// output of the program alone. Weights that convolutions and products alone read:
/// @prepare_program rounds them. Inputs, outputs and states of programs stay what they
/// are, and so do bodies: steps with such operands are marked (kernel.narrow). Buffers have no
/// places yet, and weights get new ones after it.
void narrowStorage(llvm::ArrayRef<mlir::ModuleOp> modules, mlir::FloatType type);

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_NARROWSTORAGE_H
