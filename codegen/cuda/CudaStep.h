// CudaStep.h: the interface of steps that have code on a CUDA device, and how a file attaches it.
#ifndef SYMC_CODEGEN_CUDA_CUDASTEP_H
#define SYMC_CODEGEN_CUDA_CUDASTEP_H

#include "codegen/cuda/KernelWriter.h"
#include "codegen/kernel/KernelDialect.h"

#include "codegen/cuda/CudaStep.h.inc"

namespace symc::codegen::cuda {

/// The interface of an operation as a function over it.
template <typename Op, auto write>
struct StepSource : CudaStepInterface::ExternalModel<StepSource<Op, write>, Op> {
  mlir::LogicalResult writeKernel(mlir::Operation *op, KernelWriter &writer) const {
    return write(llvm::cast<Op>(op), writer);
  }
};

/// Attaches it in every context that the registry makes. A file XSource.cpp calls it in a function
/// `void registerXSource(DialectRegistry &)` of this namespace, which registerCudaSteps calls
/// because the file is there.
template <typename Op, auto write> void addSource(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *context, kernel::KernelDialect *) {
    Op::template attachInterface<StepSource<Op, write>>(*context);
  });
}

/// The sources of all steps, for contexts in which programs become CUDA C++.
void registerCudaSteps(mlir::DialectRegistry &registry);

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_CUDASTEP_H
