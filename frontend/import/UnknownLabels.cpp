//===- UnknownLabels.cpp - labels that unknown operators compute ------------===//
#include "frontend/import/UnknownLabels.h"

#include "frontend/import/Attributes.h"
#include "ir/OpTable.h"

using namespace llvm;

namespace symc::importer {

namespace {

class LabelDropper {
public:
  explicit LabelDropper(const symbol::Graph &graph)
      : graph(graph), order(symbol::postOrder(graph)), live(graph.nodes.size()),
        unknown(graph.nodes.size()) {}

  std::optional<LabelledGraph> run() {
    for (uint32_t id : order) { // inputs come before
      const symbol::Node &node = graph.nodes[id];
      unknown[id] = (node.kind == symbol::NodeKind::Operator && !operatorOf(node.op, node.attrs)) ||
                    any_of(node.inputs, [&](auto &entry) { return bool(unknown[entry.node]); });
    }
    if (none_of(order, [&](uint32_t id) { return bool(unknown[id]); }))
      return std::nullopt;
    findLive();
    LabelledGraph result{graph, std::vector<bool>(graph.nodes.size())};
    bool changed = false;
    for (uint32_t id : order)
      for (size_t i = 1; live[id] && i < graph.nodes[id].inputs.size(); ++i)
        if (uint32_t label = graph.nodes[id].inputs[i].node;
            isLabel(id, i) && unknown[label] && !live[label]) {
          result.graph.nodes[id].inputs[i] = graph.nodes[id].inputs[0];
          result.noLabel[id] = changed = true;
        }
    if (!changed)
      return std::nullopt;
    noteLeftOut(result.graph);
    return result;
  }

private:
  bool isLabel(uint32_t id, size_t input) const {
    const symbol::Node &node = graph.nodes[id];
    const sg::OpName *op = operatorOf(node.op, node.attrs);
    if (node.kind != symbol::NodeKind::Operator || !op ||
        op->info->operands.size() != node.inputs.size())
      return false;
    const sg::ValueInfo &operand = op->info->operands[input];
    return operand.trainingOnly && !operand.auxiliary;
  }

  // What heads reach without labels.
  void findLive() {
    std::vector<uint32_t> work;
    auto mark = [&](uint32_t id) {
      if (!live[id])
        work.push_back(id);
      live[id] = true;
    };
    for (const symbol::Entry &head : graph.heads)
      mark(head.node);
    while (!work.empty()) {
      uint32_t id = work.back();
      work.pop_back();
      for (auto [i, entry] : enumerate(graph.nodes[id].inputs))
        if (!isLabel(id, i))
          mark(entry.node);
    }
  }

  // Variables that no node of the result reads.
  void noteLeftOut(symbol::Graph &result) const {
    std::vector<bool> kept(graph.nodes.size());
    for (uint32_t id : symbol::postOrder(result))
      kept[id] = true;
    for (uint32_t id : order)
      if (!kept[id] && graph.nodes[id].isVariable())
        result.leftOut.push_back(graph.nodes[id].name);
  }

  const symbol::Graph &graph;
  std::vector<uint32_t> order;
  std::vector<bool> live, unknown; // by node; unknown: it, or what feeds it
};

} // namespace

std::optional<LabelledGraph> withoutUnknownLabels(const symbol::Graph &graph) {
  return LabelDropper(graph).run();
}

} // namespace symc::importer
