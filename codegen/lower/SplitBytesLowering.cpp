// SplitBytesLowering.cpp: kernel.split_bytes: a pixel's block of channels, or the quads of a row of
// panels, at once.
#include "codegen/lower/TaskSplit.h"
#include "codegen/lower/products/BytePairs.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {
class SplitEmitter {
public:
  SplitEmitter(kernel::SplitBytesOp op, ArrayRef<View> operands, LoweringContext &context)
      : e(context, op.getLoc()), op(op), source(operands[0]), target(operands[1]),
        outer(ArrayRef(target.sizes).take_front(3)), word(e.builder().getI32Type()) {}

  OpFoldResult countTasks() { return split().count; }

  void lower(Value task) {
    forRange(e, rangeOfTask(e, split(), outer, task), outer.size(),
             [&](ArrayRef<OpFoldResult> row) {
               loop(target.sizes[3], [&](OpFoldResult column) {
                 SmallVector<OpFoldResult> at(row);
                 at.push_back(column);
                 if (target.sizes.size() == 6)
                   splitPanel(e.at(source, at), e.at(target, at));
                 else
                   splitPixel(row[1], e.at(source, at), e.at(target, at));
               });
             });
  }

private:
  TaskSplit split() { return splitTasks(e, op.getCutAttr(), outer); }

  void loop(OpFoldResult end, function_ref<void(OpFoldResult)> body) {
    e.forLoop(e.constant(0), end, e.constant(1), {}, [&](Value index, ValueRange) {
      body(OpFoldResult(index));
      return SmallVector<Value>();
    });
  }

  Value asWords(Value pairs, int64_t count) {
    return LLVM::BitcastOp::create(e.builder(), e.location(), VectorType::get({count}, word),
                                   pairs);
  }

  // The block's quads that are channels.
  void splitPixel(OpFoldResult block, Value from, Value to) {
    int64_t lanes = *constantOf(source.sizes[4]), channels = op.getChannels();
    auto move = [&](int64_t quads) {
      Value bytes = e.load(from, word, quads);
      BytePairs::Halves data = BytePairs(e, quads, op.getShifted()).data(bytes);
      e.store(vector::InterleaveOp::create(e.builder(), e.location(), asWords(data.even, quads),
                                           asWords(data.odd, quads)),
              to);
    };
    int64_t rest = llvm::divideCeil(channels % lanes, bytesInQuad);
    if (rest == 0)
      return move(lanes / bytesInQuad);
    e.branch(
        block, e.constant(channels / lanes), [&] { move(lanes / bytesInQuad); },
        [&] { move(rest); });
  }

  void splitPanel(Value from, Value to) {
    int64_t width = *constantOf(target.sizes[5]);
    int64_t lanes = std::min<int64_t>(width, e.target().lanes(4));
    loop(e.constant(*constantOf(target.sizes[4]) / 2), [&](OpFoldResult quad) {
      Value quads = e.offset(from, word, e.mul(quad, e.constant(width)));
      Value rows = e.offset(to, word, e.mul(quad, e.constant(2 * width)));
      for (int64_t first = 0; first < width; first += lanes) {
        Value bytes = e.load(e.offset(quads, word, e.constant(first)), word, lanes);
        BytePairs::Halves weights = BytePairs(e, lanes, false).weights(bytes);
        e.store(asWords(weights.even, lanes), e.offset(rows, word, e.constant(first)));
        e.store(asWords(weights.odd, lanes), e.offset(rows, word, e.constant(width + first)));
      }
    });
  }

  Emission e;
  kernel::SplitBytesOp op;
  const View &source, &target;
  ArrayRef<OpFoldResult> outer;
  Type word;
};
} // namespace

static LogicalResult checkSplit(kernel::SplitBytesOp op, ArrayRef<View> operands,
                                const TargetDescription &) {
  for (const View &view : operands) {
    OpFoldResult inner = view.strides.back();
    bool whole = view.strides.size() == 5 || view.strides[4] == view.sizes[5];
    if (!isConstant(inner, 1) || !whole)
      return op.emitError("internal error: split_bytes needs the channels of a block side by side");
  }
  return success();
}

namespace symc::codegen {
void registerSplitBytesLowering(DialectRegistry &registry) {
  addEmitter<kernel::SplitBytesOp, SplitEmitter, checkSplit>(registry);
}
} // namespace symc::codegen
