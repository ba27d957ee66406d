// WinogradPack.cpp: kernel.pack into [P, OB, IB, 16, 16], the weights of
// kernel.winograd: for each pair of channels G g G' of its 3x3 weights, in f64 and
// rounded once, so that the transform of weights costs no accuracy. Or into
// [OB, IB, 16, 9, 16] by the basis of G's rows, for steps that transform them late.
// Lanes and rows beyond the real channels become zero.
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/lower/TaskSplit.h"
#include "codegen/lower/WinogradPack.h"
#include "codegen/lower/WinogradTransform.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t panelLanes = 16;

static bool isLate(const View &target) { return isConstant(target.sizes[3], 9); }

// Output and input blocks.
static SmallVector<OpFoldResult> outerExtents(const View &target) {
  unsigned first = isLate(target) ? 0 : 1;
  return {target.sizes[first], target.sizes[first + 1]};
}

static TaskSplit split(Emission &emit, const View &target) {
  SplitOptions options;
  int64_t values = isLate(target) ? 9 : constantOf(target.sizes[0]).value_or(1);
  options.work = panelLanes * panelLanes * values;
  return splitTasks(emit, outerExtents(target), options);
}

// The nine weights in f64, or zeros; memory of absent ones is not touched.
static SmallVector<Value> readWeights(Emission &emit, const View &source, OpFoldResult output,
                                      OpFoldResult input) {
  OpBuilder &b = emit.builder();
  Location loc = emit.location();
  Value exists = arith::AndIOp::create(b, loc, emit.less(output, source.sizes[0]),
                                       emit.less(input, source.sizes[1]));
  SmallVector<Type> types(9, b.getF64Type());
  auto choice = scf::IfOp::create(b, loc, types, exists, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  SmallVector<Value> values;
  for (int64_t k = 0; k < 9; ++k) {
    Value at = emit.at(source, {output, input, emit.constant(k / 3), emit.constant(k % 3)});
    values.push_back(arith::ExtFOp::create(b, loc, b.getF64Type(),
                                           emit.load(at, source.elementType, 1)));
  }
  scf::YieldOp::create(b, loc, values);
  b.setInsertionPointToStart(choice.elseBlock());
  Value zero = emit.splat(b.getF64FloatAttr(0), 1);
  scf::YieldOp::create(b, loc, SmallVector<Value>(9, zero));
  return choice.getResults();
}

// The sum of row[k] * values[k].
static Value combine(Emission &emit, const std::array<double, 3> &row, ArrayRef<Value> values) {
  OpBuilder &b = emit.builder();
  Location loc = emit.location();
  Value sum;
  for (int k = 0; k < 3; ++k) {
    if (row[k] == 0)
      continue;
    Value part = arith::MulFOp::create(b, loc, emit.splat(b.getF64FloatAttr(row[k]), 1), values[k]);
    sum = sum ? Value(arith::AddFOp::create(b, loc, sum, part)) : part;
  }
  return sum;
}

OpFoldResult symc::codegen::countWinogradPackTasks(kernel::PackOp op, ArrayRef<View> operands,
                                                   LoweringContext &context) {
  Emission emit(context, op.getLoc());
  return split(emit, operands[1]).count;
}

LogicalResult symc::codegen::lowerWinogradPack(kernel::PackOp op, ArrayRef<View> operands,
                                               Value task, LoweringContext &context) {
  const View &source = operands[0], &target = operands[1];
  bool late = isLate(target);
  int64_t positions = late ? 9 : constantOf(target.sizes[0]).value_or(0);
  if ((!late && positions != 16 && positions != 36) || source.sizes.size() != 4 ||
      !isConstant(source.sizes[2], 3) || !isConstant(source.sizes[3], 3) ||
      !source.elementType.isF32() || !target.elementType.isF32())
    return op.emitError("internal error: pack for winograd needs f32 weights [O, I, 3, 3] and "
                        "panels [16 or 36, OB, IB, 16, 16] or [OB, IB, 16, 9, 16]");
  int64_t span = late ? 3 : positions == 16 ? 4 : 6;
  ArrayRef<std::array<double, 3>> rows = late ? weightBasis() : weightTransform(span - 2);
  Emission emit(context, op.getLoc());
  OpBuilder &b = emit.builder();
  auto loop = [&](function_ref<void(OpFoldResult)> body) {
    emit.forLoop(emit.constant(0), emit.constant(panelLanes), emit.constant(1), {},
                 [&](Value index, ValueRange) {
                   body(OpFoldResult(index));
                   return SmallVector<Value>();
                 });
  };
  SmallVector<OpFoldResult> outer = outerExtents(target);
  forRange(emit, rangeOfTask(emit, split(emit, target), outer, task), 2,
           [&](ArrayRef<OpFoldResult> block) {
    loop([&](OpFoldResult input) {
      loop([&](OpFoldResult lane) {
        OpFoldResult sixteen = emit.constant(panelLanes);
        SmallVector<Value> g = readWeights(emit, source, emit.add(emit.mul(block[0], sixteen), lane),
                                           emit.add(emit.mul(block[1], sixteen), input));
        for (int64_t i = 0; i < span; ++i) {
          SmallVector<Value> line; // row i of G g
          for (int64_t k = 0; k < 3; ++k)
            line.push_back(combine(emit, rows[i], {g[k], g[3 + k], g[6 + k]}));
          for (int64_t j = 0; j < span; ++j) {
            Value value = arith::TruncFOp::create(b, emit.location(), target.elementType,
                                                  combine(emit, rows[j], line));
            OpFoldResult position = emit.constant(i * span + j);
            SmallVector<OpFoldResult> at{position, block[0], block[1], input, lane};
            if (late)
              at = {block[0], block[1], input, position, lane};
            emit.store(value, emit.at(target, at));
          }
        }
      });
    });
  });
  return success();
}
