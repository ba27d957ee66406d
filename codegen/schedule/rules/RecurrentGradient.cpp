// RecurrentGradient.cpp: gradients of recurrent layers as products and elementwise steps, from the
// last layer to the first, with what the layer's sg.rnn kept (RecurrentTraining.cpp):
//
//   for each time, from the last: gradient of the gates behind times the state's matrix
//                  gradients of gates and cell
//   of all times at once: the matrices' gradients, biases' sums, what the layer below gets
//
// Steps of equal shapes share their code. The state's matrix is packed once a run.
#include "codegen/schedule/RecurrentLayers.h"
#include "codegen/schedule/RecurrentPairs.h"
#include "codegen/schedule/RowStep.h"
#include "codegen/schedule/ScheduleRule.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::codegen::recurrent;
using namespace symc::sg;

namespace {

class GradientBuilder : Layers<RnnGradientOp> {
public:
  GradientBuilder(Tensors &t, RnnGradientOp op, RnnOp layer)
      : Layers(t, op, layer.getData()), layer(layer), kept(t.recurrentKept.lookup(layer)),
        isLstm(mode == "lstm"), isGru(mode == "gru") {}

  void build() {
    unsigned first = layer->getNumOperands();
    parameters = t.plainView(layer.getParameters(), loc).base;
    if (Value lengths = layer.getSequenceLength())
      mask = makeMask(lengths);
    if (op.getStateOutputs()) {
      stateSlope = plain(op->getOperand(first + 1), projected);
      if (isLstm)
        cellSlope = plain(op->getOperand(first + 2), hidden);
    }
    for (auto [i, result] : llvm::enumerate(op->getResults()))
      if (!result.use_empty())
        results[i] = t.createPlain(result, loc).base;
    Rows above = plain(op->getOperand(first), outWidth);
    for (int64_t l = layers; l-- > 0;) {
      Rows below =
          l ? Rows{kept.results[l - 1], 0, outWidth, outWidth} : plain(layer.getData(), features);
      Rows own{kept.results[l], 0, outWidth, outWidth};
      bool wanted = l || results[0];
      Rows slope;
      for (int64_t d = 0; d < directions; ++d) {
        Rows sum = slope;
        if (wanted)
          slope = !l && d + 1 == directions ? Rows{results[0], 0, features, features}
                                            : make(steps * batch, width(l));
        buildWay(l * directions + d, below, own, above, sum, slope);
      }
      above = slope;
    }
  }

private:
  void buildWay(int64_t way, const Rows &below, const Rows &result, const Rows &above,
                const Rows &sum, const Rows &slope);
  // Gradients of gates and the cell at a time.
  void buildTime(const Rows &arrived, std::optional<Rows> carried, std::optional<Rows> more,
                 std::optional<Rows> within, const Rows &act, const Rows &own, const Rows &before,
                 const Rows &cell, const Rows &cellBefore, const Rows &input, const Rows &state,
                 const Rows &next, std::optional<Rows> passed);

  void projectBack(const Rows &arrived, std::optional<Rows> carried, std::optional<Rows> passed,
                   int64_t at, const Rows &of);

  RnnOp layer;
  Tensors::RecurrentKept kept;
  bool isLstm, isGru;
  Value parameters;
  std::optional<Rows> mask, stateSlope, cellSlope;
  Value results[4]; // null where nothing reads them
};

} // namespace

// `passed` is what a step beyond a sequence's length leaves to the one before.
void GradientBuilder::buildTime(const Rows &arrived, std::optional<Rows> carried,
                                std::optional<Rows> more, std::optional<Rows> within,
                                const Rows &act, const Rows &own, const Rows &before,
                                const Rows &cell, const Rows &cellBefore, const Rows &input,
                                const Rows &state, const Rows &next, std::optional<Rows> passed) {
  auto gate = [&](const Rows &of, int64_t g) { return of.part(g * hidden, hidden); };
  SmallVector<Rows> ins{arrived}, outs;
  bool isCarried = carried.has_value(), hasMore = more.has_value();
  if (carried)
    ins.push_back(*carried);
  if (more)
    ins.push_back(*more);
  size_t first = ins.size();
  if (isLstm) {
    ins.append({gate(act, 0), gate(act, 1), gate(act, 2), gate(act, 3), cell, cellBefore});
    outs = {gate(input, 0), gate(input, 1), gate(input, 2), gate(input, 3), next};
  } else if (isGru) {
    ins.append({gate(act, 0), gate(act, 1), gate(act, 2), gate(act, 3), before});
    outs = {gate(input, 0),
            gate(input, 1),
            gate(input, 2),
            gate(state, 0),
            gate(state, 1),
            gate(state, 2),
            next};
  } else {
    ins.push_back(own);
    outs = {input};
  }
  size_t gradients = outs.size();
  if (within)
    ins.push_back(*within);
  if (passed)
    outs.push_back(*passed);
  bool relu = mode == "rnn_relu";
  auto slopes = [&](ScalarOps &ops, ArrayRef<Value> x) -> Values {
    auto times = [&](Value a, Value b) { return ops.make(P::mul, {a, b}); };
    auto plus = [&](Value a, Value b) { return ops.make(P::add, {a, b}); };
    auto rest = [&](Value a) { return ops.make(P::sub, {ops.constant(1), a}); };
    auto slopeOfLogistic = [&](Value a) {
      Value other = rest(a);
      return times(a, other);
    };
    auto slopeOfTanh = [&](Value a) {
      Value square = times(a, a);
      return rest(square);
    };
    Value slope = x[0];
    if (isCarried)
      slope = plus(slope, x[1]);
    ArrayRef<Value> y = x.drop_front(first);
    if (isLstm) {
      Value squashed = ops.make(P::tanh, {y[4]});
      Value ofOut = times(times(slope, squashed), slopeOfLogistic(y[3]));
      Value ofCell = times(times(slope, y[3]), slopeOfTanh(squashed));
      if (hasMore)
        ofCell = plus(ofCell, x[first - 1]);
      if (layer.getLstmStateClipMin()) {
        Value free = plus(times(y[1], y[5]), times(y[0], y[2]));
        ofCell = slopeOfLimited(layer, ops, free, ofCell);
      }
      Value ofIn = times(times(ofCell, y[2]), slopeOfLogistic(y[0]));
      Value ofForget = times(times(ofCell, y[5]), slopeOfLogistic(y[1]));
      Value ofFresh = times(times(ofCell, y[0]), slopeOfTanh(y[2]));
      return {ofIn, ofForget, ofFresh, ofOut, times(ofCell, y[1])};
    }
    if (hasMore)
      slope = plus(slope, x[first - 1]);
    if (isGru) {
      Value distance = ops.make(P::sub, {y[4], y[2]});
      Value ofUpdate = times(times(slope, distance), slopeOfLogistic(y[1]));
      Value ofFresh = times(times(slope, rest(y[1])), slopeOfTanh(y[2]));
      Value ofReset = times(times(ofFresh, y[3]), slopeOfLogistic(y[0]));
      return {ofReset,           ofUpdate, ofFresh, ofReset, ofUpdate, times(ofFresh, y[0]),
              times(slope, y[1])};
    }
    if (relu)
      return {times(ops.asNumber(ops.make(P::greater, {y[0], ops.constant(0)})), slope)};
    return {times(slope, slopeOfTanh(y[0]))};
  };
  elementwise(ins, outs, batch, [&](ScalarOps &ops, ArrayRef<Value> x) -> Values {
    Values made = slopes(ops, x);
    if (!within)
      return made;
    // Beyond the length: nothing for gates, and what came from behind goes on.
    Value zero = ops.constant(0), waiting = hasMore ? x[first - 1] : zero;
    if (isGru && isCarried)
      waiting = hasMore ? ops.make(P::add, {x[1], waiting}) : x[1];
    for (size_t i = 0; i < gradients; ++i) {
      bool isNext = (isLstm || isGru) && i + 1 == gradients;
      made[i] = ops.make(P::where, {x.back(), made[i], isNext ? waiting : zero});
    }
    if (passed)
      made.push_back(ops.make(P::where, {x.back(), zero, x[1]}));
    return made;
  });
}

// The gradient of a projected state at a time.
void GradientBuilder::projectBack(const Rows &arrived, std::optional<Rows> carried,
                                  std::optional<Rows> passed, int64_t at, const Rows &of) {
  SmallVector<Rows> ins{arrived}, outs{of};
  if (carried)
    ins.push_back(*carried);
  if (mask)
    ins.push_back(mask->from(at).spread(projected));
  if (passed)
    outs.push_back(*passed);
  elementwise(ins, outs, batch, [&](ScalarOps &ops, ArrayRef<Value> x) -> Values {
    Values made{carried ? ops.make(P::add, {x[0], x[1]}) : x[0]};
    if (mask)
      made[0] = ops.make(P::where, {x.back(), made[0], ops.constant(0)});
    if (passed)
      made.push_back(ops.make(P::where, {x.back(), ops.constant(0), x[1]}));
    return made;
  });
}

void GradientBuilder::buildWay(int64_t way, const Rows &below, const Rows &result,
                               const Rows &above, const Rows &sum, const Rows &slope) {
  int64_t inputs = below.width, weights = weightsAt(way), biases = biasesAt(way);
  int64_t matrix = weights + rows * inputs, all = steps * batch;
  Value panels = pack({parameters, matrix, projected, 1}, rows, projected), projection;
  if (projects)
    projection = pack({parameters, projectionAt(way), hidden, 1}, projected, hidden);
  Rows acts{kept.gates[way], 0, 4 * hidden, 4 * hidden};
  Rows cells{kept.cells[way], 0, hidden, hidden};
  Rows own = result.part(way % directions * projected, projected);
  if (mask)
    own = {kept.states[way], 0, projected, projected};
  Rows arrived = above.part(way % directions * projected, projected);
  Rows ofProjected = projects ? make(all, projected) : Rows();
  Rows firstState = plain(layer.getState(), projected).from(way * batch), firstCell;
  if (isLstm)
    firstCell = plain(layer.getStateCell(), hidden).from(way * batch);
  Rows ofInput = make(all, rows), ofState = isGru ? make(all, rows) : ofInput;
  // Of the state behind the last time, and what an element keeps of it beside the product.
  std::optional<Rows> carried, more;
  if (stateSlope)
    carried = stateSlope->from(way * batch);
  if (cellSlope)
    more = cellSlope->from(way * batch);
  bool keepsMore = isLstm || isGru;
  for (int64_t i = steps; i-- > 0;) {
    int64_t at = timeOf(i, way) * batch, earlier = i ? timeOf(i - 1, way) * batch : 0;
    Rows before = i ? own.from(earlier) : firstState;
    Rows cellBefore = !isLstm ? Rows() : i ? cells.from(earlier) : firstCell;
    Rows next = keepsMore ? make(batch, hidden) : Rows();
    if (!i && isLstm && results[3])
      next = Rows{results[3], 0, hidden, hidden}.from(way * batch);
    std::optional<Rows> within, passed;
    if (mask) {
      within = mask->from(at).spread(hidden);
      if (carried && !isGru)
        passed = make(batch, projected);
    }
    auto gates = [&](const Rows &slope, std::optional<Rows> carried, std::optional<Rows> passed) {
      buildTime(slope, carried, more, within, acts.from(at), own.from(at), before,
                isLstm ? cells.from(at) : Rows(), cellBefore, ofInput.from(at), ofState.from(at),
                next, passed);
    };
    if (projects) {
      Rows of = ofProjected.from(at), slope = make(batch, hidden);
      projectBack(arrived.from(at), carried, passed, at, of);
      multiply(of, projection, {}, slope, batch);
      gates(slope, std::nullopt, std::nullopt);
    } else {
      gates(arrived.from(at), carried, passed);
    }
    if (keepsMore)
      more = next;
    if (!i && !results[2])
      continue;
    Rows product =
        i ? make(batch, projected) : Rows{results[2], 0, projected, projected}.from(way * batch);
    SmallVector<Rows> added;
    if (passed)
      added.push_back(*passed);
    if (!i && isGru)
      added.push_back(next);
    multiply(ofState.from(at), panels, added, product, batch);
    carried = product;
  }
  if (slope.base) {
    SmallVector<Rows> added;
    if (sum.base)
      added.push_back(sum);
    multiply(ofInput, pack({parameters, weights, inputs, 1}, rows, inputs), added, slope, all);
  }
  if (!results[1])
    return;
  Value gradients = results[1];
  multiplyTransposed(ofInput, below, {}, {gradients, weights, inputs, inputs}, all);
  // States before each time: the first one, then results of all times but the last.
  int64_t firstAt = timeOf(0, way) * batch;
  Rows ofMatrix{gradients, matrix, projected, projected};
  Rows begun = steps > 1 ? make(rows, projected) : ofMatrix;
  multiplyTransposed(ofState.from(firstAt), firstState, {}, begun, batch);
  if (steps > 1) {
    bool isReversed = way % directions;
    multiplyTransposed(ofState.from(isReversed ? 0 : batch), own.from(isReversed ? batch : 0),
                       begun, ofMatrix, (steps - 1) * batch);
  }
  if (projects)
    multiplyTransposed(ofProjected, {kept.unprojected[way], 0, hidden, hidden}, {},
                       {gradients, projectionAt(way), hidden, hidden}, all);
  for (auto [at, of] : {std::pair(biases, ofInput), std::pair(biases + rows, ofState)}) {
    RowStep sums;
    ViewSpec view{of.base,
                  t.constant(of.offset),
                  {t.constant(all), t.constant(rows)},
                  {t.constant(of.stride), t.constant(1)}};
    sums.ins = {view};
    sums.reduced = {true, false};
    sums.type = t.builder.getF32Type();
    sums.rowOuts = {{gradients, t.constant(at), view.sizes, {t.constant(0), t.constant(1)}}};
    sums.passes.push_back({"sum", [](RowBody &body) -> Values { return {body.ins[0]}; }});
    sums.rows = [](RowBody &body) -> Values { return {body.results[0]}; };
    sums.create(t, loc);
  }
}

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

namespace {

struct RecurrentGradientRule {
  static constexpr RuleTraits traits{"recurrent-gradient", Benefit::Tiles, Use::Tiles};
  struct Plan {
    RuleForms forms = {};
    RnnGradientOp op;
    RnnOp layer;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<RnnGradientOp>(group.op);
    if (!op)
      return std::nullopt;
    RnnOp layer = layerOf(op);
    if (!layer)
      return Refusal{"its layer is not computed before it"};
    if (const char *reason = obstacleOf(layer, group.t))
      return Refusal{reason};
    return Plan{{}, op, layer};
  }

  static void emit(const GroupView &, const Plan &plan, Tensors &t) {
    GradientBuilder(t, plan.op, plan.layer).build();
  }
};

} // namespace

namespace symc::codegen {
void registerRecurrentGradientRule(RuleList &rules) { rules.add<RecurrentGradientRule>(); }
} // namespace symc::codegen
