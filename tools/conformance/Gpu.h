// Gpu.h: the GPU of this machine, for cases that run there and not on the shim.
#ifndef SYMC_TOOLS_CONFORMANCE_GPU_H
#define SYMC_TOOLS_CONFORMANCE_GPU_H

#include "llvm/Support/Error.h"
#include <string>

namespace symc::conformance {

/// The architecture of cuda:0, as --cuda-archs has it ("80", and "90a" with what that device alone
/// has). Its primary context stays in use until the process ends, since each context of a case
/// would make it anew. Of one process: what a fork has of it does not work.
llvm::Expected<std::string> architectureOfGpu();

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_GPU_H
