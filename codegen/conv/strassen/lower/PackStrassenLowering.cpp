// PackStrassenLowering.cpp: kernel.pack_strassen into [OB/2, 7, IB/2, 1, 1, 16, 16], the weights of
// kernel.strassen: for each place of a quarter the seven sums of the quarters, in f64
// and rounded once. Outputs and inputs are multiples of 32.
#include "codegen/conv/strassen/kernel/StrassenScheme.h"
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// Blocks of outputs and of inputs.
static SmallVector<OpFoldResult> outerExtents(const View &target) {
  return {target.sizes[0], target.sizes[2]};
}

static TaskSplit split(Emission &emit, kernel::PackStrassenOp op, const View &target) {
  return splitTasks(emit, op.getCut(), outerExtents(target));
}

static OpFoldResult countTasks(kernel::PackStrassenOp op, ArrayRef<View> operands,
                               LoweringContext &context) {
  Emission emit(context, op.getLoc());
  return split(emit, op, operands[1]).count;
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

static LogicalResult lower(kernel::PackStrassenOp op, ArrayRef<View> operands, Value task,
                           LoweringContext &context) {
  const View &source = operands[0], &target = operands[1];
  auto outBlocks = constantOf(target.sizes[0]), inBlocks = constantOf(target.sizes[2]);
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
  SmallVector<OpFoldResult> outer = outerExtents(target);
  forRange(emit, rangeOfTask(emit, split(emit, op, target), outer, task), 2,
           [&](ArrayRef<OpFoldResult> block) {
             loop([&](OpFoldResult input) {
               loop([&](OpFoldResult lane) {
                 SmallVector<Value> quarters;
                 for (int q = 0; q < 4; ++q) {
                   auto half = [&](int which, int64_t blocks, unsigned axis, OpFoldResult rest) {
                     OpFoldResult first = emit.add(block[axis], emit.constant(which * blocks));
                     return emit.add(emit.mul(first, width), rest);
                   };
                   Value at = emit.at(source, {half(q / 2, *outBlocks, 0, lane),
                                               half(q % 2, *inBlocks, 1, input), zero, zero});
                   quarters.push_back(arith::ExtFOp::create(b, loc, b.getF64Type(),
                                                            emit.load(at, source.elementType, 1)));
                 }
                 for (int p = 0; p < kernel::strassenProductCount; ++p) {
                   Value sum = combine(emit, kernel::strassenProducts[p].weights, quarters);
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
}
} // namespace symc::codegen
