// WinogradLate.cpp: see WinogradLate.h. For one output block, a few tiles and each of
// the six rows of positions:
//
//   for input block, channel:
//     c[3] = the row of G w, from the nine vectors of the channel
//     for each of the six columns (or three of them, with twice as many tiles):
//       u = the column of c G'                 never stored
//       sum[column][tile] += broadcast(input[row][column][tile]) * u
//
// A row reads the weights again, from L2; only its first reading comes from memory, and
// each row fetches its share of the next block's. On Zen 4 the transform takes about
// a fifth of the time of the products of four tiles.
#include "codegen/lower/WinogradLate.h"
#include "codegen/cpu/KernelChoice.h"
#include "codegen/lower/WinogradTransform.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t blockLanes = 16, span = 6, basisElements = 9;
static constexpr int64_t channelElements = basisElements * blockLanes;

namespace {
class LateProducts {
public:
  LateProducts(Emission &e, const kernel::WinogradShape &shape, const View &weights)
      : e(e), shape(shape), weights(weights), element(weights.elementType),
        lanes(std::min<int64_t>(blockLanes, e.target().lanes(4))),
        tile(lateTile(shape.tilesAtOnce, e.target())),
        groups(llvm::divideCeil(shape.tilesAtOnce, tile.tiles)) {}

  void block(OpFoldResult block, Value inputs, Value sums) {
    Value panel = e.at(weights, {block});
    loop(blockLanes, lanes, [&](Value lane) {
      int64_t step = tile.tiles, whole = shape.tilesAtOnce / step * step;
      auto some = [&](OpFoldResult first, int64_t count) {
        OpFoldResult at = e.mul(first, e.constant(blockLanes));
        for (int64_t pass = 0; pass < passes(); ++pass)
          sumPositions(pass, count, e.offset(inputs, element, at),
                       e.offset(panel, element, OpFoldResult(lane)),
                       e.offset(panel, element, e.add(weights.strides[0], share(first))),
                       e.offset(sums, element, e.add(at, OpFoldResult(lane))));
      };
      loop(whole, step, [&](Value first) { some(OpFoldResult(first), step); });
      if (whole < shape.tilesAtOnce)
        some(e.constant(whole), shape.tilesAtOnce - whole);
    });
  }

private:
  void loop(int64_t end, int64_t step, function_ref<void(Value)> body) {
    if (end == 0)
      return;
    e.forLoop(e.constant(0), e.constant(end), e.constant(step), {}, [&](Value index, ValueRange) {
      body(index);
      return SmallVector<Value>();
    });
  }
  // Where the tiles' share of the next block's weights begins.
  OpFoldResult share(OpFoldResult first) {
    int64_t block = shape.inBlocks() * blockLanes * channelElements;
    return e.mul(e.floorDiv(first, e.constant(tile.tiles)), e.constant(block / groups));
  }
  // A pass is a row of positions, or half of one.
  int64_t passes() { return span * span / tile.columns; }
  int64_t rowOf(int64_t pass) { return pass * tile.columns / span; }
  int64_t columnOf(int64_t pass) { return pass * tile.columns % span; }
  Value positionAt(Value pointer, int64_t position, int64_t stride, int64_t tile) {
    return e.offset(pointer, element, e.constant(position * stride + tile * blockLanes));
  }

  void sumPositions(int64_t pass, int64_t tiles, Value inputs, Value panel, Value ahead,
                    Value sums) {
    Value zero = e.splat(e.builder().getZeroAttr(element), lanes);
    SmallVector<Value> carried{inputs, panel, ahead};
    carried.append(tile.columns * tiles, zero);
    auto advance = [&](Value pointer, int64_t elements) {
      return e.offset(pointer, element, e.constant(elements));
    };
    int64_t blocks = shape.inBlocks(), last = shape.inChannels - (blocks - 1) * blockLanes;
    int64_t aheadStep = channelElements / groups;
    SmallVector<Value> all = e.forLoop(
        e.constant(0), e.constant(blocks), e.constant(1), carried, [&](Value block, ValueRange now) {
          OpFoldResult channels = e.constant(blocks == 1 ? last : blockLanes);
          if (last != blockLanes && blocks > 1)
            channels = e.min(channels, e.sub(e.constant(shape.inChannels),
                                             e.mul(block, e.constant(blockLanes))));
          SmallVector<Value> sums = e.forLoop(
              e.constant(0), channels, e.constant(1), now, [&](Value, ValueRange at) {
                return step(pass, tiles, aheadStep, SmallVector<Value>(at));
              });
          sums[0] = advance(now[0], shape.tilesAtOnce * blockLanes);
          sums[1] = advance(now[1], blockLanes * channelElements);
          sums[2] = advance(now[2], blockLanes * aheadStep);
          return sums;
        });
    for (int64_t k = 0; k < tile.columns; ++k)
      for (int64_t t = 0; t < tiles; ++t)
        e.store(all[3 + k * tiles + t],
                positionAt(sums, pass * tile.columns + k, shape.sumStride(), t));
  }

  // One channel. `at`: inputs, weights, what to fetch ahead, sums.
  SmallVector<Value> step(int64_t pass, int64_t tiles, int64_t aheadStep, SmallVector<Value> at) {
    for (int64_t line = pass; line * groups < basisElements; line += passes())
      e.prefetch(e.offset(at[2], element, e.constant(line * blockLanes)), 2);
    SmallVector<Value> rows;
    for (int64_t k = 0; k < 3; ++k) {
      auto read = [&](int64_t basis) {
        return e.load(e.offset(at[1], element, e.constant((basis * 3 + k) * blockLanes)), element,
                      lanes);
      };
      rows.push_back(expandBasis(e, rowOf(pass), read));
    }
    for (int64_t k = 0; k < tile.columns; ++k) {
      Value weight =
          expandBasis(e, columnOf(pass) + k, [&](int64_t basis) { return rows[basis]; });
      for (int64_t t = 0; t < tiles; ++t) {
        Value &sum = at[3 + k * tiles + t];
        Value input = e.loadBroadcast(
            positionAt(at[0], pass * tile.columns + k, shape.inputStride(), t), element, lanes);
        sum = e.multiplyAdd(input, weight, sum);
      }
    }
    at[0] = e.offset(at[0], element, e.constant(1));
    at[1] = e.offset(at[1], element, e.constant(channelElements));
    at[2] = e.offset(at[2], element, e.constant(aheadStep));
    return at;
  }

  Emission &e;
  const kernel::WinogradShape &shape;
  const View &weights;
  Type element;
  int64_t lanes;
  LateTile tile;
  int64_t groups;
};
} // namespace

void symc::codegen::emitLateProducts(Emission &e, const kernel::WinogradShape &shape, Value inputs,
                                     Value sums, const View &weights, OpFoldResult first,
                                     OpFoldResult end) {
  LateProducts products(e, shape, weights);
  e.forLoop(first, end, e.constant(1), {}, [&](Value block, ValueRange) {
    OpFoldResult place = e.mul(e.sub(OpFoldResult(block), first),
                               e.constant(shape.tilesAtOnce * blockLanes));
    products.block(OpFoldResult(block), inputs, e.offset(sums, weights.elementType, place));
    return SmallVector<Value>();
  });
}
