// PackStrassenLowering.cpp: the weights of kernel.strassen, [OB/2 + S, 7, IB/2, 1, 1, 16, 16].
// kernel.pack_strassen_scales writes the scales into the last S blocks,
//
//   row[o] = 2^e <= max over i of |w[o, i]| < 2^(e + 1)
//   column[i] = the same of the max over o of |w[o, i]| / row[o]
//   scale of an output of the second half: row[o] / row[o - O/2], of an input alike
//
// kernel.pack_strassen the rest: for each place of a quarter the seven sums of the
// quarters over their scales, in f64 and rounded once. Outputs and inputs are multiples of 32.
#include "codegen/conv/strassen/kernel/StrassenScheme.h"
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// Blocks of outputs and of inputs.
static SmallVector<OpFoldResult> outerExtents(Emission &emit, const View &source) {
  int64_t pair = 2 * emit.blockWidth();
  return {emit.constant(*constantOf(source.sizes[0]) / pair),
          emit.constant(*constantOf(source.sizes[1]) / pair)};
}

static TaskSplit split(Emission &emit, kernel::PackStrassenOp op, const View &source) {
  return splitTasks(emit, op.getCutAttr(), outerExtents(emit, source));
}

static OpFoldResult countTasks(kernel::PackStrassenOp op, ArrayRef<View> operands,
                               LoweringContext &context) {
  Emission emit(context, op.getLoc());
  return split(emit, op, operands[0]).count;
}

// The sum of the quarters, of which one coefficient at least is 1.
static Value combine(Emission &emit, const kernel::QuarterSum &coefficients,
                     ArrayRef<Value> quarters) {
  OpBuilder &b = emit.builder();
  int first = llvm::find(coefficients, 1) - coefficients.begin();
  Value sum = quarters[first];
  for (int q = 0; q < 4; ++q) {
    if (q == first || coefficients[q] == 0)
      continue;
    sum = coefficients[q] > 0 ? Value(arith::AddFOp::create(b, emit.location(), sum, quarters[q]))
                              : Value(arith::SubFOp::create(b, emit.location(), sum, quarters[q]));
  }
  return sum;
}

// Where scales lie: of an output, or of an input behind them.
static Value scaleAt(Emission &emit, const View &target, int64_t outputs, OpFoldResult channel) {
  OpFoldResult panels = emit.constant(outputs / (2 * emit.blockWidth()));
  return emit.offset(emit.at(target, {panels}), target.elementType, channel);
}

namespace {
/// kernel.pack_strassen_scales, in one task.
class Scales {
public:
  Scales(Emission &emit, const View &source, const View &target)
      : e(emit), b(emit.builder()), loc(emit.location()), source(source), target(target),
        f32(target.elementType), outputs(*constantOf(source.sizes[0])),
        inputs(*constantOf(source.sizes[1])) {}

  void emit() {
    int64_t blocks = *constantOf(target.sizes[0]) - outputs / (2 * e.blockWidth());
    int64_t elements = blocks * kernel::strassenProductCount * inputs / 2 * e.blockWidth();
    loop(0, outputs, [&](OpFoldResult o) {
      e.store(power(largest(inputs, [&](OpFoldResult i) { return weight(o, i); })), at(o));
    });
    loop(0, inputs, [&](OpFoldResult i) {
      Value most = largest(outputs, [&](OpFoldResult o) -> Value {
        return arith::DivFOp::create(b, loc, weight(o, i), e.load(at(o), f32, 1));
      });
      e.store(power(most), at(e.add(i, e.constant(outputs))));
    });
    for (auto [first, count] : {std::pair(int64_t(0), outputs), std::pair(outputs, inputs)})
      loop(first, first + count / 2, [&, half = count / 2](OpFoldResult channel) {
        Value other = at(e.add(channel, e.constant(half)));
        Value ratio =
            arith::DivFOp::create(b, loc, e.load(other, f32, 1), e.load(at(channel), f32, 1));
        e.store(clamp(ratio, 0x1p-30f, 0x1p30f), other);
        e.store(number(1), at(channel));
      });
    loop(outputs + inputs, elements, [&](OpFoldResult rest) { e.store(number(1), at(rest)); });
  }

private:
  void loop(int64_t first, int64_t end, function_ref<void(OpFoldResult)> body) {
    e.forLoop(e.constant(first), e.constant(end), e.constant(1), {}, [&](Value index, ValueRange) {
      body(OpFoldResult(index));
      return SmallVector<Value>();
    });
  }
  Value number(float value) {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(f32, value));
  }
  Value at(OpFoldResult channel) { return scaleAt(e, target, outputs, channel); }
  // |w[o, i]|
  Value weight(OpFoldResult o, OpFoldResult i) {
    OpFoldResult zero = e.constant(0);
    return bits(e.load(e.at(source, {o, i, zero, zero}), f32, 1), 0x7FFFFFFF);
  }
  Value bits(Value x, int32_t mask) {
    Type i32 = b.getI32Type();
    Value kept =
        arith::AndIOp::create(b, loc, arith::BitcastOp::create(b, loc, i32, x),
                              // 32 bits: bits of a float.
                              arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(mask)));
    return arith::BitcastOp::create(b, loc, f32, kept);
  }
  Value clamp(Value x, float least, float most) {
    return arith::MinNumFOp::create(b, loc, arith::MaxNumFOp::create(b, loc, x, number(least)),
                                    number(most));
  }
  // The power of two below; of zero the least that has no smaller neighbours.
  Value power(Value x) { return clamp(bits(x, 0x7F800000), 0x1p-126f, 0x1p127f); }
  Value largest(int64_t count, function_ref<Value(OpFoldResult)> value) {
    return e.forLoop(e.constant(0), e.constant(count), e.constant(1), number(0),
                     [&](Value index, ValueRange now) {
                       return SmallVector<Value>{
                           arith::MaxNumFOp::create(b, loc, now[0], value(OpFoldResult(index)))};
                     })[0];
  }

  Emission &e;
  OpBuilder &b;
  Location loc;
  const View &source, &target;
  Type f32;
  int64_t outputs, inputs;
};
} // namespace

static OpFoldResult countScaleTasks(kernel::PackStrassenScalesOp op, ArrayRef<View>,
                                    LoweringContext &context) {
  Emission emit(context, op.getLoc());
  return splitTasks(emit, op.getCutAttr(), {}).count;
}

static LogicalResult lowerScales(kernel::PackStrassenScalesOp op, ArrayRef<View> operands, Value,
                                 LoweringContext &context) {
  Emission emit(context, op.getLoc());
  Scales(emit, operands[0], operands[1]).emit();
  return success();
}

static LogicalResult lower(kernel::PackStrassenOp op, ArrayRef<View> operands, Value task,
                           LoweringContext &context) {
  const View &source = operands[0], &target = operands[1];
  int64_t outputs = *constantOf(source.sizes[0]), inputs = *constantOf(source.sizes[1]);
  Emission emit(context, op.getLoc());
  OpBuilder &b = emit.builder();
  Location loc = op.getLoc();
  auto loop = [&](function_ref<void(OpFoldResult)> body) {
    emit.forLoop(emit.constant(0), emit.constant(emit.blockWidth()), emit.constant(1), {},
                 [&](Value index, ValueRange) {
                   body(OpFoldResult(index));
                   return SmallVector<Value>();
                 });
  };
  OpFoldResult zero = emit.constant(0), width = emit.constant(emit.blockWidth());
  SmallVector<OpFoldResult> outer = outerExtents(emit, source);
  forRange(emit, rangeOfTask(emit, split(emit, op, source), outer, task), 2,
           [&](ArrayRef<OpFoldResult> block) {
             loop([&](OpFoldResult input) {
               loop([&](OpFoldResult lane) {
                 auto half = [&](int which, int64_t channels, unsigned axis, OpFoldResult rest) {
                   return emit.add(emit.add(emit.mul(block[axis], width), rest),
                                   emit.constant(which * channels / 2));
                 };
                 auto read = [&](Value at) -> Value {
                   return arith::ExtFOp::create(b, loc, b.getF64Type(),
                                                emit.load(at, source.elementType, 1));
                 };
                 OpFoldResult second = half(1, inputs, 1, input);
                 Value rowScale = read(scaleAt(emit, target, outputs, half(1, outputs, 0, lane)));
                 Value columnScale =
                     read(scaleAt(emit, target, outputs, emit.add(emit.constant(outputs), second)));
                 SmallVector<Value> quarters;
                 for (int q = 0; q < 4; ++q) {
                   Value value = read(emit.at(source, {half(q / 2, outputs, 0, lane),
                                                       half(q % 2, inputs, 1, input), zero, zero}));
                   if (q / 2)
                     value = arith::DivFOp::create(b, loc, value, rowScale);
                   if (q % 2)
                     value = arith::DivFOp::create(b, loc, value, columnScale);
                   quarters.push_back(value);
                 }
                 for (int p = 0; p < kernel::strassenProductCount; ++p) {
                   const kernel::StrassenProduct &product = kernel::strassenProducts[p];
                   Value sum = combine(emit, product.weights, quarters);
                   // Data of the second half as it lies.
                   if (product.dataSum < 0 && (product.data[2] || product.data[3]))
                     sum = arith::MulFOp::create(b, loc, sum, columnScale);
                   Value value = arith::TruncFOp::create(b, loc, target.elementType, sum);
                   emit.store(value, emit.at(target, {block[0], emit.constant(p), block[1], zero,
                                                      zero, input, lane}));
                 }
               });
             });
           });
  return success();
}

namespace symc::codegen {
void registerPackStrassenLowering(DialectRegistry &registry) {
  addLowering<kernel::PackStrassenOp, countTasks, lower>(registry);
  addLowering<kernel::PackStrassenScalesOp, countScaleTasks, lowerScales>(registry);
}
} // namespace symc::codegen
