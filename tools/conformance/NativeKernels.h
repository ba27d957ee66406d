// NativeKernels.h: the reference kernels as this program has them, for code that is loaded into it.
// They are built with its flags: where those include sanitizers, the kernels have them, while the
// bitcode that models are linked with has none.
#ifndef SYMC_TOOLS_CONFORMANCE_NATIVEKERNELS_H
#define SYMC_TOOLS_CONFORMANCE_NATIVEKERNELS_H

#include <string>
#include <utility>
#include <vector>

namespace symc::conformance {

/// Name and address of each function of symc/kernels.def, and of the addresses of libraries'
/// functions that kernels call.
std::vector<std::pair<std::string, const void *>> nativeKernels();

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_NATIVEKERNELS_H
