// Recurrent.cpp: recurrent layers, whose time steps and batch may be known only at run
// time. Each direction of each layer is
// one product of all time steps with the input's matrix (kernel.conv on rows), then
// kernel.recurrent over time. Matrices and biases are parts of the one parameter vector,
// packed in @prepare.
// Both are plain products; kernel-choose-algorithms may take others.
#include "ir/ops/Recurrent.h"
#include "codegen/schedule/RecurrentPairs.h"
#include "codegen/schedule/ScalarBody.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/ScalarFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

/// The steps of one sg.rnn.
class RecurrentBuilder {
public:
  RecurrentBuilder(Tensors &t, RnnOp op)
      : t(t), op(op), location(op.getLoc()), f32(t.builder.getF32Type()) {
    auto extents = shapeOf(op.getData().getType());
    steps = extents[0].getExpr();
    batch = extents[1].getExpr();
    features = extents[2].get();
    hidden = op.getStateSize();
    gates = op.countGates();
    layers = op.getNumLayers();
    directions = op.countDirections();
    for (int64_t l = 0; l < layers; ++l)
      biasAt += directions * gates * hidden * (width(l) + hidden);
  }

  static const char *whyNot(RnnOp op, const Tensors &t) {
    if (op.getSequenceLength())
      return "its sequences have lengths of their own";
    if (op.getProjectionSize())
      return "its state is projected";
    if (!t.layerElements(op.getData()))
      return "its elements are not float32";
    Shape data = shapeOf(op.getData().getType());
    if (llvm::any_of(data.list(), [&](Dim extent) { return t.rangeOf(extent.getExpr()).min < 1; }))
      return "it is empty or may be";
    return nullptr;
  }

  void build() {
    ViewSpec below = t.plainView(op.getData(), location), above;
    for (int64_t l = 0; l < layers; ++l) {
      SmallVector<AffineExpr> extents{steps, batch, t.constant(directions * hidden)};
      above = l + 1 == layers ? t.createPlain(op.getResult(0), location)
                              : t.rowMajor(t.buffer(extents, f32, location), extents);
      for (int64_t d = 0; d < directions; ++d)
        buildDirection(l, d, below, above);
      below = above;
    }
  }

private:
  int64_t width(int64_t layer) const { return layer ? directions * hidden : features; }
  // Of rows of the inputs' products: rows at a multiple of 4 kB share sets of the caches.
  int64_t gateStride() const {
    int64_t stride = gates * hidden;
    return stride % 1024 ? stride : stride + t.blockWidth;
  }

  // A part of the parameter vector.
  WeightRequest requestOf(int64_t offset, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
    WeightRequest request{
        op.getParameters(), t.form(weight_form::panels), t.blockWidth, 0, 1, "", {}};
    request.part.offset = offset;
    request.part.sizes.assign(sizes.begin(), sizes.end());
    request.part.strides.assign(strides.begin(), strides.end());
    return request;
  }
  Value weightPart(kernel::FormAttr form, int64_t lanes, ArrayRef<int64_t> type, int64_t offset,
                   ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
    WeightRequest request = requestOf(offset, sizes, strides);
    request.form = form;
    request.lanes = lanes;
    request.type = MemRefType::get(type, f32);
    return t.requestWeight(request);
  }

  /// Part `number` of a [layers * directions, N, H] result or operand.
  Value statePart(ViewSpec view, int64_t number) {
    view.offset = view.offset + batch * (number * hidden);
    view.sizes.assign({batch, t.constant(hidden)});
    view.strides.assign({t.constant(hidden), t.constant(1)});
    return t.materialise(view, location);
  }

  void buildDirection(int64_t layer, int64_t direction, const ViewSpec &below,
                      const ViewSpec &above);
  Value projectInputs(const ViewSpec &below, int64_t inputs, int64_t matrix, int64_t bias);
  void fillBody(Region &region, bool bias);

  Tensors &t;
  RnnOp op;
  Location location;
  Type f32;
  AffineExpr steps, batch;
  int64_t features, hidden, gates, layers, directions;
  int64_t weightAt = 0, biasAt = 0; // of the next direction
  SmallVector<ViewSpec> states;     // memory of state results, made with the first direction
};

} // namespace

// [T * N, gateStride()]: rows times matrix, plus the input's bias, and the state's where both
// are only added.
Value RecurrentBuilder::projectInputs(const ViewSpec &below, int64_t inputs, int64_t matrix,
                                      int64_t bias) {
  int64_t outputs = gates * hidden;
  int64_t inBlocks = llvm::divideCeil(inputs, t.blockWidth),
          outBlocks = llvm::divideCeil(outputs, t.blockWidth);
  AffineExpr zero = t.constant(0), one = t.constant(1), lanes = t.constant(t.blockWidth);
  AffineExpr rows = steps * batch;
  auto rowsView = [&](Value base, int64_t stride, int64_t blocks) {
    return t.materialise(ViewSpec{base,
                                  zero,
                                  {one, t.constant(blocks), one, rows, lanes},
                                  {zero, lanes, zero, t.constant(stride), one}},
                         location);
  };
  SmallVector<Value> extras;
  for (int64_t i = 0; i < (op.getMode() == "gru" ? 1 : 2); ++i)
    extras.push_back(
        rowsView(weightPart(t.form(weight_form::vector), t.blockWidth, {outBlocks * t.blockWidth},
                            bias + i * outputs, {outputs}, {1}),
                 0, outBlocks));
  Value memory = t.buffer({rows, t.constant(gateStride())}, f32, location);
  WeightRequest request = requestOf(matrix, {outputs, inputs, 1, 1}, {inputs, 1, 0, 0});
  request.type = MemRefType::get({outBlocks, inBlocks, 1, 1, t.blockWidth, t.blockWidth}, f32);
  Value in = rowsView(below.base, inputs, inBlocks);
  Value out = rowsView(memory, gateStride(), outBlocks);
  OpBuilder &b = t.builder;
  int64_t ones[] = {1, 1};
  auto step = kernel::ConvOp::create(b, location, in, t.requestWeight(request), extras, out, ones,
                                     ones, ones, inputs, outputs);
  step.setChoose("columns");
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&step.getBody());
  block->addArguments(SmallVector<Type>(extras.size() + 1, f32),
                      SmallVector<Location>(extras.size() + 1, location));
  SmallVector<Value> arguments(block->getArguments());
  ScalarOps ops(f32, t.builder, location);
  Value more = arguments.back();
  if (extras.size() == 2)
    more = ops.make(ScalarPrimitive::add, {arguments[1], arguments[2]});
  Value sum = ops.make(ScalarPrimitive::add, {arguments[0], more});
  kernel::YieldOp::create(t.builder, location, ValueRange{sum});
  return memory;
}

void RecurrentBuilder::fillBody(Region &region, bool bias) {
  OpBuilder::InsertionGuard guard(t.builder);
  Block *block = t.builder.createBlock(&region);
  bool cell = op.getMode() == "lstm";
  int64_t count = (bias ? 3 : 2) * gates + 1 + cell;
  block->addArguments(SmallVector<Type>(count, f32), SmallVector<Location>(count, location));
  using P = ScalarPrimitive;
  ScalarOps ops(f32, t.builder, location);
  auto argument = [&](int64_t number) -> Value { return block->getArgument(number); };
  auto plus = [&](Value x, Value y) { return ops.make(P::add, {x, y}); };
  auto times = [&](Value x, Value y) { return ops.make(P::mul, {x, y}); };
  auto sum = [&](int64_t gate) {
    Value product = argument(gate);
    if (bias)
      product = plus(product, argument(2 * gates + gate));
    return plus(product, argument(gates + gate));
  };
  auto sigmoid = [&](int64_t gate) { return ops.make(P::logistic, {sum(gate)}); };
  auto tanh = [&](Value x) { return ops.make(P::tanh, {x}); };
  SmallVector<Value> results;
  // Operations stand in the order in which they are written here: one in a statement.
  if (cell) {
    Value before = argument(count - 1);
    Value forget = sigmoid(1), input = sigmoid(0), fresh = tanh(sum(2));
    Value kept = times(forget, before), added = times(input, fresh);
    Value now = plus(kept, added);
    if (op.getLstmStateClipMin()) {
      Value low = ops.constant(op.getLstmStateClipMin()->convertToDouble());
      Value high = ops.constant(op.getLstmStateClipMax()->convertToDouble());
      now = op.getLstmStateClipNan() ? ops.make(P::max, {now, low}) : ops.make(P::max, {low, now});
      now = ops.make(P::min, {high, now});
    }
    Value output = sigmoid(3), squashed = tanh(now);
    results = {times(output, squashed), now};
  } else if (op.getMode() == "gru") {
    Value reset = sigmoid(0);
    Value state = plus(argument(2), argument(2 * gates + 2));
    Value read = times(reset, state);
    Value fresh = tanh(plus(argument(gates + 2), read));
    Value update = sigmoid(1);
    Value share = ops.make(P::sub, {ops.constant(1), update});
    Value added = times(share, fresh), kept = times(update, argument(count - 1));
    results = {plus(added, kept)};
  } else {
    Value total = sum(0);
    results = {op.getMode() == "rnn_relu" ? ops.make(P::max, {ops.constant(0), total})
                                          : tanh(total)};
  }
  kernel::YieldOp::create(t.builder, location, results);
}

void RecurrentBuilder::buildDirection(int64_t layer, int64_t direction, const ViewSpec &below,
                                      const ViewSpec &above) {
  int64_t rows = gates * hidden, inputs = width(layer), number = layer * directions + direction;
  int64_t blocks = llvm::divideCeil(hidden, t.blockWidth);
  Value products = projectInputs(below, inputs, weightAt, biasAt);
  Value panels = weightPart(t.form(weight_form::panels), 1,
                            {blocks, hidden, gates, 1, 1, t.blockWidth}, weightAt + rows * inputs,
                            {hidden, hidden, gates, 1}, {hidden, 1, hidden * hidden, 0});
  bool isGru = op.getMode() == "gru", isLstm = op.getMode() == "lstm";
  Value bias;
  if (isGru)
    bias = weightPart(t.form(weight_form::panels), 1, {blocks, 1, gates, 1, 1, t.blockWidth},
                      biasAt + rows, {hidden, 1, gates, 1}, {1, 0, hidden, 0});
  weightAt += rows * (inputs + hidden);
  biasAt += 2 * rows;

  if (states.empty())
    for (Value result : op->getResults().drop_front())
      states.push_back(t.createPlain(result, location));
  Value cell, cellOut;
  if (isLstm) {
    cell = statePart(t.plainView(op.getStateCell(), location), number);
    cellOut = states.empty() ? t.buffer({batch, t.constant(hidden)}, f32, location)
                             : statePart(states[1], number);
  }
  ViewSpec gatesView = t.rowMajor(products, {steps, batch, t.constant(gates), t.constant(hidden)});
  gatesView.strides[0] = batch * gateStride();
  gatesView.strides[1] = t.constant(gateStride());
  int64_t outWidth = directions * hidden;
  ViewSpec out = above;
  out.offset = out.offset + direction * hidden;
  out.sizes.assign({steps, batch, t.constant(hidden)});
  out.strides.assign({batch * outWidth, t.constant(outWidth), t.constant(1)});
  Value time = t.buffer(t.constant(8), t.builder.getI64Type(), location);
  auto step = kernel::RecurrentOp::create(
      t.builder, location, t.materialise(gatesView, location), panels, bias,
      statePart(t.plainView(op.getState(), location), number), cell, t.materialise(out, location),
      cellOut, /*scratch=*/Value(), /*rounded=*/Value(), time,
      t.builder.getBoolAttr(direction == 1), DenseI64ArrayAttr(), IntegerAttr(),
      /*choose=*/t.builder.getUnitAttr(), StringAttr());
  fillBody(step.getBody(), isGru);
  if (states.empty())
    return;
  ViewSpec last = out, target = states[0];
  if (!direction)
    last.offset = last.offset + (steps - 1) * batch * outWidth;
  last.sizes.erase(last.sizes.begin());
  last.strides.erase(last.strides.begin());
  target.offset = target.offset + batch * (number * hidden);
  target.sizes.assign({batch, t.constant(hidden)});
  target.strides.assign({t.constant(hidden), t.constant(1)});
  t.copy(last, target, location);
}

namespace {

struct RecurrentRule {
  static constexpr RuleTraits traits{"recurrent", Benefit::Tiles, Use::Tiles};
  struct Plan {
    RuleForms forms = {};
    RnnOp op;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<RnnOp>(group.op);
    if (!op || !Tensors::isWeight(op.getParameters()) || hasGradient(op))
      return std::nullopt; // of RecurrentTraining.cpp
    if (const char *reason = RecurrentBuilder::whyNot(op, group.t))
      return Refusal{reason};
    return Plan{{}, op};
  }

  static void emit(const GroupView &, const Plan &plan, Tensors &t) {
    RecurrentBuilder(t, plan.op).build();
  }
};

} // namespace

namespace symc::codegen {
void registerRecurrentRule(RuleList &rules) { rules.add<RecurrentRule>(); }
} // namespace symc::codegen
