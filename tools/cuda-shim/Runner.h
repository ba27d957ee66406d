// Runner.h: runs what code generation for CUDA made, on the shim in this process.
#ifndef SYMC_TOOLS_CUDA_SHIM_RUNNER_H
#define SYMC_TOOLS_CUDA_SHIM_RUNNER_H

#include "codegen/cuda/CudaProgram.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <functional>

struct symc_cuda_program;

namespace symc {

/// An input, state or output: copied to the device and back.
struct ShimBuffer {
  void *data;
  int64_t bytes;
  bool input;  // copied before the run; memory that nobody wrote else
  bool output; // copied behind it
};

/// What arguments of launches are taken from.
struct ShimRun {
  int64_t arenaBytes = 0; // all of them 0xff: floats that are no numbers
  llvm::ArrayRef<char> weights;
  llvm::ArrayRef<ShimBuffer> io;
  llvm::MutableArrayRef<int64_t> sizes; // steps may decide some
  uint64_t seed = 0, iteration = 0;
  bool checked = true; // every access, which makes kernels several times slower
  /// Of a program with steps on the CPU: its table, with their code.
  const symc_cuda_program *table = nullptr;
  /// Bytes of an output that the run has made; none: all.
  std::function<int64_t(size_t io)> bytesMade = {};
  /// Gets the sentence of a run that a kernel or a step on the CPU ends; null: nobody reads it.
  std::string *cause = nullptr;
};

/// Runs all launches in order; the status that kernels left or a step on the CPU returned, 0 if
/// none failed. An error states what a kernel did that none may: kernel, block, thread, the line of
/// the source.
llvm::Expected<int32_t> runOnShim(const codegen::CudaProgram &program, const ShimRun &run);

} // namespace symc

#endif // SYMC_TOOLS_CUDA_SHIM_RUNNER_H
