// HostCompiler.h: CUDA source as a library for this machine: clang compiles it behind
// CudaPrelude.inc. The library runs in the shim only (Execution.h), whose checks of every access
// clang calls where `checked` is set.
#ifndef SYMC_TOOLS_CUDA_SHIM_HOSTCOMPILER_H
#define SYMC_TOOLS_CUDA_SHIM_HOSTCOMPILER_H

#include "codegen/cuda/CudaProgram.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace symc {

/// The library's bytes. It has a function KERNEL__entry(void **arguments) for each kernel that is
/// launched. Messages and checks name lines of `name`.
llvm::Expected<std::string> compileForHost(llvm::StringRef source,
                                           llvm::ArrayRef<codegen::CudaLaunch> launches,
                                           llvm::StringRef name = "kernels.cu",
                                           bool checked = true);

/// The program's kernels as an image that the shim's device takes, and no other.
llvm::Expected<codegen::CudaImage> imageForShim(const codegen::CudaProgram &program,
                                                bool checked = true);

} // namespace symc

#endif // SYMC_TOOLS_CUDA_SHIM_HOSTCOMPILER_H
