// ControlFlow.cpp: see ControlFlow.h. What is each operator's own stands in ir/ops/Control.cpp.
#include "ir/ControlFlow.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace symc::sg;

bool symc::sg::isControlFlow(Operation *op) { return isa<ControlFlowInterface>(op); }

FailureOr<SmallVector<BodyCall>> symc::sg::bodyCalls(Operation *op,
                                                     SymbolTableCollection *symbols) {
  auto node = cast<ControlFlowInterface>(op);
  SmallVector<BodyCall> calls;
  for (Attribute body : node.getBodies().value_or(ArrayAttr::get(op->getContext(), {}))) {
    StringAttr name = cast<FlatSymbolRefAttr>(body).getAttr();
    Operation *caller = op->getParentOfType<GraphOp>();
    GraphOp graph = symbols ? symbols->lookupNearestSymbolFrom<GraphOp>(caller, name)
                            : SymbolTable::lookupNearestSymbolFrom<GraphOp>(caller, name);
    if (!graph)
      return nodeError(op) << "there is no graph " << body;
    BodyCall call;
    call.body = graph;
    call.inputs.resize(graph.getBlock().getNumArguments());
    calls.push_back(call);
  }
  if (calls.size() != node.countBodies())
    return nodeError(op) << "there are " << calls.size() << " subgraphs, needs "
                         << node.countBodies();
  if (failed(node.readCalls(calls)))
    return failure();
  return calls;
}

void symc::sg::shareSizes(GraphOp graph, GraphOp body) {
  if (body.getDimMaxAttr() == graph.getDimMaxAttr() &&
      body.getDimMinAttr() == graph.getDimMinAttr())
    return;
  body.setDimNamesAttr(graph.getDimNamesAttr());
  body.setDimMinAttr(graph.getDimMinAttr());
  body.setDimMaxAttr(graph.getDimMaxAttr());
}

SmallVector<GraphOp> symc::sg::bodiesOf(ModuleOp module) {
  llvm::StringSet<> called;
  module.walk([&](ControlFlowInterface node) {
    if (std::optional<ArrayAttr> bodies = node.getBodies())
      for (Attribute body : *bodies)
        called.insert(cast<FlatSymbolRefAttr>(body).getValue());
  });
  SmallVector<GraphOp> graphs;
  for (auto graph : module.getOps<GraphOp>())
    if (called.contains(graph.getSymName()))
      graphs.push_back(graph);
  return graphs;
}
