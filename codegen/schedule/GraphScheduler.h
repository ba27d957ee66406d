// GraphScheduler.h: the walk over the nodes of one graph, which makes the steps of one program: by
// the best rule that takes a node or group, else node by node, else by calls of reference kernels.
#ifndef SYMC_CODEGEN_SCHEDULE_GRAPHSCHEDULER_H
#define SYMC_CODEGEN_SCHEDULE_GRAPHSCHEDULER_H

#include "codegen/schedule/ScheduleRule.h"
#include "mlir/IR/SymbolTable.h"

namespace symc::codegen {

class GraphScheduler {
public:
  /// `symbols`: where graphs are found by their names, for calls; null for @prepare, which has
  /// none.
  GraphScheduler(Tensors &tensors, const ScheduleOptions &options,
                 mlir::SymbolTableCollection *symbols = nullptr)
      : t(tensors), options(options), symbols(symbols) {}
  /// All nodes, then copies of the heads that were not computed in place. Values lie as the
  /// attributes have it.
  mlir::LogicalResult run(sg::GraphOp graph);
  /// The nodes that the value is computed by, each once over all calls.
  mlir::LogicalResult runFor(mlir::Value value);

private:
  mlir::LogicalResult schedule(mlir::Operation *op);
  mlir::LogicalResult splitGroup(mlir::Operation *group);

  Tensors &t;
  const ScheduleOptions &options;
  mlir::SymbolTableCollection *symbols;
  NodeForms forms;
  llvm::DenseSet<mlir::Operation *> scheduled; // by runFor; looked up only
};

/// A call of the node's reference kernel, or of a custom operator's (ReferenceCall.cpp). Fails,
/// with an error, where there is none for its types.
mlir::LogicalResult callReference(mlir::Operation *op, const ScheduleOptions &options,
                                  mlir::SymbolTableCollection *symbols, Tensors &t);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_GRAPHSCHEDULER_H
