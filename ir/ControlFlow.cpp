// ControlFlow.cpp: see ControlFlow.h. What is each operator's own stands in ir/ops/Control.cpp.
#include "ir/ControlFlow.h"
#include "ir/InferGraph.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
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

// Takes graphs away that no other one of those left calls; a circle stays.
LogicalResult symc::sg::checkCalls(ModuleOp module) {
  SmallVector<GraphOp> graphs(module.getOps<GraphOp>());
  llvm::StringMap<size_t> numbers;
  for (auto [i, graph] : llvm::enumerate(graphs))
    numbers[graph.getSymName()] = i;
  std::vector<SmallVector<size_t>> called(graphs.size()), callers(graphs.size());
  SmallVector<size_t> left(graphs.size()), free; // how many callers are left
  for (auto [i, graph] : llvm::enumerate(graphs))
    graph.walk([&, i = i](ControlFlowInterface node) {
      if (std::optional<ArrayAttr> bodies = node.getBodies())
        for (Attribute body : *bodies)
          if (auto found = numbers.find(cast<FlatSymbolRefAttr>(body).getValue());
              found != numbers.end()) {
            called[i].push_back(found->second);
            callers[found->second].push_back(i);
            ++left[found->second];
          }
    });
  for (size_t i = 0; i < graphs.size(); ++i)
    if (!left[i])
      free.push_back(i);
  for (size_t next = 0; next < free.size(); ++next)
    for (size_t body : called[free[next]])
      if (--left[body] == 0)
        free.push_back(body);
  if (free.size() == graphs.size())
    return success();
  // Each graph that is left has a caller that is: so many steps back lead into the circle.
  size_t at = llvm::find_if(left, [](size_t count) { return count > 0; }) - left.begin();
  for (size_t step = 0; step < graphs.size(); ++step)
    at = *llvm::find_if(callers[at], [&](size_t caller) { return left[caller] > 0; });
  return graphs[at].emitError("graph @")
         << graphs[at].getSymName() << " calls itself, or others that call it";
}
