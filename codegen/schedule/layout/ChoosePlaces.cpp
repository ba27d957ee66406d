// ChoosePlaces.cpp: places. What a blocked concatenation of channels or images joins is written
// where it ends up, perhaps inside of a larger concatenation, if it begins at a whole block. What a
// depth_to_space puts between each other is written there.
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/layout/GraphLayouts.h"
#include "ir/ops/Slice.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// Why `part` cannot be written where it ends up in `whole`; "" if it can.
static std::string obstacle(Value part, int64_t channel, const GraphLayouts &layouts) {
  const Tensors &t = layouts.t;
  Operation *producer = part.getDefiningOp();
  if (channel % t.blockWidth)
    return ("its place does not begin at a block of " + Twine(t.blockWidth) + " channels").str();
  if (!producer || Tensors::isWeight(part))
    return "it is an argument";
  if (t.placements.count(part))
    return "it lies in another place already";
  if (isa<SliceOp, SliceAxisOp, SliceChannelOp>(producer))
    return "it is a part of another value";
  if (!layouts.writesBlocks(producer))
    return "it is computed in rows";
  return "";
}

ConcatOp symc::codegen::joinOfRemainders(DepthToSpaceOp spread) {
  auto concat = spread.getData().getDefiningOp<ConcatOp>();
  uint64_t block = spread.getBlockSize();
  if (!concat || block < 2 || !concat.getOutput().hasOneUse() || joinedAxis(concat) != 1 ||
      concat->getNumOperands() != block * block)
    return {};
  std::optional<int64_t> channels = channelsOf(spread.getOutput());
  bool even = channels && llvm::all_of(concat->getOperands(),
                                       [&](Value part) { return channelsOf(part) == channels; });
  return even ? concat : ConcatOp();
}

void symc::codegen::placeRemainders(DepthToSpaceOp spread, ConcatOp concat, Tensors &t) {
  int64_t block = spread.getBlockSize();
  t.placements[concat.getOutput()] = {spread.getOutput(), 0, 0, 0, 0, block};
  for (auto [i, part] : llvm::enumerate(concat->getOperands()))
    t.placements[part] = {spread.getOutput(), 0, 0, int64_t(i) / block, int64_t(i) % block, block};
}

void symc::codegen::choosePlaces(GraphOp graph, GraphLayouts &layouts) {
  Tensors &t = layouts.t;
  // The last concatenation first, so that what it joins may be joins themselves.
  for (Operation &op : llvm::reverse(graph.getBlock())) {
    if (auto spread = dyn_cast<DepthToSpaceOp>(op); spread && layouts.writesBlocks(&op)) {
      ConcatOp join = joinOfRemainders(spread);
      SmallPtrSet<Value, 8> parts;
      if (join && layouts.writesBlocks(join) && llvm::all_of(join->getOperands(), [&](Value part) {
            return parts.insert(part).second && obstacle(part, 0, layouts).empty();
          })) {
        placeRemainders(spread, join, t);
        remark::passed(op.getLoc(), layoutRemark("place"))
            << ("the operands of '" + nodeName(join) + "' are written between each other").str();
      }
    }
    auto concat = dyn_cast<ConcatOp>(op);
    if (!concat || !layouts.writesBlocks(&op) || t.placements.lookup(concat.getOutput()).step > 1)
      continue;
    bool ofImages = joinedAxis(concat) == 0;
    int64_t image = 0, channel = 0, placed = 0;
    for (Value part : op.getOperands()) {
      std::string reason = obstacle(part, channel, layouts);
      if (reason.empty()) {
        t.placements[part] = {concat.getOutput(), image, channel};
        ++placed;
      } else {
        remark::missed(op.getLoc(), layoutRemark("place"))
            << (describeValue(part) + " is copied into '" + nodeName(&op) + "': " + reason).str();
      }
      if (ofImages)
        image += shapeOf(part.getType())[0].get();
      else
        channel += *channelsOf(part);
    }
    if (placed)
      remark::passed(op.getLoc(), layoutRemark("place"))
          << (Twine(placed) + " of " + Twine(op.getNumOperands()) + " operands of '" +
              nodeName(&op) + "' are written in their places")
                 .str();
  }
}
