// Quantized.cpp: quantize, quantize_v2, requantize, dequantize and quantized_concat as
// steps over elements, in the arithmetic of their reference kernels: one step finds the limits
// of the result and the scale, another one scales and rounds.
//
//   %q:3 = sg.quantize(%x, %lo, %hi)  ->  kernel.loops: limits and scale of one element
//                                         kernel.loops: saturate(%x * scale)
//
// Without calibration limits quantize_v2 and requantize look for the greatest element first;
// these keep their reference kernels.
#include "ir/ops/Quantized.h"
#include "codegen/schedule/IntegerBody.h"
#include "codegen/schedule/IntegerLayer.h"
#include "codegen/schedule/Refusals.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

/// Steps of one node.
struct QuantizedSteps {
  Tensors &t;
  Operation *op;
  Location location = op->getLoc();

  using Values = SmallVector<Value>;
  using Fill = function_ref<Values(IntegerBody &, ArrayRef<Value>)>;

  /// A step over single elements: `ins` to a scale and the limits, if the node has them.
  ViewSpec scaleOf(ArrayRef<Value> ins, Fill fill) {
    SmallVector<ViewSpec> sources, targets;
    for (Value in : ins)
      sources.push_back(t.plainView(in, location));
    SmallVector<AffineExpr> one{t.constant(1)};
    targets.push_back(t.rowMajor(t.buffer(one, t.builder.getF32Type(), location), one));
    for (unsigned i = 1; i < op->getNumResults(); ++i)
      targets.push_back(t.createPlain(op->getResult(i), location));
    integerStep(t, sources, targets, location, fill);
    return targets.front();
  }

  /// from * scale, as a byte of `result`'s type or as it is for floats.
  void rescale(Value data, Value result, const ViewSpec &to, const ViewSpec &scale) {
    ViewSpec from = t.plainView(data, location);
    integerStep(t, {from, repeated(t, scale, from)}, to, location,
                [&](IntegerBody &body, ArrayRef<Value> x) -> Values {
                  bool isReal = isa<FloatType>(x[0].getType());
                  Value number = isReal ? x[0] : body.number(x[0], isUnsigned(data));
                  Value product = body.times(number, x[1]);
                  if (isa<FloatType>(elementTypeOf(result.getType())))
                    return {product};
                  return {body.saturate(product, isUnsigned(result))};
                });
  }
  void rescale(Value data, const ViewSpec &scale) {
    Value result = op->getResult(0);
    rescale(data, result, t.createPlain(result, location), scale);
  }
};

} // namespace

// R of layers and of the newer conversions; the older ones have 127 and 255.
static double rangeOf(Value value) { return isUnsigned(value) ? 255.5 : 127.5; }
static double oldRangeOf(Value value) { return isUnsigned(value) ? 255 : 127; }

static void makeSteps(QuantizeOp op, QuantizedSteps steps) {
  Value result = op->getResult(0);
  ViewSpec scale =
      steps.scaleOf({op.getMinRange(), op.getMaxRange()},
                    [&](IntegerBody &body, ArrayRef<Value> x) -> QuantizedSteps::Values {
                      Value real = body.reach(x[0], x[1]),
                            scale = body.scaleFor(oldRangeOf(result), real);
                      if (isUnsigned(result))
                        return {scale, x[0], x[1]};
                      return {scale, body.minus(real), real};
                    });
  steps.rescale(op.getData(), scale);
}

static void makeSteps(QuantizeV2Op op, QuantizedSteps steps) {
  Value result = op->getResult(0);
  auto limit = [](const APFloat &value) { return static_cast<float>(value.convertToDouble()); };
  float low = limit(*op.getMinCalibRange()), high = limit(*op.getMaxCalibRange());
  ViewSpec scale =
      steps.scaleOf({}, [&](IntegerBody &body, ArrayRef<Value>) -> QuantizedSteps::Values {
        Value min = body.real(low), max = body.real(high), real = body.reach(min, max);
        Value scale = body.scaleFor(rangeOf(result), real);
        if (isUnsigned(result))
          return {scale, min, max};
        return {scale, body.minus(real), real};
      });
  steps.rescale(op.getData(), scale);
}

static void makeSteps(RequantizeOp op, QuantizedSteps steps) {
  Value result = op->getResult(0);
  auto limit = [](const APFloat &value) { return static_cast<float>(value.convertToDouble()); };
  float low = limit(*op.getMinCalibRange()), high = limit(*op.getMaxCalibRange());
  ViewSpec scale =
      steps.scaleOf({op.getMinRange(), op.getMaxRange()},
                    [&](IntegerBody &body, ArrayRef<Value> x) -> QuantizedSteps::Values {
                      Value real = body.reach(body.real(low), body.real(high));
                      Value one = body.over(body.reach(x[0], x[1]), body.real(2147483648.0));
                      return {body.times(one, body.scaleFor(oldRangeOf(result), real)),
                              isUnsigned(result) ? body.real(0) : body.minus(real), real};
                    });
  steps.rescale(op.getData(), scale);
}

static void makeSteps(DequantizeOp op, QuantizedSteps steps) {
  ViewSpec scale =
      steps.scaleOf({op.getMinRange(), op.getMaxRange()},
                    [&](IntegerBody &body, ArrayRef<Value> x) -> QuantizedSteps::Values {
                      return {body.over(body.reach(x[0], x[1]), body.real(rangeOf(op.getData())))};
                    });
  steps.rescale(op.getData(), scale);
}

// The limits span those of all operands and 0; each operand has a scale of its own.
static void makeSteps(QuantizedConcatOp op, QuantizedSteps steps) {
  Tensors &t = steps.t;
  Value result = op.getOutput();
  unsigned count = op.getNumArgs();
  auto operands = op.getData();
  ViewSpec out = t.createPlain(result, steps.location);
  int64_t axis = op.getDim();
  axis += axis < 0 ? out.sizes.size() : 0;
  SmallVector<AffineExpr> one{t.constant(1)};
  SmallVector<ViewSpec> limits, found;
  for (Value limit : operands.drop_front(count))
    limits.push_back(t.plainView(limit, steps.location));
  for (unsigned i = 0; i < count; ++i)
    found.push_back(t.rowMajor(t.buffer(one, t.builder.getF32Type(), steps.location), one));
  for (Value limit : {op.getMinOutput(), op.getMaxOutput()})
    found.push_back(t.createPlain(limit, steps.location));
  integerStep(t, limits, found, steps.location,
              [&](IntegerBody &body, ArrayRef<Value> x) -> QuantizedSteps::Values {
                Value min = body.real(0), max = body.real(0);
                for (unsigned i = 0; i < count; ++i) {
                  min = body.select(arith::CmpFPredicate::OLT, x[2 * i], min);
                  max = body.select(arith::CmpFPredicate::OGT, x[2 * i + 1], max);
                }
                Value scale = body.scaleFor(rangeOf(result), body.reach(min, max));
                QuantizedSteps::Values scales;
                for (unsigned i = 0; i < count; ++i) {
                  Value own =
                      body.scaleFor(rangeOf(operands[i]), body.reach(x[2 * i], x[2 * i + 1]));
                  scales.push_back(body.choose(arith::CmpFPredicate::OEQ, own, scale, body.real(1),
                                               body.over(scale, own)));
                }
                scales.append({min, max});
                return scales;
              });
  for (unsigned i = 0; i < count; ++i) {
    ViewSpec to = out;
    to.sizes[axis] = t.plainView(operands[i], steps.location).sizes[axis];
    steps.rescale(operands[i], result, to, found[i]);
    out.offset = out.offset + out.strides[axis] * to.sizes[axis];
  }
}

namespace {

struct QuantizedRule {
  static constexpr RuleTraits traits{"quantized", Benefit::Walks, Use::Generated};
  struct Plan {
    RuleForms forms = {};
  };

  static Match<Plan> match(const GroupView &group) {
    if (!isa<QuantizeOp, QuantizeV2Op, RequantizeOp, DequantizeOp, QuantizedConcatOp>(group.op))
      return std::nullopt;
    if (auto op = dyn_cast<QuantizeV2Op>(group.op)) {
      if (!op.getMinCalibRange() || !op.getMaxCalibRange())
        return uncalibrated();
      if (!group.t.layerElements(op.getData()))
        return elementRefusal(op.getData());
    }
    if (auto op = dyn_cast<RequantizeOp>(group.op);
        op && (!op.getMinCalibRange() || !op.getMaxCalibRange()))
      return uncalibrated();
    return Plan();
  }

  static void emit(const GroupView &group, const Plan &, Tensors &t) {
    QuantizedSteps steps{t, group.op};
    llvm::TypeSwitch<Operation *>(group.op)
        .Case<QuantizeOp, QuantizeV2Op, RequantizeOp, DequantizeOp, QuantizedConcatOp>(
            [&](auto op) { makeSteps(op, steps); });
  }

private:
  static Refusal uncalibrated() { return {"it has no calibrated limits"}; }
};

} // namespace

namespace symc::codegen {
void registerQuantizedRule(RuleList &rules) { rules.add<QuantizedRule>(); }
} // namespace symc::codegen
