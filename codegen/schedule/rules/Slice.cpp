// Slice.cpp: parts of a value along its axes, as views or copies (PartViews.h). Steps backwards go
// to the reference kernel.
#include "ir/ops/Slice.h"
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/PartViews.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/Clips.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// The same by MXNet's rule where parts are clipped; null where the graph has no size for it.
static AffineExpr clippedFirst(SliceOp op, unsigned axis, AffineExpr extent) {
  if (constantOf(extent) || !Clipping::isOn(op, extent))
    return firstOf(op.getBegin()[axis], extent);
  return Clipping(op, /*mayAdd=*/false)
      .begin(extent, op.getBegin()[axis], /*step=*/1, axis)
      .getExpr();
}

namespace {

struct SliceRule {
  static constexpr RuleTraits traits{"slice", Benefit::Moves, Use::Generated};
  struct Plan {
    RuleForms forms = {};
    SmallVector<AffineExpr, 4> first = {};
    SmallVector<int64_t, 4> step = {}; // both by axis
  };

  static Match<Plan> match(const GroupView &group) {
    if (auto op = dyn_cast<SliceOp>(group.op))
      return matchSlice(op, group.t);
    if (auto op = dyn_cast<SliceAxisOp>(group.op))
      return matchSliceAxis(op, group.t);
    if (auto op = dyn_cast<SliceLikeOp>(group.op)) // extents that are known are sliced
      return whole(extentsOf(op.getData()), group.t);
    return std::nullopt;
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t) {
    movePart(group.op->getOperand(0), group.result, plan.first, plan.step, t, group.location);
  }

private:
  static Match<Plan> matchSlice(SliceOp op, const Tensors &t);
  static Match<Plan> matchSliceAxis(SliceAxisOp op, const Tensors &t);

  /// All of a value of these extents.
  static Plan whole(ArrayRef<AffineExpr> extents, const Tensors &t) {
    Plan plan;
    plan.first.assign(extents.size(), t.constant(0));
    plan.step.assign(extents.size(), 1);
    return plan;
  }
  /// A part at whole blocks costs nothing there; in rows it is copied.
  static RuleForms formsIf(bool atBlock, Operation *op, const Tensors &t) {
    return atBlock && t.layerElements(op->getResult(0))
               ? RuleForms(RuleForms::Either, 2 * bytesOfResults(op))
               : RuleForms();
  }
};

} // namespace

Match<SliceRule::Plan> SliceRule::matchSlice(SliceOp op, const Tensors &t) {
  SmallVector<AffineExpr, 4> extents = extentsOf(op.getData());
  ArrayRef<int64_t> begin = op.getBegin(), step = op.getStep();
  Plan plan = whole(extents, t);
  for (size_t i = 0; i < begin.size(); ++i) {
    plan.first[i] = clippedFirst(op, i, extents[i]);
    if (!plan.first[i])
      return Refusal{"it begins at a size that the graph does not have"};
    if (!step.empty() && step[i] != kNoneElement)
      plan.step[i] = step[i];
    if (plan.step[i] < 1)
      return Refusal{"it steps backwards"};
  }
  bool atBlock = begin.size() < 2 || begin[1] == kNoneElement || begin[1] % t.blockWidth == 0;
  bool isDense = step.size() < 2 || plan.step[1] == 1;
  plan.forms =
      formsIf(channelsOf(op.getData()) && channelsOf(op.getOutput()) && atBlock && isDense, op, t);
  return plan;
}

Match<SliceRule::Plan> SliceRule::matchSliceAxis(SliceAxisOp op, const Tensors &t) {
  SmallVector<AffineExpr, 4> extents = extentsOf(op.getData());
  Plan plan = whole(extents, t);
  int64_t axis = normalisedAxis(op.getAxis(), extents.size());
  plan.first[axis] = firstOf(op.getBegin(), extents[axis]);
  std::optional<int64_t> start = channelStart(op, 0);
  bool atBlocks =
      start && *start % t.blockWidth == 0 && *channelsOf(op->getResult(0)) % t.blockWidth == 0;
  plan.forms = formsIf(atBlocks, op, t);
  return plan;
}

namespace symc::codegen {
void registerSliceRule(RuleList &rules) { rules.add<SliceRule>(); }
} // namespace symc::codegen
