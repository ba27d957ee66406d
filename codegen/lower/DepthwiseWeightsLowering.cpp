// DepthwiseWeightsLowering.cpp: kernel.depthwise_weights. See KernelOps.td.
//
// The sums of some taps of one block of channels are in registers, as many as fit: for each pixel
// one vector of slope, and of data one for each tap. All pixels of a chunk pass, then those of the
// next taps. Of groups of several channels each channel of the group goes to all lanes of it, by a
// shuffle of the tap's vector, or by a broadcast where a group is as wide as a vector.
#include "codegen/lower/ChunkSums.h"
#include "codegen/lower/TaskSplit.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {
class DepthwiseWeightsNest {
public:
  DepthwiseWeightsNest(kernel::DepthwiseWeightsOp op, ArrayRef<View> operands,
                       LoweringContext &context)
      : e(context, op.getLoc()), op(op), data(operands[0]), slope(operands[1]), sums(operands[2]),
        element(sums.elementType), chunks(op.getChunks()),
        lanes(std::min<int64_t>(e.blockWidth(), e.target().lanes(4))),
        window(op.getKernel()[0] * op.getKernel()[1]), group(*constantOf(sums.sizes[3])) {
    space = {sums.sizes[0], sums.sizes[2]};
  }

  TaskSplit split() { return splitTasks(e, op.getCutAttr(), space); }
  OpFoldResult countTasks() { return split().count; }

  void lower(Value task) {
    TaskRange range = rangeOfTask(e, split(), space, task);
    blocks = {range.lower[1], range.upper[1]};
    forSpan(e, {range.lower[0], range.upper[0]}, [&](OpFoldResult slot) {
      Value place = e.at(sums, {slot});
      auto compute = [&](OpFoldResult chunk) { emitChunk(chunk, place); };
      auto add = [&](OpFoldResult level) {
        overSums(place, [&](Value at) { addLevel(e, at, level, sums.strides[1], element, lanes); });
      };
      auto store = [&](OpFoldResult level) {
        overSums(place,
                 [&](Value at) { storeLevel(e, at, level, sums.strides[1], element, lanes); });
      };
      emitSlot(e, chunks, op.getPerSlot(), slot, {compute, add, store});
    });
  }

private:
  using Sums = SmallVector<Value>;

  // Each vector of the task's sums at [s, 0].
  void overSums(Value place, function_ref<void(Value)> body) {
    forSpan(e, blocks, [&](OpFoldResult block) {
      Value first = e.offset(place, element, e.mul(block, sums.strides[2]));
      forSpan(
          e, {e.constant(0), sums.strides[2]},
          [&](OpFoldResult at) { body(e.offset(first, element, at)); }, lanes);
    });
  }

  void emitChunk(OpFoldResult chunk, Value place) {
    ChunkPixels pixels = pixelsOf(e, chunks, slope, chunk);
    // Sums, a vector of slope and what is on its way.
    int64_t others = group == 1 ? 4 : 7;
    int64_t most = std::max<int64_t>(1, (e.target().vectorRegisters - others) / group);
    int64_t pieces = llvm::divideCeil(window, most);
    forSpan(e, blocks, [&](OpFoldResult block) {
      int64_t width = *constantOf(sums.strides[5]);
      for (int64_t lane = 0; lane < width; lane += lanes)
        for (int64_t piece = 0, tap = 0; piece < pieces; ++piece) {
          int64_t count = window / pieces + (piece < window % pieces);
          emitTaps(pixels, place, block, lane, tap, count);
          tap += count;
        }
    });
  }

  OpFoldResult tapOffset(int64_t tap) {
    int64_t columns = op.getKernel()[1];
    return e.add(e.mul(data.strides[2], e.constant(tap / columns * op.getDilations()[0])),
                 e.mul(data.strides[3], e.constant(tap % columns * op.getDilations()[1])));
  }

  // A loop that carries the pointers and the sums.
  Sums reduce(Span span, OpFoldResult dataStep, OpFoldResult slopeStep, Value image, Value slopes,
              ArrayRef<Value> values, function_ref<Sums(Value, Value, ArrayRef<Value>)> iteration) {
    return sumPixels(e, span, {element, dataStep, slopeStep}, image, slopes, values, iteration);
  }

  // `count` taps from `first` on, for `lanes` channels from lane `lane` on.
  void emitTaps(const ChunkPixels &pixels, Value place, OpFoldResult block, int64_t lane,
                int64_t first, int64_t count) {
    OpFoldResult rowStep = e.mul(data.strides[2], e.constant(op.getStrides()[0])),
                 columnStep = e.mul(data.strides[3], e.constant(op.getStrides()[1]));
    OpFoldResult zero = e.constant(0);
    bool byVector = group < lanes;
    Value image = e.at(data, {pixels.images.first, block,
                              e.mul(pixels.rows.first, e.constant(op.getStrides()[0])), zero,
                              e.constant(byVector ? lane : lane / group * group)});
    Value slopes =
        e.at(slope, {pixels.images.first, block, pixels.rows.first, zero, e.constant(lane)});
    Sums values(count * group, e.splat(e.builder().getZeroAttr(element), lanes));
    // Of one tap channel `channel` of each lane's group.
    auto dataOf = [&](Value place, Value all, int64_t channel) -> Value {
      if (group == 1)
        return all;
      if (!byVector)
        return e.loadBroadcast(e.offset(place, element, e.constant(channel)), element, lanes);
      SmallVector<int64_t> from;
      for (int64_t i = 0; i < lanes; ++i)
        from.push_back(i / group * group + channel);
      return vector::ShuffleOp::create(e.builder(), e.location(), all, all, from);
    };
    auto pixel = [&](Value image, Value slopes, ArrayRef<Value> values) {
      Value s = e.load(slopes, element, lanes);
      Sums next;
      for (int64_t i = 0; i < count; ++i) {
        Value place = e.offset(image, element, tapOffset(first + i));
        Value all = byVector ? e.load(place, element, lanes) : Value();
        for (int64_t channel = 0; channel < group; ++channel)
          next.push_back(
              e.multiplyAdd(dataOf(place, all, channel), s, values[i * group + channel]));
      }
      return next;
    };
    auto row = [&](Value image, Value slopes, ArrayRef<Value> values) {
      return reduce({zero, slope.sizes[3]}, columnStep, slope.strides[3], image, slopes, values,
                    pixel);
    };
    auto images = [&](Value image, Value slopes, ArrayRef<Value> values) {
      return reduce(pixels.rows, rowStep, slope.strides[2], image, slopes, values, row);
    };
    values =
        reduce(pixels.images, data.strides[0], slope.strides[0], image, slopes, values, images);
    for (auto [i, value] : llvm::enumerate(values)) {
      OpFoldResult to = e.add(e.mul(sums.strides[3], e.constant(i % group)),
                              e.mul(sums.strides[5], e.constant(first + i / group)));
      to = e.add(e.mul(block, sums.strides[2]), e.add(to, e.constant(lane)));
      e.store(value, e.offset(place, element, to));
    }
  }

  Emission e;
  kernel::DepthwiseWeightsOp op;
  const View &data, &slope, &sums;
  Type element;
  kernel::PixelChunks chunks;
  int64_t lanes, window, group;
  SmallVector<OpFoldResult> space;
  Span blocks; // the task's
};
} // namespace

namespace symc::codegen {
void registerDepthwiseWeightsLowering(DialectRegistry &registry) {
  addEmitter<kernel::DepthwiseWeightsOp, DepthwiseWeightsNest>(registry);
}
} // namespace symc::codegen
