// Parts.h: of a graph with gradients, which inputs, outputs and states are those of forward and
// which those of backward. sg-gradient sets the attributes that decide it.
#ifndef SYMC_IR_PARTS_H
#define SYMC_IR_PARTS_H

#include "ir/GraphDialect.h"

namespace symc::sg {

/// Of a result that is the new value of a state: backward computes it.
inline constexpr llvm::StringLiteral backwardName = "sg.backward";

/// Of a graph whose two parts run in one call alone, as of a trainer: what backward reads of inputs
/// is not copied, since these are there until its end.
inline constexpr llvm::StringLiteral onePartName = "sg.one_part";

/// Of a graph of training whose steps predict, too: nodes that compute something else then have
/// sg.by_mode behind them (PredictionSteps.h).
inline constexpr llvm::StringLiteral predictsName = "sg.predicts";

/// Whether backward computes the result: a gradient, or the new value of a state.
bool isOfBackward(GraphOp graph, unsigned result);

/// Whether some result is backward's, and the parts run by themselves.
bool hasBackward(GraphOp graph);

/// "forward", "backward", or "both" for a state whose new value backward computes.
llvm::StringRef partOfArgument(GraphOp graph, unsigned argument);
llvm::StringRef partOfResult(GraphOp graph, unsigned result);

} // namespace symc::sg

#endif // SYMC_IR_PARTS_H
