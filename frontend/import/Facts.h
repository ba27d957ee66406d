//===- Facts.h - MXNet's lists of a symbol --------------------------------===//
//
// list_arguments, list_outputs and the like, from a graph and the op table
// alone, in MXNet's order and spelling.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_IMPORT_FACTS_H
#define SYMC_FRONTEND_IMPORT_FACTS_H

#include "frontend/symbol/Graph.h"
#include "mlir/IR/MLIRContext.h"

namespace symc {

struct SymbolFacts {
  std::vector<std::string> arguments;
  std::vector<std::string> auxiliaryStates;
  /// Both, in the order of the graph.
  std::vector<std::string> inputs;
  /// Those of both that prediction does not read: labels of loss heads, and what only leads there.
  std::vector<std::string> unread;
  std::vector<std::string> outputs;
  /// Of get_internals(): every node's visible outputs.
  std::vector<std::string> internalOutputs;
};

/// Reports mistakes of nodes as importGraph() does; nothing comes back then.
std::optional<SymbolFacts> symbolFacts(const symbol::Graph &graph, mlir::MLIRContext &context,
                                       Diagnostics &diagnostics);

} // namespace symc

#endif // SYMC_FRONTEND_IMPORT_FACTS_H
