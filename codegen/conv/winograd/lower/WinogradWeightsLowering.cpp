// WinogradWeightsLowering.cpp: kernel.winograd_weights as loops around a register tile.
//
//   task: some slots, input and output blocks; a free row of scratch
//     for each chunk of a slot, each group of its tiles:
//       inputs and slopes of all tiles and blocks -> B' d B and A s A', scattered to the positions
//       for each position: the sums over the group's tiles of their products, as those of
//         kernel.conv_weights over pixels
//     sums of the positions -> G' g G, the window's
//
// Transforms go through a patch of one tile, columns first, then rows; each pass is a real loop, so
// that code stays small. Where the window is a line, one transform does, without a patch. Tiles at
// the end of a chunk's rows or of the columns read zeros there. Of a dilated window the pixels at
// one place modulo the dilations are an image; the last tiles of some of these may be empty.
// Which row of scratch a task gets depends on timing; what it computes doesn't.
#include "codegen/conv/winograd/kernel/WinogradWeightsShape.h"
#include "codegen/conv/winograd/lower/WinogradTransform.h"
#include "codegen/lower/ChunkSums.h"
#include "codegen/lower/ScratchRow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include <tuple>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::WinogradWeightsShape;

namespace {

class WinogradWeightsNest {
public:
  WinogradWeightsNest(kernel::WinogradWeightsOp op, ArrayRef<View> operands,
                      LoweringContext &context)
      : e(context, op.getLoc()), shape(WinogradWeightsShape::of(op)), chunks(shape.chunks()),
        data(operands[0]), slope(operands[1]), sums(operands[2]), scratch(operands[3]),
        words(operands[4]), element(sums.elementType), width(shape.blockWidth),
        lanes(std::min<int64_t>(e.blockWidth(), e.target().lanes(4))), perBlock(width / lanes) {
    mostRows = (*op.getTile())[0];
    mostVectors = (*op.getTile())[1];
  }

  OpFoldResult countTasks() { return e.constant(shape.tasks()); }

  void lower(Value task) {
    int64_t rows = *constantOf(scratch.sizes[0]);
    Value row = acquireRow(e, words, rows);
    memory = e.at(scratch, {row});
    SmallVector<OpFoldResult> at =
        e.delinearize(task, {e.constant(shape.slotTasks()), e.constant(shape.outTasks()),
                             e.constant(shape.inTasks())});
    auto part = [&](OpFoldResult index, int64_t size, int64_t all) {
      return spanOf(e, e.mul(index, e.constant(size)), size, e.constant(all));
    };
    outs = part(at[1], shape.outBlocksOfTask, shape.outBlocks());
    ins = part(at[2], shape.inBlocksOfTask, shape.inBlocks());
    forSpan(e, part(at[0], shape.slotsOfTask, shape.slots()),
            [&](OpFoldResult slot) { emitSlot(slot); });
    releaseRow(e, words, rows, row);
  }

private:
  // Inputs or slopes: what a tile reads, and where it is transformed to.
  struct Side {
    const View &view;
    Span blocks;
    int64_t span[2]; // pixels of a tile along the axes
    int64_t offset, stride;
    SmallVector<Value> (*transform)(Emission &, ArrayRef<Value>);
  };
  // Its first pixel of slope in the image, and how many it has, along the axes.
  struct Tile {
    OpFoldResult image, first[2], count[2];
  };

  void over(OpFoldResult count, function_ref<void(OpFoldResult)> body) {
    forSpan(e, {e.constant(0), count}, body);
  }
  Value walk(Value pointer, OpFoldResult index, int64_t stride) {
    return e.offset(pointer, element, e.mul(index, e.constant(stride)));
  }
  Value region(int64_t offset) { return e.offset(memory, element, e.constant(offset)); }
  Value zero() { return e.splat(e.builder().getZeroAttr(element), lanes); }
  Value patchAt(OpFoldResult row, OpFoldResult column) {
    return walk(walk(region(shape.patchOffset()), row, shape.points * width), column, width);
  }

  void emitSlot(OpFoldResult slot);
  void emitChunk(OpFoldResult slot, OpFoldResult chunk);
  Tile tileAt(OpFoldResult tile);
  std::pair<OpFoldResult, OpFoldResult> pixelsAlong(int axis, OpFoldResult place,
                                                    OpFoldResult tile);
  void transform(const Side &side, OpFoldResult first, OpFoldResult count);
  void transformTile(const Side &side, const Tile &tile, Value from, Value to);
  void transformLine(const Side &side, const Tile &tile, Value from, Value to);
  SmallVector<Value> pixelsOfLine(const Side &side, int axis, Value from, OpFoldResult count,
                                  bool areAll);
  OpFoldResult pixelsOfTile(const Side &side, int axis, const Tile &tile) {
    return e.add(tile.count[axis], e.constant(side.span[axis] - shape.outputs(axis)));
  }
  // From a pixel to the next of its image.
  OpFoldResult stepOf(const Side &side, int axis) {
    return e.mul(side.view.strides[2 + axis], e.constant(shape.dilations[axis]));
  }
  void sumProducts(Span ins, Span outs, OpFoldResult count);
  void emitTile(Value inputs, Value slopes, Value target, int64_t row, int64_t rows,
                int64_t vectors, OpFoldResult count);
  void transformBack(OpFoldResult slot, Span ins, Span outs);
  SmallVector<Value> weightSums(ArrayRef<Value> sums) {
    return transformWeightSums(e, sums, shape.m());
  }
  void overSums(OpFoldResult slot, function_ref<void(Value)> body);

  // Elements from a block's first vector to that number, where blocks are `stride` apart.
  OpFoldResult toVector(OpFoldResult vector, int64_t stride) {
    OpFoldResult each = e.constant(perBlock);
    return e.add(e.mul(e.floorDiv(vector, each), e.constant(stride)),
                 e.mul(e.rem(vector, each), e.constant(lanes)));
  }
  int64_t sumBlockStride() const { return shape.inBlocksSummed * width * width; }

  Emission e;
  WinogradWeightsShape shape;
  kernel::PixelChunks chunks;
  const View &data, &slope, &sums, &scratch, &words;
  Type element;
  int64_t width, lanes, perBlock; // of a block, a vector; vectors of a block
  int64_t mostRows, mostVectors;
  Value memory;           // the task's row of scratch
  Span ins, outs;         // the task's blocks
  Span images, rows;      // of the chunk
  OpFoldResult tileRows_; // of an image in the chunk
};
} // namespace

//===----------------------------------------------------------------------===//
// Slots and chunks
//===----------------------------------------------------------------------===//

// Each vector of the task's sums, at [s, 0].
void WinogradWeightsNest::overSums(OpFoldResult slot, function_ref<void(Value)> body) {
  OpFoldResult lane = e.constant(width);
  Span channels = {e.mul(ins.first, lane),
                   e.min(e.mul(ins.end, lane), e.constant(shape.inChannels))};
  forSpan(e, outs, [&](OpFoldResult block) {
    forSpan(e, channels, [&](OpFoldResult channel) {
      Value place = e.at(sums, {slot, e.constant(0), block, channel});
      over(e.constant(shape.window[0] * shape.window[1] * perBlock),
           [&](OpFoldResult vector) { body(walk(place, vector, lanes)); });
    });
  });
}

void WinogradWeightsNest::emitSlot(OpFoldResult slot) {
  auto compute = [&](OpFoldResult chunk) { emitChunk(slot, chunk); };
  auto add = [&](OpFoldResult level) {
    overSums(slot,
             [&](Value place) { addLevel(e, place, level, sums.strides[1], element, lanes); });
  };
  auto store = [&](OpFoldResult level) {
    overSums(slot,
             [&](Value place) { storeLevel(e, place, level, sums.strides[1], element, lanes); });
  };
  codegen::emitSlot(e, chunks, shape.perSlot, slot, {compute, add, store});
}

void WinogradWeightsNest::emitChunk(OpFoldResult slot, OpFoldResult chunk) {
  ChunkPixels pixels = codegen::pixelsOf(e, chunks, slope, chunk);
  images = pixels.images;
  rows = pixels.rows;
  tileRows_ = e.ceilDiv(e.ceilDiv(e.sub(rows.end, rows.first), e.constant(shape.dilations[0])),
                        e.constant(shape.outputs(0)));
  OpFoldResult count = e.product({e.sub(images.end, images.first), e.constant(shape.phases()),
                                  tileRows_, e.constant(shape.tileColumns())});
  Side inputs{data, ins, {shape.span(0), shape.span(1)}, 0, shape.inputStride(), transformInputs};
  Side slopes{slope,
              outs,
              {shape.outputs(0), shape.outputs(1)},
              shape.slopesOffset(),
              shape.slopeStride(),
              transformSlopes};
  if (shape.isOneGroup()) {
    transform(inputs, e.constant(0), count);
    transform(slopes, e.constant(0), count);
    forSpan(
        e, outs,
        [&](OpFoldResult out) {
          Span outsNow = spanOf(e, out, shape.outBlocksSummed, outs.end);
          forSpan(
              e, ins,
              [&](OpFoldResult in) {
                Span insNow = spanOf(e, in, shape.inBlocksSummed, ins.end);
                sumProducts(insNow, outsNow, count);
                transformBack(slot, insNow, outsNow);
              },
              shape.inBlocksSummed);
        },
        shape.outBlocksSummed);
    return;
  }
  Value cleared = region(shape.sumsOffset());
  over(e.constant(shape.positions() * shape.sumStride() / lanes),
       [&](OpFoldResult vector) { e.store(zero(), walk(cleared, vector, lanes)); });
  forSpan(
      e, {e.constant(0), count},
      [&](OpFoldResult first) {
        OpFoldResult some = e.min(e.constant(shape.tilesAtOnce), e.sub(count, first));
        transform(inputs, first, some);
        transform(slopes, first, some);
        sumProducts(ins, outs, some);
      },
      shape.tilesAtOnce);
  transformBack(slot, ins, outs);
}

//===----------------------------------------------------------------------===//
// Tiles to positions
//===----------------------------------------------------------------------===//

WinogradWeightsNest::Tile WinogradWeightsNest::tileAt(OpFoldResult tile) {
  SmallVector<OpFoldResult> at = e.delinearize(
      tile, {e.sub(images.end, images.first), e.constant(shape.dilations[0]),
             e.constant(shape.dilations[1]), tileRows_, e.constant(shape.tileColumns())});
  Tile result;
  result.image = e.add(images.first, at[0]);
  for (int axis : {0, 1})
    std::tie(result.first[axis], result.count[axis]) =
        pixelsAlong(axis, at[1 + axis], at[3 + axis]);
  return result;
}

// Of tile number `tile` of the image at a place modulo the dilation: its first pixel, and how many.
std::pair<OpFoldResult, OpFoldResult> WinogradWeightsNest::pixelsAlong(int axis, OpFoldResult place,
                                                                       OpFoldResult tile) {
  int64_t all = axis ? shape.columns : shape.rows, apart = shape.dilations[axis];
  Span chunk = axis ? Span{e.constant(0), e.constant(all)} : rows;
  // Pixels at that place before a pixel of the whole image.
  auto before = [&](OpFoldResult pixel) {
    return apart == 1
               ? pixel
               : e.floorDiv(e.sub(e.add(pixel, e.constant(apart - 1)), place), e.constant(apart));
  };
  OpFoldResult m = e.constant(shape.outputs(axis)), count = m;
  OpFoldResult first = e.add(before(chunk.first), e.mul(tile, m));
  if (shape.hasShort(axis))
    count = e.min(m, e.sub(before(chunk.end), first));
  if (shape.hasEmpty(axis)) // whose pixels are not read, but their addresses are made
    first = e.min(first, e.sub(before(e.constant(all)), e.constant(1)));
  return {e.add(e.mul(first, e.constant(apart)), place), count};
}

void WinogradWeightsNest::transform(const Side &side, OpFoldResult first, OpFoldResult count) {
  forSpan(e, side.blocks, [&](OpFoldResult block) {
    Value target =
        walk(region(side.offset), e.sub(block, side.blocks.first), shape.tilesAtOnce * width);
    over(count, [&](OpFoldResult t) {
      Tile tile = tileAt(e.add(first, t));
      Value from = e.at(side.view, {tile.image, block, tile.first[0], tile.first[1]});
      forSpan(
          e, {e.constant(0), e.constant(width)},
          [&](OpFoldResult lane) {
            Value source = e.offset(from, element, lane),
                  to = e.offset(walk(target, t, width), element, lane);
            if (shape.line())
              transformLine(side, tile, source, to);
            else
              transformTile(side, tile, source, to);
          },
          lanes);
    });
  });
}

void WinogradWeightsNest::transformTile(const Side &side, const Tile &tile, Value from, Value to) {
  OpFoldResult rowsHere = pixelsOfTile(side, 0, tile), columnsHere = pixelsOfTile(side, 1, tile);
  auto overColumns = [&](bool areAll) {
    over(columnsHere, [&](OpFoldResult column) {
      Value top = e.offset(from, element, e.mul(column, stepOf(side, 1)));
      SmallVector<Value> values = pixelsOfLine(side, 0, top, rowsHere, areAll);
      for (auto [row, value] : llvm::enumerate(side.transform(e, values)))
        e.store(value, patchAt(e.constant(row), column));
    });
  };
  e.branch(
      rowsHere, e.constant(side.span[0]), [&] { overColumns(false); }, [&] { overColumns(true); });
  if (shape.hasShort(1))
    forSpan(e, {columnsHere, e.constant(side.span[1])}, [&](OpFoldResult column) {
      for (int64_t row = 0; row < shape.points; ++row)
        e.store(zero(), patchAt(e.constant(row), column));
    });
  over(e.constant(shape.points), [&](OpFoldResult row) {
    SmallVector<Value> values;
    for (int64_t column = 0; column < side.span[1]; ++column)
      values.push_back(e.load(patchAt(row, e.constant(column)), element, lanes));
    Value line = walk(to, row, shape.points * side.stride);
    for (auto [column, value] : llvm::enumerate(side.transform(e, values)))
      e.store(value, walk(line, e.constant(column), side.stride));
  });
}

// The `count` pixels of a tile along an axis, then zeros; all of them where `areAll`.
SmallVector<Value> WinogradWeightsNest::pixelsOfLine(const Side &side, int axis, Value from,
                                                     OpFoldResult count, bool areAll) {
  SmallVector<Value> values;
  int64_t sure = side.span[axis] - shape.outputs(axis) + (shape.hasEmpty(axis) ? 0 : 1);
  OpFoldResult last = e.sub(e.max(count, e.constant(1)), e.constant(1));
  for (int64_t i = 0; i < side.span[axis]; ++i) {
    OpFoldResult number = e.constant(i);
    if (!areAll)
      number = e.min(number, last);
    Value value =
        e.load(e.offset(from, element, e.mul(number, stepOf(side, axis))), element, lanes);
    if (!areAll && i >= sure)
      value = arith::SelectOp::create(e.builder(), e.location(), e.less(e.constant(i), count),
                                      value, zero());
    values.push_back(value);
  }
  return values;
}

void WinogradWeightsNest::transformLine(const Side &side, const Tile &tile, Value from, Value to) {
  int along = *shape.line();
  OpFoldResult count = pixelsOfTile(side, along, tile);
  if (shape.hasEmpty(1 - along)) // a tile without pixels across has none along
    count = e.mul(count, tile.count[1 - along]);
  auto emit = [&](bool areAll) {
    SmallVector<Value> values = pixelsOfLine(side, along, from, count, areAll);
    for (auto [position, value] : llvm::enumerate(side.transform(e, values)))
      e.store(value, walk(to, e.constant(position), side.stride));
  };
  e.branch(count, e.constant(side.span[along]), [&] { emit(false); }, [&] { emit(true); });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// Of `count` tiles: sums[position][output block][input][16] of these blocks, from what is there
// where a chunk has several groups.
void WinogradWeightsNest::sumProducts(Span insNow, Span outsNow, OpFoldResult count) {
  int64_t blockStride = shape.tilesAtOnce * width;
  OpFoldResult each = e.constant(perBlock);
  Span vectors{e.mul(outsNow.first, each), e.mul(outsNow.end, each)};
  int64_t rest = shape.outBlocks() * perBlock % mostVectors;
  over(e.constant(shape.positions()), [&](OpFoldResult position) {
    Value inputs = walk(region(0), position, shape.inputStride());
    Value slopes = walk(region(shape.slopesOffset()), position, shape.slopeStride());
    Value targets = walk(region(shape.sumsOffset()), position, shape.sumStride());
    auto atVector = [&](OpFoldResult vector, int64_t some) {
      Value slopesHere =
          e.offset(slopes, element, toVector(e.sub(vector, e.mul(outs.first, each)), blockStride));
      Value out =
          e.offset(targets, element, toVector(e.sub(vector, vectors.first), sumBlockStride()));
      forSpan(e, insNow, [&](OpFoldResult block) {
        Value from = walk(inputs, e.sub(block, ins.first), blockStride);
        Value target = walk(out, e.sub(block, insNow.first), width * width);
        int64_t pieces = llvm::divideCeil(width, mostRows);
        for (int64_t i = 0, row = 0; i < pieces; ++i) { // equal tiles, the last ones a row shorter
          int64_t rowsOfTile = width / pieces + (i < width % pieces);
          emitTile(from, slopesHere, target, row, rowsOfTile, some, count);
          row += rowsOfTile;
        }
      });
    };
    forSpan(
        e, vectors,
        [&](OpFoldResult vector) {
          if (rest == 0)
            return atVector(vector, mostVectors);
          e.branch(
              vectors.end, e.add(vector, e.constant(mostVectors)), [&] { atVector(vector, rest); },
              [&] { atVector(vector, mostVectors); });
        },
        mostVectors);
  });
}

void WinogradWeightsNest::emitTile(Value inputs, Value slopes, Value target, int64_t row,
                                   int64_t rowsOfTile, int64_t vectors, OpFoldResult count) {
  SmallVector<Value> values, targets;
  for (int64_t r = 0; r < rowsOfTile; ++r)
    for (int64_t v = 0; v < vectors; ++v) {
      OpFoldResult to =
          e.add(e.constant((row + r) * width), toVector(e.constant(v), sumBlockStride()));
      targets.push_back(e.offset(target, element, to));
      values.push_back(shape.isOneGroup() ? zero() : e.load(targets.back(), element, lanes));
    }
  OpFoldResult step = e.constant(width);
  auto tile = [&](Value inputs, Value slopes, ArrayRef<Value> now) {
    SmallVector<Value> next(now), held;
    for (int64_t v = 0; v < vectors; ++v)
      held.push_back(
          e.load(e.offset(slopes, element, toVector(e.constant(v), shape.tilesAtOnce * width)),
                 element, lanes));
    for (int64_t r = 0; r < rowsOfTile; ++r) {
      Value x = e.loadBroadcast(e.offset(inputs, element, e.constant(row + r)), element, lanes);
      for (int64_t v = 0; v < vectors; ++v)
        next[r * vectors + v] = e.multiplyAdd(x, held[v], next[r * vectors + v]);
    }
    return next;
  };
  values =
      sumPixels(e, {e.constant(0), count}, {element, step, step}, inputs, slopes, values, tile);
  for (auto [value, place] : llvm::zip(values, targets))
    e.store(value, place);
}

//===----------------------------------------------------------------------===//
// Positions to weights
//===----------------------------------------------------------------------===//

void WinogradWeightsNest::transformBack(OpFoldResult slot, Span insNow, Span outsNow) {
  OpFoldResult block16 = e.constant(width);
  Span channels{e.mul(insNow.first, block16),
                e.min(e.mul(insNow.end, block16), e.constant(shape.inChannels))};
  forSpan(e, outsNow, [&](OpFoldResult block) {
    Value fromBlock =
        walk(region(shape.sumsOffset()), e.sub(block, outsNow.first), sumBlockStride());
    forSpan(e, channels, [&](OpFoldResult channel) {
      Value fromChannel = walk(fromBlock, e.sub(channel, channels.first), width);
      Value toChannel = e.at(sums, {slot, e.constant(0), block, channel});
      forSpan(
          e, {e.constant(0), block16},
          [&](OpFoldResult lane) {
            Value from = e.offset(fromChannel, element, lane);
            Value to = e.offset(toChannel, element, lane);
            auto sumsFrom = [&](Value line) {
              SmallVector<Value> values;
              for (int64_t column = 0; column < shape.points; ++column)
                values.push_back(
                    e.load(walk(line, e.constant(column), shape.sumStride()), element, lanes));
              return values;
            };
            if (shape.line()) {
              for (auto [tap, value] : llvm::enumerate(weightSums(sumsFrom(from))))
                e.store(value, walk(to, e.constant(tap), width));
              return;
            }
            over(e.constant(shape.points), [&](OpFoldResult row) {
              Value line = walk(from, row, shape.points * shape.sumStride());
              for (auto [column, value] : llvm::enumerate(weightSums(sumsFrom(line))))
                e.store(value, patchAt(row, e.constant(column)));
            });
            over(e.constant(shape.taps()), [&](OpFoldResult column) {
              SmallVector<Value> values;
              for (int64_t row = 0; row < shape.points; ++row)
                values.push_back(e.load(patchAt(e.constant(row), column), element, lanes));
              for (auto [row, value] : llvm::enumerate(weightSums(values)))
                e.store(value,
                        walk(walk(to, e.constant(row), shape.taps() * width), column, width));
            });
          },
          lanes);
    });
  });
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

static LogicalResult checkWinogradWeights(kernel::WinogradWeightsOp op, ArrayRef<View> operands,
                                          const TargetDescription &target) {
  int64_t lanes = std::min<int64_t>(target.blockWidth, target.lanes(4));
  int64_t together = (*op.getTile())[1] * lanes;
  auto shape = WinogradWeightsShape::of(op);
  for (const View &view : operands.take_front(2))
    if (!isConstant(view.sizes[4], target.blockWidth) || !isConstant(view.strides[4], 1))
      return op.emitError("internal error: winograd_weights needs blocks of ")
             << target.blockWidth << " channels side by side";
  // A tile's rest is that of all outputs.
  bool fits = true;
  for (auto [some, all] : {std::pair(shape.outBlocksOfTask, shape.outBlocks()),
                           std::pair(shape.outBlocksSummed, shape.outBlocksOfTask)})
    fits &= some >= all || some * target.blockWidth % together == 0;
  if ((together % target.blockWidth && target.blockWidth % together) || !fits)
    return op.emitError("internal error: winograd_weights needs a tile of whole blocks, or of a "
                        "part by which they divide, that divides a task's, not of ")
           << together << " channels";
  if (constantOf(operands[3].sizes[0]).value_or(0) < shape.tasks() ||
      constantOf(operands[3].sizes[1]).value_or(0) < shape.scratchElements())
    return op.emitError("internal error: winograd_weights needs ")
           << shape.tasks() << " rows of " << shape.scratchElements() << " elements of scratch";
  return success();
}

namespace symc::codegen {
void registerWinogradWeightsLowering(DialectRegistry &registry) {
  addEmitter<kernel::WinogradWeightsOp, WinogradWeightsNest, checkWinogradWeights>(registry);
}
} // namespace symc::codegen
