// Concat.cpp: values joined along an axis, as copies. What the layouts have written in its place
// of a blocked result is not copied. Of a state that grows the new rows alone are, behind those
// that its memory has.
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/States.h"
#include "ir/ops/Slice.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// Channels [first, first + count) of `from` to those from `to` on, both blocked and
// counted from the views' first blocks: at most two runs of lanes meet.
static void copyChannels(const ViewSpec &from, const ViewSpec &to, int64_t channel, int64_t count,
                         Tensors &t, Location location) {
  auto lanes = [&](ViewSpec view, int64_t first, int64_t blocks, int64_t width) {
    view.offset = view.offset + view.strides[1] * (first / t.blockWidth) +
                  view.strides[4] * (first % t.blockWidth);
    view.sizes[1] = t.constant(blocks);
    view.sizes[4] = t.constant(width);
    return view;
  };
  auto run = [&](int64_t first, int64_t blocks, int64_t width) {
    if (blocks && width > 0)
      t.copy(lanes(from, first, blocks, width), lanes(to, channel + first, blocks, width),
             location);
  };
  int64_t whole = count / t.blockWidth, tail = count % t.blockWidth, shift = channel % t.blockWidth;
  run(0, whole, t.blockWidth - shift);
  run(t.blockWidth - shift, whole, shift);
  run(whole * t.blockWidth, 1, std::min(tail, t.blockWidth - shift));
  run(whole * t.blockWidth + t.blockWidth - shift, 1, tail - (t.blockWidth - shift));
}

// In blocks: what does not lie in its place already is copied there.
static void concatBlocked(ConcatOp op, Tensors &t) {
  Value result = op.getOutput();
  if (t.placements.lookup(result).step > 1)
    return; // depth_to_space has it
  ViewSpec out = t.hasBlocked(result) ? t.blockedView(result, {}, op.getLoc())
                                      : t.createBlocked(result, op.getLoc());
  bool ofImages = joinedAxis(op) == 0;
  int64_t image = 0, channel = 0;
  for (Value part : op->getOperands()) {
    int64_t count = *constantOf(extentsOf(part)[1]);
    auto place = t.placements.find(part);
    bool there = t.isInPlace(part) && place->second.whole == result &&
                 place->second.image == image && place->second.channel == channel;
    if (!there && channel % t.blockWidth == 0 && !t.hasBlocked(part)) {
      ViewSpec slot = out;
      slot.offset =
          slot.offset + slot.strides[0] * image + slot.strides[1] * (channel / t.blockWidth);
      slot.sizes[0] = t.imageShape(part)[0];
      t.pairPlanarBlocked(
          t.imageView(part, op.getLoc()), slot, count,
          [&](const ViewSpec &from, const ViewSpec &to) { t.copy(from, to, op.getLoc()); });
    } else if (!there) {
      ViewSpec from = t.blockedView(part, {}, op.getLoc()), slot = out;
      slot.offset = slot.offset + slot.strides[0] * image;
      slot.sizes[0] = from.sizes[0];
      copyChannels(from, slot, channel, count, t, op.getLoc());
    }
    if (ofImages)
      image += shapeOf(part.getType())[0].get();
    else
      channel += count;
  }
}

namespace {

struct ConcatRule {
  static constexpr RuleTraits traits{"concat", Benefit::Moves, Use::Always};
  struct Plan {
    RuleForms forms;
    ConcatOp op;
    bool inBlocks;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<ConcatOp>(group.op);
    if (!op)
      return std::nullopt;
    return Plan{formsOf(op, group.t), op, group.writesBlocks()};
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);

private:
  static RuleForms formsOf(ConcatOp op, const Tensors &t);
};

} // namespace

// What is joined at whole blocks costs nothing but for parts that begin elsewhere.
RuleForms ConcatRule::formsOf(ConcatOp op, const Tensors &t) {
  // Lanes beyond the last channel hold anything: harmless in floats, not as divisors.
  int64_t axis = joinedAxis(op), channel = 0, copied = 0;
  if (axis > 1 || growthOf(op) || !t.layerElements(op.getOutput()) ||
      !llvm::all_of(op->getOperands(), [](Value part) { return channelsOf(part).has_value(); }))
    return RuleForms();
  if (axis == 0) {
    bool isKnown = llvm::all_of(op->getOperands(),
                                [](Value part) { return shapeOf(part.getType())[0].isStatic(); });
    return isKnown ? RuleForms(RuleForms::Either, 2 * bytesOfResults(op)) : RuleForms();
  }
  for (Value part : op->getOperands()) {
    copied += channel % t.blockWidth ? bytesOf(part) : 0;
    channel += *channelsOf(part);
  }
  return RuleForms(RuleForms::Either, 2 * bytesOfResults(op), 2 * copied);
}

void ConcatRule::emit(const GroupView &, const Plan &plan, Tensors &t) {
  ConcatOp op = plan.op;
  if (plan.inBlocks)
    return concatBlocked(op, t);
  int64_t axis = joinedAxis(op);
  bool grows = growthOf(op).has_value(); // the first part is where it belongs
  ViewSpec out = grows ? t.stridedView(op.getOutput(), op.getLoc())
                       : t.createPlain(op.getOutput(), op.getLoc());
  for (auto [i, part] : llvm::enumerate(op->getOperands())) {
    ViewSpec from = t.stridedView(part, op.getLoc()), to = out;
    to.sizes[axis] = from.sizes[axis];
    if (!grows || i > 0)
      t.copy(from, to, op.getLoc());
    out.offset = out.offset + out.strides[axis] * from.sizes[axis];
  }
}

namespace symc::codegen {
void registerConcatRule(RuleList &rules) { rules.add<ConcatRule>(); }
} // namespace symc::codegen
