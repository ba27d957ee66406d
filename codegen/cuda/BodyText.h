// BodyText.h: the scalar body of a step as CUDA C++.
#ifndef SYMC_CODEGEN_CUDA_BODYTEXT_H
#define SYMC_CODEGEN_CUDA_BODYTEXT_H

#include "codegen/cuda/KernelWriter.h"

namespace symc::codegen::cuda {

/// Writes a line for each operation of a region's block, whose arguments are `arguments`; returns
/// names of what it yields. Fails, with an error, at an operation that has no text.
mlir::FailureOr<llvm::SmallVector<std::string>> writeBody(KernelWriter &writer, mlir::Region &body,
                                                          llvm::ArrayRef<std::string> arguments);

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_BODYTEXT_H
