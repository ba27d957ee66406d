//===- GraphChecks.h - is a graph sound? ----------------------------------===//
//
// What the importer takes for granted about a graph, checked with messages that
// name nodes. Readers of files call it; so does the compiler with graphs made in
// memory.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_SYMBOL_GRAPHCHECKS_H
#define SYMC_FRONTEND_SYMBOL_GRAPHCHECKS_H

#include "frontend/symbol/OperatorCatalog.h"

namespace symc::symbol {

/// Checks ids, kinds, cycles and (with a catalog) input and output counts of a
/// graph and its subgraphs.
bool checkGraph(const Graph &graph, const OperatorCatalog *catalog, Diagnostics &diagnostics);

} // namespace symc::symbol

#endif // SYMC_FRONTEND_SYMBOL_GRAPHCHECKS_H
