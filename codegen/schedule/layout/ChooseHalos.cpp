// ChooseHalos.cpp: halos. Memory has the widest padding that a reader of anything in it needs, but
// where the target gains by computing an image as one row of pixels, which padding would part: then
// the reader gets a copy.
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/layout/GraphLayouts.h"
#include "ir/ops/Backward.h"
#include "ir/ops/Fused.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Quantized.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// What a layer of one tap reads that writes the value and gains where it computes an image as one
// row of pixels (Target::shortRowPixels). Null: no such layer.
static Value dataOfLongRow(Value value, const GraphLayouts &layouts) {
  const Tensors &t = layouts.t;
  constexpr int64_t leastChannels = 256; // that pay for the copy
  Operation *producer = value.getDefiningOp();
  if (!producer || t.placements.count(value) || !value.hasOneUse() ||
      !layouts.writesBlocks(producer))
    return {};
  GroupView group = layouts.view(producer);
  auto conv = dyn_cast_or_null<ConvolutionOp>(group.root);
  auto areAll = [](ArrayRef<int64_t> values, int64_t wanted) {
    return llvm::all_of(values, [&](int64_t each) { return each == wanted; });
  };
  if (!conv || !group.externalOperands().empty() || !areAll(conv.getKernel(), 1) ||
      !areAll(conv.getStride(), 1) || !areAll(conv.getPad(), 0) || !areAll(conv.getPadEnd(), 0) ||
      conv.getNumGroup() != 1)
    return {};
  Shape image = shapeOf(value.getType());
  bool isShort = image.rank() == 4 && image[2].isStatic() && image[2].get() > 1 &&
                 image[3].isStatic() && image[3].get() <= t.target.shortRowPixels;
  Value data = group.resolve(conv.getData());
  return isShort && *channelsOf(data) >= leastChannels ? data : Value();
}

// Whether a kernel over bytes in blocks computes the node.
static bool isOfBytes(Operation *op, const GraphLayouts &layouts) {
  if (!isa<IntegerConvOp, QuantizedConvOp>(op))
    return false;
  std::optional<PlannedStep> step = matchRules(layouts.view(op));
  return step && step->forms.kind == RuleForms::Blocked;
}

void symc::codegen::chooseHalos(GraphOp graph, GraphLayouts &layouts) {
  Tensors &t = layouts.t;
  auto raise = [&](Value value, Halo wanted, int64_t border = 0) {
    // A reader that needs another border makes a copy.
    if (auto [own, isNew] = t.borders.try_emplace(value, border); !isNew && own->second != border)
      return;
    while (true) {
      t.borders[value] = border;
      Halo &halo = t.halos[value];
      halo = halo.joined(wanted);
      auto place = t.placements.find(value);
      Operation *producer = value.getDefiningOp();
      if (place != t.placements.end())
        value = place->second.whole;
      else if (producer && holdsWholeImages(producer))
        value = producer->getOperand(0);
      else
        return;
    }
  };
  struct LongRow {
    Value written, read;
    Halo pad;
  };
  SmallVector<LongRow> longRows;
  SmallVector<std::pair<Value, ConvolutionOp>> images;
  graph.walk([&](ConvolutionOp conv) {
    if (conv.getKernel().size() > 2)
      return;
    Value data = conv.getData(); // a group's body reads the group's operand
    if (auto argument = dyn_cast<BlockArgument>(data))
      if (auto fused = dyn_cast<FusedOp>(argument.getOwner()->getParentOp()))
        data = fused.getInputs()[argument.getArgNumber()];
    images.emplace_back(data, conv);
  });
  for (auto [data, conv] : images) {
    Halo pad = Halo::around(paddingOf(conv));
    if (Value read = pad.h || pad.w ? dataOfLongRow(data, layouts) : Value())
      longRows.push_back({data, read, pad});
    else
      raise(data, pad);
  }
  for (const LongRow &row : longRows) {
    Halo before = t.haloOf(row.read);
    if (before.h || before.w) { // its rows are apart already
      raise(row.written, row.pad);
      continue;
    }
    remark::passed(row.written.getLoc(), layoutRemark("halo"))
        << describeValue(row.written) + " is written without a border, which its reader gets in a "
                                        "copy: its pixels are one row";
  }
  graph.walk([&](Operation *op) {
    if (!isOfBytes(op, layouts))
      return;
    auto conv = dyn_cast<IntegerConvOp>(op);
    Halo halo = Halo::around(paddingOf(op));
    if (halo.h || halo.w)
      raise(op->getOperand(0), halo, conv ? conv.getDataZero() : 0);
  });
  graph.walk([&](Operation *op) {
    if (auto weights = dyn_cast<ConvolutionWeightsOp>(op);
        weights && weights.getKernel().size() < 3)
      raise(weights.getData(), Halo::around(Window::ofConvolution(weights).padding));
  });
}
