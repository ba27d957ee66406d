// BankTable.h: how kernels of cases on the shim access shared memory (tools/cuda-shim/Banks.h).
#ifndef SYMC_TOOLS_CONFORMANCE_BANKTABLE_H
#define SYMC_TOOLS_CONFORMANCE_BANKTABLE_H

#include "codegen/cuda/CudaProgram.h"
#include "llvm/ADT/StringRef.h"

namespace symc::conformance {

struct KernelBanks {
  std::string kernel, tile; // "-": it has none
  std::string line;         // with most conflicts, "-" without any
  uint64_t accesses = 0;    // of warps
  uint64_t wavefronts = 0;  // that they take
  uint64_t ideal = 0;       // that they would take without conflicts
};

/// What the shim has counted of the program's kernels that use shared memory.
std::vector<KernelBanks> banksOf(const codegen::CudaProgram &program);

/// As one word and back.
std::string textOf(const std::vector<KernelBanks> &kernels);
std::vector<KernelBanks> banksFrom(llvm::StringRef text);

/// A row a kernel, of each case by its label, and their sum.
void printBanks(const std::vector<std::pair<std::string, std::vector<KernelBanks>>> &cases);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_BANKTABLE_H
