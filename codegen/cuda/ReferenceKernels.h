// ReferenceKernels.h: the runtime's reference kernels as text for a CUDA device, which symc carries
// in share/symc/cuda (runtime/make_device_sources.py).
#ifndef SYMC_CODEGEN_CUDA_REFERENCEKERNELS_H
#define SYMC_CODEGEN_CUDA_REFERENCEKERNELS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace symc::codegen::cuda {

/// The threads that a kernel's loops are made for (runtime/kernels/reference/threads.h).
enum class KernelThreads {
  One,
  Grid,   // many blocks, which share everything
  Blocks, // many blocks, each with rows of its own
  Block   // one block
};

struct ReferenceKernel {
  std::string file;
  KernelThreads threads;
};

class ReferenceKernels {
public:
  /// `resourceDir`: share/symc.
  static llvm::Expected<ReferenceKernels> read(llvm::StringRef resourceDir);
  /// The kernel of an operation; nothing where it has none for a device.
  std::optional<ReferenceKernel> kernelOf(llvm::StringRef operation) const;
  /// The text of files, behind that of what they include.
  llvm::Expected<std::string> text(llvm::ArrayRef<std::string> files) const;

private:
  std::string folder;
  llvm::StringMap<ReferenceKernel> ofOperations;
};

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_REFERENCEKERNELS_H
