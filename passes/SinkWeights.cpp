// SinkWeights.cpp: sg-sink-weights.
//
//   %w = sg.parameter @w                          sg.graph @body(%x, %v):
//   sg.foreach(%data, %w) {bodies = [@body]}  ->    %p = sg.parameter @w
//                                                   sg.fully_connected(%x, %p)
//
// A weight, or a prepared value, that a node of control flow hands to a graph as it is
// is read there, so that the schedule sees that it is one and can pack it. The input
// stays, unread. Runs after sg-hoist-prepare, which looks at @main alone.
#include "ir/ControlFlow.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_SINKWEIGHTS
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

struct SinkWeights : symc::impl::SinkWeightsBase<SinkWeights> {
  void runOnOperation() override {
    // Callers stand behind their bodies: what sinks into one can sink on into its own.
    SmallVector<GraphOp> graphs(getOperation().getOps<GraphOp>());
    SymbolTableCollection symbols;
    for (GraphOp graph : llvm::reverse(graphs))
      for (Operation &op : graph.getBlock())
        if (isControlFlow(&op) && failed(sink(&op, symbols)))
          return signalPassFailure();
  }

  LogicalResult sink(Operation *op, SymbolTableCollection &symbols) {
    FailureOr<SmallVector<BodyCall>> calls = bodyCalls(op, &symbols);
    if (failed(calls))
      return failure();
    for (BodyCall &call : *calls) {
      Block &block = call.body.getBlock();
      OpBuilder builder = OpBuilder::atBlockBegin(&block);
      for (auto [i, input] : llvm::enumerate(call.inputs)) {
        Operation *weight = op->getOperand(input.operand).getDefiningOp();
        if (input.isElement || input.isCarried || block.getArgument(i).use_empty() ||
            !isa_and_nonnull<ParameterOp, PreparedOp>(weight))
          continue;
        block.getArgument(i).replaceAllUsesWith(builder.clone(*weight)->getResult(0));
      }
    }
    return success();
  }
};

} // namespace
