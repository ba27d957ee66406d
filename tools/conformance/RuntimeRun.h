// RuntimeRun.h: a model with code for a CUDA device, run as a program runs it: by the runtime's
// own checks, sizes and launches, on the host's shim as its driver.
#ifndef SYMC_TOOLS_CONFORMANCE_RUNTIMERUN_H
#define SYMC_TOOLS_CONFORMANCE_RUNTIMERUN_H

#include "tools/conformance/GuardedRun.h"

namespace symc::conformance {

/// The runtime's functions that a model for the device calls, for InProcessOptions::host.
std::vector<std::pair<std::string, const void *>> deviceFunctions();

/// Runs the model as often as the case requires; every tensor has memory of its own on the device,
/// as large as its extents require. Without stored outputs nothing is compared.
GuardedOutcome runByRuntime(const symc_model &model, const StoredCase &stored);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_RUNTIMERUN_H
