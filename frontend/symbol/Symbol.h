//===- Symbol.h - symbols that a program composes -------------------------===//
//
// A Symbol is a list of outputs of nodes that symbols share, as MXNet has it: variables,
// operators that wait for their inputs, and what compose() makes of them. It becomes a Graph
// (toGraph), which everything else in the compiler reads, and comes from one (fromGraph).
//
// Symbols are values: composing gives another symbol, and one whose composition fails is what it
// was. Nodes are shared: an attribute that is set on one shows in every symbol that holds its node,
// until copy() makes nodes of its own.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_SYMBOL_SYMBOL_H
#define SYMC_FRONTEND_SYMBOL_SYMBOL_H

#include "frontend/symbol/OperatorCatalog.h"
#include <map>
#include <memory>

namespace symc::symbol {

class Symbol {
public:
  /// Inputs by the names of arguments, in the order in which they were given.
  using Keywords = llvm::ArrayRef<std::pair<std::string, Symbol>>;

  /// No outputs.
  Symbol() = default;
  static Symbol variable(llvm::StringRef name, AttributeMap attributes = {});
  /// An operator without inputs, under any of its names. Nothing comes back, and `message`
  /// states why, for an unknown operator and for attributes that its parameters do not take.
  static std::optional<Symbol> create(llvm::StringRef op, AttributeMap attributes,
                                      const OperatorCatalog &catalog, std::string &message);
  /// The outputs of all of them, one behind the other.
  static Symbol group(llvm::ArrayRef<Symbol> symbols);

  /// An operator that create() gave gets its name and its inputs: first those by position, then
  /// those by keyword; for each that is left a new variable `<name>_<argument>` with the operator's
  /// attributes. In any other symbol each variable that a keyword names becomes the
  /// keyword's symbol, wherever it is read. Every input has one output. An empty name keeps the
  /// one that there is. Nothing comes back after a mistake, which `message` describes.
  std::optional<Symbol> compose(llvm::StringRef name, llvm::ArrayRef<Symbol> inputs,
                                Keywords keywords, const OperatorCatalog &catalog,
                                std::string &message) const;

  size_t numOutputs() const { return outputs.size(); }
  /// One of numOutputs(), by itself.
  Symbol output(size_t index) const;
  /// Every visible output of every node, each node after its inputs.
  Symbol internals() const;
  /// What the nodes of the outputs read; no outputs if they are variables alone.
  Symbol children() const;
  /// The same over nodes of its own.
  Symbol copy() const;
  /// What an operator that waits for its inputs runs: the graphs of foreach, while_loop and cond.
  /// False for any other symbol.
  bool setSubgraphs(std::vector<Graph> subgraphs);
  /// Cuts off all nodes but those that have the first output's value of attribute `key`, which
  /// from then on read variables instead, named after the outputs for which they stand. Gives
  /// these outputs, each once; none where the first output has no such attribute.
  Symbol cut(llvm::StringRef key, const OperatorCatalog &catalog);

  /// The name of the one node that all outputs are of.
  std::optional<std::string> name() const;
  /// Of that node; nothing where there is no such attribute, or outputs of several nodes. Three
  /// that MXNet answers too: name, op_name and _value_index, the outputs by number ("0, 1").
  std::optional<std::string> attribute(llvm::StringRef key) const;
  /// Sets an attribute of that node. False for outputs of several nodes, or none.
  bool setAttribute(llvm::StringRef key, llvm::StringRef value);
  /// Those of that node.
  const AttributeMap *attributes() const;

  /// Nodes in MXNet's order, each after its inputs.
  Graph toGraph() const;
  /// The heads of a checked graph without backward nodes. `catalog` gives how many outputs its
  /// nodes show; an operator that it lacks shows those that the graph names.
  static Symbol fromGraph(const Graph &graph, const OperatorCatalog &catalog);

private:
  struct Shared;
  using SharedRef = std::shared_ptr<Shared>;
  struct Output {
    SharedRef node;
    uint32_t index = 0;
    uint32_t version = 0;
  };

  explicit Symbol(SharedRef node) : outputs{{std::move(node)}} {}
  Shared *onlyNode() const;
  bool waitsForInputs() const;
  std::vector<SharedRef> postOrder() const;
  bool setVersions(Shared &made, const OperatorFacts &facts, std::string &message) const;
  std::optional<Symbol> composeOperator(llvm::StringRef name, llvm::ArrayRef<Symbol> inputs,
                                        Keywords keywords, const OperatorCatalog &catalog,
                                        std::string &message) const;
  std::optional<Symbol> replaceVariables(llvm::StringRef name, Keywords keywords,
                                         std::string &message) const;

  std::vector<Output> outputs;
};

/// Names for what a program does not name: "convolution0", "convolution1"; a counter for each hint.
class NameManager {
public:
  /// `prefix` stands in front of every name, given ones too.
  explicit NameManager(llvm::StringRef prefix = "") : prefix(prefix) {}
  std::string get(llvm::StringRef given, llvm::StringRef hint);

private:
  std::string prefix;
  std::map<std::string, uint64_t> counters;
};

} // namespace symc::symbol

#endif // SYMC_FRONTEND_SYMBOL_SYMBOL_H
