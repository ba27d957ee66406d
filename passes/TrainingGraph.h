// TrainingGraph.h: what the passes that make gradients need of a graph of training, and leave in
// it.
#ifndef SYMC_PASSES_TRAININGGRAPH_H
#define SYMC_PASSES_TRAININGGRAPH_H

#include "ir/Gradient.h"
#include "ir/GraphDialect.h"
#include "llvm/ADT/MapVector.h"

namespace symc {

/// Fails with an error where rules of gradients cannot compute the graph.
mlir::LogicalResult checkTrainingGraph(sg::GraphOp graph);
/// Fails with an error where a run chooses an extent of the graph.
mlir::LogicalResult checkFixedExtents(sg::GraphOp graph);

/// The values that auxiliary states have behind a step of training, which rules find.
class NewStates {
public:
  /// What the rule of a node updated. A state that has a new value keeps it.
  void take(const sg::GradientScope &scope);
  void put(mlir::StringAttr symbol, mlir::Value value) { values.insert({symbol, value}); }
  /// Puts them behind the results of the graph, and makes its type agree. `inBackward`: they are
  /// results of the backward part.
  void addResults(sg::GraphOp graph, bool inBackward = false);

private:
  llvm::MapVector<mlir::StringAttr, mlir::Value> values; // by symbol
};

} // namespace symc

#endif // SYMC_PASSES_TRAININGGRAPH_H
