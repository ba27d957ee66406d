//===- Upgrades.cpp - old graphs under the rules of MXNet 1.9.1 -----------===//
//
// Steps, each for files older than its threshold, in MXNet's order:
//   1. hidden keys   (< 1.9.1)  lr_mult -> __lr_mult__; weight_lr_mult on an
//                               operator -> __lr_mult__ on its variable 'weight'
//   2. missing inputs (< 0.9.0) become variables <node>_<input>
//   3. initialisers  (< 0.9.4)  __init__ on auxiliary and other special inputs
//   4. argmax, argmin (< 0.9.5) axis = -1 meant "flatten": the key goes
// Steps 1 to 3 treat only nodes that the heads reach, as MXNet does. Afterwards
// inserted variables stand right before the first node that reads them.
//
//===----------------------------------------------------------------------===//
#include "frontend/json/Upgrades.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace symc::json {

using namespace symbol;

namespace {

constexpr StringLiteral HiddenKeys[] = {"ctx_group", "lr_mult", "wd_mult", "force_mirroring",
                                        "mirror_stage"};

StringRef hiddenKeyIn(StringRef key) {
  for (StringRef hidden : HiddenKeys)
    if (key.rfind(hidden) == 0 || key.ends_with(hidden))
      return hidden;
  return "";
}

/// Takes hidden keys out of the node's attributes, since operators do not have
/// them, and returns them.
std::vector<Attribute> takeHiddenKeys(Node &node) {
  std::vector<Attribute> hidden;
  AttributeMap others;
  for (const Attribute &attribute : node.attrs)
    if (hiddenKeyIn(attribute.key).empty())
      others.append(attribute);
    else
      hidden.push_back(attribute);
  if (!hidden.empty())
    node.attrs = std::move(others);
  return hidden;
}

/// The variable of input `name` of an operator, or null.
Node *inputVariable(Graph &graph, const Node &node, const std::optional<OperatorFacts> &facts,
                    StringRef name) {
  if (!facts || !facts->inputs)
    return nullptr;
  size_t index = llvm::find(*facts->inputs, name) - facts->inputs->begin();
  if (index >= node.inputs.size() || index >= facts->inputs->size())
    return nullptr;
  Node &input = graph.nodes[node.inputs[index].node];
  return input.isVariable() ? &input : nullptr;
}

void renameHiddenKeys(Graph &graph, const OperatorCatalog *catalog) {
  for (uint32_t id : postOrder(graph)) {
    Node &node = graph.nodes[id];
    std::vector<Attribute> hidden = takeHiddenKeys(node);
    if (hidden.empty())
      continue;
    std::optional<OperatorFacts> facts;
    bool isForInput = llvm::any_of(hidden, [](const Attribute &attribute) {
      StringRef name = hiddenKeyIn(attribute.key);
      return attribute.key != name && StringRef(attribute.key).ends_with(name);
    });
    if (isForInput && catalog && node.kind == NodeKind::Operator)
      facts = catalog->lookup(node.op, node.attrs);
    SmallVector<Attribute, 4> renamed;
    for (Attribute &attribute : hidden) {
      StringRef key = attribute.key;
      StringRef name = hiddenKeyIn(key);
      std::string newKey = ("__" + name + "__").str();
      Node *input = nullptr;
      if (key.ends_with(name) && key.size() > name.size() + 1)
        input = inputVariable(graph, node, facts, key.drop_back(name.size() + 1));
      if (key == name) {
        attribute.key = std::move(newKey);
        renamed.push_back(std::move(attribute));
      } else if (input) {
        attribute.key = std::move(newKey);
        input->attrs.set(std::move(attribute));
      } else {
        node.attrs.append(std::move(attribute));
      }
    }
    for (Attribute &attribute : renamed)
      node.attrs.set(std::move(attribute));
  }
}

/// What an upgrade may add to a graph of so many nodes, counted in variables and
/// attributes. Batch normalisation takes two variables of some eight attributes.
size_t mostToAdd(size_t nodes) { return 100000 + 20 * nodes; }

/// Adds variables for inputs that the operator has and the file has not, at the
/// end of the graph; moveInsertedNodes() then puts them in place.
bool addMissingInputs(Graph &graph, const OperatorCatalog &catalog, Diagnostics &diagnostics,
                      std::vector<SmallVector<uint32_t, 2>> &insertedBefore) {
  insertedBefore.resize(graph.nodes.size());
  size_t added = 0, limit = mostToAdd(graph.nodes.size());
  for (uint32_t id : postOrder(graph)) {
    if (graph.nodes[id].kind != NodeKind::Operator)
      continue;
    auto facts = catalog.lookup(graph.nodes[id].op, graph.nodes[id].attrs);
    if (!facts || !facts->inputs)
      continue;
    size_t present = graph.nodes[id].inputs.size(), wanted = facts->inputs->size();
    if (present < wanted)
      added += (wanted - present) * (1 + graph.nodes[id].attrs.count());
    if (added > limit) {
      diagnostics.error(graph.name, graph.nodes[id].namePos,
                        describe(graph.nodes[id]) + " has " + Twine(present) +
                            " inputs, expected " + Twine(wanted) +
                            "; the file lacks too many inputs to add them as variables");
      return false;
    }
    for (size_t i = present; i < wanted; ++i) {
      const Node &node = graph.nodes[id];
      Node variable;
      variable.op = "null";
      variable.kind = NodeKind::Variable;
      const std::string &input = (*facts->inputs)[i];
      variable.name = node.name.empty() ? input : node.name + "_" + input;
      variable.attrs = node.attrs;
      variable.outputCount = 1;
      variable.implied = true;
      variable.pos = node.pos;
      variable.opPos = node.opPos;
      variable.namePos = node.namePos;
      auto created = static_cast<uint32_t>(graph.nodes.size());
      Entry entry{created, 0, 0, node.pos};
      graph.nodes.push_back(std::move(variable));
      graph.nodes[id].inputs.push_back(entry);
      insertedBefore[id].push_back(created);
    }
  }
  return true;
}

void moveInsertedNodes(Graph &graph, ArrayRef<SmallVector<uint32_t, 2>> insertedBefore) {
  if (insertedBefore.size() == graph.nodes.size())
    return;
  std::vector<uint32_t> newId(graph.nodes.size());
  std::vector<Node> nodes;
  nodes.reserve(graph.nodes.size());
  auto take = [&](uint32_t old) {
    newId[old] = static_cast<uint32_t>(nodes.size());
    nodes.push_back(std::move(graph.nodes[old]));
  };
  for (uint32_t old = 0; old < insertedBefore.size(); ++old) {
    for (uint32_t inserted : insertedBefore[old])
      take(inserted);
    take(old);
  }
  for (Node &node : nodes) {
    for (Entry &entry : node.inputs)
      entry.node = newId[entry.node];
    for (uint32_t &dependency : node.controlDeps)
      dependency = newId[dependency];
    if (node.backwardSource >= 0)
      node.backwardSource = newId[node.backwardSource];
  }
  for (Entry &head : graph.heads)
    head.node = newId[head.node];
  for (uint32_t &id : graph.argNodes)
    id = newId[id];
  graph.nodes = std::move(nodes);
  for (uint32_t id = 0; id < graph.nodes.size(); ++id)
    if (graph.nodes[id].implied)
      graph.argNodes.push_back(id);
  llvm::sort(graph.argNodes);
}

void setInitialisers(Graph &graph, const OperatorCatalog &catalog) {
  for (uint32_t id : postOrder(graph)) {
    const Node &node = graph.nodes[id];
    // Only operators of few inputs have initialisers to set; a query for each of
    // thousands of inputs would take long.
    if (node.kind != NodeKind::Operator || node.inputs.size() > 16)
      continue;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      Node &input = graph.nodes[node.inputs[i].node];
      if (!input.isVariable() || input.attrs.find("__init__"))
        continue;
      if (auto init = catalog.inputInit(node.op, static_cast<unsigned>(i), node.attrs)) {
        Attribute attribute;
        attribute.key = "__init__";
        attribute.value = *init;
        attribute.keyPos = attribute.valuePos = input.pos;
        input.attrs.append(std::move(attribute));
      }
    }
  }
}

void dropOldArgmaxAxis(Graph &graph) {
  for (Node &node : graph.nodes) {
    if (node.op != "argmax" && node.op != "argmin")
      continue;
    if (auto axis = node.attrs.get("axis"); axis && *axis == "-1")
      node.attrs.erase("axis");
  }
}

bool upgradeOne(Graph &graph, const OperatorCatalog *catalog, Diagnostics &diagnostics) {
  if (graph.version < CurrentVersion)
    renameHiddenKeys(graph, catalog);
  if (graph.version < 900 && catalog) {
    std::vector<SmallVector<uint32_t, 2>> insertedBefore;
    if (!addMissingInputs(graph, *catalog, diagnostics, insertedBefore))
      return false;
    moveInsertedNodes(graph, insertedBefore);
  }
  if (graph.version < 904 && catalog)
    setInitialisers(graph, *catalog);
  if (graph.version < 905)
    dropOldArgmaxAxis(graph);
  graph.version = std::max(graph.version, CurrentVersion);
  return true;
}

} // namespace

bool upgradeGraph(Graph &root, const OperatorCatalog *catalog, Diagnostics &diagnostics) {
  SmallVector<Graph *, 8> graphs{&root};
  while (!graphs.empty()) {
    Graph *graph = graphs.pop_back_val();
    if (!upgradeOne(*graph, catalog, diagnostics))
      return false;
    for (Node &node : graph->nodes)
      for (Graph &subgraph : node.subgraphs)
        graphs.push_back(&subgraph);
  }
  return true;
}

} // namespace symc::json
