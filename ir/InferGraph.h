// InferGraph.h: shapes and element types of whole graphs. A function for whoever holds a module:
// the passes sg-infer-shapes and sg-infer-types, and an API that queries what is known of a graph
// before all of it is. Errors are diagnostics of the module's context.
#ifndef SYMC_IR_INFERGRAPH_H
#define SYMC_IR_INFERGRAPH_H

#include "mlir/IR/BuiltinOps.h"

namespace symc::sg {

/// What becomes of values that nothing decides.
enum class Undecided {
  Settle, // an unknown shape is an error, an unknown element type becomes float32
  Leave   // both stay unknown: MXNet's infer_shape_partial and infer_type_partial
};

/// Lets every node of the module's graphs refine shapes of operands and results until nothing
/// changes, across calls of bodies and uses of weights, and writes them into types. Fails where
/// two shapes contradict each other, and types are as they were; or, with Undecided::Settle, where
/// a shape stays unknown, and what is known has been written. Adds to `visits` how often nodes
/// were inferred, which grows with nodes and edges and no faster.
mlir::LogicalResult inferShapes(mlir::ModuleOp module, Undecided undecided = Undecided::Settle,
                                size_t *visits = nullptr);

/// The same for element types. Weights of a file take its type where the graph decides none.
mlir::LogicalResult inferTypes(mlir::ModuleOp module, Undecided undecided = Undecided::Settle,
                               size_t *visits = nullptr);

/// Fails where a graph calls itself, through others too. Both inferences check it first; who works
/// on a module that was not inferred checks it as well.
mlir::LogicalResult checkCalls(mlir::ModuleOp module);

} // namespace symc::sg

#endif // SYMC_IR_INFERGRAPH_H
