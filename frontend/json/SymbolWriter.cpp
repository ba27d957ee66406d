//===- SymbolWriter.cpp - Graph -> symbol JSON ----------------------------===//
//
// An emitter with MXNet's line breaks (a container is broken over lines if it
// is declared so when it opens; two spaces a level; a space after each comma)
// and the two layouts on top. Subgraphs nest at most as deep as the reader
// allows, and are written through an explicit stack.
//
//===----------------------------------------------------------------------===//
#include "frontend/json/SymbolWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace symc::json {

using namespace symbol;

namespace {

/// Containers of plain numbers stay on one line up to this many elements.
constexpr size_t LongArray = 10;

class Emitter {
public:
  explicit Emitter(raw_ostream &os) : os(os) {}

  void open(char bracket, bool multiLine) {
    os << bracket;
    scopes.push_back({multiLine, 0});
  }
  void close(char bracket) {
    Scope scope = scopes.pop_back_val();
    if (scope.multiLine && scope.count != 0)
      breakLine();
    os << bracket;
  }
  /// Before each element of an array.
  void element() {
    if (scopes.back().count++ != 0)
      os << ", ";
    if (scopes.back().multiLine)
      breakLine();
  }
  void key(StringRef name) {
    element();
    string(name);
    os << ": ";
  }
  void string(StringRef text) {
    os << '"';
    for (char c : text) {
      switch (c) {
      case '\r':
        os << "\\r";
        break;
      case '\n':
        os << "\\n";
        break;
      case '\\':
        os << "\\\\";
        break;
      case '\t':
        os << "\\t";
        break;
      case '"':
        os << "\\\"";
        break;
      default:
        os << c;
      }
    }
    os << '"';
  }
  template <typename Range> void numbers(const Range &range) {
    open('[', range.size() > LongArray);
    for (auto number : range) {
      element();
      os << number;
    }
    close(']');
  }
  void strings(ArrayRef<std::string> texts) {
    open('[', texts.size() > LongArray);
    for (StringRef text : texts) {
      element();
      string(text);
    }
    close(']');
  }

  raw_ostream &os;

private:
  struct Scope {
    bool multiLine;
    size_t count;
  };
  /// Indents by the scopes that are open and broken over lines or not: MXNet
  /// counts both.
  void breakLine() { os << '\n' << std::string(scopes.size() * 2, ' '); }
  SmallVector<Scope, 16> scopes;
};

class Writer {
public:
  Writer(raw_ostream &os, const OperatorCatalog *catalog, Layout layout)
      : emit(os), catalog(catalog), layout(layout) {}

  void run(const Graph &root);

private:
  /// Where the writing of a graph stands: the next node, and the next subgraph
  /// of the node before it.
  struct Frame {
    const Graph *graph;
    bool isRoot;
    std::vector<uint32_t> newId;
    uint32_t node = 0;
    size_t subgraph = 0;
    bool inNode = false;
  };

  void begin(const Graph &graph, bool isRoot);
  void finish(const Frame &frame);
  void writeEntry(const Frame &frame, const Entry &entry);
  void writeAttributes(StringRef key, const Node &node, bool fromParam, bool all);
  void writeNodeHead(const Frame &frame, const Node &node);
  bool isWritten(const Node &node) const { return layout != Layout::StaticGraph || !node.implied; }
  std::optional<std::vector<uint64_t>> rowPtr(const Graph &graph) const;

  Emitter emit;
  const OperatorCatalog *catalog;
  Layout layout;
  std::vector<Frame> stack;
};

void Writer::begin(const Graph &graph, bool isRoot) {
  Frame frame{&graph, isRoot, {}};
  uint32_t next = 0;
  for (const Node &node : graph.nodes)
    frame.newId.push_back(isWritten(node) ? next++ : 0);
  emit.open('{', true);
  emit.key("nodes");
  emit.open('[', true);
  stack.push_back(std::move(frame));
}

void Writer::writeEntry(const Frame &frame, const Entry &entry) {
  emit.element();
  emit.open('[', false);
  emit.element();
  emit.os << frame.newId[entry.node];
  emit.element();
  emit.os << entry.index;
  if (layout != Layout::StaticGraph || entry.version != 0) {
    emit.element();
    emit.os << entry.version;
  }
  emit.close(']');
}

void Writer::writeAttributes(StringRef key, const Node &node, bool fromParam, bool all) {
  std::vector<const Attribute *> attributes;
  for (const Attribute *attribute : node.attrs.sorted())
    if (all || (attribute->owner == AttributeOwner::Operator) == fromParam)
      attributes.push_back(attribute);
  if (attributes.empty() && !(layout == Layout::StaticGraph && fromParam))
    return;
  emit.key(key);
  emit.open('{', attributes.size() > 1);
  for (const Attribute *attribute : attributes) {
    emit.key(attribute->key);
    emit.string(attribute->value);
  }
  emit.close('}');
}

/// Everything of a node before its subgraphs.
void Writer::writeNodeHead(const Frame &frame, const Node &node) {
  bool old = layout == Layout::StaticGraph;
  emit.element();
  emit.open('{', true);
  emit.key("op");
  emit.string(node.op);
  if (old)
    writeAttributes("param", node, /*fromParam=*/true, /*all=*/false);
  emit.key("name");
  emit.string(node.name);
  if (!old)
    writeAttributes("attrs", node, false, /*all=*/true);
  size_t written = llvm::count_if(
      node.inputs, [&](const Entry &entry) { return isWritten(frame.graph->nodes[entry.node]); });
  emit.key("inputs");
  emit.open('[', written > LongArray);
  for (const Entry &entry : node.inputs)
    if (isWritten(frame.graph->nodes[entry.node]))
      writeEntry(frame, entry);
  emit.close(']');
  if (old) {
    emit.key("backward_source_id");
    if (node.backwardSource < 0)
      emit.os << -1;
    else
      emit.os << frame.newId[node.backwardSource];
    writeAttributes("attr", node, /*fromParam=*/false, /*all=*/false);
  }
  if (!node.controlDeps.empty()) {
    std::vector<uint32_t> ids;
    for (uint32_t id : node.controlDeps)
      ids.push_back(frame.newId[id]);
    emit.key("control_deps");
    emit.numbers(ids);
  }
}

std::optional<std::vector<uint64_t>> Writer::rowPtr(const Graph &graph) const {
  std::vector<uint64_t> totals{0};
  for (const Node &node : graph.nodes) {
    std::optional<uint32_t> count = node.outputCount;
    if (node.isVariable())
      count = 1;
    if (!count && catalog)
      if (auto facts = catalog->lookup(node.op, node.attrs))
        if ((count = facts->totalOutputs))
          *count += facts->workspaceOutputs;
    if (!count)
      return std::nullopt;
    totals.push_back(totals.back() + *count);
  }
  return totals;
}

/// Everything of a graph after its nodes.
void Writer::finish(const Frame &frame) {
  const Graph &graph = *frame.graph;
  bool old = layout == Layout::StaticGraph;
  emit.close(']');
  std::vector<uint32_t> arguments;
  for (uint32_t id : graph.argNodes)
    if (isWritten(graph.nodes[id]))
      arguments.push_back(frame.newId[id]);
  emit.key("arg_nodes");
  emit.numbers(arguments);
  if (!old)
    if (auto totals = rowPtr(graph)) {
      emit.key("node_row_ptr");
      emit.numbers(*totals);
    }
  emit.key("heads");
  emit.open('[', graph.heads.size() > LongArray);
  for (const Entry &head : graph.heads)
    writeEntry(frame, head);
  emit.close(']');
  // StaticGraph files have no attributes and are of version 800. Where the graph
  // has more, it is written with the version of its file, since reading
  // implies the auxiliary states again.
  bool isPlainOld = old && graph.attrs.empty() && graph.fileVersion == 800;
  if (frame.isRoot && !isPlainOld) {
    emit.key("attrs");
    GraphAttribute version;
    version.key = "mxnet_version";
    version.ints.push_back(old ? graph.fileVersion : graph.version);
    std::vector<const GraphAttribute *> attributes{&version};
    for (const GraphAttribute &attribute : graph.attrs)
      attributes.push_back(&attribute);
    llvm::sort(attributes, [](auto *a, auto *b) { return a->key < b->key; });
    emit.open('{', attributes.size() > 1);
    for (const GraphAttribute *attribute : attributes) {
      emit.key(attribute->key);
      emit.open('[', false);
      emit.element();
      switch (attribute->type) {
      case GraphAttribute::Type::Int:
        emit.string("int");
        emit.element();
        emit.os << attribute->ints.front();
        break;
      case GraphAttribute::Type::Str:
        emit.string("str");
        emit.element();
        emit.string(attribute->strings.front());
        break;
      case GraphAttribute::Type::IntList:
        emit.string("list_int");
        emit.element();
        emit.numbers(attribute->ints);
        break;
      case GraphAttribute::Type::StrList:
        emit.string("list_str");
        emit.element();
        emit.strings(attribute->strings);
        break;
      }
      emit.close(']');
    }
    emit.close('}');
  }
  emit.close('}');
}

void Writer::run(const Graph &root) {
  begin(root, /*isRoot=*/true);
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (frame.node == frame.graph->nodes.size()) {
      finish(frame);
      stack.pop_back();
      continue;
    }
    const Node &node = frame.graph->nodes[frame.node];
    if (!frame.inNode) {
      if (!isWritten(node)) {
        ++frame.node;
        continue;
      }
      writeNodeHead(frame, node);
      frame.inNode = true;
      frame.subgraph = 0;
      if (!node.subgraphs.empty()) {
        emit.key("subgraphs");
        emit.open('[', true);
      }
    }
    if (frame.subgraph < node.subgraphs.size()) {
      emit.element();
      begin(node.subgraphs[frame.subgraph++], /*isRoot=*/false);
      continue;
    }
    if (!node.subgraphs.empty())
      emit.close(']');
    emit.close('}');
    frame.inNode = false;
    ++frame.node;
  }
}

} // namespace

bool hasBackwardNodes(const Graph &root) {
  SmallVector<const Graph *, 8> graphs{&root};
  while (!graphs.empty()) {
    for (const Node &node : graphs.pop_back_val()->nodes) {
      if (node.kind == NodeKind::Backward || node.kind == NodeKind::GradientSum)
        return true;
      for (const Graph &subgraph : node.subgraphs)
        graphs.push_back(&subgraph);
    }
  }
  return false;
}

void writeSymbol(const Graph &graph, raw_ostream &os, const OperatorCatalog *catalog) {
  Layout layout = hasBackwardNodes(graph) ? Layout::StaticGraph : Layout::NnvmAttrs;
  Writer(os, catalog, layout).run(graph);
}

} // namespace symc::json
