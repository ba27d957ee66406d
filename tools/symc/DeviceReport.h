// DeviceReport.h: `--report` and `--explain` of a program for a CUDA device.
#ifndef SYMC_TOOLS_SYMC_DEVICEREPORT_H
#define SYMC_TOOLS_SYMC_DEVICEREPORT_H

#include "tools/driver/Compiler.h"
#include "llvm/Support/raw_ostream.h"

namespace symc {

/// A line for each launch: what its kernel takes of the first architecture, and an estimate of its
/// time there; then the sum of the estimates for each architecture.
void printDeviceReport(Compiler &compiler, const DeviceFacts &facts, uint64_t weightsBytes,
                       llvm::raw_ostream &os);

/// Which kernels compute a node, with what tile and why, and what the passes reported about it.
/// False where no step and no remark is about the node.
bool explainOnDevice(Compiler &compiler, const DeviceFacts &facts,
                     llvm::ArrayRef<RemarkText> remarks, llvm::StringRef node,
                     llvm::raw_ostream &os);

} // namespace symc

#endif // SYMC_TOOLS_SYMC_DEVICEREPORT_H
