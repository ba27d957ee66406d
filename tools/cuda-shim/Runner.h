// Runner.h: runs what code generation for CUDA made, on the shim in this process.
#ifndef SYMC_TOOLS_CUDA_SHIM_RUNNER_H
#define SYMC_TOOLS_CUDA_SHIM_RUNNER_H

#include "codegen/cuda/CudaProgram.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace symc {

/// An input, state or output: copied to the device and back.
struct ShimBuffer {
  void *data;
  int64_t bytes;
  bool input;  // copied before the run; memory that nobody wrote else
  bool output; // copied behind it
};

/// Runs all launches in order over an arena that nobody wrote. `io` and `sizes` are what arguments
/// of the kinds Io and Size index. An error tells what a kernel did wrong: kernel, block, thread,
/// the line of the source. `checked`: whether accesses are checked; it is several times slower.
llvm::Error runOnShim(const codegen::CudaProgram &program, int64_t arenaBytes,
                      llvm::ArrayRef<char> weights, llvm::ArrayRef<ShimBuffer> io,
                      llvm::ArrayRef<int64_t> sizes, bool checked = true);

} // namespace symc

#endif // SYMC_TOOLS_CUDA_SHIM_RUNNER_H
