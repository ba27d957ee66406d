// Lrn.cpp: local response normalisation with MXNet's usual exponent as loops over
// elements: channels that have equally many neighbours on each side are one step, which reads
// its data once for each of them.
//
//   %y = sg.lrn(%x) {nsize = 5}  ->  kernel.loops for channels 0, 1, 2 to C - 3, C - 2, C - 1
//
// Other exponents take a power for each element; they keep their reference kernel.
#include "codegen/schedule/IntegerBody.h"
#include "codegen/schedule/Refusals.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/ops/Norm.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// More views than this would take more registers than there are.
static constexpr int64_t mostNeighbours = 9;

namespace {
/// Channels [first, first + count) sum those from `before` channels before to `after` behind.
struct Channels {
  int64_t first, count, before, after;
};
} // namespace

static SmallVector<Channels> alike(int64_t channels, int64_t half) {
  SmallVector<Channels> groups;
  for (int64_t c = 0; c < channels; c += groups.back().count) {
    int64_t before = std::min(c, half), after = std::min(channels - 1 - c, half);
    bool hasAll = before == half && after == half; // as do all up to the last few
    groups.push_back({c, hasAll ? channels - half - c : 1, before, after});
  }
  return groups;
}

// x / norm^0.75, norm = knorm + alpha * sum of squares, of the element `own` among its
// neighbours; and that norm, where the node has it as a result.
static SmallVector<Value> normalised(IntegerBody &body, ArrayRef<Value> x, unsigned own,
                                     double alpha, double knorm, bool showsNorm) {
  auto [b, loc] = body;
  Value sum = body.times(x[0], x[0]);
  for (Value other : x.drop_front())
    sum = arith::AddFOp::create(b, loc, sum, body.times(other, other));
  Value base = arith::AddFOp::create(b, loc, body.real(knorm), body.times(body.real(alpha), sum));
  Value root = math::SqrtOp::create(b, loc, base);
  Value result = body.over(x[own], body.times(root, math::SqrtOp::create(b, loc, root)));
  return showsNorm ? SmallVector<Value>{result, base} : SmallVector<Value>{result};
}

namespace {

struct LrnRule {
  static constexpr RuleTraits traits{"lrn", Benefit::Walks, Use::Generated};
  struct Plan {
    RuleForms forms = {};
    LRNOp op;
    int64_t channels;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<LRNOp>(group.op);
    if (!op)
      return std::nullopt;
    if (!group.t.layerElements(op.getData()))
      return elementRefusal(op.getData());
    if (op.getBeta().convertToDouble() != 0.75)
      return Refusal{"its exponent is not 0.75, which takes roots alone"};
    if (op.getNsize() > mostNeighbours)
      return Refusal{
          llvm::formatv("it sums {0} channels, registers hold {1}", op.getNsize(), mostNeighbours)};
    Dim channels = shapeOf(op.getData().getType())[1];
    if (!channels.isStatic())
      return openChannelsRefusal();
    return Plan{{}, op, channels.get()};
  }

  static void emit(const GroupView &, const Plan &plan, Tensors &t);
};

} // namespace

void LrnRule::emit(const GroupView &, const Plan &plan, Tensors &t) {
  LRNOp op = plan.op;
  Location location = op.getLoc();
  double alpha = static_cast<float>(op.getAlpha().convertToDouble() / double(op.getNsize()));
  double knorm = static_cast<float>(op.getKnorm().convertToDouble());
  ViewSpec data = t.plainView(op.getData(), location);
  SmallVector<ViewSpec> outs;
  for (Value result : op->getResults())
    outs.push_back(t.createPlain(result, location));
  auto part = [&](ViewSpec view, int64_t first, int64_t count) {
    view.offset = view.offset + view.strides[1] * first;
    view.sizes[1] = t.constant(count);
    return view;
  };
  for (const Channels &group : alike(plan.channels, op.getNsize() / 2)) {
    SmallVector<ViewSpec> neighbours;
    for (int64_t step = -group.before; step <= group.after; ++step)
      neighbours.push_back(part(data, group.first + step, group.count));
    SmallVector<ViewSpec> parts;
    for (const ViewSpec &out : outs)
      parts.push_back(part(out, group.first, group.count));
    integerStep(t, neighbours, parts, location, [&](IntegerBody &body, ArrayRef<Value> x) {
      return normalised(body, x, group.before, alpha, knorm, outs.size() > 1);
    });
  }
}

namespace symc::codegen {
void registerLrnRule(RuleList &rules) { rules.add<LrnRule>(); }
} // namespace symc::codegen
