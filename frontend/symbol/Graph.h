//===- Graph.h - a symbol: nodes, entries, heads --------------------------===//
//
// MXNet's Symbol as plain structs: nodes with string attributes, entries, heads,
// subgraphs. Readers of files make it and note where everything stands; a program
// composes one with addVariable() and addNode(), and nothing in it has a place.
// After checkGraph() all ids are in range and there is no cycle. Ids are indices
// into Graph::nodes; nodes may refer forward, so walk postOrder() rather than the
// vector.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_SYMBOL_GRAPH_H
#define SYMC_FRONTEND_SYMBOL_GRAPH_H

#include "frontend/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace symc::symbol {

/// Whose an attribute is.
enum class AttributeOwner {
  Unknown,  // its name decides
  Operator, // a parameter of the operator, in files that distinguish them
  User,
};

/// One string attribute of a node.
struct Attribute {
  std::string key;
  std::string value;
  SourcePos keyPos;
  SourcePos valuePos;
  AttributeOwner owner = AttributeOwner::Unknown;
};

/// The attributes of a node in the order in which they were given, keys unique. Look-ups are
/// linear: nodes have a few dozen attributes, and readers refuse more than MaxAttributes.
class AttributeMap {
public:
  const Attribute *find(llvm::StringRef key) const;
  /// The value, or nothing.
  std::optional<llvm::StringRef> get(llvm::StringRef key) const;
  /// Replaces the value of a key or appends it.
  void set(Attribute attribute);
  /// Appends a key that is known to be new.
  void append(Attribute attribute) { attributes.push_back(std::move(attribute)); }
  bool erase(llvm::StringRef key);

  bool empty() const { return attributes.empty(); }
  size_t count() const { return attributes.size(); }
  auto begin() const { return attributes.begin(); }
  auto end() const { return attributes.end(); }
  /// The attributes ordered by key, as MXNet writes them.
  std::vector<const Attribute *> sorted() const;

  static constexpr size_t MaxAttributes = 4096;

private:
  std::vector<Attribute> attributes;
};

/// Output `index` of node `node`. `version` counts mutations of a variable and
/// is kept for the round trip only.
struct Entry {
  uint32_t node = 0;
  uint32_t index = 0;
  uint32_t version = 0;
  SourcePos pos;
};

/// Attributes as a program writes them: {{"kernel", "(3, 3)"}, ...}.
using NamedStrings = llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>>;

enum class NodeKind {
  Variable,
  Operator,
  /// Gradient of node `backwardSource`, one output per argument input of it
  /// (StaticGraph files only; op is "null").
  Backward,
  /// Sum of its inputs (StaticGraph files only; op is "null").
  GradientSum,
};

struct Graph;

struct Node {
  std::string op;
  std::string name;
  NodeKind kind = NodeKind::Operator;
  AttributeMap attrs;
  std::vector<Entry> inputs;
  std::vector<uint32_t> controlDeps;
  std::vector<Graph> subgraphs;
  /// Node whose gradient this is, or -1.
  int64_t backwardSource = -1;
  /// Number of outputs, hidden ones included, where the file or the catalog
  /// gives it.
  std::optional<uint32_t> outputCount;
  /// Not in the file: added by an upgrade step from an operator's missing input.
  bool implied = false;
  /// The node, its operator's name and its own; line 0 where no text has them.
  SourcePos pos;
  SourcePos opPos;
  SourcePos namePos;

  bool isVariable() const { return kind == NodeKind::Variable; }
};

/// A value of the graph's "attrs", such as ["int", 10901].
struct GraphAttribute {
  std::string key;
  enum class Type { Int, Str, IntList, StrList } type = Type::Int;
  std::vector<int64_t> ints;
  std::vector<std::string> strings;
};

/// The generations of symbol files.
enum class Layout {
  StaticGraph, // MXNet 0.7 and 0.8: "param", "backward_source_id"
  NnvmAttr,    // 0.9 to 0.11: "attr"
  NnvmAttrs,   // 1.0 and later: "attrs"
};

/// The version whose rules the importer follows: 1.9.1.
constexpr int64_t CurrentVersion = 10901;

struct Graph {
  /// What messages call the graph: the path of its file, or the name that a program gives.
  std::string name;
  std::vector<Node> nodes;
  std::vector<uint32_t> argNodes;
  std::vector<Entry> heads;
  /// Variables of its file that chosen outputs do not need (Outputs.h).
  std::vector<std::string> leftOut;
  /// Without "mxnet_version", which is in `version`.
  std::vector<GraphAttribute> attrs;
  /// Of the file that it was read from, for the round trip.
  Layout layout = Layout::NnvmAttrs;
  /// Version in the file and the one whose rules the graph follows, as
  /// major * 10000 + minor * 100 + patch.
  int64_t fileVersion = CurrentVersion;
  int64_t version = CurrentVersion;
  SourcePos pos;

  /// Appends a variable; its only output.
  Entry addVariable(llvm::StringRef variable, NamedStrings attributes = {});
  /// Appends a node that reads `inputs`; its first output, whose index may be changed
  /// to name another.
  Entry addNode(llvm::StringRef op, llvm::StringRef node, llvm::ArrayRef<Entry> inputs,
                NamedStrings attributes = {});
  const GraphAttribute *findAttr(llvm::StringRef key) const;
  /// True for graphs saved under NumPy shape semantics ("is_np_shape").
  bool isNumpyShape() const;
};

/// Nodes that the heads reach, each after its inputs, control dependencies and
/// (for a backward node) forward node, in MXNet's depth-first order. The order
/// of variables in it is the order of list_inputs(). Assumes a checked graph.
std::vector<uint32_t> postOrder(const Graph &graph);

/// True if both describe the same graph: everything but places in the text,
/// layout, versions and the order of attributes.
bool sameGraph(const Graph &a, const Graph &b);

/// "node 'conv0' ('Convolution')" or "variable 'data'", for messages.
std::string describe(const Node &node);

} // namespace symc::symbol

#endif // SYMC_FRONTEND_SYMBOL_GRAPH_H
