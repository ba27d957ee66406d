//===- UnknownLabels.h - labels that unknown operators compute --------------===//
//
// What feeds only the label of a loss head is dead in prediction, whatever
// computes it: an operator of a plug-in, too. Such a label is left out before nodes
// are checked; the head gets its data in the label's place.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_IMPORT_UNKNOWNLABELS_H
#define SYMC_FRONTEND_IMPORT_UNKNOWNLABELS_H

#include "frontend/symbol/Graph.h"

namespace symc::importer {

/// A graph, and of which nodes the labels are left out.
struct LabelledGraph {
  symbol::Graph graph;
  std::vector<bool> noLabel;
};

/// The graph without them; nothing where it has none.
std::optional<LabelledGraph> withoutUnknownLabels(const symbol::Graph &graph);

} // namespace symc::importer

#endif // SYMC_FRONTEND_IMPORT_UNKNOWNLABELS_H
