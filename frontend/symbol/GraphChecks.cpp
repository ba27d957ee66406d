//===- GraphChecks.cpp - is a graph sound? --------------------------------===//
//
// Checks, in this order: ids in range, kinds of nodes, cycles, counts of inputs
// and outputs. A later check assumes the earlier ones, so the first group that
// fails ends the checking of a graph. No recursion on depth or nesting.
//
//===----------------------------------------------------------------------===//
#include "frontend/symbol/GraphChecks.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace symc::symbol {

namespace {

class Checker {
public:
  Checker(const Graph &graph, const OperatorCatalog *catalog, Diagnostics &diagnostics)
      : graph(graph), catalog(catalog), diagnostics(diagnostics) {}

  bool run() {
    return checkRanges() && checkKinds() && checkCycles() && (!catalog || checkCounts());
  }

private:
  Diagnostic &fail(SourcePos pos, const Twine &message) {
    good = false;
    return diagnostics.error(graph.name, pos, message);
  }
  void checkId(uint32_t id, SourcePos pos, const Twine &what) {
    if (id >= graph.nodes.size())
      fail(pos, what + " refers to node " + Twine(id) + ", but the graph has " +
                    Twine(graph.nodes.size()) + " nodes");
  }
  bool checkRanges();
  bool checkKinds();
  bool checkCycles();
  bool checkCounts();
  void reportCycle(ArrayRef<uint32_t> path);

  const Graph &graph;
  const OperatorCatalog *catalog;
  Diagnostics &diagnostics;
  bool good = true;
};

bool Checker::checkRanges() {
  for (const Node &node : graph.nodes) {
    for (size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i].node >= graph.nodes.size())
        checkId(node.inputs[i].node, node.inputs[i].pos,
                "input " + Twine(i) + " of " + describe(node));
    for (uint32_t dependency : node.controlDeps)
      if (dependency >= graph.nodes.size())
        checkId(dependency, node.pos, "control dependency of " + describe(node));
    if (node.backwardSource >= 0 && node.backwardSource >= static_cast<int64_t>(graph.nodes.size()))
      checkId(static_cast<uint32_t>(node.backwardSource), node.pos,
              "backward_source_id of " + describe(node));
  }
  for (uint32_t id : graph.argNodes)
    checkId(id, graph.pos, "arg_nodes");
  for (size_t i = 0; i < graph.heads.size(); ++i)
    checkId(graph.heads[i].node, graph.heads[i].pos, "head " + Twine(i));
  return good;
}

bool Checker::checkKinds() {
  for (uint32_t id : graph.argNodes) {
    const Node &node = graph.nodes[id];
    // MXNet 0.7 lists sums of gradients, too, since they have no operator.
    if (!node.isVariable() && node.kind != NodeKind::GradientSum)
      fail(node.pos, "arg_nodes lists " + describe(node) + ", expected variables only");
  }
  for (const Node &node : graph.nodes) {
    if (node.kind != NodeKind::Backward)
      continue;
    const Node &forward = graph.nodes[node.backwardSource];
    if (forward.kind != NodeKind::Operator)
      fail(node.pos, describe(node) + " is the gradient of " + describe(forward) +
                         ", expected the gradient of an operator")
          .pointAt(forward.pos, "node " + Twine(node.backwardSource) + " is here");
  }
  return good;
}

void Checker::reportCycle(ArrayRef<uint32_t> path) {
  constexpr size_t Shown = 8;
  const Node &first = graph.nodes[path.front()];
  std::string text;
  for (size_t i = 0; i < path.size(); ++i) {
    if (i == Shown - 1 && path.size() > Shown) {
      text += "... (" + std::to_string(path.size() - Shown) + " more) -> ";
      i = path.size() - 1;
    }
    text += inQuotes(graph.nodes[path[i]].name) + " -> ";
  }
  fail(first.namePos, describe(first) + " depends on itself")
      .note("each takes an output of the next: " + text + inQuotes(first.name));
}

/// Depth-first over all nodes, those that no head reaches included.
bool Checker::checkCycles() {
  enum : uint8_t { New, Open, Done };
  struct Visit {
    uint32_t node;
    size_t next;
  };
  std::vector<uint8_t> state(graph.nodes.size(), New);
  std::vector<Visit> stack;
  for (uint32_t root = 0; root < graph.nodes.size(); ++root) {
    if (state[root] != New)
      continue;
    state[root] = Open;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      uint32_t id = stack.back().node;
      const Node &node = graph.nodes[id];
      size_t next = stack.back().next++;
      size_t inputs = node.inputs.size(), deps = node.controlDeps.size();
      uint32_t target;
      if (next < inputs) {
        target = node.inputs[next].node;
      } else if (next < inputs + deps) {
        target = node.controlDeps[next - inputs];
      } else if (next == inputs + deps && node.backwardSource >= 0) {
        target = static_cast<uint32_t>(node.backwardSource);
      } else {
        state[id] = Done;
        stack.pop_back();
        continue;
      }
      if (state[target] == Open) {
        SmallVector<uint32_t, 16> path;
        size_t at = stack.size();
        while (stack[at - 1].node != target)
          --at;
        for (size_t i = at - 1; i < stack.size(); ++i)
          path.push_back(stack[i].node);
        reportCycle(path);
        return false;
      }
      if (state[target] == New) {
        state[target] = Open;
        stack.push_back({target, 0});
      }
    }
  }
  return good;
}

/// Counts of inputs and indices of outputs, for what the heads reach: MXNet
/// does not mind dead nodes.
bool Checker::checkCounts() {
  std::vector<std::optional<unsigned>> outputs(graph.nodes.size());
  std::vector<uint32_t> order = postOrder(graph);
  for (uint32_t id : order) {
    if (diagnostics.isFull())
      return false;
    const Node &node = graph.nodes[id];
    if (node.isVariable() || node.kind == NodeKind::GradientSum)
      outputs[id] = 1;
    if (node.kind == NodeKind::Backward) {
      const Node &forward = graph.nodes[node.backwardSource];
      if (auto facts = catalog->lookup(forward.op, forward.attrs); facts && facts->inputs)
        outputs[id] = facts->inputs->size() - facts->auxCount;
    }
    if (node.kind != NodeKind::Operator)
      continue;
    auto facts = catalog->lookup(node.op, node.attrs);
    if (!facts)
      continue;
    outputs[id] = facts->totalOutputs;
    if (facts->inputs && facts->inputs->size() != node.inputs.size()) {
      ArrayRef<std::string> names = *facts->inputs;
      Diagnostic &error = fail(node.namePos, describe(node) + " has " + Twine(node.inputs.size()) +
                                                 " inputs, expected " + Twine(names.size()));
      if (!names.empty() && names.size() <= 16)
        error.note("its inputs are " + join(names, ", "));
    }
  }
  auto checkOutput = [&](const Entry &entry, const Twine &what) {
    auto count = outputs[entry.node];
    if (count && entry.index >= *count)
      fail(entry.pos, what + " is output " + Twine(entry.index) + " of " +
                          describe(graph.nodes[entry.node]) + ", which has " + Twine(*count) +
                          (*count == 1 ? " output" : " outputs"))
          .pointAt(graph.nodes[entry.node].namePos, describe(graph.nodes[entry.node]) + " is here");
  };
  for (uint32_t id : order) {
    const Node &node = graph.nodes[id];
    for (size_t i = 0; i < node.inputs.size(); ++i)
      if (auto count = outputs[node.inputs[i].node]; count && node.inputs[i].index >= *count)
        checkOutput(node.inputs[i], "input " + Twine(i) + " of " + describe(node));
  }
  for (size_t i = 0; i < graph.heads.size(); ++i)
    checkOutput(graph.heads[i], "head " + Twine(i));
  return good;
}

} // namespace

bool checkGraph(const Graph &root, const OperatorCatalog *catalog, Diagnostics &diagnostics) {
  bool good = true;
  SmallVector<const Graph *, 8> graphs{&root};
  while (!graphs.empty()) {
    const Graph *graph = graphs.pop_back_val();
    if (graph->nodes.empty() || graph->heads.empty()) {
      diagnostics.error(graph->name, graph->pos, "the graph has no heads, so it computes nothing");
      good = false;
      continue;
    }
    good &= Checker(*graph, catalog, diagnostics).run();
    for (const Node &node : graph->nodes)
      for (const Graph &subgraph : node.subgraphs)
        graphs.push_back(&subgraph);
  }
  return good;
}

} // namespace symc::symbol
