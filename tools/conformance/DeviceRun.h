// DeviceRun.h: a case by the kernels for a CUDA device, on the host's shim (tools/cuda-shim), where
// every access is checked.
#ifndef SYMC_TOOLS_CONFORMANCE_DEVICERUN_H
#define SYMC_TOOLS_CONFORMANCE_DEVICERUN_H

#include "tools/conformance/BankTable.h"
#include "tools/conformance/StoredCase.h"
#include "tools/driver/Compiler.h"

namespace symc::conformance {

/// Runs a scheduled request for a device as often as the case requires and compares. The sentence
/// of what is wrong, or "". `byFallback`: the CPU has computed steps of it. `banks`, unless null:
/// what its kernels' accesses to shared memory.
std::string runOnDevice(Compiler &compiler, const Diagnostics &diagnostics,
                        const StoredCase &stored, codegen::CudaPrecision precision,
                        const std::string &resourceDir, bool &byFallback,
                        std::vector<KernelBanks> *banks);

/// With operands rounded to `precision`, of relative error u each, a product may be off by (2 u +
/// u^2) of its terms' magnitudes: of what a run over the magnitudes of all inputs and weights
/// gives, which is itself too small by a factor of 1 - 3 u at most. By element of an output.
std::vector<double> roundingOf(llvm::ArrayRef<float> magnitudes, codegen::CudaPrecision precision);
/// Replaces numbers of f32, or of 16 bits with a sign, by their magnitudes.
void takeMagnitudes(void *data, size_t bytes, bool halves = false);
void takeMagnitudes(PreparedWeights &weights, mlir::ModuleOp module);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_DEVICERUN_H
