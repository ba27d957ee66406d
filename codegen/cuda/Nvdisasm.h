// Nvdisasm.h: NVIDIA's disassembler of cubins, a program that is found when it is needed, as NVRTC
// is.
#ifndef SYMC_CODEGEN_CUDA_NVDISASM_H
#define SYMC_CODEGEN_CUDA_NVDISASM_H

#include "codegen/cuda/Nvrtc.h"

namespace symc::codegen {

class Nvdisasm {
public:
  /// `search.library` is the program; else that of PATH, then of the folders' wheels or of CUDA.
  static llvm::Expected<Nvdisasm> find(const NvrtcSearch &search);
  /// The instructions of all kernels of a cubin (SASS), as text.
  llvm::Expected<std::string> disassemble(llvm::StringRef cubin) const;
  const std::string &program() const { return path; }

private:
  std::string path;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CUDA_NVDISASM_H
