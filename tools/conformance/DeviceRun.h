// DeviceRun.h: a case by the kernels for a CUDA device, on the host's shim (tools/cuda-shim), where
// every access is checked.
#ifndef SYMC_TOOLS_CONFORMANCE_DEVICERUN_H
#define SYMC_TOOLS_CONFORMANCE_DEVICERUN_H

#include "tools/conformance/StoredCase.h"
#include "tools/driver/Compiler.h"

namespace symc::conformance {

/// Runs a scheduled request for a device as often as the case asks and compares. The sentence of
/// what is wrong, or "".
std::string runOnDevice(Compiler &compiler, const Diagnostics &diagnostics,
                        const StoredCase &stored);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_DEVICERUN_H
