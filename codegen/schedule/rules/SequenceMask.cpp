// SequenceMask.cpp: sequences with what lies behind their lengths overwritten, as a loop over
// elements with coordinates.
//
//   %y = sg.sequence_mask(%x, %n)  ->  kernel.loops {coordinates = [0]}: t < n ? x : value
//
// Without lengths it is another name for its data.
#include "codegen/schedule/Coordinates.h"
#include "codegen/schedule/ScalarBody.h"
#include "ir/ops/Sequence.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

using Values = SmallVector<Value>;

namespace {

struct SequenceMaskRule {
  static constexpr RuleTraits traits{"sequence-mask", Benefit::Walks, Use::Generated};
  struct Plan {
    RuleForms forms = {};
    SequenceMaskOp op;
    TypedAttr beyond = {}; // what is written there
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<SequenceMaskOp>(group.op);
    if (!op)
      return std::nullopt;
    Value data = op.getData(), lengths = op.getSequenceLength();
    if (!lengths)
      return Plan{{}, op};
    Type type = elementTypeOf(data.getType()), length = elementTypeOf(lengths.getType());
    if (!canConvert(length, type) || type.isInteger(1) || length.isInteger(1))
      return conversionRefusal();
    if (auto refusal = inexactRefusal(extentsOf(data)[op.getAxis()], group.t))
      return *refusal;
    TypedAttr beyond = elementOf(op.getValue().convertToDouble(),
                                 elementTypeOf(op.getOutput().getType()), group.t.context());
    if (!beyond)
      return valueRefusal();
    return Plan{{}, op, beyond};
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

void SequenceMaskRule::emit(const GroupView &, const Plan &plan, Tensors &t) {
  SequenceMaskOp op = plan.op;
  Location location = op.getLoc();
  Value lengths = op.getSequenceLength();
  if (!lengths) // nothing lies beyond
    return t.alias(op.getOutput(), op.getData(), location);
  int64_t time = op.getAxis();
  Type type = elementTypeOf(lengths.getType());
  // [T, N, rest] or [N, T, rest].
  auto flat = [&](const ViewSpec &view) {
    SmallVector<AffineExpr, 5> extents{view.sizes[0], view.sizes[1]};
    AffineExpr rest = t.constant(1);
    for (AffineExpr extent : ArrayRef(view.sizes).drop_front(2))
      rest = rest * extent;
    if (rest != t.constant(1))
      extents.push_back(rest);
    return t.rowMajor(view.base, extents);
  };
  ViewSpec data = flat(t.plainView(op.getData(), location)),
           out = flat(t.createPlain(op.getOutput(), location)),
           length = t.plainView(lengths, location), spread = data;
  spread.base = length.base;
  spread.strides.assign(data.sizes.size(), t.constant(0));
  spread.strides[1 - time] = length.strides[0];
  integerStep(
      t, {data, spread}, out, location,
      [&](IntegerBody &body, ArrayRef<Value> x) -> Values {
        return {arith::SelectOp::create(body.b, body.loc, body.isWithin(x[0], x[2], type), x[1],
                                        constant(body, plan.beyond))};
      },
      time);
}

namespace symc::codegen {
void registerSequenceMaskRule(RuleList &rules) { rules.add<SequenceMaskRule>(); }
} // namespace symc::codegen
