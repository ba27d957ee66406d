//===- SymbolWriter.h - Graph -> symbol JSON ------------------------------===//
//
// Writes graphs as MXNet writes them: the layout of 1.x, byte for byte, or the
// StaticGraph layout of 0.8 where a graph holds backward nodes, which later
// layouts cannot express. Reading the result gives the same graph.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_JSON_SYMBOLWRITER_H
#define SYMC_FRONTEND_JSON_SYMBOLWRITER_H

#include "frontend/symbol/OperatorCatalog.h"

namespace symc::json {

/// True if the graph or a subgraph has backward nodes or gradient sums.
bool hasBackwardNodes(const symbol::Graph &graph);

/// Writes a sound graph. Output counts for "node_row_ptr" come from the nodes,
/// else from the catalog; where neither has them, the field, which readers do not
/// need, is left out.
void writeSymbol(const symbol::Graph &graph, llvm::raw_ostream &os,
                 const symbol::OperatorCatalog *catalog = nullptr);

} // namespace symc::json

#endif // SYMC_FRONTEND_JSON_SYMBOLWRITER_H
