//===- Plan.h - what the steps of the importer hand to each other ---------===//
//
// The importer runs in three steps: checkNodes() parses every node,
// assignVariables() decides what each variable is, buildModule() makes the
// operations and cannot fail.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_IMPORT_PLAN_H
#define SYMC_FRONTEND_IMPORT_PLAN_H

#include "frontend/import/Attributes.h"
#include "frontend/import/Importer.h"
#include "frontend/import/Signature.h"

namespace symc::importer {

struct Plan;

/// What the inputs of a backward node are (BackwardNodes.cpp).
struct PlannedGradient {
  /// The forward node's inputs without auxiliary states; each has a gradient.
  std::vector<symbol::Entry> operands;
  /// Gradients that arrive at the forward node's results, and the numbers of these.
  std::vector<symbol::Entry> arriving;
  std::vector<int64_t> places;
  /// Of an operand: a gradient that its own one is added to; node kNone where there is none.
  std::vector<symbol::Entry> addedTo;
  static constexpr uint32_t kNone = ~0u;
};

/// A node with an operator, or one that computes gradients; ready to build.
struct PlannedNode {
  /// Of its subgraphs, for operators that own graphs.
  std::vector<std::unique_ptr<Plan>> bodies;
  const sg::OpName *op = nullptr;
  NodeAttributes attributes;
  Signature signature;
  PlannedGradient gradient; // of a backward node
};

enum class Role { Input, Weight };

struct PlannedVariable {
  Role role = Role::Input;
  bool auxiliary = false;
  /// A weight's symbol: the variable's name, made unique.
  std::string symbol;
  /// A weight's value, or null for one that is drawn.
  const params::ArrayInfo *array = nullptr;
  const params::WeightSource *source = nullptr;
  sg::Shape shape;
  mlir::Type elementType;
  /// The first operand that reads it, and whose.
  llvm::StringRef operand;
  uint32_t user = 0;
  bool isParameter = false; // an input that options.parametersAreInputs made of a weight
  bool isGradient = false;  // that operand is one: the variable is the gradient of an output
};

struct Plan {
  Plan(const symbol::Graph &graph, const ImportOptions &options, mlir::MLIRContext &context,
       Diagnostics &diagnostics)
      : graph(graph), options(options), context(context), diagnostics(diagnostics),
        order(symbol::postOrder(graph)), nodes(graph.nodes.size()), variables(graph.nodes.size()),
        live(graph.nodes.size()), predicted(graph.nodes.size()), training(options.training) {
    for (uint32_t id : order)
      training |= graph.nodes[id].kind == symbol::NodeKind::Backward;
  }

  const symbol::Graph &graph;
  const ImportOptions &options;
  mlir::MLIRContext &context;
  Diagnostics &diagnostics;
  /// What the heads reach; the next three are indexed by node.
  std::vector<uint32_t> order;
  std::vector<PlannedNode> nodes;
  std::vector<PlannedVariable> variables;
  /// Whether a head needs the node (in prediction, unless `training`).
  std::vector<bool> live;
  /// Whether one needs it in prediction.
  std::vector<bool> predicted;
  /// Computed as in training: the caller requires it, or the graph holds backward nodes.
  bool training;
  /// The nodes whose labels are left out (UnknownLabels.h); may be empty.
  std::vector<bool> noLabel;
  /// Symbolic sizes in order of appearance.
  struct Size {
    std::string name;
    int64_t min, max;
  };
  std::vector<Size> sizes;

  /// As list_outputs has it: a variable's name, or "<node>_<result>".
  std::string outputName(uint32_t node, int64_t index) const;

  Diagnostic &error(SourcePos pos, const llvm::Twine &message) {
    return diagnostics.error(graph.name, pos, message);
  }
};

/// Each returns false after a mistake, which is reported.
bool checkNodes(Plan &plan);
/// Plans a backward node, whose forward node is planned.
bool planBackward(Plan &plan, uint32_t id);
/// Sets `live` and `predicted` of nodes that are checked.
void findLive(Plan &plan);
bool assignVariables(Plan &plan);
mlir::OwningOpRef<mlir::ModuleOp> buildModule(Plan &plan);

} // namespace symc::importer

#endif // SYMC_FRONTEND_IMPORT_PLAN_H
