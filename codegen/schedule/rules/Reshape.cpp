// Reshape.cpp: another name for the same bytes, or for the same view where strides have each of the
// new extents.
#include "codegen/schedule/ScheduleRule.h"
#include "ir/ops/Shape.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// The view's elements in other extents, where strides have each of them; of extents that are
// known at run time only those that stay.
static std::optional<ViewSpec> reshaped(const ViewSpec &view, ArrayRef<AffineExpr> extents,
                                        Tensors &t) {
  AffineExpr one = t.constant(1);
  ViewSpec result{view.base, view.offset, {extents.begin(), extents.end()}, {}};
  result.strides.assign(extents.size(), t.constant(0));
  size_t from = 0, to = 0, rank = view.sizes.size();
  auto skipOnes = [&] {
    while (from < rank && view.sizes[from] == one)
      ++from;
    while (to < extents.size() && extents[to] == one)
      ++to;
  };
  for (skipOnes(); from < rank && to < extents.size(); skipOnes()) {
    size_t firstFrom = from, firstTo = to; // of extents with one product
    AffineExpr have = view.sizes[from++], want = extents[to++];
    while (have != want) {
      auto known = dyn_cast<AffineConstantExpr>(have), wanted = dyn_cast<AffineConstantExpr>(want);
      if (!known || !wanted ||
          (known.getValue() < wanted.getValue() ? from == rank : to == extents.size()))
        return std::nullopt;
      if (known.getValue() < wanted.getValue())
        have = have * view.sizes[from++];
      else
        want = want * extents[to++];
    }
    for (size_t i = firstFrom; i + 1 < from; ++i)
      if (view.strides[i] != view.strides[i + 1] * view.sizes[i + 1])
        return std::nullopt;
    AffineExpr stride = view.strides[from - 1];
    for (size_t i = to; i-- > firstTo; stride = stride * extents[i])
      result.strides[i] = stride;
  }
  return from == rank && to == extents.size() ? std::optional(result) : std::nullopt;
}

namespace {

struct ReshapeRule {
  static constexpr RuleTraits traits{"reshape", Benefit::Moves, Use::Always};
  struct Plan {
    RuleForms forms = {};
    Operation *op; // of whose first operand the elements are
  };

  static Match<Plan> match(const GroupView &group) {
    if (!isa<ReshapeOp, ReshapeLikeOp>(group.op))
      return std::nullopt;
    return Plan{{}, group.op};
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

void ReshapeRule::emit(const GroupView &, const Plan &plan, Tensors &t) {
  Location location = plan.op->getLoc();
  Value data = plan.op->getOperand(0), result = plan.op->getResult(0);
  if (t.isStrided(data) && !t.headMemory.count(result))
    if (auto view = reshaped(t.stridedView(data, location), extentsOf(result), t))
      return t.setStrided(result, *view);
  t.alias(result, data, location);
}

namespace symc::codegen {
void registerReshapeRule(RuleList &rules) { rules.add<ReshapeRule>(); }
} // namespace symc::codegen
