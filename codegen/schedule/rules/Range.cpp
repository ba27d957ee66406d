// Range.cpp: arithmetic progressions, as a loop over elements with coordinates.
//
//   %a = sg.arange {step = 2}  ->  kernel.loops {coordinates = [0]}: start + place * step
//
// Ranges that repeat their values and those of integers with fractions keep their reference
// kernels.
#include "codegen/schedule/Coordinates.h"
#include "codegen/schedule/ScalarBody.h"
#include "ir/ops/Init.h"
#include <cmath>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

using Values = SmallVector<Value>;

namespace {
/// start + place * step over the elements of a result.
struct Progression {
  double start, step;
};
} // namespace

// Half floats begin and step by integers: MXNet takes them for unsigned numbers here.
static std::optional<Progression> rangeOf(Operation *op) {
  Type type = elementTypeOf(op->getResult(0).getType());
  auto make = [&](double start, double step) {
    bool half = type.isF16() || type.isBF16();
    return half ? Progression{std::trunc(start), std::trunc(step)} : Progression{start, step};
  };
  if (auto like = dyn_cast<ArangeLikeOp>(op); like && like.getRepeat() == 1)
    return make(like.getStart().convertToDouble(), like.getStep().convertToDouble());
  auto range = dyn_cast<ArangeOp>(op);
  if (!range || range.getRepeat() != 1)
    return std::nullopt;
  bool fromZero = !range.getStop() && !range.getInferRange();
  return make(fromZero ? 0 : range.getStart().convertToDouble(), range.getStep().convertToDouble());
}

namespace {

struct RangeRule {
  static constexpr RuleTraits traits{"range", Benefit::Walks, Use::Generated};
  struct Plan {
    RuleForms forms = {};
    TypedAttr first, step;
  };

  static Match<Plan> match(const GroupView &group) {
    if (!isa<ArangeOp, ArangeLikeOp>(group.op))
      return std::nullopt;
    std::optional<Progression> range = rangeOf(group.op);
    if (!range)
      return Refusal{"it repeats each of its values"};
    MLIRContext *context = group.t.context();
    Type type = elementTypeOf(group.result.getType());
    bool isHalf = type.isF16() || type.isBF16();
    if (!canConvert(IntegerType::get(context, 32), isHalf ? Float32Type::get(context) : type))
      return conversionRefusal();
    TypedAttr first = elementOf(range->start, type, context),
              step = elementOf(range->step, type, context);
    if (!first || !step)
      return valueRefusal();
    AffineExpr count = countOf(extentsOf(group.result), context);
    if (auto refusal = inexactRefusal(count, group.t))
      return *refusal;
    return Plan{{}, first, step};
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

// In the type that the reference kernel computes in: half floats in f32.
void RangeRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  Operation *op = group.op;
  Value result = op->getResult(0);
  Type type = elementTypeOf(result.getType());
  SmallVector<AffineExpr> count{countOf(extentsOf(result), t.context())};
  ViewSpec out = t.createPlain(result, op->getLoc());
  integerStep(
      t, {}, t.rowMajor(out.base, count), op->getLoc(),
      [&](IntegerBody &body, ArrayRef<Value> x) -> Values {
        OpBuilder &b = body.b;
        Location loc = body.loc;
        bool half = type.isF16() || type.isBF16();
        Type wide = half ? Type(b.getF32Type()) : type;
        auto widened = [&](TypedAttr value) {
          return convertElement(constant(body, value), type, wide, b, loc);
        };
        Value place = convertElement(x[0], b.getI32Type(), wide, b, loc);
        if (!isa<FloatType>(wide)) {
          Value product = arith::MulIOp::create(b, loc, place, widened(plan.step));
          return {arith::AddIOp::create(b, loc, widened(plan.first), product)};
        }
        Value product = arith::MulFOp::create(b, loc, place, widened(plan.step));
        Value sum = arith::AddFOp::create(b, loc, widened(plan.first), product);
        return {convertElement(sum, wide, type, b, loc)};
      },
      0);
}

namespace symc::codegen {
void registerRangeRule(RuleList &rules) { rules.add<RangeRule>(); }
} // namespace symc::codegen
