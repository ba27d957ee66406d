// OneHot.cpp: rows with one element that is on, as a loop over elements with coordinates.
//
//   %h = sg.one_hot(%i) {depth = 9}  ->  kernel.loops {coordinates = [1]}: d == i ? on : off
#include "codegen/schedule/Coordinates.h"
#include "codegen/schedule/ScalarBody.h"
#include "ir/ops/Index.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

using Values = SmallVector<Value>;

namespace {

struct OneHotRule {
  static constexpr RuleTraits traits{"one-hot", Benefit::Walks, Use::Generated};
  struct Plan {
    RuleForms forms = {};
    OneHotOp op;
    TypedAttr on, off;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<OneHotOp>(group.op);
    if (!op)
      return std::nullopt;
    MLIRContext *context = group.t.context();
    if (!canConvert(elementTypeOf(op.getIndices().getType()), IntegerType::get(context, 64)))
      return conversionRefusal();
    if (auto refusal = inexactRefusal(extentsOf(op.getOutput()).back(), group.t))
      return *refusal;
    Type type = elementTypeOf(op.getOutput().getType());
    TypedAttr on = elementOf(op.getOnValue().convertToDouble(), type, context),
              off = elementOf(op.getOffValue().convertToDouble(), type, context);
    if (!on || !off)
      return valueRefusal();
    return Plan{{}, op, on, off};
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

void OneHotRule::emit(const GroupView &, const Plan &plan, Tensors &t) {
  OneHotOp op = plan.op;
  Location location = op.getLoc();
  Type index = elementTypeOf(op.getIndices().getType());
  ViewSpec indices = t.plainView(op.getIndices(), location),
           out = t.createPlain(op.getOutput(), location);
  AffineExpr rows = t.constant(1), depth = out.sizes.back();
  for (AffineExpr extent : indices.sizes)
    rows = rows * extent;
  ViewSpec each{indices.base, t.constant(0), {rows, depth}, {t.constant(1), t.constant(0)}};
  integerStep(
      t, each, t.rowMajor(out.base, {rows, depth}), location,
      [&](IntegerBody &body, ArrayRef<Value> x) -> Values {
        OpBuilder &b = body.b;
        Location loc = body.loc;
        // What does not fit is the least integer, which no column is.
        Type wide = index.isInteger(64) ? b.getI64Type() : b.getI32Type();
        Value column = convertElement(x[0], b.getI32Type(), wide, b, loc);
        Value wanted = convertElement(x[1], index, wide, b, loc);
        Value holds = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, column, wanted);
        return {arith::SelectOp::create(b, loc, holds, constant(body, plan.on),
                                        constant(body, plan.off))};
      },
      1);
}

namespace symc::codegen {
void registerOneHotRule(RuleList &rules) { rules.add<OneHotRule>(); }
} // namespace symc::codegen
