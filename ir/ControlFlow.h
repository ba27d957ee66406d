// ControlFlow.h: what a node of control flow calls, and how its operands and results
// meet the inputs and heads of the graphs that it calls. Inference, weights that move
// into bodies and the schedule all read it here.
#ifndef SYMC_IR_CONTROLFLOW_H
#define SYMC_IR_CONTROLFLOW_H

#include "ir/GraphDialect.h"

namespace symc::sg {

/// One call of one graph.
struct BodyCall {
  GraphOp body;
  /// What each input of the body is: the node's operand, whole or one element of its
  /// first axis at a time. A carried one changes from iteration to iteration.
  struct Input {
    unsigned operand;
    bool isElement;
    bool isCarried;
  };
  llvm::SmallVector<Input> inputs;
  /// What each head of the body is: the node's result, whole or one element of its first
  /// axis at a time; the condition of a loop or choice is none.
  struct Head {
    std::optional<unsigned> result;
    bool isElement;
    /// The operand whose place it takes in the next iteration.
    std::optional<unsigned> carriedBy;
  };
  llvm::SmallVector<Head> heads;
  /// Extent of the first axis of gathered results; unknown: that of operand 0.
  Dim iterations;
};

/// Whether the operation calls graphs.
bool isControlFlow(mlir::Operation *op);

/// The calls of a node in the order of its bodies. Fails with an error at the node where
/// its locations do not fit its operands or its bodies. A caller with many nodes gives `symbols`,
/// without which each looks through the module for its graphs.
mlir::FailureOr<llvm::SmallVector<BodyCall>>
bodyCalls(mlir::Operation *op, mlir::SymbolTableCollection *symbols = nullptr);

/// Gives a body the symbolic sizes of the graph that calls it, to which inference may have added
/// (ir/ValueSizes.h): its values have the same numbers for them.
void shareSizes(GraphOp graph, GraphOp body);

/// The graphs of a module that nodes call, those of a node before their caller.
llvm::SmallVector<GraphOp> bodiesOf(mlir::ModuleOp module);

} // namespace symc::sg

#endif // SYMC_IR_CONTROLFLOW_H
