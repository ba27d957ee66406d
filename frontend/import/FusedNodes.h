//===- FusedNodes.h - layers that own their followers -----------------------===//
//
// MXNet's oneDNN backend writes a layer with what follows it as one node,
// `_sg_mkldnn_conv` or `_sg_mkldnn_fully_connected`, that owns the graph of them.
// Over floats such a node means its subgraph, which takes its place; the node's
// name goes to the subgraph's head. A quantised one becomes one operator: what the
// subgraph's nodes specify is added to its attributes. These are the only operators that
// the importer handles by name.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_IMPORT_FUSEDNODES_H
#define SYMC_FRONTEND_IMPORT_FUSEDNODES_H

#include "frontend/symbol/Graph.h"

namespace symc::importer {

/// Graphs with their fused nodes taken apart.
class ExpandedGraph {
public:
  ExpandedGraph(const symbol::Graph &graph, Diagnostics &diagnostics);
  /// The graph without such nodes; the one that was given where it has none.
  const symbol::Graph &get() const { return own ? *own : given; }
  /// False after a mistake, which is reported.
  bool isSound() const { return sound; }

private:
  const symbol::Graph &given;
  std::optional<symbol::Graph> own;
  bool sound = true;
};

} // namespace symc::importer

#endif // SYMC_FRONTEND_IMPORT_FUSEDNODES_H
