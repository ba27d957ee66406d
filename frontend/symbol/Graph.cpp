//===- Graph.cpp - a symbol: nodes, entries, heads ------------------------===//
//
// Attribute maps, composition, the depth-first order of nodes, and comparison of graphs.
//
//===----------------------------------------------------------------------===//
#include "frontend/symbol/Graph.h"

#include <algorithm>

using namespace llvm;

namespace symc::symbol {

const Attribute *AttributeMap::find(StringRef key) const {
  for (const Attribute &attribute : attributes)
    if (attribute.key == key)
      return &attribute;
  return nullptr;
}

std::optional<StringRef> AttributeMap::get(StringRef key) const {
  if (const Attribute *attribute = find(key))
    return StringRef(attribute->value);
  return std::nullopt;
}

void AttributeMap::set(Attribute attribute) {
  for (Attribute &present : attributes)
    if (present.key == attribute.key) {
      present = std::move(attribute);
      return;
    }
  attributes.push_back(std::move(attribute));
}

bool AttributeMap::erase(StringRef key) {
  auto at = std::find_if(attributes.begin(), attributes.end(),
                         [&](const Attribute &attribute) { return attribute.key == key; });
  if (at == attributes.end())
    return false;
  attributes.erase(at);
  return true;
}

std::vector<const Attribute *> AttributeMap::sorted() const {
  std::vector<const Attribute *> result;
  for (const Attribute &attribute : attributes)
    result.push_back(&attribute);
  std::sort(result.begin(), result.end(),
            [](const Attribute *a, const Attribute *b) { return a->key < b->key; });
  return result;
}

static Entry append(Graph &graph, Node node, NamedStrings attributes) {
  for (auto [key, value] : attributes)
    node.attrs.set({key.str(), value.str(), {}, {}});
  graph.nodes.push_back(std::move(node));
  Entry entry;
  entry.node = static_cast<uint32_t>(graph.nodes.size() - 1);
  return entry;
}

Entry Graph::addVariable(StringRef variable, NamedStrings attributes) {
  Node node;
  node.op = "null";
  node.name = variable.str();
  node.kind = NodeKind::Variable;
  argNodes.push_back(static_cast<uint32_t>(nodes.size()));
  return append(*this, std::move(node), attributes);
}

Entry Graph::addNode(StringRef op, StringRef name, ArrayRef<Entry> inputs,
                     NamedStrings attributes) {
  Node node;
  node.op = op.str();
  node.name = name.str();
  node.inputs = inputs.vec();
  return append(*this, std::move(node), attributes);
}

const GraphAttribute *Graph::findAttr(StringRef key) const {
  for (const GraphAttribute &attribute : attrs)
    if (attribute.key == key)
      return &attribute;
  return nullptr;
}

bool Graph::isNumpyShape() const {
  const GraphAttribute *attribute = findAttr("is_np_shape");
  return attribute && !attribute->ints.empty() && attribute->ints.front() != 0;
}

std::vector<uint32_t> postOrder(const Graph &graph) {
  struct Visit {
    uint32_t node;
    size_t next;
  };
  std::vector<uint32_t> order;
  std::vector<bool> seen(graph.nodes.size());
  std::vector<Visit> stack;
  auto enter = [&](uint32_t node) {
    if (seen[node])
      return;
    seen[node] = true;
    stack.push_back({node, 0});
  };
  for (const Entry &head : graph.heads) {
    enter(head.node);
    while (!stack.empty()) {
      const Node &node = graph.nodes[stack.back().node];
      size_t next = stack.back().next++;
      if (next < node.inputs.size()) {
        enter(node.inputs[next].node);
        continue;
      }
      next -= node.inputs.size();
      if (next < node.controlDeps.size()) {
        enter(node.controlDeps[next]);
        continue;
      }
      next -= node.controlDeps.size();
      if (next == 0 && node.backwardSource >= 0) {
        enter(static_cast<uint32_t>(node.backwardSource));
        continue;
      }
      order.push_back(stack.back().node);
      stack.pop_back();
    }
  }
  return order;
}

static bool sameEntries(const std::vector<Entry> &a, const std::vector<Entry> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Entry &x, const Entry &y) {
    return x.node == y.node && x.index == y.index && x.version == y.version;
  });
}

static bool sameAttributes(const AttributeMap &a, const AttributeMap &b) {
  auto x = a.sorted(), y = b.sorted();
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const Attribute *m, const Attribute *n) {
                      return m->key == n->key && m->value == n->value;
                    });
}

static bool sameNode(const Node &a, const Node &b) {
  return a.op == b.op && a.name == b.name && a.kind == b.kind && sameAttributes(a.attrs, b.attrs) &&
         sameEntries(a.inputs, b.inputs) && a.controlDeps == b.controlDeps &&
         a.backwardSource == b.backwardSource && a.subgraphs.size() == b.subgraphs.size();
}

bool sameGraph(const Graph &first, const Graph &second) {
  std::vector<std::pair<const Graph *, const Graph *>> work{{&first, &second}};
  while (!work.empty()) {
    const Graph &a = *work.back().first, &b = *work.back().second;
    work.pop_back();
    auto sameAttr = [](const GraphAttribute &x, const GraphAttribute &y) {
      return x.key == y.key && x.type == y.type && x.ints == y.ints && x.strings == y.strings;
    };
    if (!std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), sameNode) ||
        a.argNodes != b.argNodes || !sameEntries(a.heads, b.heads) ||
        !std::equal(a.attrs.begin(), a.attrs.end(), b.attrs.begin(), b.attrs.end(), sameAttr))
      return false;
    for (size_t i = 0; i < a.nodes.size(); ++i)
      for (size_t s = 0; s < a.nodes[i].subgraphs.size(); ++s)
        work.push_back({&a.nodes[i].subgraphs[s], &b.nodes[i].subgraphs[s]});
  }
  return true;
}

std::string describe(const Node &node) {
  switch (node.kind) {
  case NodeKind::Variable:
    return "variable " + inQuotes(node.name);
  case NodeKind::Operator:
    return "node " + inQuotes(node.name) + " (" + inQuotes(node.op) + ")";
  case NodeKind::Backward:
    return "backward node " + inQuotes(node.name);
  case NodeKind::GradientSum:
    return "gradient sum " + inQuotes(node.name);
  }
  return "";
}

} // namespace symc::symbol
