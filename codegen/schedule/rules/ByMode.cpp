// ByMode.cpp: a value of training whose place prediction's takes, by a copy that runs to predict
// alone (PredictionSteps.h).
//
//   %m, %v = sg.moments(%x);  %y = sg.by_mode(%m, %moving)
//       -> the steps of %m, whose memory is %y's; kernel.copy %moving to %y {kernel.predicting}
#include "codegen/kernel/ValueBuffers.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/ops/Backward.h"
#include "ir/ops/Shape.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct ByModeRule {
  static constexpr RuleTraits traits{"by_mode", Benefit::Moves, Use::Always};
  struct Plan {
    RuleForms forms;
    bool inBlocks;
    ByModeOp op;
  };

  static Match<Plan> match(const GroupView &group);
  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

Match<ByModeRule::Plan> ByModeRule::match(const GroupView &group) {
  auto op = dyn_cast<ByModeOp>(group.op);
  if (!op)
    return std::nullopt;
  const Tensors &t = group.t;
  Value training = op.getTraining();
  SmallVector<AffineExpr, 4> extents = extentsOf(training);
  bool mayBlock = (extents.size() == 3 || extents.size() == 4) && constantOf(extents[1]) &&
                  t.layerElements(training);
  // Where the value already lies, whatever the layouts choose: an image of one pixel has both
  // forms.
  bool inBlocks = mayBlock && t.hasBlocked(training) && !t.hasPlain(training);
  return Plan{RuleForms::eitherIf(mayBlock), inBlocks, op};
}

// Whether nobody else reads the memory that the steps of the value write.
static bool hasOwnMemory(Value value, Value result, const Tensors &t) {
  Operation *op = value.getDefiningOp();
  return op && value.hasOneUse() && !isa<ReshapeOp, ReshapeLikeOp, ByModeOp>(op) &&
         !Tensors::isWeight(value) && !t.isStrided(value) && !t.placements.count(result) &&
         !t.placements.count(value);
}

void ByModeRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  Location location = group.location;
  ByModeOp op = plan.op;
  Value training = op.getTraining(), prediction = op.getPrediction(), result = op.getOutput();
  bool owned = hasOwnMemory(training, result, t);
  auto predict = [&](const ViewSpec &from, const ViewSpec &to) {
    Value source = t.materialise(from, location), target = t.materialise(to, location);
    kernel::CopyOp::create(t.builder, location, source, target)
        ->setAttr(kernel::predictingName, t.builder.getUnitAttr());
  };
  if (!plan.inBlocks) {
    if (owned)
      t.alias(result, training, location);
    else
      t.copy(t.stridedView(training, location), t.createPlain(result, location), location);
    predict(t.stridedView(prediction, location), t.plainView(result, location));
    return;
  }
  ViewSpec have = t.blockedView(training, {}, location);
  if (owned)
    t.setBlocked(result, have, t.blockedHalo(training));
  else
    t.copy(have, t.createBlocked(result, location), location);
  ViewSpec target = t.blockedView(result, {}, location);
  if (t.hasBlocked(prediction) && !t.hasPlain(prediction))
    predict(t.blockedView(prediction, {}, location), target);
  else
    t.pairPlanarBlocked(t.imageView(prediction, location), target,
                        cast<AffineConstantExpr>(extentsOf(result)[1]).getValue(), predict);
}

namespace symc::codegen {
void registerByModeRule(RuleList &rules) { rules.add<ByModeRule>(); }
} // namespace symc::codegen
