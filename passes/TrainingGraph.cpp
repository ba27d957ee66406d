// TrainingGraph.cpp: see TrainingGraph.h.
#include "passes/TrainingGraph.h"

#include "ir/Parts.h"
#include "ir/ValueSizes.h"
#include "ir/ops/Index.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

LogicalResult symc::checkTrainingGraph(GraphOp graph) {
  for (Operation &op : graph.getBlock().without_terminator())
    if (decidedSize(&op) && !isa<BooleanMaskOp>(op))
      return nodeError(&op) << "decides an extent by the values that it gets, and gradients need "
                               "fixed extents";
  return success();
}

LogicalResult symc::checkFixedExtents(GraphOp graph) {
  if (graph.getDimNames() && !graph.getDimNames()->empty())
    return graph.emitError("gradients need fixed extents, but ")
           << *graph.getDimNames()->getAsValueRange<StringAttr>().begin()
           << " is chosen at run time";
  return success();
}

void NewStates::take(const GradientScope &scope) {
  for (auto [operand, value] : scope.getUpdates())
    if (auto state = scope.operation()->getOperand(operand).getDefiningOp<ParameterOp>())
      values.insert({state.getWeightAttr().getAttr(), value});
}

void NewStates::addResults(GraphOp graph, bool inBackward) {
  Builder b(graph.getContext());
  SymbolTable symbols(graph->getParentOfType<ModuleOp>());
  Operation *heads = graph.getBlock().getTerminator();
  for (auto &[symbol, value] : values) {
    StringRef name = nodeName(symbols.lookup<WeightOp>(symbol.getValue()));
    unsigned place = heads->getNumOperands();
    heads->insertOperands(place, value);
    SmallVector<NamedAttribute> attributes{
        b.getNamedAttr("sg.name", b.getStringAttr(name.empty() ? symbol.getValue() : name)),
        b.getNamedAttr("sg.state", symbol)};
    if (inBackward)
      attributes.push_back(b.getNamedAttr(backwardName, b.getUnitAttr()));
    (void)graph.insertResult(place, value.getType(), b.getDictionaryAttr(attributes));
  }
  graph.updateType();
}
