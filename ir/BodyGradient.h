// BodyGradient.h: the gradient of a graph that a node of control flow calls, as a graph of its own.
// The rules of ir/ops/ControlGradient.cpp call it in nodes that go through the iterations again.
#ifndef SYMC_IR_BODYGRADIENT_H
#define SYMC_IR_BODYGRADIENT_H

#include "ir/CoreBuilder.h"
#include "ir/GraphDialect.h"

namespace symc::sg {

/// A copy of a graph that has inputs for the gradients of its heads, and behind its nodes those of
/// the gradients of its inputs. It has no heads until `finish`.
struct BodyGradient {
  GraphOp graph;
  unsigned inputs;                         // of the graph itself, the first ones
  llvm::SmallVector<mlir::Value> arriving; // by head: an input behind those, or null
  llvm::SmallVector<mlir::Value>
      gradients; // by input of the graph itself, null where none reaches it
  /// By input, how MXNet 1.9.1 sums its gradients over the iterations of a loop, into one array. A
  /// head whose gradient goes on to the input as it is overwrites the sum: it is that of the
  /// iteration that is computed last. Where the gradient of another value, `entry`, goes on as it
  /// is to the input, the array is where other nodes read it: they get the sum until then.
  /// `before`: an input, the sum of the iterations that are computed before; a loop in this one may
  /// have added to it (`isContinued`).
  struct Sum {
    bool isOverwritten = false, isContinued = false;
    mlir::Value entry, before;
  };
  llvm::SmallVector<Sum> sums; // of others than `summed` nothing
  /// Inputs that are auxiliary states, and their new values.
  llvm::SmallVector<std::pair<unsigned, mlir::Value>> updates;

  /// `wanted`: whether an input's gradient is; `arrives`: whether a head has one; `summed`: the
  /// inputs whose gradients are summed over iterations. Fails with an error at a node that has no
  /// rule.
  static mlir::FailureOr<BodyGradient> make(GraphOp body, llvm::ArrayRef<bool> wanted,
                                            llvm::ArrayRef<bool> arrives,
                                            llvm::ArrayRef<unsigned> summed);

  /// Builds behind all nodes.
  CoreBuilder core();
  mlir::BlockArgument addInput(mlir::Type type);
  /// The sum of the gradients of some inputs, or null.
  mlir::Value sumOf(llvm::ArrayRef<unsigned> inputs);
  /// The next value of the sum of a `summed` input that has a gradient. Once for each of them.
  mlir::Value addUp(unsigned input);
  /// Gives the graph its heads and drops nodes that they do not need.
  void finish(mlir::ValueRange heads);
};

/// A copy of a graph under another name, in front of it: names of results are dropped.
GraphOp copyGraph(GraphOp graph, llvm::StringRef suffix);
/// Adds an input without a name behind the others.
mlir::BlockArgument addInput(GraphOp graph, mlir::Type type);
/// Replaces the heads.
void setHeads(GraphOp graph, mlir::ValueRange heads);

/// A value that goes from iteration to iteration: an input and the head that it becomes.
struct CarriedValue {
  unsigned input, head;
};

/// Of a graph that a loop calls again and again: adds to `wanted` the carried inputs that depend on
/// wanted ones, to `arrives` the heads whose next value has a gradient, and takes from `arrives`
/// those that depend on no wanted input.
void closeLoop(GraphOp body, llvm::ArrayRef<CarriedValue> carried,
               llvm::MutableArrayRef<bool> wanted, llvm::MutableArrayRef<bool> arrives);

} // namespace symc::sg

#endif // SYMC_IR_BODYGRADIENT_H
