// ExactWeights.h: weights that @prepare_program computes in float32 and keeps in 16 bits.
#ifndef SYMC_CODEGEN_CUDA_EXACTWEIGHTS_H
#define SYMC_CODEGEN_CUDA_EXACTWEIGHTS_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::codegen::cuda {

/// A buffer in place of the weight of that name, which steps of the program write; null where none
/// does.
mlir::Value keepExact(kernel::ProgramOp prepare, llvm::StringRef name);

/// A step that writes the elements of a view of float32 to those of one of 16 bits, rounded.
void writeRounded(mlir::OpBuilder &b, mlir::Location location, mlir::Value exact,
                  mlir::Value rounded);

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_EXACTWEIGHTS_H
