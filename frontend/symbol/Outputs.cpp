//===- Outputs.cpp - a graph up to chosen outputs --------------------------===//
//
// Indexes the outputs of what the heads reach by name, looks each wanted name up, and copies
// the nodes that the found outputs need.
//
//===----------------------------------------------------------------------===//
#include "frontend/symbol/Outputs.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace symc::symbol {

namespace {

Entry entryOf(uint32_t node, uint32_t index) {
  Entry entry;
  entry.node = node;
  entry.index = index;
  return entry;
}

// As prose has it: "'a', 'b' or 'c'".
std::string alternatives(ArrayRef<std::string> names) {
  std::string text;
  for (auto [i, name] : enumerate(names))
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + inQuotes(name);
  return text;
}

class Chooser {
public:
  Chooser(Graph &graph, const OperatorCatalog &catalog, Diagnostics &diagnostics, OutputNames kind)
      : graph(graph), catalog(catalog), diagnostics(diagnostics), kind(kind) {
    for (uint32_t id : postOrder(graph))
      index(id);
  }

  bool run(ArrayRef<std::string> texts) {
    for (const std::string &text : texts)
      take(text);
    if (!good)
      return false;
    graph.heads = heads;
    removeOthers();
    return true;
  }

private:
  using Places = SmallVector<Entry, 1>;

  // The names of a node's outputs. One of an operator that the catalog lacks shows what its file
  // counts.
  void index(uint32_t id) {
    const Node &node = graph.nodes[id];
    if (node.kind == NodeKind::Backward)
      return indexGradients(id);
    std::optional<OperatorFacts> facts;
    if (node.kind == NodeKind::Operator)
      facts = catalog.lookup(node.op, node.attrs);
    uint32_t own = node.isVariable() ? 1 : node.outputCount.value_or(1);
    uint32_t count = facts && facts->visibleOutputs ? *facts->visibleOutputs : own;
    uint32_t total = facts && facts->totalOutputs ? *facts->totalOutputs : count;
    counts[id] = count;
    nodes[node.name].push_back(id);
    for (uint32_t i = 0; i < std::max(count, total); ++i) {
      std::string name = count == 1 && !facts && !node.isVariable() ? node.name + "_output"
                                                                    : catalog.outputName(node, i);
      (i < count ? shown : hidden)[name].push_back(entryOf(id, i));
      if (i < count)
        all.push_back(name);
    }
  }

  // A backward node's outputs are called as its forward node's inputs are.
  std::vector<std::string> gradientNames(const Node &node) const {
    const Node &forward = graph.nodes[node.backwardSource];
    std::optional<OperatorFacts> facts = catalog.lookup(forward.op, forward.attrs);
    std::vector<std::string> names;
    for (size_t i = 0; facts && facts->inputs && i + facts->auxCount < facts->inputs->size(); ++i)
      names.push_back(node.name + "_" + (*facts->inputs)[i]);
    return names;
  }

  void indexGradients(uint32_t id) {
    nodes[graph.nodes[id].name].push_back(id);
    std::vector<std::string> own = gradientNames(graph.nodes[id]);
    counts[id] = own.size();
    for (auto [i, name] : enumerate(own))
      shown[name].push_back(entryOf(id, i));
    llvm::append_range(all, own);
  }

  static const Places *lookUp(const StringMap<Places> &places, const Twine &name) {
    auto found = places.find(name.str());
    return found == places.end() ? nullptr : &found->second;
  }

  // The outputs that a name may stand for; none where it stands for nothing.
  Places placesOf(StringRef name) const {
    const Places *ofOutput = lookUp(shown, name), *ofNode = lookUp(shown, name + "_output");
    if (kind == OutputNames::Nodes)
      std::swap(ofOutput, ofNode);
    if (ofOutput || ofNode)
      return ofOutput ? *ofOutput : *ofNode;
    Places found;
    if (auto named = nodes.find(name); named != nodes.end())
      for (uint32_t id : named->second)
        for (uint32_t i = 0; i < counts.lookup(id); ++i)
          found.push_back(entryOf(id, i));
    const Places *unseen = lookUp(hidden, name);
    return found.empty() && unseen ? *unseen : found;
  }

  void take(StringRef text) {
    if (Places places = placesOf(text); !places.empty())
      return choose(text.str(), places);
    for (StringRef name : split(text, ','))
      choose(name.trim().str(), placesOf(name.trim()));
  }

  void choose(const std::string &name, ArrayRef<Entry> places) {
    if (places.empty())
      return unknown(name);
    const Entry &entry = places.front();
    if (places.size() > 1 && (kind == OutputNames::Outputs || places[1].node == entry.node))
      return several(name, places);
    for (auto [known, other] : zip_equal(heads, names))
      if (known.node == entry.node && known.index == entry.index && kind == OutputNames::Outputs) {
        fail({}, other == name ? "output " + inQuotes(name) + " is chosen twice"
                               : inQuotes(other) + " and " + inQuotes(name) + " are one output")
            .note("name each output once");
        return;
      }
    heads.push_back(entry);
    names.push_back(name);
  }

  Diagnostic &fail(SourcePos pos, const Twine &message) {
    good = false;
    return diagnostics.error(graph.name, pos, message);
  }

  // Of a graph with names that are given twice, or of a node with several outputs.
  void several(const std::string &name, ArrayRef<Entry> places) {
    const Node &first = graph.nodes[places.front().node];
    bool isNode = all_of(places, [&](auto &place) { return place.node == places.front().node; });
    if (!isNode) {
      Diagnostic &error = fail(graph.nodes[places.back().node].namePos,
                               Twine(places.size()) + " outputs are called " + inQuotes(name));
      error.pointAt(first.namePos, "the first is that of " + describe(first));
      error.note("rename a node in the symbol file");
      return;
    }
    std::vector<std::string> own;
    for (const Entry &place : places)
      own.push_back(first.kind == NodeKind::Backward ? gradientNames(first)[place.index]
                                                     : catalog.outputName(first, place.index));
    fail(first.namePos, describe(first) + " has " + Twine(own.size()) + " outputs; name one")
        .note("they are " + diagnostics.nameList(own));
  }

  void unknown(const std::string &name) {
    std::vector<std::string> near = nearest(name);
    Diagnostic &error =
        fail({}, "no output is called " + inQuotes(name) +
                     (near.empty() ? "" : "; did you mean " + alternatives(near) + "?"));
    if (!near.empty())
      return;
    ArrayRef<std::string> last = all;
    last = last.take_back(std::min<size_t>(last.size(), 10));
    error.note("the last outputs of the graph are " + diagnostics.nameList(last.vec()));
  }

  // At most three names of outputs that are as near as any is, or whose node's is.
  std::vector<std::string> nearest(StringRef name) const {
    unsigned best = std::max<size_t>(1, name.size() / 3) + 1;
    std::vector<std::string> found;
    for (const std::string &other : all) {
      StringRef node = other;
      node.consume_back("_output");
      unsigned distance =
          std::min(name.edit_distance(other, true, best), name.edit_distance(node, true, best));
      if (distance < best)
        found.clear();
      else if (found.empty())
        continue;
      if (distance <= best && found.size() < 3 && !is_contained(found, other))
        found.push_back(other);
      best = std::min(best, distance);
    }
    return found;
  }

  // Only nodes that the heads reach, in the order of the file.
  void removeOthers() {
    std::vector<bool> needed(graph.nodes.size());
    for (uint32_t id : postOrder(graph))
      needed[id] = true;
    std::vector<uint32_t> place(graph.nodes.size());
    std::vector<Node> kept;
    for (auto [id, node] : enumerate(graph.nodes)) {
      place[id] = kept.size();
      if (needed[id])
        kept.push_back(std::move(node));
      else if (node.isVariable())
        graph.leftOut.push_back(std::move(node.name));
    }
    for (Node &node : kept) {
      for (Entry &input : node.inputs)
        input.node = place[input.node];
      for (uint32_t &dependency : node.controlDeps)
        dependency = place[dependency];
      if (node.backwardSource >= 0)
        node.backwardSource = place[node.backwardSource];
    }
    graph.nodes = std::move(kept);
    erase_if(graph.argNodes, [&](uint32_t id) { return !needed[id]; });
    for (uint32_t &id : graph.argNodes)
      id = place[id];
    for (Entry &head : graph.heads)
      head.node = place[head.node];
  }

  Graph &graph;
  const OperatorCatalog &catalog;
  Diagnostics &diagnostics;
  OutputNames kind;
  StringMap<Places> shown, hidden;           // by the name of the output
  StringMap<SmallVector<uint32_t, 1>> nodes; // by their names
  DenseMap<uint32_t, uint32_t> counts;       // of a node's outputs that show
  std::vector<std::string> all;              // outputs that show, in MXNet's order
  std::vector<Entry> heads;
  std::vector<std::string> names; // of heads, as they were given
  bool good = true;
};

} // namespace

bool chooseOutputs(Graph &graph, ArrayRef<std::string> names, const OperatorCatalog &catalog,
                   Diagnostics &diagnostics, OutputNames kind) {
  return Chooser(graph, catalog, diagnostics, kind).run(names);
}

} // namespace symc::symbol
