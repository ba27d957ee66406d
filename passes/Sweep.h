// Sweep.h: what shape and type inference share. A fact about every value of a
// graph (a shape, an element type) is refined node by node, forward and backward,
// until nothing changes. All uses of one weight share one fact through `sync`.
#ifndef SYMC_PASSES_SWEEP_H
#define SYMC_PASSES_SWEEP_H

#include "ir/GraphDialect.h"

namespace symc::sg {

/// Fact: Shape or mlir::Type; Scope: ShapeScope or TypeScope.
template <typename Fact, typename Scope> class Sweep {
public:
  explicit Sweep(GraphOp graph) : graph(graph) {}

protected:
  /// Takes the first facts from `initial` and lists the operators.
  void collect(llvm::function_ref<Fact(mlir::Value)> initial) {
    for (mlir::BlockArgument argument : graph.getBlock().getArguments())
      facts[argument] = initial(argument);
    for (mlir::Operation &op : graph.getBlock()) {
      for (mlir::Value result : op.getResults())
        facts[result] = initial(result);
      if (mlir::isa<OperatorInterface>(op))
        nodes.push_back(&op);
    }
  }

  /// Sweeps until nothing changes. `infer` refines one node's scope, `sync` lets the
  /// uses of weights tell each other what they learnt and says whether they did.
  mlir::LogicalResult
  sweep(llvm::function_ref<mlir::LogicalResult(OperatorInterface, Scope &)> infer,
        llvm::function_ref<bool()> sync) {
    bool changed = true;
    while (changed) {
      changed = sync();
      for (mlir::Operation *op : nodes)
        if (mlir::failed(visit(op, infer, changed)))
          return mlir::failure();
      for (mlir::Operation *op : llvm::reverse(nodes))
        if (mlir::failed(visit(op, infer, changed)))
          return mlir::failure();
      changed |= sync();
    }
    return mlir::success();
  }

  /// Writes `type` of every value and the graph's signature.
  void write(llvm::function_ref<mlir::Type(mlir::Value, const Fact &)> type) {
    for (mlir::BlockArgument argument : graph.getBlock().getArguments())
      argument.setType(type(argument, facts[argument]));
    for (mlir::Operation &op : graph.getBlock())
      for (mlir::Value result : op.getResults())
        result.setType(type(result, facts[result]));
    graph.updateType();
  }

  GraphOp graph;
  llvm::DenseMap<mlir::Value, Fact> facts; // looked up only, never iterated
  llvm::SmallVector<mlir::Operation *> nodes;

private:
  mlir::LogicalResult
  visit(mlir::Operation *op,
        llvm::function_ref<mlir::LogicalResult(OperatorInterface, Scope &)> infer, bool &changed) {
    llvm::SmallVector<Fact> inputs, outputs;
    for (mlir::Value value : op->getOperands())
      inputs.push_back(facts[value]);
    for (mlir::Value value : op->getResults())
      outputs.push_back(facts[value]);
    Scope scope(op, inputs, outputs);
    if (mlir::failed(infer(mlir::cast<OperatorInterface>(op), scope)))
      return mlir::failure();
    if (!scope.changed)
      return mlir::success();
    changed = true;
    for (auto [value, fact] : llvm::zip(op->getOperands(), inputs))
      facts[value] = fact;
    for (auto [value, fact] : llvm::zip(op->getResults(), outputs))
      facts[value] = fact;
    return mlir::success();
  }
};

} // namespace symc::sg

#endif // SYMC_PASSES_SWEEP_H
