// Steps.h: what the steps of a scheduled program are called, for tables.
#ifndef SYMC_TOOLS_DRIVER_STEPS_H
#define SYMC_TOOLS_DRIVER_STEPS_H

#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace symc {

/// One step of @main_program; its place in the list is the number that probes tell.
struct StepDescription {
  std::string kernel;  // "conv 2x6x64", "loops", "call symc_ref_pooling_f32"
  std::string nodes;   // "conv0+relu0"
  std::string output;  // "1x4x26x26x16"
  int64_t flops = 0;   // at the static extents; 0 if unknown
};
std::vector<StepDescription> describeSteps(mlir::ModuleOp module);

/// The list as text and back: a line a step, "FLOPS<tab>OUTPUT<tab>KERNEL<tab>NODES".
std::string writeSteps(const std::vector<StepDescription> &steps);
std::vector<StepDescription> readSteps(llvm::StringRef text);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_STEPS_H
