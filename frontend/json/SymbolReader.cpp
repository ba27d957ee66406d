//===- SymbolReader.cpp - symbol JSON -> Graph ----------------------------===//
//
// Makes Graph structs of the tokens of a symbol file, checks them and upgrades
// them. Subgraphs go through a work list; nothing here recurses.
//
//===----------------------------------------------------------------------===//
#include "frontend/json/SymbolReader.h"

#include "frontend/json/NodeReader.h"
#include "frontend/json/Upgrades.h"
#include "frontend/symbol/GraphChecks.h"
#include "frontend/symbol/Outputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace symc::json {

using namespace symbol;

namespace {

/// Of files that have no version.
constexpr int64_t UntoldVersion = 800;

class GraphReader : public ObjectReader {
public:
  GraphReader(std::shared_ptr<const SourceText> source, Diagnostics &diagnostics, Layout layout)
      : ObjectReader(source, diagnostics), nodeReader(source, diagnostics, layout), layout(layout) {
  }

  /// Reads a graph; its nodes' subgraphs are put on the list.
  void readGraph(Value value, Graph &graph, SmallVectorImpl<NodeReader::Pending> &pending);

private:
  void readArgNode(Value element, Graph &graph);
  void readRowPtr(Value array, Graph &graph);
  void readGraphAttrs(Value object, Graph &graph);

  NodeReader nodeReader;
  Layout layout;
};

/// Nodes are read before, so that a wrong element can be reported at its place.
void GraphReader::readArgNode(Value element, Graph &graph) {
  auto id = readIndex(element, "element of arg_nodes");
  if (!id)
    return;
  graph.argNodes.push_back(*id);
  if (*id >= graph.nodes.size()) {
    fail(element.pos(), "arg_nodes refers to node " + Twine(*id) + ", but the graph has " +
                            Twine(graph.nodes.size()) + " nodes");
    return;
  }
  const Node &node = graph.nodes[*id];
  // Of MXNet 0.7 sums of gradients stand there, too, since they have lost their operator.
  if (!node.op.empty() && !node.isVariable() && node.kind != NodeKind::GradientSum)
    fail(element.pos(), "arg_nodes lists " + describe(node) + ", expected variables only")
        .note(node.pos, "node " + Twine(*id) + " is here");
}

/// "node_row_ptr" is the running total of outputs. MXNet ignores it on reading,
/// so a wrong one is only worth a warning; a right one gives output counts.
void GraphReader::readRowPtr(Value array, Graph &graph) {
  if (!expect(array, TokenKind::Array, "node_row_ptr"))
    return;
  std::vector<uint32_t> totals;
  for (Value value : array) {
    auto total = readIndex(value, "element of node_row_ptr");
    if (!total)
      return;
    totals.push_back(*total);
  }
  auto ignore = [&](const Twine &why) {
    diagnostics.warning(source->name(), array.pos(), "node_row_ptr is ignored: " + why);
  };
  if (totals.size() != graph.nodes.size() + 1)
    return ignore("it has " + Twine(totals.size()) + " elements, but " + Twine(graph.nodes.size()) +
                  " nodes need " + Twine(graph.nodes.size() + 1));
  if (!std::is_sorted(totals.begin(), totals.end()) || totals.front() != 0)
    return ignore("it does not count up from 0");
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    graph.nodes[i].outputCount = totals[i + 1] - totals[i];
}

void GraphReader::readGraphAttrs(Value object, Graph &graph) {
  if (!expect(object, TokenKind::Object, "\"attrs\" of the graph"))
    return;
  object.forEachMember([&](Value key, Value value) {
    GraphAttribute attribute;
    attribute.key = key.string();
    SmallVector<Value, 2> parts;
    size_t count = 0;
    if (value.is(TokenKind::Array))
      for (Value part : value)
        if (++count <= 2)
          parts.push_back(part);
    bool good = count == 2 && parts[0].is(TokenKind::String);
    std::string type = good ? parts[0].string() : "";
    bool isList = type == "list_int" || type == "list_str";
    bool isInt = type == "int" || type == "list_int";
    good = good && (isList || isInt || type == "str") && parts[1].is(TokenKind::Array) == isList;
    attribute.type = isInt ? (isList ? GraphAttribute::Type::IntList : GraphAttribute::Type::Int)
                           : (isList ? GraphAttribute::Type::StrList : GraphAttribute::Type::Str);
    auto add = [&](Value element) {
      auto number = element.integer();
      if (isInt ? !number.has_value() : !element.is(TokenKind::String))
        good = false;
      else if (isInt)
        attribute.ints.push_back(*number);
      else
        attribute.strings.push_back(element.string());
    };
    if (good && isList)
      for (Value element : parts[1])
        add(element);
    else if (good)
      add(parts[1]);
    if (!good) {
      fail(value.pos(),
           "expected [type, value] as attribute " + inQuotes(attribute.key) + " of the graph")
          .note("types are \"int\", \"str\", \"list_int\" and \"list_str\"; an example is "
                "[\"int\", 10901]");
      return;
    }
    if (attribute.key == "mxnet_version" && attribute.type == GraphAttribute::Type::Int) {
      graph.fileVersion = graph.version = attribute.ints.front();
      if (graph.fileVersion >= 30000)
        diagnostics.warning(source->name(), value.pos(),
                            "the file has MXNet version " + Twine(graph.fileVersion) +
                                ", which is newer than any known (20000)");
      return;
    }
    graph.attrs.push_back(std::move(attribute));
  });
  llvm::sort(graph.attrs, [](auto &a, auto &b) { return a.key < b.key; });
  auto same = std::adjacent_find(graph.attrs.begin(), graph.attrs.end(),
                                 [](auto &a, auto &b) { return a.key == b.key; });
  if (same != graph.attrs.end())
    fail(object.pos(), "attribute " + inQuotes(same->key) + " is given twice in the graph");
}

void GraphReader::readGraph(Value value, Graph &graph,
                            SmallVectorImpl<NodeReader::Pending> &pending) {
  static constexpr StringLiteral Names[] = {"nodes", "arg_nodes", "heads", "node_row_ptr", "attrs"};
  enum { Nodes, ArgNodes, Heads, RowPtr, Attrs };
  graph.name = source->name().str();
  graph.fileVersion = graph.version = UntoldVersion;
  graph.pos = value.pos();
  graph.layout = layout;
  if (!expect(value, TokenKind::Object, "graph"))
    return;
  Members members;
  readMembers(value, Names, "the graph", members);
  if (!require(value, Names, {Nodes, ArgNodes, Heads}, members, "the graph"))
    return;
  if (!expect(*members[Nodes], TokenKind::Array, "nodes of the graph"))
    return;
  Value nodes = *members[Nodes];
  graph.nodes.resize(nodes.count());
  if (graph.nodes.empty())
    fail(nodes.pos(), "the graph has no nodes");
  uint32_t id = 0;
  for (Value node : nodes) {
    nodeReader.readNode(node, id, graph.nodes[id], pending);
    ++id;
  }
  if (expect(*members[ArgNodes], TokenKind::Array, "arg_nodes of the graph"))
    for (Value element : *members[ArgNodes])
      readArgNode(element, graph);
  if (expect(*members[Heads], TokenKind::Array, "heads of the graph")) {
    for (Value element : *members[Heads]) {
      Entry entry;
      if (readEntry(element, "head " + Twine(graph.heads.size()), entry))
        graph.heads.push_back(entry);
    }
    if (members[Heads]->empty() && !graph.nodes.empty())
      fail(members[Heads]->pos(), "the graph has no heads, so it computes nothing")
          .note("\"heads\" lists the outputs as [node, output, 0]");
  }
  if (members[RowPtr])
    readRowPtr(*members[RowPtr], graph);
  if (members[Attrs])
    readGraphAttrs(*members[Attrs], graph);
}

/// The layout shows in the field names of the nodes.
Layout detectLayout(Value root) {
  Layout layout = Layout::NnvmAttrs;
  if (!root.is(TokenKind::Object))
    return layout;
  root.forEachMember([&](Value key, Value nodes) {
    if (key.raw() != "\"nodes\"" || !nodes.is(TokenKind::Array))
      return;
    for (Value node : nodes)
      if (node.is(TokenKind::Object))
        node.forEachMember([&](Value field, Value) {
          StringRef name = field.raw();
          if (name == "\"param\"" || name == "\"backward_source_id\"")
            layout = Layout::StaticGraph;
          else if (name == "\"attr\"" && layout != Layout::StaticGraph)
            layout = Layout::NnvmAttr;
        });
  });
  return layout;
}

/// Subgraphs carry no version; they have that of the file.
void spreadVersion(Graph &root) {
  SmallVector<Graph *, 8> graphs{&root};
  while (!graphs.empty()) {
    Graph *graph = graphs.pop_back_val();
    for (Node &node : graph->nodes)
      for (Graph &subgraph : node.subgraphs) {
        subgraph.fileVersion = root.fileVersion;
        subgraph.version = root.version;
        graphs.push_back(&subgraph);
      }
  }
}

/// Files that are often passed by mistake, by their first bytes.
StringRef recognize(StringRef text) {
  if (text.starts_with(StringRef("\x12\x01\0\0\0\0\0\0", 8)))
    return "a parameter file (NDArray list)";
  if (text.starts_with("PK\x03\x04"))
    return "a zip archive, perhaps an .npz of parameters";
  if (text.starts_with("\x1f\x8b"))
    return "a gzip file";
  if (text.starts_with("version https://git-lfs"))
    return "a Git LFS pointer, not the file itself";
  return "";
}

} // namespace

std::optional<Graph> readSymbol(std::unique_ptr<MemoryBuffer> buffer, StringRef name,
                                Diagnostics &diagnostics, const ReadOptions &options) {
  if (buffer->getBufferSize() >= (1u << 31)) {
    diagnostics.error(name, {},
                      "the file has " + Twine(buffer->getBufferSize()) +
                          " bytes, more than the limit of 2 GiB for a graph");
    return std::nullopt;
  }
  if (StringRef what = recognize(buffer->getBuffer()); !what.empty()) {
    diagnostics.error(name, {}, "expected a symbol file (JSON), got " + what);
    return std::nullopt;
  }
  auto source = std::make_shared<const SourceText>(name.str(), std::move(buffer));
  diagnostics.addSource(source);
  std::optional<Document> document = Document::parse(source, diagnostics);
  if (!document)
    return std::nullopt;
  Graph graph;
  unsigned before = diagnostics.errorCount();
  GraphReader reader(source, diagnostics, detectLayout(document->root()));
  SmallVector<NodeReader::Pending, 4> pending{{&graph, document->root()}};
  while (!pending.empty()) {
    NodeReader::Pending next = pending.pop_back_val();
    reader.readGraph(next.value, *next.graph, pending);
  }
  if (diagnostics.errorCount() != before)
    return std::nullopt;
  spreadVersion(graph);
  if (!checkGraph(graph, nullptr, diagnostics))
    return std::nullopt;
  if (options.upgrade && !upgradeGraph(graph, options.catalog, diagnostics))
    return std::nullopt;
  if (!options.outputs.empty() &&
      !chooseOutputs(graph, options.outputs, *options.catalog, diagnostics))
    return std::nullopt;
  if (options.catalog && options.counts && !checkGraph(graph, options.catalog, diagnostics))
    return std::nullopt;
  return graph;
}

std::optional<Graph> readSymbolFile(StringRef path, Diagnostics &diagnostics,
                                    const ReadOptions &options) {
  auto buffer = openInput(path, diagnostics);
  if (!buffer)
    return std::nullopt;
  return readSymbol(std::move(buffer), path, diagnostics, options);
}

} // namespace symc::json