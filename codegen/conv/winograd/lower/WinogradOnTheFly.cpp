// WinogradOnTheFly.cpp: see WinogradOnTheFly.h. For one output block, a few tiles and each of
// the six rows of positions:
//
//   for input block, channel:
//     c[3] = the row of G w, from the nine vectors of the channel
//     for each of the six columns (or three of them, with twice as many tiles):
//       u = the column of c G'                 never stored
//       sum[column][tile] += broadcast(input[row][column][tile]) * u
//
// Tiles that do not need a row or column of positions (WinogradShape::tilesOf) have no
// sums there. A row reads the weights again, from L2; only its first reading comes from memory, and
// each row fetches its share of the next block's. On Zen 4 the transform takes about
// a fifth of the time of the products of four tiles.
//
// With half as many registers the sums of a row for one tile fill them, and each tile would
// transform the weights anew. There a row of transformed weights is stored, for all input
// channels of an output block, and read from L2 by ordinary products (WinogradLowering).
#include "codegen/conv/winograd/lower/WinogradOnTheFly.h"
#include "codegen/conv/winograd/lower/WinogradTransform.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t span = 6, basisElements = 9;

std::optional<RowSums> RowSums::of(kernel::WinogradOp op) {
  llvm::ArrayRef<int64_t> sums = op.getRowSums();
  return sums.empty() ? std::nullopt : std::optional<RowSums>({sums[0], sums[1]});
}

bool RowSums::foldsRows() const { return columns == span; }

namespace {
class OnTheFlyProducts {
public:
  OnTheFlyProducts(Emission &e, const kernel::WinogradShape &shape, RowSums tile,
                   const View &weights)
      : e(e), shape(shape), weights(weights), element(weights.elementType),
        lanes(std::min<int64_t>(e.blockWidth(), e.target().lanes(4))), tile(tile),
        groups(llvm::divideCeil(shape.tilesAtOnce, tile.tiles)) {}

  void block(OpFoldResult block, Value inputs, Value sums) {
    Value panel = shape.onTheFly ? e.at(weights, {block}) : e.at(weights, {e.constant(0), block});
    Value next = e.offset(panel, element, weights.strides[0]); // where weights are read
    loop(0, e.blockWidth(), lanes, [&](Value lane) {
      // Tiles by the register, in one loop as long as the same positions need them.
      int64_t step = tile.tiles, all = shape.tilesAtOnce;
      for (int64_t first = 0, end; first < all; first = end) {
        int64_t count = std::min(step, all - first);
        SmallVector<Pass> passes = passesOf(first, count);
        for (end = first + count; end + count <= all && passesOf(end, count) == passes;)
          end += count;
        loop(first, end, count, [&](Value tile) {
          OpFoldResult at = e.mul(OpFoldResult(tile), e.constant(e.blockWidth()));
          for (auto [index, pass] : llvm::enumerate(passes))
            sumPositions(
                pass, {int64_t(index), int64_t(passes.size())}, e.offset(inputs, element, at),
                e.offset(panel, element, OpFoldResult(lane)),
                shape.onTheFly ? e.offset(next, element, share(OpFoldResult(tile))) : panel,
                e.offset(sums, element, e.add(at, OpFoldResult(lane))));
        });
      }
    });
  }

private:
  // One sum in registers: a column of positions and a tile after the register's first.
  struct Sum {
    int64_t column, tile;
    bool operator==(const Sum &other) const { return column == other.column && tile == other.tile; }
  };
  // A row of positions, or half of one, with its sums, column by column.
  struct Pass {
    int64_t row;
    SmallVector<Sum> sums;
    bool operator==(const Pass &other) const { return row == other.row && sums == other.sums; }
  };
  // Which of all passes so many there are.
  struct Share {
    int64_t index, count;
  };

  // What tiles first to first + count need.
  SmallVector<Pass> passesOf(int64_t first, int64_t count) {
    SmallVector<Pass> passes;
    for (int64_t at = 0; at < span * span; at += tile.columns) {
      Pass pass{at / span, {}};
      for (int64_t column = at % span; column < at % span + tile.columns; ++column) {
        kernel::WinogradShape::TileRange needed{0, shape.tilesAtOnce};
        if (shape.skipsTiles())
          needed = shape.tilesOf(pass.row == span - 1, column == span - 1);
        for (int64_t t = 0; t < count; ++t)
          if (first + t >= needed.first && first + t < needed.end)
            pass.sums.push_back({column, t});
      }
      if (!pass.sums.empty())
        passes.push_back(std::move(pass));
    }
    return passes;
  }

  void loop(int64_t first, int64_t end, int64_t step, function_ref<void(Value)> body) {
    e.forLoop(e.constant(first), e.constant(end), e.constant(step), {},
              [&](Value index, ValueRange) {
                body(index);
                return SmallVector<Value>();
              });
  }
  // Where the tiles' share of the next block's weights begins.
  OpFoldResult share(OpFoldResult first) {
    int64_t block = shape.inBlocks() * e.blockWidth() * channelElements();
    return e.mul(e.floorDiv(first, e.constant(tile.tiles)), e.constant(block / groups));
  }
  Value positionAt(Value pointer, int64_t position, int64_t stride, int64_t tile) {
    return e.offset(pointer, element, e.constant(position * stride + tile * e.blockWidth()));
  }

  void sumPositions(const Pass &pass, Share part, Value inputs, Value panel, Value ahead,
                    Value sums) {
    Value zero = e.splat(e.builder().getZeroAttr(element), lanes);
    SmallVector<Value> carried{inputs, panel, ahead};
    carried.append(pass.sums.size(), zero);
    auto advance = [&](Value pointer, int64_t elements) {
      return e.offset(pointer, element, e.constant(elements));
    };
    int64_t blocks = shape.inBlocks(), last = shape.inChannels - (blocks - 1) * e.blockWidth();
    int64_t aheadStep = channelElements() / groups;
    SmallVector<Value> all =
        e.forLoop(e.constant(0), e.constant(blocks), e.constant(1), carried,
                  [&](Value block, ValueRange now) {
                    OpFoldResult channels = e.constant(blocks == 1 ? last : e.blockWidth());
                    if (last != e.blockWidth() && blocks > 1)
                      channels = e.min(channels, e.sub(e.constant(shape.inChannels),
                                                       e.mul(block, e.constant(e.blockWidth()))));
                    SmallVector<Value> sums = e.forLoop(
                        e.constant(0), channels, e.constant(1), now, [&](Value, ValueRange at) {
                          return step(pass, part, aheadStep, SmallVector<Value>(at));
                        });
                    sums[0] = advance(now[0], shape.tilesAtOnce * e.blockWidth());
                    sums[1] = advance(now[1], e.blockWidth() * channelStep());
                    sums[2] = advance(now[2], e.blockWidth() * aheadStep);
                    return sums;
                  });
    ArrayRef<Value> values = ArrayRef<Value>(all).drop_front(3);
    if (tile.columns == span)
      return foldRow(pass, values, sums);
    for (auto [sum, value] : llvm::zip(pass.sums, values))
      e.store(value, positionAt(sums, pass.row * span + sum.column, shape.sumStride(), sum.tile));
  }

  // Each tile's row of sums transformed. A column that the tile lacks serves only an
  // output that it does not have.
  void foldRow(const Pass &pass, ArrayRef<Value> values, Value sums) {
    Value zero = e.splat(e.builder().getZeroAttr(element), lanes);
    for (int64_t t = 0; t < tile.tiles; ++t) {
      SmallVector<Value> row(span, zero);
      bool any = false;
      for (auto [sum, value] : llvm::zip(pass.sums, values))
        if (sum.tile == t) {
          row[sum.column] = value;
          any = true;
        }
      if (any)
        for (auto [k, value] : llvm::enumerate(transformSums(e, row, shape.m)))
          e.store(value, positionAt(sums, pass.row * shape.m + k, shape.sumStride(), t));
    }
  }

  // Elements from a channel's weights to the next one's.
  int64_t channelElements() const { return basisElements * e.blockWidth(); }
  int64_t channelStep() const { return shape.onTheFly ? channelElements() : e.blockWidth(); }

  // One channel. `at`: inputs, weights, what to fetch ahead, sums.
  SmallVector<Value> step(const Pass &pass, Share part, int64_t aheadStep, SmallVector<Value> at) {
    for (int64_t line = part.index; shape.onTheFly && line * groups < basisElements;
         line += part.count)
      e.prefetch(e.offset(at[2], element, e.constant(line * e.blockWidth())), 2);
    SmallVector<Value> rows;
    for (int64_t k = 0; shape.onTheFly && k < 3; ++k) {
      auto read = [&](int64_t basis) {
        return e.load(e.offset(at[1], element, e.constant((basis * 3 + k) * e.blockWidth())),
                      element, lanes);
      };
      rows.push_back(expandBasis(e, pass.row, read));
    }
    Value weight;
    for (auto [index, place] : llvm::enumerate(pass.sums)) {
      if (index == 0 || pass.sums[index - 1].column != place.column)
        weight = shape.onTheFly
                     ? expandBasis(e, place.column, [&](int64_t basis) { return rows[basis]; })
                     : e.load(e.offset(at[1], element,
                                       e.mul(weights.strides[0],
                                             e.constant(pass.row * span + place.column))),
                              element, lanes);
      Value &sum = at[3 + index];
      Value input = e.loadBroadcast(
          positionAt(at[0], pass.row * span + place.column, shape.inputStride(), place.tile),
          element, lanes);
      sum = e.multiplyAdd(input, weight, sum);
    }
    at[0] = e.offset(at[0], element, e.constant(1));
    at[1] = e.offset(at[1], element, e.constant(channelStep()));
    at[2] = e.offset(at[2], element, e.constant(aheadStep));
    return at;
  }

  Emission &e;
  const kernel::WinogradShape &shape;
  const View &weights;
  Type element;
  int64_t lanes;
  RowSums tile;
  int64_t groups;
};
} // namespace

void symc::codegen::emitOnTheFlyProducts(Emission &e, const kernel::WinogradShape &shape,
                                         RowSums tile, Value inputs, Value sums,
                                         const View &weights, OpFoldResult first,
                                         OpFoldResult end) {
  OnTheFlyProducts products(e, shape, tile, weights);
  e.forLoop(first, end, e.constant(1), {}, [&](Value block, ValueRange) {
    OpFoldResult place =
        e.mul(e.sub(OpFoldResult(block), first), e.constant(shape.tilesAtOnce * e.blockWidth()));
    products.block(OpFoldResult(block), inputs, e.offset(sums, weights.elementType, place));
    return SmallVector<Value>();
  });
}

void symc::codegen::emitExpandedRow(Emission &e, const kernel::WinogradShape &shape, int64_t row,
                                    Value basis, Value next, Value panels, Type element) {
  int64_t lanes = std::min<int64_t>(e.blockWidth(), e.target().lanes(4));
  SmallVector<Value> start{basis, next, panels};
  auto advance = [&](Value pointer, int64_t elements) {
    return e.offset(pointer, element, e.constant(elements));
  };
  e.forLoop(e.constant(0), e.constant(shape.inBlocks() * e.blockWidth()), e.constant(1), start,
            [&](Value, ValueRange at) {
              int64_t first = row * basisElements / span, end = (row + 1) * basisElements / span;
              for (int64_t line = first; line < end; ++line)
                e.prefetch(advance(at[1], line * e.blockWidth()), 2);
              for (int64_t lane = 0; lane < e.blockWidth(); lane += lanes) {
                SmallVector<Value> rows;
                for (int64_t k = 0; k < 3; ++k)
                  rows.push_back(expandBasis(e, row, [&](int64_t of) {
                    return e.load(advance(at[0], (of * 3 + k) * e.blockWidth() + lane), element,
                                  lanes);
                  }));
                for (int64_t column = 0; column < span; ++column)
                  e.store(expandBasis(e, column, [&](int64_t of) { return rows[of]; }),
                          advance(at[2], column * shape.panelStride() + lane));
              }
              return SmallVector<Value>{advance(at[0], basisElements * e.blockWidth()),
                                        advance(at[1], basisElements * e.blockWidth()),
                                        advance(at[2], e.blockWidth())};
            });
}
