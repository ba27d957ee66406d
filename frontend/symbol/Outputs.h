//===- Outputs.h - a graph up to chosen outputs ----------------------------===//
//
// Makes outputs of any nodes the heads of a graph, and takes away what they do not need, so
// that nothing looks at it: a net without its training head, or up to an operator that symc
// does not have. The one place where a name becomes an output: --outputs and
// MXPredCreatePartialOut come here.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_SYMBOL_OUTPUTS_H
#define SYMC_FRONTEND_SYMBOL_OUTPUTS_H

#include "frontend/symbol/OperatorCatalog.h"

namespace symc::symbol {

/// What a name is compared with first, and whether names may repeat.
enum class OutputNames {
  /// Outputs, as list_outputs() of MXNet's get_internals() has them: "fc_output", "split_output1",
  /// "bn_mean", a variable's own name; then nodes: "fc" is "fc_output", or the node's only output.
  /// A name stands for one output, and is given once.
  Outputs,
  /// MXPredCreatePartialOut: nodes, then outputs. Of several outputs of one name the first.
  Nodes,
};

/// Makes the outputs that `names` name the heads of a structurally sound graph, in this order,
/// and removes every node that they do not need; the variables among these go to graph.leftOut. A
/// text that names no output is read as several names between commas. Outputs that a node hides
/// are found, too: the importer refuses those that symc does not compute. False after a mistake,
/// which is reported.
bool chooseOutputs(Graph &graph, llvm::ArrayRef<std::string> names, const OperatorCatalog &catalog,
                   Diagnostics &diagnostics, OutputNames kind = OutputNames::Outputs);

} // namespace symc::symbol

#endif // SYMC_FRONTEND_SYMBOL_OUTPUTS_H
