// ChannelSums.cpp: sums over all but the channels of images that lie in blocks, as gradients of
// biases are: a reduction whose vectors lie along the channels of a block, without the image's
// rows.
//
//   %db = sg.reduce(%dy) {kind = "sum", axis = [0, 2, 3]}  ->  kernel.reduce ins(%dy in blocks)
//
// Other images are the reductions' own rule's.
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/OperandViews.h"
#include "codegen/schedule/RowStep.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/Gradient.h"
#include "ir/ops/Reduce.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct ChannelSumsRule {
  static constexpr RuleTraits traits{"channel-sums", Benefit::Tiles, Use::Tiles};
  struct Plan {
    RuleForms forms;
    Value data;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast_or_null<ReduceOp>(group.root);
    if (!op || !isTraining(group.op) || op.getKind() != "sum" || !group.chain.empty() ||
        !group.producers.empty())
      return std::nullopt;
    Value data = group.resolve(op->getOperand(0));
    SmallVector<bool> reduced = cast<ReductionInterface>(op.getOperation()).getReducedAxes();
    bool allButChannels = reduced.size() > 2 && channelsOf(data) &&
                          elementTypeOf(data.getType()).isF32() && group.t.layerElements(data);
    for (size_t axis = 0; allButChannels && axis < reduced.size(); ++axis)
      allButChannels =
          reduced[axis] == (axis != 1) && constantOf(extentsOf(data)[axis]).value_or(0) > 0;
    if (!allButChannels || (!group.isOpen() && !group.t.hasBlocked(data)))
      return std::nullopt;
    Plan plan{RuleForms(), data};
    plan.forms.operands = {{data, RuleForms::Either}};
    return plan;
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t) {
    Location location = group.location;
    ViewSpec out = t.createPlain(group.result, location);
    int64_t channels = *channelsOf(plan.data);
    bool fillsBlocks = channels % t.blockWidth == 0;
    Type f32 = t.builder.getF32Type();
    Value sums = out.base;
    if (!fillsBlocks)
      sums = t.buffer({t.constant(llvm::alignTo(channels, t.blockWidth))}, f32, location);
    RowStep step;
    step.ins.push_back(t.blockedView(plan.data, {}, location));
    step.rowOuts.push_back(alongChannels(sums, plan.data, t));
    step.reduced = {true, false, true, true, false};
    step.type = f32;
    step.passes.push_back({"sum", [](RowBody &body) -> SmallVector<Value> {
                             return {body.wide(body.ins[0], false)};
                           }});
    step.rows = [](RowBody &body) -> SmallVector<Value> { return {body.results[0]}; };
    step.create(t, location);
    if (fillsBlocks)
      return;
    ViewSpec from{sums, t.constant(0), {t.constant(channels)}, {t.constant(1)}}, to = from;
    to.base = out.base;
    t.copy(from, to, location);
  }
};

} // namespace

namespace symc::codegen {
void registerChannelSumsRule(RuleList &rules) { rules.add<ChannelSumsRule>(); }
} // namespace symc::codegen
