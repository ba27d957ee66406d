// IntegerConvolution.cpp: convolutions over quantised integers in blocks of channels: kernel.conv
// over bytes, whose sums are exact in 32 bits, or kernel.depthwise over them. Their body scales
// sums, adds another tensor, applies relu and rounds, in the arithmetic of the reference kernel, so
// that both give the same bits.
#include "codegen/kernel/DepthwiseBytes.h"
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/IntegerBody.h"
#include "codegen/schedule/IntegerLayer.h"
#include "ir/ops/Fused.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// x + scale * other, rounded once.
static Value addScaled(IntegerBody &body, Value x, Value other, bool otherUnsigned, Value scale) {
  auto [b, loc] = body;
  Type f64 = b.getF64Type();
  Value wide = arith::ExtFOp::create(b, loc, f64, x);
  Value term =
      arith::MulFOp::create(b, loc, arith::ExtFOp::create(b, loc, f64, scale),
                            arith::SIToFPOp::create(b, loc, f64, body.wide(other, otherUnsigned)));
  return arith::TruncFOp::create(b, loc, b.getF32Type(), arith::AddFOp::create(b, loc, wide, term));
}

// Whether sums of data as kernels read it need a correction.
static bool isCorrected(IntegerConvOp op) {
  return !isUnsigned(op.getData()) || op.getDataZero() != 0;
}

// Arguments: the sum, its correction, bias, scale, then the tensor that is added and its scale.
static void fillBody(Region &region, IntegerConvOp op, OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = op.getLoc();
  Block *block = builder.createBlock(&region);
  IntegerBody body{builder, loc};
  auto argument = [&](Type type) -> Value { return block->addArgument(type, loc); };
  Value sum = argument(builder.getI32Type());
  if (isCorrected(op))
    sum = arith::AddIOp::create(builder, loc, sum, argument(builder.getI32Type()));
  Value x = arith::SIToFPOp::create(builder, loc, builder.getF32Type(), sum);
  x = arith::AddFOp::create(builder, loc, x, argument(builder.getF32Type()));
  x = arith::MulFOp::create(builder, loc, x, argument(builder.getF32Type()));
  if (op.getRelu())
    x = body.relu(x);
  bool makesUnsigned = isUnsigned(op.getOutput());
  bool cut = false;
  if (op.getSum()) {
    bool otherUnsigned = isUnsigned(op.getSum());
    cut = makesUnsigned && !otherUnsigned;
    Value other = argument(builder.getI8Type());
    x = addScaled(body, x, other, otherUnsigned, argument(builder.getF32Type()));
  }
  if (op.getPostsumRelu())
    x = body.relu(x);
  if (cut)
    x = body.atMost(x, 127);
  if (!elementTypeOf(op.getOutput().getType()).isF32())
    x = body.saturateAround(x, op.getZero(), op.getLeast().value_or(makesUnsigned ? 0 : -128),
                            op.getMost().value_or(makesUnsigned ? 255 : 127));
  kernel::YieldOp::create(builder, loc, ValueRange{x});
}

namespace {

struct IntegerConvolutionRule {
  static constexpr RuleTraits traits{"integer-convolution", Benefit::Tiles, Use::Tiles};
  using Plan = IntegerPlan<IntegerConvOp>;

  static Match<Plan> match(const GroupView &group) { return Plan::match(group); }
  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

void IntegerConvolutionRule::emit(const GroupView &, const Plan &plan, Tensors &t) {
  IntegerConvOp op = plan.op;
  Location location = op.getLoc();
  Value data = op.getData(), result = op.getOutput();
  bool depthwise = op.isDepthwise();
  ViewSpec source = integerImage(data, paddingOf(op), location, t, op.getDataZero(), depthwise);
  SmallVector<Value> extras;
  auto vector = [&](Value value) {
    extras.push_back(t.materialise(integerVector(value, result, location, t), location));
  };
  if (isCorrected(op))
    vector(op.getCorrection());
  vector(op.getBias());
  vector(op.getScale());
  if (op.getSum()) {
    extras.push_back(t.materialise(t.blockedView(op.getSum(), {}, location), location));
    AffineExpr zero = t.constant(0);
    ViewSpec scale = integerVector(op.getScale(), result, location, t);
    scale.base = t.plainView(op.getSumScale(), location).base;
    scale.strides.assign(5, zero);
    extras.push_back(t.materialise(scale, location));
  }
  Value out = t.materialise(t.createBlocked(result, location), location);
  IntegerLayer layer(op, shapeOf(data.getType())[1].get(), !isUnsigned(data));
  if (depthwise) {
    OpBuilder &b = t.builder;
    auto step = kernel::DepthwiseOp::create(
        b, location, t.materialise(source, location), depthwiseTaps(op.getWeight(), location, t),
        extras, out, b.getDenseI64ArrayAttr(layer.kernel), b.getDenseI64ArrayAttr(layer.stride),
        b.getDenseI64ArrayAttr(layer.dilate), /*piece=*/{}, /*cut=*/{});
    if (layer.isSigned)
      step->setAttr(kernel::shiftedName, b.getUnitAttr());
    fillBody(step.getBody(), op, b);
    return;
  }
  Value panels = integerPanels(op.getWeight(), source, location, t);
  auto conv = createIntegerConv(source, panels, extras, out, layer, location, t);
  fillBody(conv.getBody(), op, t.builder);
}

namespace symc::codegen {
void registerIntegerConvolutionRule(RuleList &rules) { rules.add<IntegerConvolutionRule>(); }
} // namespace symc::codegen
