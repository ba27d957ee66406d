// CudaStep.h: the interface of steps that have code on a CUDA device, and how a file attaches it.
#ifndef SYMC_CODEGEN_CUDA_CUDASTEP_H
#define SYMC_CODEGEN_CUDA_CUDASTEP_H

#include "codegen/cuda/KernelWriter.h"
#include "codegen/kernel/KernelDialect.h"

#include "codegen/cuda/CudaStep.h.inc"

namespace symc::codegen::cuda {

/// Of steps whose kernels load and store every operand as KernelWriter does; and of others.
template <typename Op> bool anyHalves(Op, mlir::OpOperand &) { return true; }
template <typename Op> bool noHalves(Op, mlir::OpOperand &) { return false; }

/// The interface of an operation as functions over it.
template <typename Op, auto write, auto halves>
struct StepSource : CudaStepInterface::ExternalModel<StepSource<Op, write, halves>, Op> {
  mlir::LogicalResult writeKernel(mlir::Operation *op, KernelWriter &writer) const {
    return write(llvm::cast<Op>(op), writer);
  }
  bool takesHalves(mlir::Operation *op, mlir::OpOperand &operand) const {
    return halves(llvm::cast<Op>(op), operand);
  }
};

/// Attaches it in every context that the registry makes. A file XSource.cpp calls it in a function
/// `void registerXSource(DialectRegistry &)` of this namespace, which registerCudaSteps calls
/// because the file is there. `halves` has which operands of float32 may be 16 bits in memory.
template <typename Op, auto write, bool (*halves)(Op, mlir::OpOperand &) = noHalves<Op>>
void addSource(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *context, kernel::KernelDialect *) {
    Op::template attachInterface<StepSource<Op, write, halves>>(*context);
  });
}

/// The sources of all steps, for contexts in which programs become CUDA C++.
void registerCudaSteps(mlir::DialectRegistry &registry);

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_CUDASTEP_H
