// Full.cpp: one value everywhere, as gradients that are zero by definition, as a fill.
//
//   %y = sg.full() {shape = [16], value = 0}  ->  kernel.fill %y with 0
#include "codegen/schedule/ScheduleRule.h"
#include "ir/ops/Init.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct FullRule {
  static constexpr RuleTraits traits{"full", Benefit::Walks, Use::Generated};
  struct Plan {
    RuleForms forms = {};
    FullOp op;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<FullOp>(group.op);
    if (!op || !elementTypeOf(op.getOutput().getType()).isF32() ||
        extentsOf(op.getOutput()).empty())
      return std::nullopt;
    return Plan{{}, op};
  }

  static void emit(const GroupView &, const Plan &plan, Tensors &t) {
    FullOp op = plan.op;
    ViewSpec out = t.createPlain(op.getOutput(), op.getLoc());
    t.fill(out, t.builder.getF32FloatAttr(float(op.getValue().convertToDouble())), op.getLoc());
  }
};

} // namespace

namespace symc::codegen {
void registerFullRule(RuleList &rules) { rules.add<FullRule>(); }
} // namespace symc::codegen
