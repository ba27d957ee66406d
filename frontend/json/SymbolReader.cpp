//===- SymbolReader.cpp - symbol JSON -> Graph ----------------------------===//
//
// Turns the tokens of a symbol file into Graph structs. Members of an object
// are looked up by name first and then read in a fixed order, so messages can
// name the node whatever the order in the file is. Subgraphs go through a work
// list; nothing here recurses.
//
//===----------------------------------------------------------------------===//
#include "frontend/json/SymbolReader.h"

#include "frontend/json/JsonReader.h"
#include "frontend/json/Upgrades.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <limits>
#include <tuple>

using namespace llvm;

namespace symc::json {

namespace {

/// The members of an object that a reader knows, by position in `names`.
using Members = SmallVector<std::optional<Value>, 12>;

class Reader {
public:
  Reader(const Document &document, Diagnostics &diagnostics)
      : source(document.source()), diagnostics(diagnostics) {}

  bool run(Value root, Graph &graph);

private:
  struct Work {
    Graph *graph;
    Value value;
  };

  Diagnostic &fail(SourcePos pos, const Twine &message) {
    return diagnostics.error(source->name(), pos, message);
  }
  bool expect(Value value, TokenKind kind, const Twine &what);
  bool readMembers(Value object, ArrayRef<StringLiteral> names, StringRef owner, Members &members);
  bool require(Value object, ArrayRef<StringLiteral> names, ArrayRef<unsigned> wanted,
               const Members &members, StringRef owner);
  std::optional<uint32_t> readIndex(Value value, const Twine &what);
  std::string readString(Value value, const Twine &what);
  bool readEntry(Value value, const Twine &what, Entry &entry);
  void readAttributes(Value object, bool fromParam, Node &node);
  void readNode(Value value, uint32_t id, Node &node);
  void setKind(Node &node, std::optional<Value> backwardSource);
  void readArgNode(Value element, Graph &graph);
  void readRowPtr(Value array, Graph &graph);
  void readGraphAttrs(Value object, Graph &graph);
  void readGraph(Value value, Graph &graph);
  void detectLayout(Value root);

  std::shared_ptr<const SourceText> source;
  Diagnostics &diagnostics;
  SmallVector<Work, 4> work;
  Layout layout = Layout::NnvmAttrs;
};

bool Reader::expect(Value value, TokenKind kind, const Twine &what) {
  if (value.is(kind))
    return true;
  fail(value.pos(), "expected " + describe(kind) + " as " + what + ", got " +
                        describe(value.kind()));
  return false;
}

/// Sorts the members of an object by the known names; reports unknown names and
/// names given twice.
bool Reader::readMembers(Value object, ArrayRef<StringLiteral> names, StringRef owner,
                         Members &members) {
  members.assign(names.size(), std::nullopt);
  bool good = true;
  object.forEachMember([&](Value key, Value value) {
    std::string name = key.string();
    auto known = llvm::find(names, name);
    if (known == names.end()) {
      Diagnostic &error = fail(key.pos(), "unknown field " + inQuotes(name) + " in " + owner);
      StringRef nearest;
      unsigned best = 3;
      for (StringRef candidate : names)
        if (unsigned distance = candidate.edit_distance(name, true, best); distance < best) {
          best = distance;
          nearest = candidate;
        }
      if (!nearest.empty())
        error.note("did you mean " + inQuotes(nearest) + "?");
      else
        error.note("known fields are " + join(names.begin(), names.end(), ", "));
      good = false;
      return;
    }
    auto &slot = members[known - names.begin()];
    if (slot) {
      fail(key.pos(), "field " + inQuotes(name) + " is given twice in " + owner)
          .note(slot->pos(), "the first one is here");
      good = false;
      return;
    }
    slot = value;
  });
  return good;
}

/// Reports the members that are missing, in one message.
bool Reader::require(Value object, ArrayRef<StringLiteral> names, ArrayRef<unsigned> wanted,
                     const Members &members, StringRef owner) {
  std::string missing;
  for (unsigned field : wanted)
    if (!members[field])
      missing += (missing.empty() ? "" : ", ") + inQuotes(names[field]);
  if (!missing.empty())
    fail(object.pos(), owner + " has no field " + missing);
  return missing.empty();
}

std::optional<uint32_t> Reader::readIndex(Value value, const Twine &what) {
  auto number = value.integer();
  if (number && *number >= 0 && *number <= std::numeric_limits<uint32_t>::max())
    return static_cast<uint32_t>(*number);
  fail(value.pos(),
       "expected a number of 0 or more as " + what + ", got " +
           (value.is(TokenKind::Number) ? value.raw().str() : describe(value.kind()).str()));
  return std::nullopt;
}

std::string Reader::readString(Value value, const Twine &what) {
  return expect(value, TokenKind::String, what) ? value.string() : std::string();
}

bool Reader::readEntry(Value value, const Twine &what, Entry &entry) {
  entry.pos = value.pos();
  if (!expect(value, TokenKind::Array, what))
    return false;
  SmallVector<Value, 3> parts;
  size_t count = 0;
  for (Value part : value)
    if (++count <= 3)
      parts.push_back(part);
  if (count < 2 || count > 3) {
    fail(value.pos(), "expected [node, output] or [node, output, version] as " + what +
                          ", got an array of " + Twine(count))
        .note("the first number is a node's place in \"nodes\", from 0");
    return false;
  }
  auto node = readIndex(parts[0], "node id of " + what);
  auto index = readIndex(parts[1], "output number of " + what);
  auto version = count == 3 ? readIndex(parts[2], "version of " + what) : 0u;
  if (!node || !index || !version)
    return false;
  entry.node = *node;
  entry.index = *index;
  entry.version = *version;
  return true;
}

void Reader::readAttributes(Value object, bool fromParam, Node &node) {
  size_t before = node.attrs.count();
  object.forEachMember([&](Value key, Value value) {
    Attribute attribute;
    attribute.key = key.string();
    attribute.keyPos = key.pos();
    attribute.valuePos = value.pos();
    attribute.fromParam = fromParam;
    if (!value.is(TokenKind::String)) {
      Diagnostic &error =
          fail(value.pos(), "expected a string as attribute " + inQuotes(attribute.key) + " of node " +
                                inQuotes(node.name) + ", got " + describe(value.kind()));
      if (!value.is(TokenKind::Object) && !value.is(TokenKind::Array))
        error.note("attribute values are strings: write \"" + value.raw() + "\"");
      return;
    }
    attribute.value = value.string();
    node.attrs.append(std::move(attribute));
  });
  // Keys are unique within one object; of two objects the one read first wins.
  // Sorting, not pairwise comparison: a file may have very many keys.
  if (node.attrs.count() == before)
    return;
  SmallVector<const Attribute *, 32> keys;
  for (const Attribute &attribute : node.attrs)
    keys.push_back(&attribute);
  llvm::sort(keys, [](auto *a, auto *b) { return std::tie(a->key, a) < std::tie(b->key, b); });
  std::vector<bool> drop(keys.size());
  bool anyDropped = false;
  const Attribute *first = &*node.attrs.begin();
  for (size_t i = 1; i < keys.size(); ++i) {
    if (keys[i]->key != keys[i - 1]->key)
      continue;
    if (static_cast<size_t>(keys[i - 1] - first) >= before)
      fail(keys[i]->keyPos, "attribute " + inQuotes(keys[i]->key) + " is given twice in node " +
                                inQuotes(node.name))
          .note(keys[i - 1]->keyPos, "the first one is here");
    drop[keys[i] - first] = anyDropped = true;
  }
  if (!anyDropped)
    return;
  AttributeMap kept;
  size_t at = 0;
  for (const Attribute &attribute : node.attrs)
    if (!drop[at++])
      kept.append(attribute);
  node.attrs = std::move(kept);
}

void Reader::setKind(Node &node, std::optional<Value> backwardSource) {
  if (backwardSource) {
    auto id = backwardSource->integer();
    if (!id || *id < -1 || *id > std::numeric_limits<uint32_t>::max())
      fail(backwardSource->pos(), "expected a node id, or -1, as backward_source_id of node " +
                                      inQuotes(node.name) + ", got " + backwardSource->raw());
    else
      node.backwardSource = *id;
  }
  if (node.op != "null") {
    node.kind = NodeKind::Operator;
    if (node.op.empty())
      fail(node.opPos, "node " + inQuotes(node.name) + " has an empty operator name")
          .note("an operator has a name such as \"Convolution\"; a variable has \"null\"");
    if (node.backwardSource >= 0)
      fail(backwardSource->pos(), "node " + inQuotes(node.name) + " has backward_source_id " +
                                      Twine(node.backwardSource) + " and operator " +
                                      inQuotes(node.op))
          .note("the operator of a backward node is \"null\"");
    return;
  }
  if (node.backwardSource >= 0)
    node.kind = NodeKind::Backward;
  else if (layout == Layout::StaticGraph && !node.inputs.empty())
    node.kind = NodeKind::GradientSum;
  else
    node.kind = NodeKind::Variable;
}

void Reader::readNode(Value value, uint32_t id, Node &node) {
  static constexpr StringLiteral Names[] = {"op",    "name",         "inputs",    "attrs", "attr",
                                            "param", "control_deps", "subgraphs",
                                            "backward_source_id"};
  enum { Op, Name, Inputs, Attrs, Attr, Param, ControlDeps, Subgraphs, BackwardSource };
  node.pos = node.opPos = node.namePos = value.pos();
  if (!expect(value, TokenKind::Object, "node " + Twine(id)))
    return;
  Members members;
  readMembers(value, Names, ("node " + Twine(id)).str(), members);

  std::string title = ("node " + Twine(id)).str();
  if (members[Name]) {
    node.namePos = members[Name]->pos();
    node.name = readString(*members[Name], "name of " + Twine(title));
    title = "node " + inQuotes(node.name);
  }
  require(value, Names, {Op, Name, Inputs}, members, title);
  if (members[Op]) {
    node.opPos = members[Op]->pos();
    node.op = readString(*members[Op], "operator of " + Twine(title));
  }
  for (unsigned field : {Attrs, Attr, Param})
    if (members[field] && expect(*members[field], TokenKind::Object,
                                 inQuotes(Names[field]) + " of " + title))
      readAttributes(*members[field], field == Param, node);
  if (members[Inputs] &&
      expect(*members[Inputs], TokenKind::Array, "inputs of " + Twine(title)))
    for (Value element : *members[Inputs]) {
      Entry entry;
      if (readEntry(element, "input " + Twine(node.inputs.size()) + " of " + title, entry))
        node.inputs.push_back(entry);
    }
  if (members[ControlDeps] &&
      expect(*members[ControlDeps], TokenKind::Array, "control_deps of " + Twine(title)))
    for (Value element : *members[ControlDeps])
      if (auto dependency = readIndex(element, "control dependency of " + Twine(title)))
        node.controlDeps.push_back(*dependency);
  if (members[Subgraphs] &&
      expect(*members[Subgraphs], TokenKind::Array, "subgraphs of " + Twine(title))) {
    node.subgraphs.resize(members[Subgraphs]->count());
    size_t at = 0;
    for (Value element : *members[Subgraphs])
      work.push_back({&node.subgraphs[at++], element});
  }
  if (members[Op] && members[Op]->is(TokenKind::String))
    setKind(node, members[BackwardSource]);
  if (node.isVariable() && !node.inputs.empty())
    fail(node.inputs.front().pos, "variable " + inQuotes(node.name) + " has " +
                                      Twine(node.inputs.size()) + " inputs, expected none");
}

/// Nodes are read before, so that a wrong element can be reported at its place.
void Reader::readArgNode(Value element, Graph &graph) {
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
  if (!node.op.empty() && !node.isVariable())
    fail(element.pos(), "arg_nodes lists " + describe(node) + ", expected variables only")
        .note(node.pos, "node " + Twine(*id) + " is here");
}

/// "node_row_ptr" is the running total of outputs. MXNet ignores it on reading,
/// so a wrong one is only worth a warning; a right one tells output counts.
void Reader::readRowPtr(Value array, Graph &graph) {
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
    return ignore("it has " + Twine(totals.size()) + " elements, but " +
                  Twine(graph.nodes.size()) + " nodes need " + Twine(graph.nodes.size() + 1));
  if (!std::is_sorted(totals.begin(), totals.end()) || totals.front() != 0)
    return ignore("it does not count up from 0");
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    graph.nodes[i].outputCount = totals[i + 1] - totals[i];
}

void Reader::readGraphAttrs(Value object, Graph &graph) {
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
      fail(value.pos(), "expected [type, value] as attribute " + inQuotes(attribute.key) +
                            " of the graph")
          .note("types are \"int\", \"str\", \"list_int\" and \"list_str\"; an example is "
                "[\"int\", 10901]");
      return;
    }
    if (attribute.key == "mxnet_version" && attribute.type == GraphAttribute::Type::Int) {
      graph.fileVersion = graph.version = attribute.ints.front();
      if (graph.fileVersion >= 30000)
        diagnostics.warning(source->name(), value.pos(),
                            "the file says MXNet version " + Twine(graph.fileVersion) +
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

void Reader::readGraph(Value value, Graph &graph) {
  static constexpr StringLiteral Names[] = {"nodes", "arg_nodes", "heads", "node_row_ptr", "attrs"};
  enum { Nodes, ArgNodes, Heads, RowPtr, Attrs };
  graph.source = source;
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
    readNode(node, id, graph.nodes[id]);
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
void Reader::detectLayout(Value root) {
  if (!root.is(TokenKind::Object))
    return;
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
}

bool Reader::run(Value root, Graph &graph) {
  detectLayout(root);
  unsigned before = diagnostics.errorCount();
  work.push_back({&graph, root});
  while (!work.empty()) {
    Work next = work.pop_back_val();
    readGraph(next.value, *next.graph);
  }
  return diagnostics.errorCount() == before;
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
    diagnostics.error(name, {}, "the file has " + Twine(buffer->getBufferSize()) +
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
  if (!Reader(*document, diagnostics).run(document->root(), graph))
    return std::nullopt;
  spreadVersion(graph);
  if (!checkGraph(graph, nullptr, diagnostics))
    return std::nullopt;
  if (options.upgrade)
    upgradeGraph(graph, options.catalog);
  if (options.catalog && !checkGraph(graph, options.catalog, diagnostics))
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
