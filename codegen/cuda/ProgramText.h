// ProgramText.h: a planned program as CUDA C++, a kernel a step, and the list of starts.
#ifndef SYMC_CODEGEN_CUDA_PROGRAMTEXT_H
#define SYMC_CODEGEN_CUDA_PROGRAMTEXT_H

#include "codegen/cuda/CudaProgram.h"
#include "codegen/cuda/KernelWriter.h"
#include "codegen/cuda/ReferenceKernels.h"
#include "codegen/kernel/KernelDialect.h"

namespace symc::codegen::cuda {

/// Bytes of the arena of a program: its buffers, and behind them a word for statuses, and counters
/// and sums of convolutions in parts.
int64_t arenaBytesOf(kernel::ProgramOp program, const CudaChoices &choices);

/// The source needs no header and is valid for NVRTC from compute capability 5.0 on, with tensor
/// cores from 8.0 on. Steps without a kernel of their own run by `references` on one thread; null:
/// they have no code. Fails, after an error at each step that has none.
mlir::FailureOr<CudaProgram> writeProgram(kernel::ProgramOp program,
                                          const ReferenceKernels *references,
                                          const CudaChoices &choices = {});

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_PROGRAMTEXT_H
