//===- OperatorCatalog.h - what graphs query of operators -----------------===//
//
// Graphs and their readers have no list of operators. Upgrading old files and checking
// counts of inputs and outputs need a few facts, which the owner of the op table
// supplies through this class. Aliases are resolved by it.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_SYMBOL_OPERATORCATALOG_H
#define SYMC_FRONTEND_SYMBOL_OPERATORCATALOG_H

#include "frontend/symbol/Graph.h"

namespace symc::symbol {

/// Facts about one operator under given attributes.
struct OperatorFacts {
  std::string canonicalName;
  /// Names of all inputs in order, auxiliary states at the end. Absent where
  /// the count cannot be determined (operators that own subgraphs).
  std::optional<std::vector<std::string>> inputs;
  /// How many of the last inputs are auxiliary states.
  unsigned auxCount = 0;
  std::optional<unsigned> visibleOutputs;
  std::optional<unsigned> totalOutputs;
  /// How many more MXNet's builds with oneDNN count in node_row_ptr: workspaces of the operator.
  unsigned workspaceOutputs = 0;
};

class OperatorCatalog {
public:
  virtual ~OperatorCatalog() = default;

  /// Facts about `op`, which may be an alias. Nothing for an unknown operator,
  /// for attributes that do not parse (the importer reports those), and for
  /// more than MaxInputs inputs. Unknown keys in `attrs` are ignored.
  virtual std::optional<OperatorFacts> lookup(llvm::StringRef op,
                                              const AttributeMap &attrs) const = 0;

  /// What is wrong with an operator of these attributes, unknown keys among them, or "".
  virtual std::string complaint(llvm::StringRef op, const AttributeMap &attrs) const {
    return lookup(op, attrs) ? "" : "unknown operator " + inQuotes(op);
  }

  /// The `__init__` that MXNet sets on variable input `index` of `op` in files
  /// older than 0.9.4 (such as `["one", {}]` for BatchNorm's moving_var).
  virtual std::optional<std::string> inputInit(llvm::StringRef op, unsigned index,
                                               const AttributeMap &attrs) const {
    return std::nullopt;
  }

  /// What list_outputs calls output `index` of a node: "fc1_output"; a variable by its name.
  virtual std::string outputName(const Node &node, unsigned index) const {
    return node.isVariable() ? node.name : node.name + "_output" + std::to_string(index);
  }

  /// Larger num_args are a mistake, and would make the upgrade of a small file
  /// take a lot of memory.
  static constexpr unsigned MaxInputs = 4096;
};

} // namespace symc::symbol

#endif // SYMC_FRONTEND_SYMBOL_OPERATORCATALOG_H
