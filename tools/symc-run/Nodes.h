// Nodes.h: the nodes of an imported graph as a check sees them: what each is
// called, what it reads, and how far two ways of computing it, or gradients, may be apart.
#ifndef SYMC_TOOLS_SYMC_RUN_NODES_H
#define SYMC_TOOLS_SYMC_RUN_NODES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace symc::run {

/// A visible output of a node, in graph order.
struct NodeOutput {
  std::string name;       // "conv0_output", as list_outputs would have it
  std::string node, op;   // "conv0", "Convolution"
  std::string place;      // "net-symbol.json:5:3"
  std::vector<int> reads; // node outputs that the node reads
  double tolerance = 0;   // of |x-y| relative to max|y|
  int head = -1;          // its place among the model's outputs, or -1
};

/// Lists the node outputs of the graph `main` after inference. With `makeHeads`
/// every one becomes a head of the graph, behind those that it has.
std::vector<NodeOutput> listNodes(mlir::ModuleOp module, bool makeHeads);

/// How far two ways of computing the gradient of an argument, or a state behind a step of training,
/// may be apart, and the last node that reads the argument.
struct GradientBound {
  double tolerance = 0; // as of a NodeOutput
  std::string node, op, place;
  size_t order = 0; // the node's number in the graph's order
};

/// By the names that they have as outputs, of the graph `main` after inference.
llvm::StringMap<GradientBound> boundGradients(mlir::ModuleOp module);

} // namespace symc::run

#endif // SYMC_TOOLS_SYMC_RUN_NODES_H
