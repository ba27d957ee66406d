// IntegerProduct.cpp: products of rows of bytes and weights, whose sums are exact in 32 bits:
// kernel.conv over bytes, rows as the pixels of one image. Its body adds the correction, scales,
// rounds to bytes or goes on with the group's elementwise chain, in the arithmetic of the reference
// kernel.
//
//   %y = sg.integer_product(%x, %w, %correction, %scale, %bias)  ->  kernel.conv
#include "codegen/schedule/GroupBody.h"
#include "codegen/schedule/IntegerBody.h"
#include "codegen/schedule/IntegerLayer.h"
#include "codegen/schedule/Refusals.h"
#include "codegen/schedule/TileLayer.h"
#include "ir/ops/Fused.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct IntegerProductRule {
  static constexpr RuleTraits traits{"integer-product", Benefit::Tiles, Use::Tiles};
  struct Plan {
    RuleForms forms = {};
    IntegerProductOp op;
    SmallVector<RowOperand> operands = {}; // of the chain
  };

  static Match<Plan> match(const GroupView &group);
  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

Match<IntegerProductRule::Plan> IntegerProductRule::match(const GroupView &group) {
  auto op = dyn_cast_or_null<IntegerProductOp>(group.root ? group.root : group.op);
  if (!op)
    return std::nullopt;
  if (!shapeOf(op.getWeight().getType()).isStatic())
    return Refusal{"its extents are known only at run time"};
  if (!group.chainIsEmittable())
    return chainRefusal();
  Plan plan{{}, op};
  for (const Operand &operand : group.externalOperands()) {
    std::optional<RowOperand> row = rowOperand(operand, group.result, group.t);
    if (!row)
      return operandRefusal();
    plan.operands.push_back(*row);
  }
  return plan;
}

// Arguments: the sum, its correction, scale and bias where it is scaled, what the chain reads.
static void fillBody(Region &region, const GroupView &group, IntegerProductOp op,
                     ArrayRef<RowOperand> operands, OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = op.getLoc();
  Block *block = builder.createBlock(&region);
  IntegerBody body{builder, loc};
  auto argument = [&](Type type) -> Value { return block->addArgument(type, loc); };
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  Value sum = argument(i32);
  Value x = arith::AddIOp::create(builder, loc, sum, argument(i32));
  if (op.getScale()) {
    x = arith::SIToFPOp::create(builder, loc, f32, x);
    x = arith::MulFOp::create(builder, loc, x, argument(f32));
    x = arith::AddFOp::create(builder, loc, x, argument(f32));
  }
  if (elementTypeOf(op.getOutput().getType()).isInteger(8)) {
    bool makesUnsigned = isUnsigned(op.getOutput());
    x = body.saturateAround(x, op.getZero(), op.getLeast().value_or(makesUnsigned ? 0 : -128),
                            op.getMost().value_or(makesUnsigned ? 255 : 127));
  }
  SmallVector<Value> outer;
  for (const RowOperand &row : operands)
    outer.push_back(argument(Tensors::storageType(elementTypeOf(row.operand.value.getType()))));
  if (!group.chain.empty()) {
    DenseMap<Value, Value> scalars{{op.getOutput(), x}};
    x = emitChain(
        group, group.chain, scalars,
        [&](const Operand &operand) {
          auto isIt = [&](const RowOperand &row) { return row.operand == operand; };
          return outer[llvm::find_if(operands, isIt) - operands.begin()];
        },
        builder);
  }
  kernel::YieldOp::create(builder, loc, ValueRange{x});
}

void IntegerProductRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  IntegerProductOp op = plan.op;
  Location location = group.location;
  Value data = group.resolve(op.getData()), weight = group.resolve(op.getWeight());
  Shape matrix = shapeOf(weight.getType());
  IntegerLayer layer(matrix[1].get(), matrix[0].get(), !isUnsigned(data));
  SmallVector<AffineExpr> extents = extentsOf(group.result);
  AffineExpr rows = countOf(ArrayRef(extents).drop_back(), t.context());
  ViewSpec source = quadRows(t, data, rows, layer.inputs, location);
  Value panels = integerPanels(weight, source, location, t);
  SmallVector<Value> extras;
  for (Value vector : {op.getCorrection(), op.getScale(), op.getBias()}) {
    if (!vector)
      continue;
    Value memory = integerVectorMemory(group.resolve(vector), layer.outputs, location, t);
    ViewSpec view = rowsAsPixels(memory, rows, layer.outputs, layer.outputs, t);
    view.strides[3] = t.constant(0);
    extras.push_back(t.materialise(view, location));
  }
  for (const RowOperand &row : plan.operands)
    extras.push_back(t.materialise(row.view(rows, layer.outputs, location, t), location));
  Value out = t.materialise(rowsAsPixels(t.createPlain(group.result, location).base, rows,
                                         layer.outputs, layer.outputs, t),
                            location);
  auto conv = createIntegerConv(source, panels, extras, out, layer, location, t);
  fillBody(conv.getBody(), group, op, plan.operands, t.builder);
}

namespace symc::codegen {
void registerIntegerProductRule(RuleList &rules) { rules.add<IntegerProductRule>(); }
} // namespace symc::codegen
