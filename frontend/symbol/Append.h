//===- Append.h - operators and a loss behind a graph ----------------------===//
//
// Puts operators, as a command line names them, behind the only output of a graph, and ends it
// in one of MXNet's losses: what a net needs that was saved without the head that trains it.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_SYMBOL_APPEND_H
#define SYMC_FRONTEND_SYMBOL_APPEND_H

#include "frontend/symbol/OperatorCatalog.h"

namespace symc::symbol {

/// Appends operators with their parameters ("FullyConnected(num_hidden=5, name=head)") to a
/// structurally sound graph of one output: each reads what is before it, and variables of its own
/// else. Without `name` a node is called as MXNet's NameManager does: "fullyconnected0". False
/// after a mistake, which is reported.
bool appendOperators(Graph &graph, llvm::ArrayRef<std::string> calls,
                     const OperatorCatalog &catalog, Diagnostics &diagnostics);

/// Ends the graph in a loss: softmax, linear, mae, logistic, svm or make_loss, which are MXNet's
/// SoftmaxOutput, LinearRegressionOutput, MAERegressionOutput, LogisticRegressionOutput, SVMOutput
/// and MakeLoss, under either name, with their parameters. The node is called as the loss is, its
/// label "softmax_label". SoftmaxOutput takes the place of a softmax that is the output, and
/// LogisticRegressionOutput that of a sigmoid: they compute it themselves. False after a mistake,
/// which is reported.
bool appendLoss(Graph &graph, llvm::StringRef call, const OperatorCatalog &catalog,
                Diagnostics &diagnostics);

} // namespace symc::symbol

#endif // SYMC_FRONTEND_SYMBOL_APPEND_H
