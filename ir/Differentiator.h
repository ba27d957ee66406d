// Differentiator.h: the gradients of a graph's values, by the rules of its nodes
// (GradientInterface). sg-gradient uses it on @main, and the rules of control flow on the graphs
// that a node calls.
#ifndef SYMC_IR_DIFFERENTIATOR_H
#define SYMC_IR_DIFFERENTIATOR_H

#include "ir/Gradient.h"
#include "ir/GraphDialect.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace symc::sg {

/// Gradients are built behind all nodes of the graph, in front of its heads.
class Differentiator {
public:
  explicit Differentiator(GraphOp graph) : graph(graph), end(graph.getBlock().getTerminator()) {}
  ~Differentiator();

  /// The gradients of these inputs or parameters are wanted. Finds which values depend on them.
  void want(llvm::ArrayRef<mlir::Value> values);
  /// Whether the value depends on a wanted one and holds floats.
  bool isActive(mlir::Value value) const { return active.contains(value); }
  /// The active values that the gradients of `heads`, and those of losses, reach.
  llvm::DenseSet<mlir::Value> reachedFrom(llvm::ArrayRef<mlir::Value> heads);

  /// A gradient that arrives at a value, beside those of its readers.
  void add(mlir::Value value, mlir::Value gradient) { gradients[value].push_back(gradient); }
  /// Makes the gradient of a value one of its own, a sg.copy where it is also another value's.
  void keepApart(mlir::Value value) { apart.insert(value); }
  /// Offers a sum to the rule of the only node that gives the value a gradient
  /// (GradientScope::takeSum).
  void offerSum(mlir::Value value, mlir::Value sum) { offered[value] = sum; }
  /// Whether the rule took it, so that the value's gradient is the sum.
  bool tookSum(mlir::Value value) const { return taken.contains(value); }
  /// Makes the gradients of all active values that one reaches, and of those that losses read: a
  /// loss has gradients wherever it stands, also where nothing behind it passes one on. Fails with
  /// an error at the first node that has no rule. To be called once.
  mlir::LogicalResult run();

  /// The sum of the gradients of a value; null where none reaches it.
  mlir::Value sumOf(mlir::Value value, mlir::Location location);
  /// Auxiliary states (inputs or parameters) and the values that the gradients' nodes give them.
  llvm::MapVector<mlir::Value, mlir::Value> takeUpdates() { return std::move(updates); }

private:
  mlir::LogicalResult visit(mlir::Operation *op);
  std::string wantedBehind(mlir::Operation *op);

  GraphOp graph;
  mlir::Operation *end;                             // gradients are built before it
  llvm::DenseSet<mlir::Value> active;               // looked up only
  llvm::DenseMap<mlir::Value, mlir::Value> offered; // looked up only
  llvm::DenseSet<mlir::Value> taken;                // looked up only
  llvm::DenseSet<mlir::Value> apart;                // looked up only
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> gradients; // looked up only
  llvm::MapVector<mlir::Value, mlir::Value> updates;
  llvm::SmallVector<mlir::Operation *> replaced; // by others; they go when the walk is over
};

/// A tensor of floats.
bool isFloat(mlir::Value value);

} // namespace symc::sg

#endif // SYMC_IR_DIFFERENTIATOR_H
