//===- Upgrades.h - old graphs under the rules of MXNet 1.9.1 -------------===//
//
// The steps that MXNet 1.9.1 applies to files of earlier versions when it loads
// them, in its order and with its thresholds.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_JSON_UPGRADES_H
#define SYMC_FRONTEND_JSON_UPGRADES_H

#include "frontend/symbol/OperatorCatalog.h"

namespace symc::json {

/// Upgrades a structurally sound graph in place; ids of nodes may change. Steps
/// that need facts about operators do nothing where `catalog` is null or does
/// not have the operator. Afterwards version is at least symbol::CurrentVersion. Fails,
/// with a message, if a small file requires a great many variables.
bool upgradeGraph(symbol::Graph &graph, const symbol::OperatorCatalog *catalog,
                  Diagnostics &diagnostics);

} // namespace symc::json

#endif // SYMC_FRONTEND_JSON_UPGRADES_H
