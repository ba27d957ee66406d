// ChooseLayouts.cpp: kernel-choose-layouts. Where the values of a graph lie, decided for all of
// them before the first step is made, and set as attributes (#kernel.layout) that kernel-schedule
// reads:
//
//   1. forms (ChooseForms.cpp)   2. places (ChoosePlaces.cpp)   3. halos (ChooseHalos.cpp)
//
// Every decision is a remark. What it rests on are the plans of the rules that make the steps
// (ScheduleRule.h); where a node is computed otherwise in the end, Tensors makes the form that is
// missing.
#include "codegen/schedule/layout/GraphLayouts.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

static SymbolRanges rangesOf(GraphOp graph) {
  return {graph.getDimMin().value_or(ArrayRef<int64_t>()),
          graph.getDimMax().value_or(ArrayRef<int64_t>())};
}

void symc::codegen::chooseLayouts(ModuleOp module, const ScheduleOptions &options) {
  OpBuilder builder(module.getContext());
  for (auto graph : module.getOps<GraphOp>()) {
    if (graph.getSymName() == "prepare")
      continue;
    Tensors tensors(builder, *options.target, rangesOf(graph));
    GraphLayouts layouts{tensors, options};
    if (!options.referenceOnly && options.tileKernels) {
      chooseForms(graph, layouts);
      choosePlaces(graph, layouts);
    }
    chooseHalos(graph, layouts);
    setLayouts(graph, layouts);
  }
}
