// IntegerSums.cpp: quantized_conv and quantized_fully_connected, whose sums of
// products stay int32: kernel.conv over bytes, whose body adds what a sum begins with, and
// steps over the limits.
//
//   sum = start + sum(data * weight),                       data unsigned
//   sum = start - 128 * sum(weight) + sum((data + 128) * weight),   data signed
//
// The second start is a convolution, too: over one window of 128s.
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/IntegerBody.h"
#include "codegen/schedule/IntegerLayer.h"
#include "ir/ops/Quantized.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// A vector in blocks of 16, as an image of one pixel.
static ViewSpec startVector(Tensors &t, int64_t outputs, Location location) {
  int64_t blocks = llvm::divideCeil(outputs, t.blockWidth);
  SmallVector<AffineExpr> extents;
  for (int64_t extent : {int64_t(1), blocks, int64_t(1), int64_t(1), t.blockWidth})
    extents.push_back(t.constant(extent));
  return t.rowMajor(t.buffer(extents, t.builder.getI32Type(), location), extents);
}

// The bias as 32-bit integers, each times `unit` (one element) and cut off where there is one.
static ViewSpec startOfBias(Tensors &t, Value bias, std::optional<ViewSpec> unit, int64_t outputs,
                            Location location) {
  ViewSpec start = startVector(t, outputs, location), from = t.plainView(bias, location);
  SmallVector<ViewSpec> ins{from};
  if (unit)
    ins.push_back(repeated(t, *unit, from));
  integerStep(t, ins, t.rowMajor(start.base, from.sizes), location,
              [&](IntegerBody &body, ArrayRef<Value> x) -> SmallVector<Value> {
                if (!unit)
                  return {body.wide(x[0], false)};
                return {body.cutOff(body.times(body.number(x[0], false), x[1]))};
              });
  return start;
}

// Adds the integers of an extra to the sum, or takes the sum away from them.
static void fillSums(kernel::ConvOp conv, bool takeAway) {
  OpBuilder b(conv.getContext());
  Location location = conv.getLoc();
  Type i32 = b.getI32Type();
  Block *block = b.createBlock(&conv.getBody());
  Value sum = block->addArgument(i32, location), start;
  if (!conv.getExtras().empty())
    start = block->addArgument(i32, location);
  else if (takeAway)
    start = arith::ConstantOp::create(b, location, b.getI32IntegerAttr(0));
  if (takeAway)
    sum = arith::SubIOp::create(b, location, start, sum);
  else if (start)
    sum = arith::AddIOp::create(b, location, start, sum);
  kernel::YieldOp::create(b, location, ValueRange{sum});
}

// Sums of `data`, in rows or an image, from `start` on, to `out`.
static void createIntegerSums(const ViewSpec &data, Value weight, std::optional<ViewSpec> start,
                              const ViewSpec &out, const IntegerLayer &layer, Location location,
                              Tensors &t) {
  Value panels = integerPanels(weight, data, location, t);
  auto convolve = [&](const ViewSpec &from, const ViewSpec &to, const IntegerLayer &how,
                      bool takeAway) {
    SmallVector<Value> extras;
    if (start) {
      ViewSpec view{start->base, start->offset, to.sizes, start->strides};
      for (unsigned axis : {0u, 2u, 3u})
        view.strides[axis] = t.constant(0);
      extras.push_back(t.materialise(view, location));
    }
    fillSums(createIntegerConv(from, panels, extras, t.materialise(to, location), how, location, t),
             takeAway);
  };
  if (layer.isSigned) {
    SmallVector<AffineExpr> extents{t.constant(1), data.sizes[1], t.constant(layer.kernel[0]),
                                    t.constant(layer.kernel[1]), data.sizes[4]};
    ViewSpec window = t.rowMajor(t.buffer(extents, t.builder.getI8Type(), location), extents);
    t.fill(window, t.builder.getI8IntegerAttr(-128), location); // 128 without a sign
    IntegerLayer once(layer.inputs, layer.outputs, false);
    llvm::copy(layer.kernel, once.kernel);
    ViewSpec corrected = startVector(t, layer.outputs, location);
    convolve(window, corrected, once, true);
    start = corrected;
  }
  convolve(data, out, layer, false);
}

// The limits of sums: of one unit of data times one of weights, as many as int32 has.
static void createLimits(Tensors &t, ArrayRef<Value> limits, double weightRange, Operation *op) {
  Location location = op->getLoc();
  SmallVector<ViewSpec> ins, outs;
  for (Value limit : limits)
    ins.push_back(t.plainView(limit, location));
  for (unsigned result : {1u, 2u})
    outs.push_back(t.createPlain(op->getResult(result), location));
  integerStep(t, ins, outs, location,
              [&](IntegerBody &body, ArrayRef<Value> x) -> SmallVector<Value> {
                Value data = body.over(body.reach(x[0], x[1]), body.real(127));
                Value weight = body.over(body.reach(x[2], x[3]), body.real(weightRange));
                Value most = body.times(body.times(data, weight), body.real(2147483648.0));
                return {body.minus(most), most};
              });
}

// What an integer of bias is in the unit of the sums, one element.
static ViewSpec biasUnit(Tensors &t, QuantizedFullyConnectedOp op) {
  Location location = op.getLoc();
  SmallVector<ViewSpec> ins;
  for (Value limit : {op.getMinData(), op.getMaxData(), op.getMinWeight(), op.getMaxWeight(),
                      op.getMinBias(), op.getMaxBias()})
    ins.push_back(t.plainView(limit, location));
  SmallVector<AffineExpr> one{t.constant(1)};
  ViewSpec unit = t.rowMajor(t.buffer(one, t.builder.getF32Type(), location), one);
  integerStep(t, ins, unit, location,
              [&](IntegerBody &body, ArrayRef<Value> x) -> SmallVector<Value> {
                double range = isUnsigned(op.getData()) ? 255.5 : 127.5;
                Value product = body.times(body.scaleFor(range, body.reach(x[0], x[1])),
                                           body.scaleFor(127.5, body.reach(x[2], x[3])));
                return {body.over(body.times(product, body.reach(x[4], x[5])), body.real(127.5))};
              });
  return unit;
}

namespace {

struct IntegerSumsRule {
  static constexpr RuleTraits traits{"integer-sums", Benefit::Tiles, Use::Tiles};
  struct Plan {
    RuleForms forms;
  };

  static Match<Plan> match(const GroupView &group) {
    if (isa<QuantizedConvOp>(group.op)) {
      if (auto refusal = integerRefusal(group.op))
        return *refusal;
      return Plan{RuleForms(RuleForms::Blocked)};
    }
    auto op = dyn_cast<QuantizedFullyConnectedOp>(group.op);
    if (!op)
      return std::nullopt;
    if (!shapeOf(op.getWeight().getType()).isStatic())
      return Refusal{"its extents are known only at run time"};
    return Plan();
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

void IntegerSumsRule::emit(const GroupView &group, const Plan &, Tensors &t) {
  Operation *node = group.op;
  Location location = node->getLoc();
  std::optional<ViewSpec> start;
  if (auto op = dyn_cast<QuantizedConvOp>(node)) {
    // MXNet takes the range of int8 for data of uint8 too.
    createLimits(t, {op.getMinData(), op.getMaxData(), op.getMinWeight(), op.getMaxWeight()}, 127,
                 op);
    Value data = op.getData();
    IntegerLayer layer(op, shapeOf(data.getType())[1].get(), !isUnsigned(data));
    if (op.getBias())
      start = startOfBias(t, op.getBias(), std::nullopt, layer.outputs, location);
    ViewSpec image = integerImage(data, paddingOf(op), location, t);
    createIntegerSums(image, op.getWeight(), start, t.createBlocked(op.getOutput(), location),
                      layer, location, t);
    return;
  }
  auto op = cast<QuantizedFullyConnectedOp>(node);
  createLimits(t, {op.getMinData(), op.getMaxData(), op.getMinWeight(), op.getMaxWeight()},
               isUnsigned(op.getData()) ? 255 : 127, op);
  IntegerLayer layer(shapeOf(op.getWeight().getType())[1].get(), op.getNumHidden(),
                     !isUnsigned(op.getData()));
  AffineExpr zero = t.constant(0), one = t.constant(1);
  SmallVector<AffineExpr> extents = extentsOf(op.getOutput());
  AffineExpr rows = countOf(ArrayRef(extents).drop_back(), t.context());
  if (op.getBias())
    start = startOfBias(t, op.getBias(), biasUnit(t, op), layer.outputs, location);
  ViewSpec data = quadRows(t, op.getData(), rows, layer.inputs, location);
  ViewSpec out{t.createPlain(op.getOutput(), location).base,
               zero,
               {one, t.constant(llvm::divideCeil(layer.outputs, t.blockWidth)), one, rows,
                t.constant(t.blockWidth)},
               {zero, t.constant(t.blockWidth), zero, t.constant(layer.outputs), one}};
  createIntegerSums(data, op.getWeight(), start, out, layer, location, t);
}

namespace symc::codegen {
void registerIntegerSumsRule(RuleList &rules) { rules.add<IntegerSumsRule>(); }
} // namespace symc::codegen
