// RecurrentTraining.cpp: recurrent layers whose parameters a run brings, and their gradients, as
// products and elementwise steps. Forwards, for each direction of each layer:
//
//   rows of all times times the input's matrix        one kernel.conv
//   for each time: state times the state's matrix     kernel.conv, with the input's part
//                  gates, cell and state              kernel.loops, which keeps the gates
//
// and backwards, from the last layer to the first, with what the layer's sg.rnn kept:
//
//   for each time, from the last: gradient of the gates behind times the state's matrix
//                  gradients of gates and cell
//   of all times at once: the matrices' gradients, biases' sums, what the layer below gets
//
// Steps of equal shapes share their code. The state's matrix is packed once a run.
//
// A projected state is one product more at each time. Where sequences have lengths of their own, a
// mask of all times and sequences chooses in each elementwise step: beyond a length the state
// stays, the result is 0, and a gradient passes to the time before. So do backward directions,
// which come to their first element last of what lies beyond.
#include "codegen/schedule/IntegerBody.h"
#include "codegen/schedule/RecurrentPairs.h"
#include "codegen/schedule/RowStep.h"
#include "codegen/schedule/ScalarBody.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/Gradient.h"
#include "ir/ScalarFunctions.h"
#include "ir/ops/Recurrent.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// Steps are written out, so that their number is limited.
static constexpr int64_t mostSteps = 2048;

namespace {

/// Rows of floats in memory: number r begins at offset + r * stride.
struct Rows {
  Value base;
  int64_t offset = 0, stride = 0, width = 0;
  bool repeats = false; // one number, in all columns
  Rows from(int64_t row) const { return {base, offset + row * stride, stride, width, repeats}; }
  Rows part(int64_t column, int64_t columns) const {
    return {base, offset + column, stride, columns};
  }
  Rows spread(int64_t columns) const { return {base, offset, stride, columns, true}; }
};

/// A matrix of the parameters or of rows: its element (r, c) is at offset + r * row + c * column.
struct Matrix {
  Value base;
  int64_t offset, row, column;
};

using Values = SmallVector<Value>;
using Body = function_ref<Values(ScalarOps &ops, ArrayRef<Value> x)>;
using P = ScalarPrimitive;

/// What both rules share: the layer's sizes and the steps that they are made of.
template <typename Op> class Layers {
public:
  Layers(Tensors &t, Op op, Value data) : t(t), op(op), loc(op->getLoc()) {
    Shape extents = shapeOf(data.getType());
    steps = extents[0].get();
    batch = extents[1].get();
    features = extents[2].get();
    hidden = op.getStateSize();
    mode = op.getMode();
    gates = mode == "lstm" ? 4 : mode == "gru" ? 3 : 1;
    layers = op.getNumLayers();
    directions = op.getBidirectional() ? 2 : 1;
    projects = op.getProjectionSize().value_or(0) != 0;
    projected = projects ? *op.getProjectionSize() : hidden;
    outWidth = directions * projected;
    rows = gates * hidden;
  }

protected:
  int64_t width(int64_t layer) const { return layer ? outWidth : features; }
  // Where the matrices and biases of a direction begin in the parameters.
  int64_t weightsAt(int64_t way) const {
    int64_t at = 0;
    for (int64_t i = 0; i < way; ++i)
      at += rows * (width(i / directions) + projected) + (projects ? projected * hidden : 0);
    return at;
  }
  int64_t projectionAt(int64_t way) const {
    return weightsAt(way) + rows * (width(way / directions) + projected);
  }
  int64_t biasesAt(int64_t way) const { return weightsAt(layers * directions) + 2 * rows * way; }
  // The time that comes i-th.
  int64_t timeOf(int64_t i, int64_t way) const { return way % directions ? steps - 1 - i : i; }

  Rows plain(Value value, int64_t width) { return {t.plainView(value, loc).base, 0, width, width}; }
  Rows make(int64_t count, int64_t width) {
    return {t.buffer({t.constant(count), t.constant(width)}, t.builder.getF32Type(), loc), 0, width,
            width};
  }
  Value view(const Rows &of, int64_t count) {
    return t.materialise({of.base,
                          t.constant(of.offset),
                          {t.constant(count), t.constant(of.width)},
                          {t.constant(of.stride), t.constant(of.repeats ? 0 : 1)}},
                         loc);
  }
  // Of each time and sequence whether it is within that sequence's length, 1 or 0.
  Rows makeMask(Value lengths) {
    Rows mask = make(steps * batch, 1);
    ViewSpec length = t.plainView(lengths, loc);
    Type type = elementTypeOf(lengths.getType());
    SmallVector<AffineExpr> sizes{t.constant(steps), t.constant(batch)};
    ViewSpec out = t.rowMajor(mask.base, sizes), repeated = out;
    repeated.base = length.base;
    repeated.strides = {t.constant(0), length.strides[0]};
    integerStep(t, {repeated}, {out}, loc,
                [&](IntegerBody &body, ArrayRef<Value> x) -> Values {
                  return {arith::SelectOp::create(body.b, body.loc, body.isWithin(x[0], x[1], type),
                                                  body.real(1), body.real(0))};
                },
                {0});
    return mask;
  }
  // As the pixels of an image; stride 0 repeats a row.
  Value pixels(const Rows &of, int64_t count) {
    AffineExpr zero = t.constant(0), one = t.constant(1), lanes = t.constant(t.blockWidth);
    return t.materialise(
        {of.base,
         t.constant(of.offset),
         {one, t.constant(llvm::divideCeil(of.width, t.blockWidth)), one, t.constant(count), lanes},
         {zero, lanes, zero, t.constant(of.stride), one}},
        loc);
  }

  // A [inner, columns] matrix as panels.
  Value pack(const Matrix &from, int64_t inner, int64_t columns) {
    AffineExpr one = t.constant(1), lanes = t.constant(t.blockWidth);
    Value panels =
        t.buffer({t.constant(llvm::divideCeil(columns, t.blockWidth)),
                  t.constant(llvm::divideCeil(inner, t.blockWidth)), one, one, lanes, lanes},
                 t.builder.getF32Type(), loc);
    Value source = t.materialise(
        {from.base,
         t.constant(from.offset),
         {t.constant(columns), t.constant(inner), one, one},
         {t.constant(from.column), t.constant(from.row), t.constant(0), t.constant(0)}},
        loc);
    kernel::PackPanelsOp::create(t.builder, loc, source, panels);
    return panels;
  }

  // out = in * panels + extras.
  void multiply(const Rows &in, Value panels, ArrayRef<Rows> extras, const Rows &out,
                int64_t count) {
    Values more;
    for (const Rows &extra : extras)
      more.push_back(pixels(extra, count));
    int64_t ones[] = {1, 1};
    auto step = kernel::ConvOp::create(t.builder, loc, pixels(in, count), panels, more,
                                       pixels(out, count), ones, ones, ones, in.width, out.width);
    fill(step.getBody(), extras.size() + 1, [](ScalarOps &ops, ArrayRef<Value> x) -> Values {
      Value sum = x[0];
      for (Value extra : x.drop_front())
        sum = ops.make(P::add, {sum, extra});
      return {sum};
    });
  }

  // out = left^T * right: rows of both are what is summed over.
  void multiplyTransposed(const Rows &left, const Rows &right, ArrayRef<Rows> extras,
                          const Rows &out, int64_t count) {
    Rows transposed = make(left.width, count);
    t.copy({left.base,
            t.constant(left.offset),
            {t.constant(left.width), t.constant(count)},
            {t.constant(1), t.constant(left.stride)}},
           {transposed.base,
            t.constant(0),
            {t.constant(left.width), t.constant(count)},
            {t.constant(count), t.constant(1)}},
           loc);
    Value panels = pack({right.base, right.offset, right.stride, 1}, count, right.width);
    multiply(transposed, panels, extras, out, left.width);
  }

  void elementwise(ArrayRef<Rows> ins, ArrayRef<Rows> outs, int64_t count, Body body) {
    Values from, to;
    for (const Rows &in : ins)
      from.push_back(view(in, count));
    for (const Rows &out : outs)
      to.push_back(view(out, count));
    auto step = kernel::LoopsOp::create(t.builder, loc, from, to);
    fill(step.getBody(), ins.size(), body);
  }

  void fill(Region &region, size_t arguments, Body body) {
    OpBuilder::InsertionGuard guard(t.builder);
    Block *block = t.builder.createBlock(&region);
    Type f32 = t.builder.getF32Type();
    block->addArguments(SmallVector<Type>(arguments, f32), SmallVector<Location>(arguments, loc));
    ScalarOps ops(f32, t.builder, loc);
    Values arguments_(block->getArguments());
    kernel::YieldOp::create(t.builder, loc, body(ops, arguments_));
  }

  void copyRows(const Rows &from, const Rows &to, int64_t count) {
    auto spec = [&](const Rows &of) {
      return ViewSpec{of.base,
                      t.constant(of.offset),
                      {t.constant(count), t.constant(of.width)},
                      {t.constant(of.stride), t.constant(1)}};
    };
    t.copy(spec(from), spec(to), loc);
  }

  Tensors &t;
  Op op;
  Location loc;
  StringRef mode;
  int64_t steps, batch, features, hidden, projected, gates, layers, directions, outWidth, rows;
  bool projects;
};

// The cell of an LSTM within its limits.
template <typename Op> static Value limited(Op op, ScalarOps &ops, Value cell) {
  if (!op.getLstmStateClipMin())
    return cell;
  Value least = ops.constant(op.getLstmStateClipMin()->convertToDouble()),
        most = ops.constant(op.getLstmStateClipMax()->convertToDouble());
  Value value = ops.make(P::where, {ops.make(P::less, {cell, least}), least, cell});
  value = ops.make(P::where, {ops.make(P::greater, {value, most}), most, value});
  if (op.getLstmStateClipNan())
    value = ops.make(P::where, {ops.make(P::isnan, {cell}), least, value});
  return value;
}

// Of a slope of the limited cell that of the cell: 0 where a limit took its place, or NaN.
template <typename Op> static Value slopeOfLimited(Op op, ScalarOps &ops, Value cell, Value slope) {
  if (!op.getLstmStateClipMin())
    return slope;
  Value zero = ops.constant(0);
  Value least = ops.constant(op.getLstmStateClipMin()->convertToDouble()),
        most = ops.constant(op.getLstmStateClipMax()->convertToDouble());
  slope = ops.make(P::where, {ops.make(P::greater_equal, {cell, least}), slope, zero});
  return ops.make(P::where, {ops.make(P::less_equal, {cell, most}), slope, zero});
}

//===----------------------------------------------------------------------===//
// Forwards
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Backwards
//===----------------------------------------------------------------------===//

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
// The rules
//===----------------------------------------------------------------------===//

// Why the reference kernel is kept.
static const char *obstacle(RnnOp op, const Tensors &t) {
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
    if (const char *reason = obstacle(op, group.t))
      return Refusal{reason};
    return Plan{{}, op};
  }

  static void emit(const GroupView &, const Plan &plan, Tensors &t) {
    ForwardBuilder(t, plan.op).build();
  }
};

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
    if (const char *reason = obstacle(layer, group.t))
      return Refusal{reason};
    return Plan{{}, op, layer};
  }

  static void emit(const GroupView &, const Plan &plan, Tensors &t) {
    GradientBuilder(t, plan.op, plan.layer).build();
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
void registerRecurrentTrainingRule(RuleList &rules) {
  rules.add<RecurrentTrainingRule>();
  rules.add<RecurrentGradientRule>();
}
} // namespace symc::codegen
