// FullyConnected.cpp: fully connected layers as tile kernels over rows, with the group's
// elementwise chain as epilogue.
//
//   %y = sg.fully_connected(%x, %w)  ->  kernel.conv: rows of %x are the pixels of one image
#include "codegen/schedule/GroupBody.h"
#include "codegen/schedule/TileLayer.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct FullyConnectedRule {
  static constexpr RuleTraits traits{"fully-connected", Benefit::Tiles, Use::Tiles};
  struct Plan {
    RuleForms forms = {};
    FullyConnectedOp op;
    Value data;
    AffineExpr rows; // of `inputs` each
    int64_t inputs, outputs;
    SmallVector<RowOperand> operands;
    std::optional<WeightRequest> bias;
    WeightRequest panels;
  };

  static Match<Plan> match(const GroupView &group);
  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

Match<FullyConnectedRule::Plan> FullyConnectedRule::match(const GroupView &group) {
  auto op = dyn_cast_or_null<FullyConnectedOp>(group.root);
  if (!op)
    return std::nullopt;
  const Tensors &t = group.t;
  const ElementRow *elements = t.layerElements(op.getData());
  if (!elements)
    return elementRefusal(op.getData());
  if (!group.chainIsEmittable())
    return chainRefusal();
  Value data = group.resolve(op.getData()), weight = group.resolve(op.getWeight());
  if (!Tensors::isWeight(weight))
    return computedRefusal("weight");
  Value bias = op.getBias() ? group.resolve(op.getBias()) : Value();
  if (bias && !Tensors::isWeight(bias))
    return computedRefusal("bias");
  SmallVector<RowOperand> operands;
  for (const Operand &operand : group.externalOperands()) {
    std::optional<RowOperand> row = rowOperand(operand, group.result, t);
    if (!row)
      return operandRefusal();
    operands.push_back(*row);
  }
  int64_t inputs = *constantOf(extentsOf(weight)[1]), outputs = op.getNumHidden();
  int64_t inBlocks = llvm::divideCeil(inputs, t.blockWidth),
          outBlocks = llvm::divideCeil(outputs, t.blockWidth);
  Type element = elements->operand(t.context());
  auto request = [&](Value source, StringRef form, ArrayRef<int64_t> shape) {
    return WeightRequest{
        source, t.form(form), t.blockWidth, 0, 1, "", MemRefType::get(shape, element)};
  };
  std::optional<WeightRequest> vector;
  if (bias)
    vector = request(bias, weight_form::vector, {outBlocks * t.blockWidth});
  SmallVector<AffineExpr, 4> shape = extentsOf(group.result);
  return Plan{
      {},
      op,
      data,
      countOf(ArrayRef(shape).drop_back(), t.context()),
      inputs,
      outputs,
      operands,
      vector,
      request(weight, elements->panels, {outBlocks, inBlocks, 1, 1, t.blockWidth, t.blockWidth})};
}

void FullyConnectedRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  FullyConnectedOp op = plan.op;
  Location location = group.location;
  AffineExpr zero = t.constant(0);
  auto rowsView = [&](Value base, int64_t channels) {
    return rowsAsPixels(base, plan.rows, channels, channels, t);
  };
  SmallVector<ViewSpec> extras;
  SmallVector<Operand> operands;
  if (plan.bias) {
    extras.push_back(rowsView(t.requestWeight(*plan.bias), plan.outputs));
    extras.back().strides[3] = zero;
  }
  for (const RowOperand &row : plan.operands) {
    extras.push_back(row.view(plan.rows, plan.outputs, location, t));
    operands.push_back(row.operand);
  }
  Value in = t.materialise(rowsView(t.plainView(plan.data, location).base, plan.inputs), location);
  Value panels = t.requestWeight(plan.panels);
  SmallVector<Value> more;
  for (ViewSpec &extra : extras)
    more.push_back(t.materialise(extra, location));
  Value out =
      t.materialise(rowsView(t.createPlain(group.result, location).base, plan.outputs), location);
  int64_t ones[] = {1, 1};
  auto conv = kernel::ConvOp::create(t.builder, location, in, panels, more, out, ones, ones, ones,
                                     plan.inputs, plan.outputs);
  buildBody(conv.getBody(), group, op.getOutput(), plan.bias.has_value(), operands,
            t.layerElements(op.getData())->accumulator(t.context()), t.builder);
}

namespace symc::codegen {
void registerFullyConnectedRule(RuleList &rules) { rules.add<FullyConnectedRule>(); }
} // namespace symc::codegen
