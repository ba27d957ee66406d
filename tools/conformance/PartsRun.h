// PartsRun.h: a case of training once more, by forward and backward instead of one run of both.
#ifndef SYMC_TOOLS_CONFORMANCE_PARTSRUN_H
#define SYMC_TOOLS_CONFORMANCE_PARTSRUN_H

#include "symc/runtime.h"
#include <string>
#include <vector>

namespace symc::conformance {

/// Runs forward, spoils the memory of its inputs and outputs, and runs backward twice, in a context
/// of its own. Each has to give the bits that `context` gave in its first run from `inputs`, in
/// `outputs` and states. What differs, or "".
std::string runParts(symc_context *context, const std::vector<symc_tensor> &inputs,
                     const std::vector<symc_tensor> &outputs);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_PARTSRUN_H
