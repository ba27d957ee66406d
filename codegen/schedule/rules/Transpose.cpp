// Transpose.cpp: axes in another order: a view for steps that read with strides, a copy where rows
// are needed; a blocked image goes straight to rows.
#include "codegen/schedule/ScheduleRule.h"
#include "ir/ops/Shape.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct TransposeRule {
  static constexpr RuleTraits traits{"transpose", Benefit::Moves, Use::Always};
  struct Plan {
    RuleForms forms = {};
    TransposeOp op;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<TransposeOp>(group.op);
    if (!op)
      return std::nullopt;
    return Plan{{}, op};
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

void TransposeRule::emit(const GroupView &, const Plan &plan, Tensors &t) {
  TransposeOp op = plan.op;
  Value data = op.getData(), result = op.getOutput();
  SmallVector<int64_t> order = op.getOrder();
  bool fromBlocks = t.hasBlocked(data) && !t.hasPlain(data);
  if (!fromBlocks && !t.headMemory.count(result)) {
    ViewSpec from = t.stridedView(data, op.getLoc()), permuted = from;
    for (auto [i, axis] : llvm::enumerate(order)) {
      permuted.sizes[i] = from.sizes[axis];
      permuted.strides[i] = from.strides[axis];
    }
    return t.setStrided(result, permuted);
  }
  ViewSpec to = t.createPlain(result, op.getLoc()), permuted = to;
  for (auto [i, axis] : llvm::enumerate(order)) {
    permuted.sizes[axis] = to.sizes[i];
    permuted.strides[axis] = to.strides[i];
  }
  if (!fromBlocks)
    return t.copy(t.stridedView(data, op.getLoc()), permuted, op.getLoc());
  if (permuted.sizes.size() == 3) {
    permuted.sizes.insert(permuted.sizes.begin() + 2, t.constant(1));
    permuted.strides.insert(permuted.strides.begin() + 2, t.constant(0));
  }
  t.pairPlanarBlocked(
      permuted, t.blockedView(data, {}, op.getLoc()), *constantOf(extentsOf(data)[1]),
      [&](const ViewSpec &rows, const ViewSpec &blocks) { t.copy(blocks, rows, op.getLoc()); });
}

namespace symc::codegen {
void registerTransposeRule(RuleList &rules) { rules.add<TransposeRule>(); }
} // namespace symc::codegen
