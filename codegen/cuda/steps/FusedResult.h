// FusedResult.h: what a step over windows does once a thread has its sums: reads what is fused
// behind it, computes the body and writes the results.
#ifndef SYMC_CODEGEN_CUDA_STEPS_FUSEDRESULT_H
#define SYMC_CODEGEN_CUDA_STEPS_FUSEDRESULT_H

#include "codegen/cuda/VectorWalk.h"

namespace symc::codegen::cuda {

/// Views of the operands of a step's body, with the names extra0, extra1, ...
mlir::FailureOr<llvm::SmallVector<View>> viewExtras(KernelWriter &writer,
                                                    mlir::OperandRange extras);

/// Writes the body's value at the indices `at` of `out`. `sum`: a lane's first argument;
/// `finishSum` writes what is left to do to it in a lane. Fails, with an error, as writeBody does.
mlir::LogicalResult writeFusedResult(
    KernelWriter &writer, VectorWalk &walk, const View &out, llvm::ArrayRef<std::string> at,
    llvm::ArrayRef<View> extras, mlir::Region &body, const std::string &sum,
    llvm::function_ref<void()> finishSum = [] {});

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_STEPS_FUSEDRESULT_H
