// TrainingGraph.cpp: see TrainingGraph.h.
#include "passes/TrainingGraph.h"

#include "ir/CustomOperators.h"
#include "ir/ops/Elementwise.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

LogicalResult symc::checkTrainingGraph(GraphOp graph) {
  if (graph.getDimNames() && !graph.getDimNames()->empty())
    return graph.emitError("gradients need fixed extents, but ")
           << *graph.getDimNames()->getAsValueRange<StringAttr>().begin()
           << " is chosen at run time";
  for (auto node : graph.getBlock().getOps<LeakyReLUOp>())
    if (node.getActType() == "rrelu")
      return nodeError(node) << "draws slopes in training, which cannot be compiled yet";
  return success();
}

LogicalResult symc::refuseGradient(Operation *op, const Twine &end) {
  const OpInfo *info = infoOf(op);
  bool none = info && info->gradient == "none";
  return nodeError(op) << (none ? "has no gradient, in MXNet neither; "
                                : "has a gradient that cannot be compiled yet; ")
                       << end;
}

void NewStates::take(const GradientScope &scope) {
  for (auto [operand, value] : scope.getUpdates())
    if (auto state = scope.operation()->getOperand(operand).getDefiningOp<ParameterOp>())
      values.insert({state.getWeightAttr().getAttr(), value});
}

void NewStates::addResults(GraphOp graph) {
  Builder b(graph.getContext());
  SymbolTable symbols(graph->getParentOfType<ModuleOp>());
  Operation *heads = graph.getBlock().getTerminator();
  for (auto &[symbol, value] : values) {
    StringRef name = nodeName(symbols.lookup<WeightOp>(symbol.getValue()));
    unsigned place = heads->getNumOperands();
    heads->insertOperands(place, value);
    (void)graph.insertResult(
        place, value.getType(),
        b.getDictionaryAttr(
            {b.getNamedAttr("sg.name", b.getStringAttr(name.empty() ? symbol.getValue() : name)),
             b.getNamedAttr("sg.state", symbol)}));
  }
  graph.updateType();
}
