// PackWinogradLowering.cpp: kernel.pack_winograd into [P, OB, IB, 16, 16], the weights of
// kernel.winograd: for each pair of channels G g G' of its 3x3 weights, in f64 and
// rounded once, so that the transform of weights costs no accuracy. Or into
// [OB, IB, 16, 9, 16] by the basis of G's rows, for steps that transform them on the fly.
// With a stride an input channel is a phase of one of the source's, whose weights are
// those that a stride apart meet its pixels. Lanes and rows beyond the real channels
// become zero, and so do taps beyond the kernel. Where blocks of outputs are full and a window is
// as large as the transform's, outputs of a block are vectors. A window of more taps than
// the transform's comes in pieces, whose input channels stand behind each other; where it is a
// line, only one axis is transformed.
#include "codegen/conv/winograd/kernel/WinogradShape.h"
#include "codegen/conv/winograd/lower/WinogradTransform.h"
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static bool isOnTheFly(const View &target) { return isConstant(target.sizes[3], 9); }

// Output and input blocks.
static SmallVector<OpFoldResult> outerExtents(const View &target) {
  unsigned first = isOnTheFly(target) ? 0 : 1;
  return {target.sizes[first], target.sizes[first + 1]};
}

static TaskSplit split(Emission &emit, kernel::PackWinogradOp op, const View &target) {
  return splitTasks(emit, op.getCutAttr(), outerExtents(target));
}

// What `read` gives in f64 where the position exists, else zero; it is not touched then.
static Value readOrZero(Emission &emit, const View &source, ArrayRef<OpFoldResult> position) {
  OpBuilder &b = emit.builder();
  Location loc = emit.location();
  Value exists;
  for (auto [index, size] : llvm::zip(position, source.sizes)) {
    Value inside = emit.less(index, size);
    exists = exists ? Value(arith::AndIOp::create(b, loc, exists, inside)) : inside;
  }
  auto choice = scf::IfOp::create(b, loc, b.getF64Type(), exists, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Value read = emit.load(emit.at(source, position), source.elementType, 1);
  read = arith::ExtFOp::create(b, loc, b.getF64Type(), read);
  scf::YieldOp::create(b, loc, read);
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, loc, emit.splat(b.getF64FloatAttr(0), 1));
  return choice.getResult(0);
}

// The weights of output channel `output` and one channel of input block `block`, row by row:
// those of phase channel % stride^2, or of the block's piece of the window.
static SmallVector<Value> readWeights(Emission &emit, const View &source,
                                      const kernel::WinogradShape &shape, OpFoldResult output,
                                      OpFoldResult block, OpFoldResult lane) {
  int64_t stride = shape.stride;
  OpFoldResult piece = emit.constant(0);
  if (shape.pieces() > 1) {
    piece = emit.floorDiv(block, emit.constant(shape.dataBlocks()));
    block = emit.rem(block, emit.constant(shape.dataBlocks()));
  }
  OpFoldResult input = emit.add(emit.mul(block, emit.constant(emit.blockWidth())), lane);
  OpFoldResult phases = emit.constant(stride * stride), by = emit.constant(stride);
  OpFoldResult channel = emit.floorDiv(input, phases), phase = emit.rem(input, phases);
  OpFoldResult row = emit.floorDiv(phase, by), column = emit.rem(phase, by);
  OpFoldResult across = emit.constant(shape.pieces(1));
  row = emit.add(row, emit.mul(emit.floorDiv(piece, across), emit.constant(shape.taps(0))));
  column = emit.add(column, emit.mul(emit.rem(piece, across), emit.constant(shape.taps(1))));
  SmallVector<Value> values;
  for (int64_t i = 0; i < shape.taps(0); ++i)
    for (int64_t j = 0; j < shape.taps(1); ++j)
      values.push_back(readOrZero(emit, source,
                                  {output, channel, emit.add(row, emit.constant(i * stride)),
                                   emit.add(column, emit.constant(j * stride))}));
  return values;
}

static int64_t lanesOf(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type ? type.getNumElements() : 1;
}

// The sum of row[k] * values[k].
static Value combine(Emission &emit, const WeightRow &row, ArrayRef<Value> values) {
  OpBuilder &b = emit.builder();
  Location loc = emit.location();
  Value sum;
  for (size_t k = 0; k < values.size(); ++k) {
    if (row[k] == 0)
      continue;
    Value factor = emit.splat(b.getF64FloatAttr(row[k]), lanesOf(values[k]));
    Value part = arith::MulFOp::create(b, loc, factor, values[k]);
    sum = sum ? Value(arith::AddFOp::create(b, loc, sum, part)) : part;
  }
  return sum;
}

// The layer's window, and its input channels without those of further pieces.
static kernel::WinogradShape shapeOf(kernel::PackWinogradOp op) {
  auto source = cast<MemRefType>(op.getSource().getType());
  kernel::WinogradShape shape;
  shape.blockWidth = cast<MemRefType>(op.getTarget().getType()).getShape().back();
  shape.m = op.getForm().getM();
  shape.stride = op.getForm().getStride();
  shape.inChannels = source.getDimSize(1) * shape.stride * shape.stride;
  for (int axis : {0, 1})
    shape.window[axis] = llvm::divideCeil(source.getDimSize(2 + axis), shape.stride);
  return shape;
}

static OpFoldResult countTasks(kernel::PackWinogradOp op, ArrayRef<View> operands,
                               LoweringContext &context) {
  Emission emit(context, op.getLoc());
  return split(emit, op, operands[1]).count;
}

static LogicalResult lower(kernel::PackWinogradOp op, ArrayRef<View> operands, Value task,
                           LoweringContext &context) {
  const View &source = operands[0], &target = operands[1];
  kernel::FormAttr form = op.getForm();
  bool onTheFly = form.getOnTheFly();
  kernel::WinogradShape shape = shapeOf(op);
  static const WeightRow one[] = {{1, 0, 0, 0}};
  ArrayRef<WeightRow> transform = onTheFly ? weightBasis() : weightTransform(shape.m);
  ArrayRef<WeightRow> rows = shape.window[0] == 1 ? one : transform;
  ArrayRef<WeightRow> columns = shape.window[1] == 1 ? one : transform;
  Emission emit(context, op.getLoc());
  OpBuilder &b = emit.builder();
  auto loop = [&](function_ref<void(OpFoldResult)> body) {
    emit.forLoop(emit.constant(0), emit.constant(emit.blockWidth()), emit.constant(1), {},
                 [&](Value index, ValueRange) {
                   body(OpFoldResult(index));
                   return SmallVector<Value>();
                 });
  };
  // Writes the transform of a window of values, of one output or of all of a block.
  auto transformed = [&](ArrayRef<Value> g, ArrayRef<OpFoldResult> block, OpFoldResult input,
                         OpFoldResult lane) {
    int64_t lanes = lanesOf(g.front());
    for (auto [i, row] : llvm::enumerate(rows)) {
      SmallVector<Value> line; // row i of G g
      for (int64_t k = 0; k < shape.taps(1); ++k) {
        SmallVector<Value> column;
        for (int64_t tap = 0; tap < shape.taps(0); ++tap)
          column.push_back(g[tap * shape.taps(1) + k]);
        line.push_back(combine(emit, row, column));
      }
      for (auto [j, factors] : llvm::enumerate(columns)) {
        Type type = emit.vectorType(target.elementType, lanes);
        Value value =
            arith::TruncFOp::create(b, emit.location(), type, combine(emit, factors, line));
        OpFoldResult position = emit.constant(i * columns.size() + j);
        SmallVector<OpFoldResult> at{position, block[0], block[1], input, lane};
        if (onTheFly)
          at = {block[0], block[1], input, position, lane};
        emit.store(value, emit.at(target, at));
      }
    }
  };
  OpFoldResult width = emit.constant(emit.blockWidth());
  auto byOutput = [&](ArrayRef<OpFoldResult> block, OpFoldResult input) {
    loop([&](OpFoldResult lane) {
      SmallVector<Value> g = readWeights(
          emit, source, shape, emit.add(emit.mul(block[0], width), lane), block[1], input);
      transformed(g, block, input, lane);
    });
  };
  // All outputs of a block at once, though a register holds fewer: each line of the target is
  // written whole. Positions often lie a power of two apart, so that their lines share a set of L1
  // and of L2, and one that is written in parts would be fetched again for each of them.
  auto byBlock = [&](ArrayRef<OpFoldResult> block, OpFoldResult input, OpFoldResult channel) {
    SmallVector<Value> g;
    Type wide = emit.vectorType(b.getF64Type(), emit.blockWidth());
    for (int64_t row = 0; row < shape.taps(0); ++row)
      for (int64_t column = 0; column < shape.taps(1); ++column) {
        Value place = emit.at(source, {emit.mul(block[0], width), channel, emit.constant(row),
                                       emit.constant(column)});
        Value values =
            emit.loadStrided(place, source.elementType, source.strides[0], emit.blockWidth());
        g.push_back(arith::ExtFOp::create(b, emit.location(), wide, values));
      }
    transformed(g, block, input, emit.constant(0));
  };
  bool isWhole =
      shape.stride == 1 && shape.pieces() == 1 && isConstant(emit.rem(source.sizes[0], width), 0) &&
      isConstant(source.sizes[2], shape.taps(0)) && isConstant(source.sizes[3], shape.taps(1));
  SmallVector<OpFoldResult> outer = outerExtents(target);
  forRange(emit, rangeOfTask(emit, split(emit, op, target), outer, task), 2,
           [&](ArrayRef<OpFoldResult> block) {
             loop([&](OpFoldResult input) {
               if (!isWhole)
                 return byOutput(block, input);
               OpFoldResult channel = emit.add(emit.mul(block[1], width), input);
               if (isConstant(emit.rem(source.sizes[1], width), 0))
                 return byBlock(block, input, channel); // no lane is padding
               emit.branch(
                   channel, source.sizes[1], [&] { byBlock(block, input, channel); },
                   [&] { byOutput(block, input); });
             });
           });
  return success();
}

namespace symc::codegen {
void registerPackWinogradLowering(DialectRegistry &registry) {
  addLowering<kernel::PackWinogradOp, countTasks, lower>(registry);
}
} // namespace symc::codegen
