// HostSteps.h: steps of a program for CUDA that have no kernel there. With --fallback=cpu the CPU
// computes them, by the code that it has of them for itself (codegen/lower), over copies of what
// they read.
#ifndef SYMC_CODEGEN_CUDA_HOSTSTEPS_H
#define SYMC_CODEGEN_CUDA_HOSTSTEPS_H

#include "codegen/cuda/KernelWriter.h"

namespace symc::codegen::cuda {

/// Why a step has no kernel on a device, "its kernel calls LAPACK"; nothing where it has one.
std::optional<std::string> whyNoKernel(kernel::StepInterface step,
                                       const ReferenceKernels *references);

/// What such a step copies, and where the copies lie.
mlir::FailureOr<CudaHostStep> describeHostStep(kernel::StepInterface step, std::string reason,
                                               mlir::SymbolTableCollection &symbols);

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_HOSTSTEPS_H
