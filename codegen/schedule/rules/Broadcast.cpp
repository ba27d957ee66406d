// Broadcast.cpp: extents of 1 that repeat: a view for steps that read with strides, where the last
// one does not.
#include "codegen/schedule/Refusals.h"
#include "ir/ops/Shape.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct BroadcastRule {
  static constexpr RuleTraits traits{"broadcast", Benefit::Moves, Use::Generated};
  struct Plan {
    RuleForms forms = {};
  };

  static Match<Plan> match(const GroupView &group) {
    if (!isa<BroadcastToOp, BroadcastAxisOp>(group.op))
      return std::nullopt;
    SmallVector<AffineExpr, 4> wanted = extentsOf(group.result),
                               have = extentsOf(group.op->getOperand(0));
    auto repeats = [&](auto pair) {
      return std::get<0>(pair) == std::get<1>(pair) || std::get<0>(pair) == group.t.constant(1);
    };
    if (wanted.empty() || wanted.size() != have.size() ||
        !llvm::all_of(llvm::zip(have, wanted), repeats))
      return operandRefusal();
    return Plan();
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

void BroadcastRule::emit(const GroupView &group, const Plan &, Tensors &t) {
  Operation *op = group.op;
  Value data = op->getOperand(0), result = group.result;
  SmallVector<AffineExpr, 4> wanted = extentsOf(result), have = extentsOf(data);
  ViewSpec view = t.plainView(data, op->getLoc());
  for (size_t i = 0; i < have.size(); ++i)
    if (have[i] != wanted[i]) {
      view.sizes[i] = wanted[i];
      view.strides[i] = t.constant(0);
    }
  if (t.headMemory.count(result) || wanted.back() != have.back())
    t.copy(view, t.createPlain(result, op->getLoc()), op->getLoc());
  else
    t.setStrided(result, view);
}

namespace symc::codegen {
void registerBroadcastRule(RuleList &rules) { rules.add<BroadcastRule>(); }
} // namespace symc::codegen
