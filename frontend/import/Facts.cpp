//===- Facts.cpp - MXNet's lists of a symbol ------------------------------===//
#include "frontend/import/Facts.h"

#include "frontend/import/FusedNodes.h"
#include "frontend/import/Plan.h"

using namespace llvm;

namespace symc {

std::optional<SymbolFacts> symbolFacts(const symbol::Graph &given, mlir::MLIRContext &context,
                                       Diagnostics &diagnostics) {
  context.loadDialect<sg::SGDialect>();
  ImportOptions options;
  importer::ExpandedGraph expanded(given, diagnostics);
  const symbol::Graph &graph = expanded.get();
  importer::Plan plan(graph, options, context, diagnostics);
  if (!expanded.isSound() || !importer::checkNodes(plan))
    return std::nullopt;
  std::vector<bool> auxiliary(graph.nodes.size());
  for (uint32_t id : plan.order)
    for (auto [i, entry] : enumerate(graph.nodes[id].inputs))
      if (plan.nodes[id].signature.operands[i].info->auxiliary)
        auxiliary[entry.node] = true;
  importer::findLive(plan);
  SymbolFacts facts;
  for (uint32_t id : plan.order) {
    const symbol::Node &node = graph.nodes[id];
    if (!node.isVariable()) {
      for (int64_t i = 0; i < plan.nodes[id].signature.visibleResults; ++i)
        facts.internalOutputs.push_back(plan.outputName(id, i));
      continue;
    }
    (auxiliary[id] ? facts.auxiliaryStates : facts.arguments).push_back(node.name);
    facts.inputs.push_back(node.name);
    if (!plan.live[id])
      facts.unread.push_back(node.name);
    facts.internalOutputs.push_back(node.name);
  }
  for (const symbol::Entry &head : graph.heads)
    facts.outputs.push_back(plan.outputName(head.node, head.index));
  return facts;
}

} // namespace symc
