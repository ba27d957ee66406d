//===- FusedNodes.cpp - layers that own their followers ---------------------===//
//
// Goes through the nodes once. The variables of a subgraph, in the order of
// list_inputs(), are the node's inputs.
//
//===----------------------------------------------------------------------===//
#include "frontend/import/FusedNodes.h"

#include "frontend/import/Attributes.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace symc::importer {

namespace {

bool isFused(const symbol::Node &node) {
  return node.op == "_sg_mkldnn_conv" || node.op == "_sg_mkldnn_fully_connected";
}

bool isTrue(const symbol::AttributeMap &attrs, StringRef key) {
  std::string text = attrs.get(key).value_or("").trim().lower();
  return text == "true" || text == "1";
}

class Expander {
public:
  Expander(const symbol::Graph &graph, Diagnostics &diagnostics)
      : graph(graph), diagnostics(diagnostics), result(graph), place(graph.nodes.size()) {}

  symbol::Graph run() {
    result.nodes.clear();
    for (uint32_t id = 0; id < graph.nodes.size(); ++id)
      take(id);
    resolvePassThroughs();
    auto move = [&](symbol::Entry &entry) { entry = at(entry); };
    for (uint32_t id : own)
      llvm::for_each(result.nodes[id].inputs, move);
    llvm::for_each(result.heads, move);
    for (symbol::Node &node : result.nodes)
      for (symbol::Entry &entry : node.inputs)
        if (entry.node >= OuterBase)
          entry = at(outerEntry(entry));
    for (uint32_t id : own)
      for (uint32_t &dependency : result.nodes[id].controlDeps)
        dependency = place[dependency].node;
    for (uint32_t &id : result.argNodes)
      id = place[id].node;
    return std::move(result);
  }

private:
  // Entries of spliced nodes that refer to the outer graph, until all places are known.
  static constexpr uint32_t OuterBase = 1u << 31;
  static symbol::Entry outerEntry(symbol::Entry entry) {
    entry.node -= OuterBase;
    return entry;
  }

  // A spliced node whose head is one of its variables is an entry of the outer graph, which may
  // be of such a node again. Each is followed once, the graph has no cycle.
  void resolvePassThroughs() {
    std::vector<uint32_t> chain;
    for (uint32_t id = 0; id < place.size(); ++id) {
      for (uint32_t next = id; place[next].node >= OuterBase; next = place[next].node - OuterBase)
        chain.push_back(next);
      for (; !chain.empty(); chain.pop_back())
        place[chain.back()] = at(outerEntry(place[chain.back()]));
    }
  }

  // Where an output of an outer node is afterwards: of a spliced one, its head.
  symbol::Entry at(const symbol::Entry &entry) const {
    symbol::Entry moved = place[entry.node];
    if (moved.index == KeepIndex)
      moved.index = entry.index;
    moved.version = entry.version;
    moved.pos = entry.pos;
    return moved;
  }
  static constexpr uint32_t KeepIndex = ~0u;

  void take(uint32_t id) {
    const symbol::Node &node = graph.nodes[id];
    if (isFused(node) && isSound(node)) {
      if (!isTrue(node.attrs, "quantized"))
        return splice(id);
      symbol::Node merged = node;
      mergeAttributes(merged);
      return keep(id, std::move(merged));
    }
    keep(id, node);
  }

  void keep(uint32_t id, symbol::Node node) {
    auto number = static_cast<uint32_t>(result.nodes.size());
    place[id] = {number, KeepIndex, 0, {}};
    own.push_back(number);
    result.nodes.push_back(std::move(node));
  }

  bool isSound(const symbol::Node &node) {
    auto fail = [&](const Twine &message) {
      diagnostics.error(graph.name, node.opPos, "node " + nodeText(node) + message);
      return false;
    };
    if (node.subgraphs.size() != 1)
      return fail(" has " + Twine(node.subgraphs.size()) + " subgraphs, needs 1");
    const symbol::Graph &inner = node.subgraphs.front();
    if (inner.heads.size() != 1)
      return fail("'s subgraph has " + Twine(inner.heads.size()) + " heads, needs 1");
    size_t variables = llvm::count_if(symbol::postOrder(inner),
                                      [&](uint32_t id) { return inner.nodes[id].isVariable(); });
    bool quantized = isTrue(node.attrs, "quantized");
    if (quantized ? node.inputs.size() <= variables : node.inputs.size() != variables)
      return fail(" has " + Twine(node.inputs.size()) + " inputs, its subgraph needs " +
                  Twine(variables) + (quantized ? " and their limits" : ""));
    return true;
  }

  void splice(uint32_t id) {
    const symbol::Node &node = graph.nodes[id];
    const symbol::Graph &inner = node.subgraphs.front();
    std::vector<symbol::Entry> moved(inner.nodes.size());
    size_t input = 0;
    for (uint32_t part : symbol::postOrder(inner)) {
      if (inner.nodes[part].isVariable()) {
        moved[part] = node.inputs[input++];
        moved[part].node += OuterBase;
        continue;
      }
      symbol::Node copy = inner.nodes[part];
      for (symbol::Entry &entry : copy.inputs) {
        uint32_t index = entry.index;
        bool isInput = inner.nodes[entry.node].isVariable();
        entry = moved[entry.node];
        entry.index = isInput ? entry.index : index;
      }
      copy.controlDeps.clear();
      if (part == inner.heads.front().node)
        copy.name = node.name;
      moved[part] = {static_cast<uint32_t>(result.nodes.size()), 0, 0, node.pos};
      result.nodes.push_back(std::move(copy));
    }
    const symbol::Entry &head = inner.heads.front();
    place[id] = moved[head.node];
    if (!inner.nodes[head.node].isVariable())
      place[id].index = head.index;
  }

  static void set(symbol::Node &node, const Twine &key, StringRef value) {
    symbol::Attribute attribute;
    attribute.key = key.str();
    attribute.value = value.str();
    attribute.keyPos = attribute.valuePos = node.pos;
    node.attrs.set(std::move(attribute));
  }

  static void rename(symbol::Node &node, StringRef from, StringRef to) {
    if (const symbol::Attribute *old = node.attrs.find(from)) {
      symbol::Attribute attribute = *old;
      attribute.key = to.str();
      node.attrs.erase(from);
      node.attrs.set(std::move(attribute));
    }
  }

  // "relu" of an Activation, "leaky" of a LeakyReLU, the operator's own name else.
  static void setFunction(symbol::Node &node, const symbol::Node &part, StringRef fn,
                          StringRef alpha) {
    if (part.op == "Activation") {
      set(node, fn, part.attrs.get("act_type").value_or(""));
    } else if (part.op == "LeakyReLU") {
      set(node, fn, part.attrs.get("act_type").value_or("leaky"));
      set(node, alpha, part.attrs.get("slope").value_or("0.25"));
    } else {
      set(node, fn, part.op);
      if (part.op == "clip")
        set(node, alpha, part.attrs.get("a_max").value_or(""));
    }
  }

  static void mergeAttributes(symbol::Node &node) {
    symbol::Graph inner = std::move(node.subgraphs.front());
    node.subgraphs.clear();
    bool isConv = node.op == "_sg_mkldnn_conv";
    rename(node, "with_relu", isConv ? "with_act" : "with_eltwise");
    rename(node, "with_postsum_relu", "with_postsum_act");
    bool first = isTrue(node.attrs, "with_act");
    for (uint32_t id : symbol::postOrder(inner)) {
      const symbol::Node &part = inner.nodes[id];
      if (part.isVariable() || part.op == "elemwise_add")
        continue;
      if (part.op == "Convolution" || part.op == "FullyConnected") {
        for (const symbol::Attribute &attribute : part.attrs)
          if (!StringRef(attribute.key).starts_with("__"))
            node.attrs.set(attribute);
      } else if (part.op == "BatchNorm") {
        set(node, "bn_eps", part.attrs.get("eps").value_or("0.001"));
        set(node, "bn_fix_gamma", part.attrs.get("fix_gamma").value_or("True"));
      } else if (!isConv) {
        setFunction(node, part, "eltwise", "eltwise_alpha");
      } else {
        setFunction(node, part, first ? "act" : "postsum_act",
                    first ? "act_alpha" : "postsum_alpha");
        first = false;
      }
    }
  }

  const symbol::Graph &graph;
  Diagnostics &diagnostics;
  symbol::Graph result;
  std::vector<symbol::Entry> place; // by outer node
  std::vector<uint32_t> own;        // nodes of the outer graph, in the result
};

} // namespace

ExpandedGraph::ExpandedGraph(const symbol::Graph &graph, Diagnostics &diagnostics) : given(graph) {
  unsigned before = diagnostics.errorCount();
  if (llvm::any_of(graph.nodes, isFused))
    own = Expander(graph, diagnostics).run();
  sound = diagnostics.errorCount() == before;
}

} // namespace symc::importer
