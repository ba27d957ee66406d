// RecurrentTraining.cpp: recurrent layers whose parameters a run brings, as products and
// elementwise steps. For each direction of each layer:
//
//   rows of all times times the input's matrix        one kernel.conv
//   for each time: state times the state's matrix     kernel.conv, with the input's part
//                  gates, cell and state              kernel.loops, which keeps the gates
//
// Steps of equal shapes share their code. The state's matrix is packed once a run. Gradients are
// computed by RecurrentGradient.cpp from what is kept.
//
// A projected state is one product more at each time. Where sequences have lengths of their own, a
// mask of all times and sequences chooses in each elementwise step: beyond a length the state
// stays, the result is 0, and a gradient passes to the time before. So do backward directions,
// which come to their first element last of what lies beyond.
#include "codegen/schedule/RecurrentLayers.h"
#include "codegen/schedule/RecurrentPairs.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/Gradient.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::codegen::recurrent;
using namespace symc::sg;

// Steps are written out, so that their number is limited.
static constexpr int64_t mostSteps = 2048;

namespace {

class ForwardBuilder : Layers<RnnOp> {
public:
  ForwardBuilder(Tensors &t, RnnOp op) : Layers(t, op, op.getData()) {}

  void build() {
    Tensors::RecurrentKept &kept = t.recurrentKept[op];
    Rows below = plain(op.getData(), features);
    for (auto [i, result] : llvm::enumerate(op->getResults().drop_front()))
      states.push_back(plainResult(result, i ? hidden : projected));
    parameters = t.plainView(op.getParameters(), loc).base;
    if (Value lengths = op.getSequenceLength())
      mask = makeMask(lengths);
    for (int64_t layer = 0; layer < layers; ++layer) {
      Rows above = layer + 1 == layers ? plainResult(op->getResult(0), outWidth)
                                       : make(steps * batch, outWidth);
      for (int64_t d = 0; d < directions; ++d)
        buildWay(layer * directions + d, below, above, kept);
      kept.results.push_back(above.base);
      below = above;
    }
  }

private:
  Rows plainResult(Value value, int64_t width) {
    return {t.createPlain(value, loc).base, 0, width, width};
  }

  void buildWay(int64_t way, const Rows &below, const Rows &above, Tensors::RecurrentKept &kept) {
    int64_t inputs = below.width, weights = weightsAt(way), biases = biasesAt(way);
    bool isGru = mode == "gru", isLstm = mode == "lstm";
    auto bias = [&](int64_t at) { return Rows{parameters, at, 0, rows}; };
    Rows given = make(steps * batch, rows);
    SmallVector<Rows> extras{bias(biases)};
    if (!isGru)
      extras.push_back(bias(biases + rows));
    multiply(below, pack({parameters, weights, 1, inputs}, inputs, rows), extras, given,
             steps * batch);
    Value panels = pack({parameters, weights + rows * inputs, 1, projected}, projected, rows);
    Value projection;
    if (projects)
      projection = pack({parameters, projectionAt(way), 1, hidden}, hidden, projected);
    // Gates behind their functions, and of a GRU the state's part of the new value.
    bool keeps = hasGradient(op);
    auto keep = [&](bool has, int64_t width) {
      return has ? make(keeps ? steps * batch : batch, width) : Rows();
    };
    Rows acts = keep(isGru || isLstm, 4 * hidden), raw = keep(projects, hidden);
    Rows cells = isLstm ? make(steps * batch, hidden) : Rows();
    Rows own = above.part(way % directions * projected, projected);
    Rows held = mask ? make(steps * batch, projected) : own; // states, which results lack
    kept.gates.push_back(acts.base);
    kept.cells.push_back(cells.base);
    kept.states.push_back(mask ? held.base : Value());
    kept.unprojected.push_back(raw.base);
    Rows state = plain(op.getState(), projected).from(way * batch), cell;
    if (isLstm)
      cell = plain(op.getStateCell(), hidden).from(way * batch);
    for (int64_t i = 0; i < steps; ++i) {
      int64_t at = timeOf(i, way) * batch, keptAt = keeps ? at : 0;
      Rows sums = make(batch, rows), next = own.from(at), act = acts.from(keptAt);
      multiply(state, panels, isGru ? bias(biases + rows) : given.from(at), sums, batch);
      auto gate = [&](const Rows &of, int64_t g) { return of.part(g * hidden, hidden); };
      // Behind the operands: mask and state before, where there is a mask; behind the results the
      // state that goes on.
      auto masked = [&](SmallVector<Rows> ins, SmallVector<Rows> outs, Body body) {
        if (!mask || projects)
          return elementwise(ins, outs, batch, body);
        ins.append({mask->from(at).spread(hidden), state});
        outs.push_back(held.from(at));
        elementwise(ins, outs, batch, [&](ScalarOps &ops, ArrayRef<Value> x) -> Values {
          Values made = body(ops, x.drop_back(2));
          made.push_back(ops.make(P::where, {x.drop_back().back(), made[0], x.back()}));
          made[0] = ops.make(P::where, {x.drop_back().back(), made[0], ops.constant(0)});
          return made;
        });
      };
      if (isLstm) {
        Rows now = cells.from(at);
        SmallVector<Rows> ins{gate(sums, 0), gate(sums, 1), gate(sums, 2), gate(sums, 3), cell};
        if (mask)
          ins.push_back(mask->from(at).spread(hidden));
        masked(ins,
               {projects ? raw.from(keptAt) : next, now, gate(act, 0), gate(act, 1), gate(act, 2),
                gate(act, 3)},
               [&](ScalarOps &ops, ArrayRef<Value> x) -> Values {
                 Value in = ops.make(P::logistic, {x[0]}), forget = ops.make(P::logistic, {x[1]});
                 Value fresh = ops.make(P::tanh, {x[2]}), out = ops.make(P::logistic, {x[3]});
                 Value held = ops.make(P::mul, {forget, x[4]});
                 Value added = ops.make(P::mul, {in, fresh});
                 Value now = limited(op, ops, ops.make(P::add, {held, added}));
                 Value squashed = ops.make(P::tanh, {now});
                 if (mask)
                   now = ops.make(P::where, {x[5], now, x[4]});
                 return {ops.make(P::mul, {out, squashed}), now, in, forget, fresh, out};
               });
        cell = now;
      } else if (isGru) {
        Rows from = given.from(at);
        masked({gate(from, 0), gate(from, 1), gate(from, 2), gate(sums, 0), gate(sums, 1),
                gate(sums, 2), state},
               {next, gate(act, 0), gate(act, 1), gate(act, 2), gate(act, 3)},
               [](ScalarOps &ops, ArrayRef<Value> x) -> Values {
                 Value reset = ops.make(P::logistic, {ops.make(P::add, {x[0], x[3]})});
                 Value update = ops.make(P::logistic, {ops.make(P::add, {x[1], x[4]})});
                 Value read = ops.make(P::mul, {reset, x[5]});
                 Value fresh = ops.make(P::tanh, {ops.make(P::add, {x[2], read})});
                 Value share = ops.make(P::sub, {ops.constant(1), update});
                 Value added = ops.make(P::mul, {share, fresh});
                 Value held = ops.make(P::mul, {update, x[6]});
                 return {ops.make(P::add, {added, held}), reset, update, fresh, x[5]};
               });
      } else {
        bool relu = mode == "rnn_relu";
        masked({sums}, {next}, [relu](ScalarOps &ops, ArrayRef<Value> x) -> Values {
          return {relu ? ops.make(P::max, {ops.constant(0), x[0]}) : ops.make(P::tanh, {x[0]})};
        });
      }
      if (projects) {
        Rows made = mask ? make(batch, projected) : next;
        multiply(raw.from(keptAt), projection, {}, made, batch);
        if (mask)
          elementwise({made, mask->from(at).spread(projected), state}, {next, held.from(at)}, batch,
                      [](ScalarOps &ops, ArrayRef<Value> x) -> Values {
                        return {ops.make(P::where, {x[1], x[0], ops.constant(0)}),
                                ops.make(P::where, {x[1], x[0], x[2]})};
                      });
      }
      state = held.from(at);
    }
    if (!states.empty())
      copyRows(state, states[0].from(way * batch), batch);
    if (states.size() > 1)
      copyRows(cell, states[1].from(way * batch), batch);
  }

  std::optional<Rows> mask; // where sequences have lengths
  Value parameters;
  SmallVector<Rows> states; // of results
};

} // namespace

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

const char *symc::codegen::recurrent::obstacleOf(RnnOp op, const Tensors &t) {
  if (Value lengths = op.getSequenceLength()) {
    Type type = elementTypeOf(lengths.getType());
    if (type.isInteger(1) || !canConvert(type, Float32Type::get(t.context())))
      return "no code compares its sequences' lengths";
  }
  if (!t.layerElements(op.getData()))
    return "its elements are not float32";
  Shape data = shapeOf(op.getData().getType());
  if (!data.isStatic())
    return "its extents are known only at run time";
  if (llvm::any_of(data.list(), [](Dim extent) { return extent.get() < 1; }))
    return "it is empty";
  int64_t ways = int64_t(op.getNumLayers()) * op.countDirections();
  if (data[0].get() > mostSteps / ways)
    return "it has more steps than are written out";
  return nullptr;
}

namespace {

struct RecurrentTrainingRule {
  static constexpr RuleTraits traits{"recurrent-training", Benefit::Tiles, Use::Tiles};
  struct Plan {
    RuleForms forms = {};
    RnnOp op;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<RnnOp>(group.op);
    if (!op || (Tensors::isWeight(op.getParameters()) && !hasGradient(op)))
      return std::nullopt;
    if (const char *reason = obstacleOf(op, group.t))
      return Refusal{reason};
    return Plan{{}, op};
  }

  static void emit(const GroupView &, const Plan &plan, Tensors &t) {
    ForwardBuilder(t, plan.op).build();
  }
};

} // namespace

// The layer that a gradient is of: it reads the same values with the same parameters.
RnnOp symc::codegen::layerOf(RnnGradientOp op) {
  for (Operation *user : op->getOperand(0).getUsers()) {
    auto layer = dyn_cast<RnnOp>(user);
    if (!layer || layer->getBlock() != op->getBlock() || !layer->isBeforeInBlock(op) ||
        layer->getNumOperands() + layer->getNumResults() != op->getNumOperands() ||
        !llvm::equal(layer->getOperands(), op->getOperands().take_front(layer->getNumOperands())))
      continue;
    if (layer.getMode() == op.getMode() && layer.getStateSize() == op.getStateSize() &&
        layer.getNumLayers() == op.getNumLayers() &&
        layer.getBidirectional() == op.getBidirectional() &&
        layer.getLstmStateClipMin() == op.getLstmStateClipMin())
      return layer;
  }
  return {};
}

bool symc::codegen::hasGradient(RnnOp op) {
  return llvm::any_of(op.getData().getUsers(), [&](Operation *user) {
    auto gradient = dyn_cast<RnnGradientOp>(user);
    return gradient && layerOf(gradient) == op;
  });
}

namespace symc::codegen {
void registerRecurrentTrainingRule(RuleList &rules) { rules.add<RecurrentTrainingRule>(); }
} // namespace symc::codegen
