//===- BackwardNodes.cpp - what the inputs of a backward node are ---------===//
//
// MXNet 0.5 to 0.8 saved the result of Symbol.grad() with backward nodes, which refer
// to their forward node. Their inputs are what the operator declared that its
// gradient needs, in this order: gradients of its results, its operands, its
// results (hidden ones, too). Where eight or more gradients of a value are added,
// MXNet gives them to each other behind these, to be added in place.
//
// Operands and results are known by the forward node. A gradient is one of that
// value whose backward node, sum or variable (NODE_INDEX_grad) it is; what belongs
// to none is of the next result that has none.
//
//===----------------------------------------------------------------------===//
#include "frontend/import/Plan.h"

#include "ir/ops/Backward.h"

using namespace llvm;

namespace symc::importer {

static bool isSame(const symbol::Entry &a, const symbol::Entry &b) {
  return a.node == b.node && a.index == b.index;
}

static symbol::Entry entryOf(uint32_t node, uint32_t index) {
  symbol::Entry entry;
  entry.node = node;
  entry.index = index;
  return entry;
}

static bool isGradientOf(const symbol::Graph &graph, symbol::Entry entry,
                         const symbol::Entry &value) {
  while (graph.nodes[entry.node].kind == symbol::NodeKind::GradientSum)
    entry = graph.nodes[entry.node].inputs.front();
  const symbol::Node &node = graph.nodes[entry.node];
  if (node.isVariable())
    return node.name == graph.nodes[value.node].name + "_" + std::to_string(value.index) + "_grad";
  if (node.kind != symbol::NodeKind::Backward)
    return false;
  // Auxiliary states stand last, so that a gradient has its operand's number.
  const symbol::Node &forward = graph.nodes[node.backwardSource];
  return entry.index < forward.inputs.size() && isSame(forward.inputs[entry.index], value);
}

bool planBackward(Plan &plan, uint32_t id) {
  static constexpr sg::ValueInfo input{"gradient", sg::ValueKind::Single, false, false, nullptr};
  const symbol::Graph &graph = plan.graph;
  const symbol::Node &node = graph.nodes[id];
  auto source = static_cast<uint32_t>(node.backwardSource);
  const Signature &forward = plan.nodes[source].signature;
  PlannedNode &planned = plan.nodes[id];
  PlannedGradient &gradient = planned.gradient;
  for (auto [entry, operand] : zip_equal(graph.nodes[source].inputs, forward.operands))
    if (!operand.info->auxiliary)
      gradient.operands.push_back(entry);
  gradient.addedTo.resize(gradient.operands.size(), entryOf(PlannedGradient::kNone, 0));
  planned.signature.operands.assign(node.inputs.size(), {"gradient", &input});
  planned.signature.visibleResults = planned.signature.totalResults = gradient.operands.size();

  std::vector<bool> taken(forward.visibleResults);
  auto take = [&](const symbol::Entry &entry, size_t result) {
    gradient.arriving.push_back(entry);
    gradient.places.push_back(result);
    taken[result] = true;
  };
  std::vector<symbol::Entry> others;
  for (const symbol::Entry &entry : node.inputs) {
    auto isOwn = [&](const symbol::Entry &operand) { return isSame(entry, operand); };
    if (entry.node == source || any_of(graph.nodes[source].inputs, isOwn))
      continue;
    uint32_t result = 0;
    while (result < taken.size() &&
           (taken[result] || !isGradientOf(graph, entry, entryOf(source, result))))
      ++result;
    size_t operand = 0;
    while (operand < gradient.operands.size() &&
           !isGradientOf(graph, entry, gradient.operands[operand]))
      ++operand;
    if (result < taken.size())
      take(entry, result);
    else if (operand < gradient.operands.size() &&
             gradient.addedTo[operand].node == PlannedGradient::kNone)
      gradient.addedTo[operand] = entry;
    else
      others.push_back(entry);
  }
  for (const symbol::Entry &entry : others) {
    size_t result = find(taken, false) - taken.begin();
    if (result == taken.size()) {
      plan.error(entry.pos,
                 describe(node) + " has an input that is neither operand nor result of " +
                     describe(graph.nodes[source]) + ", nor the gradient of one that has none yet")
          .pointAt(graph.nodes[source].namePos, "its forward node is here");
      return false;
    }
    take(entry, result);
  }
  return true;
}

} // namespace symc::importer
