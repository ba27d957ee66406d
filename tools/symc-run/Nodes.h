// Nodes.h: the nodes of an imported graph as a check sees them: what each is
// called, what it reads, and how far two ways of computing it may be apart.
#ifndef SYMC_TOOLS_SYMC_RUN_NODES_H
#define SYMC_TOOLS_SYMC_RUN_NODES_H

#include "mlir/IR/BuiltinOps.h"
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

} // namespace symc::run

#endif // SYMC_TOOLS_SYMC_RUN_NODES_H
