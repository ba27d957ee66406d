// Split.cpp: a value cut into equal parts along an axis, as views or copies (PartViews.h).
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/PartViews.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/ops/Shape.h"
#include "ir/ops/Slice.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct SplitRule {
  static constexpr RuleTraits traits{"split", Benefit::Moves, Use::Always};
  struct Plan {
    RuleForms forms;
    SliceChannelOp op;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<SliceChannelOp>(group.op);
    if (!op)
      return std::nullopt;
    const Tensors &t = group.t;
    std::optional<int64_t> start = channelStart(op, 0);
    bool atBlocks = t.layerElements(group.result) && start && *start % t.blockWidth == 0 &&
                    *channelsOf(group.result) % t.blockWidth == 0;
    return Plan{atBlocks ? RuleForms(RuleForms::Either, 2 * bytesOfResults(op)) : RuleForms(), op};
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

void SplitRule::emit(const GroupView &, const Plan &plan, Tensors &t) {
  SliceChannelOp op = plan.op;
  SmallVector<AffineExpr, 4> extents = extentsOf(op.getData());
  if (!op.getSqueezeAxis()) {
    int64_t axis = normalisedAxis(op.getAxis(), extents.size());
    AffineExpr place = t.constant(0);
    for (Value result : op->getResults()) {
      SmallVector<AffineExpr, 4> first(extents.size(), t.constant(0));
      first[axis] = place;
      movePart(op.getData(), result, first, SmallVector<int64_t, 4>(extents.size(), 1), t,
               op.getLoc());
      place = place + extentsOf(result)[axis];
    }
    return;
  }
  ViewSpec from = t.stridedView(op.getData(), op.getLoc());
  int64_t axis = normalisedAxis(op.getAxis(), extents.size());
  AffineExpr step = from.strides[axis]; // parts have an extent of 1, which results do without
  from.sizes.erase(from.sizes.begin() + axis);
  from.strides.erase(from.strides.begin() + axis);
  for (Value result : op->getResults()) {
    setPart(result, from, t, op.getLoc());
    from.offset = from.offset + step;
  }
}

namespace symc::codegen {
void registerSplitRule(RuleList &rules) { rules.add<SplitRule>(); }
} // namespace symc::codegen
