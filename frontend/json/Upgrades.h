//===- Upgrades.h - old graphs under the rules of MXNet 1.9.1 -------------===//
//
// The steps that MXNet 1.9.1 applies to files of earlier versions when it loads
// them, in its order and with its thresholds.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_JSON_UPGRADES_H
#define SYMC_FRONTEND_JSON_UPGRADES_H

#include "frontend/json/OperatorCatalog.h"

namespace symc::json {

/// The version whose rules an upgraded graph follows: 1.9.1.
constexpr int64_t CurrentVersion = 10901;

/// Upgrades a structurally sound graph in place; ids of nodes may change. Steps
/// that need facts about operators do nothing where `catalog` is null or does
/// not know the operator. Afterwards version is at least CurrentVersion. Fails,
/// with a message, if a small file asks for a great many variables.
bool upgradeGraph(Graph &graph, const OperatorCatalog *catalog, Diagnostics &diagnostics);

} // namespace symc::json

#endif // SYMC_FRONTEND_JSON_UPGRADES_H
