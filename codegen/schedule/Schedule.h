// Schedule.h: from optimised sg to kernel programs. Every value gets a layout (layout/), every
// node (or fused group) steps by a rule (rules/): a tile kernel, a loop nest, a copy, or a call
// of the runtime's reference kernel, which a remark reports.
#ifndef SYMC_CODEGEN_SCHEDULE_SCHEDULE_H
#define SYMC_CODEGEN_SCHEDULE_SCHEDULE_H

#include "codegen/target/Target.h"
#include "ir/GraphDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace symc::codegen {

struct ScheduleOptions {
  /// What the layouts of all instruction sets of the device rest on.
  const Target *target;
  /// Reference kernels only, in the order of the graph (`--verify`'s other side).
  bool referenceOnly = false;
  /// Layers by tile kernels. Not in @prepare, whose weights are not packed.
  bool tileKernels = true;
  /// Tile kernels take products whose columns or terms are known only at run time.
  bool openProducts = true;
};

/// Adds to `module` (which holds sg.graph @main, perhaps @prepare, and weights)
/// kernel.program @main and @prepare and the kernel.prepared weights between
/// them. The graphs stay. Fails with an error at the node that has no lowering.
/// Of several modules of one net, each with its own batch, the first prepares the weights
/// for all of them. chooseAlgorithms decides what the steps leave open.
mlir::LogicalResult scheduleModules(llvm::ArrayRef<mlir::ModuleOp> modules,
                                    const ScheduleOptions &options);

/// Sets the layouts of the values of all graphs of a module but @prepare, for schedules of
/// these options; see #kernel.layout.
void chooseLayouts(mlir::ModuleOp module, const ScheduleOptions &options);

/// The kernel.program of a graph: "main_program" of @main.
std::string programName(sg::GraphOp graph);

/// The sg.weight symbols that the program @prepare reads, in the order of its
/// arguments.
llvm::SmallVector<sg::WeightOp> prepareInputs(mlir::ModuleOp module);

/// The kernel.prepared that holds the first value of a state, row-major. `weight` is the
/// symbol that an argument of @main has as `sg.state`.
std::string preparedState(llvm::StringRef weight);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_SCHEDULE_H
