// Reverse.cpp: the order along some axes reversed: a view whose strides go backwards for steps that
// read with strides, a copy where rows are needed. In training alone, where gradients of
// convolutions reverse their weights: CUDA devices, whose steps count upwards, run no training.
//
//   %y = sg.reverse(%x) {axis = [1]}  ->  memref.reinterpret_cast to offset: [3], strides: [4, -1]
#include "codegen/schedule/ScheduleRule.h"
#include "ir/Gradient.h"
#include "ir/ops/Shape.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct ReverseRule {
  static constexpr RuleTraits traits{"reverse", Benefit::Moves, Use::Generated};
  struct Plan {
    RuleForms forms = {};
    ReverseOp op;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<ReverseOp>(group.op);
    if (!op || !isTraining(op))
      return std::nullopt;
    for (AffineExpr extent : extentsOf(op.getData()))
      if (constantOf(extent).value_or(0) < 1)
        return Refusal{"an extent is known only at run time, or 0"};
    return Plan{{}, op};
  }

  static void emit(const GroupView &, const Plan &plan, Tensors &t) {
    ReverseOp op = plan.op;
    Value result = op.getOutput();
    ViewSpec view = t.stridedView(op.getData(), op.getLoc());
    for (int64_t axis : op.getAxis()) {
      int64_t i = axis < 0 ? axis + int64_t(view.sizes.size()) : axis;
      view.offset = view.offset + view.strides[i] * (view.sizes[i] - 1);
      view.strides[i] = -view.strides[i];
    }
    if (t.headMemory.count(result))
      t.copy(view, t.createPlain(result, op.getLoc()), op.getLoc());
    else
      t.setStrided(result, view);
  }
};

} // namespace

namespace symc::codegen {
void registerReverseRule(RuleList &rules) { rules.add<ReverseRule>(); }
} // namespace symc::codegen
