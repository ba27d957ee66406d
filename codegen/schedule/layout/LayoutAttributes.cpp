// LayoutAttributes.cpp: layouts as attributes of graphs: #kernel.layout of each argument and
// result, and the places of operands.
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/layout/GraphLayouts.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

void symc::codegen::setLayouts(GraphOp graph, const GraphLayouts &chosen) {
  const Tensors &t = chosen.t;
  const NodeForms &forms = chosen.forms;
  MLIRContext *context = graph.getContext();
  auto layouts = [&](ValueRange values, bool blocked) {
    SmallVector<Attribute> list;
    for (Value value : values) {
      Halo halo = t.haloOf(value);
      list.push_back(
          kernel::LayoutAttr::get(context, blocked ? "blocked" : "plain", halo.h, halo.w));
    }
    return ArrayAttr::get(context, list);
  };
  graph->setAttr(kernel::layoutsName, layouts(graph.getBlock().getArguments(), false));
  graph.getBlock().walk([&](Operation *op) {
    bool padded = llvm::any_of(op->getResults(), [&](Value value) {
      Halo halo = t.haloOf(value);
      return halo.h || halo.w;
    });
    if (op->getNumResults() && (padded || forms.of(op)))
      op->setAttr(kernel::layoutsName, layouts(op->getResults(), chosen.writesBlocks(op)));
    SmallVector<int64_t> places(op->getNumOperands(), -1);
    int64_t begin = 0; // of an operand of a concatenation; one that comes again has one place
    for (auto [place, operand] : llvm::zip(places, op->getOperands())) {
      auto found = t.placements.find(operand);
      if (found != t.placements.end() && found->second.whole.getDefiningOp() == op &&
          found->second.image + found->second.channel == begin) // one of them is 0
        place = begin;
      if (isa<ConcatOp>(op) && chosen.writesBlocks(op))
        begin += joinedAxis(op) == 0 ? shapeOf(operand.getType())[0].get() : *channelsOf(operand);
    }
    if (llvm::any_of(places, [](int64_t place) { return place >= 0; }))
      op->setAttr(kernel::placesName, DenseI64ArrayAttr::get(context, places));
  });
}

LogicalResult symc::codegen::readLayouts(GraphOp graph, GraphLayouts &found) {
  Tensors &t = found.t;
  auto read = [&](ValueRange values, ArrayAttr layouts) {
    for (auto [value, layout] : llvm::zip(values, layouts.getAsRange<kernel::LayoutAttr>()))
      t.halos[value] = {layout.getHaloRows(), layout.getHaloColumns()};
  };
  auto arguments = graph->getAttrOfType<ArrayAttr>(kernel::layoutsName);
  if (!arguments)
    return graph.emitError("kernel-schedule: graph '")
           << graph.getSymName() << "' has no layouts; kernel-choose-layouts sets them";
  read(graph.getBlock().getArguments(), arguments);
  graph.getBlock().walk([&](Operation *op) {
    if (auto layouts = op->getAttrOfType<ArrayAttr>(kernel::layoutsName)) {
      read(op->getResults(), layouts);
      if (op->getParentOp() == graph)
        found.forms.set(op, cast<kernel::LayoutAttr>(layouts[0]).getKind() == "blocked");
    }
    auto places = op->getAttrOfType<DenseI64ArrayAttr>(kernel::placesName);
    auto spread = dyn_cast<DepthToSpaceOp>(op);
    ConcatOp join = places && spread ? joinOfRemainders(spread) : ConcatOp();
    if (join)
      placeRemainders(spread, join, t);
    else if (places)
      for (auto [place, operand] : llvm::zip(places.asArrayRef(), op->getOperands()))
        if (place >= 0) {
          bool ofImages = joinedAxis(op) == 0;
          t.placements[operand] = {op->getResult(0), ofImages ? place : 0, ofImages ? 0 : place};
        }
  });
  return success();
}
