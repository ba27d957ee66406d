// ConvWeightsLowering.cpp: kernel.conv_weights as loops around a register tile. See KernelOps.td.
//
// The tile is that of convolutions with its sides exchanged: input channels, or taps, stand where
// pixels do there, and pixels are what is summed over:
//
//   for image, row, column of a strip:             data and slope pointers advance
//     s[v] = load slope + ...
//     sum[r][v] += broadcast(load data + row r) * s[v]
//
//   for slot, chunk of it, strip of the chunk:
//     for vectors, block or channel of data, tap, rows:  a tile
//
// A strip's images stay in the caches while all sums of the task pass; between strips the sums lie
// in memory, which changes no bit of a chain. The result is what the shape says: tasks, strips and
// tiles only cut the sums.
#include "codegen/lower/ChunkSums.h"
#include "codegen/lower/TaskSplit.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

class ConvWeightsNest {
public:
  ConvWeightsNest(kernel::ConvWeightsOp op, ArrayRef<View> operands, LoweringContext &context)
      : e(context, op.getLoc()), op(op), data(operands[0]), slope(operands[1]), sums(operands[2]),
        element(sums.elementType), chunks(op.getChunks()),
        lanes(std::min<int64_t>(e.blockWidth(), e.target().lanes(4))),
        width(*constantOf(slope.sizes[4])), inLanes(op.getInputLanes()), inputs(op.getInChannels()),
        window(op.getWindow()), taps(op.getTaps()), perSlot(op.getPerSlot()) {
    mostRows = (*op.getTile())[0];
    mostVectors = (*op.getTile())[1];
    vectors = llvm::divideCeil(int64_t(op.getOutChannels()), lanes);
    groups = llvm::divideCeil(vectors, mostVectors);
    blocks = taps ? inputs : llvm::divideCeil(inputs, inLanes);
    space = {sums.sizes[0], e.constant(groups), e.constant(blocks), e.constant(taps ? 1 : window)};
  }

  TaskSplit split() { return splitTasks(e, op.getCutAttr(), space); }
  OpFoldResult countTasks() { return split().count; }

  void lower(Value task) {
    TaskRange range = rangeOfTask(e, split(), space, task);
    for (unsigned axis = 0; axis < 4; ++axis)
      box[axis] = {range.lower[axis], range.upper[axis]};
    over(box[0], [&](OpFoldResult slot) { emitSlot(slot); });
  }

private:
  using Sums = SmallVector<Value>;

  void over(Span span, function_ref<void(OpFoldResult)> body, int64_t step = 1) {
    forSpan(e, span, body, step);
  }
  Span whole(int64_t count) { return {e.constant(0), e.constant(count)}; }
  Span piece(OpFoldResult first, int64_t count, OpFoldResult end) {
    return spanOf(e, first, count, end);
  }

  //===--------------------------------------------------------------------===//
  // Slots and chunks
  //===--------------------------------------------------------------------===//

  void emitSlot(OpFoldResult slot) {
    this->slot = slot;
    auto compute = [&](OpFoldResult chunk) { emitChunk(chunk); };
    auto add = [&](OpFoldResult level) {
      overSums([&](Value place) { addLevel(e, place, level, sums.strides[1], element, lanes); });
    };
    auto store = [&](OpFoldResult level) {
      overSums([&](Value place) { storeLevel(e, place, level, sums.strides[1], element, lanes); });
    };
    codegen::emitSlot(e, chunks, perSlot, slot, {compute, add, store});
  }

  void emitChunk(OpFoldResult chunk) {
    ChunkPixels pixels = pixelsOf(e, chunks, slope, chunk);
    Span images = pixels.images, rows = pixels.rows;
    int64_t imagesOfStrip = op.getStrip()[0], rowsOfStrip = op.getStrip()[1];
    isOneStrip = imagesOfStrip >= chunks.images && rowsOfStrip >= chunks.rows;
    oneImage = imagesOfStrip == 1;
    if (isOneStrip)
      return emitStrip(images, rows);
    clear();
    if (rowsOfStrip >= chunks.rows)
      return over(
          images,
          [&](OpFoldResult image) { emitStrip(piece(image, imagesOfStrip, images.end), rows); },
          imagesOfStrip);
    oneImage = true;
    over(images, [&](OpFoldResult image) {
      over(
          rows,
          [&](OpFoldResult row) {
            emitStrip({image, e.add(image, e.constant(1))}, piece(row, rowsOfStrip, rows.end));
          },
          rowsOfStrip);
    });
  }

  //===--------------------------------------------------------------------===//
  // Whole sums of a task
  //===--------------------------------------------------------------------===//

  // Calls `body` with the address of each vector of the task's sums, at [s, 0].
  void overSums(function_ref<void(Value)> body) {
    over(box[1], [&](OpFoldResult group) {
      OpFoldResult first = e.mul(group, e.constant(mostVectors));
      over(piece(first, mostVectors, e.constant(vectors)), [&](OpFoldResult vector) {
        over(box[2], [&](OpFoldResult block) {
          OpFoldResult channel = taps ? block : e.mul(block, e.constant(inLanes));
          over(piece(channel, taps ? 1 : inLanes, e.constant(inputs)), [&](OpFoldResult channel) {
            over(taps ? whole(window) : box[3], [&](OpFoldResult tap) {
              body(e.offset(sumAt(channel, tap), element, toVector(sums.strides[2], vector)));
            });
          });
        });
      });
    });
  }

  // [s, 0, 0, channel, tap, 0]
  Value sumAt(OpFoldResult channel, OpFoldResult tap) {
    Value place = e.at(sums, {slot, e.constant(0), e.constant(0), channel});
    return e.offset(place, element, e.mul(tap, sums.strides[5]));
  }

  // Elements to vector number `vector` where blocks of channels are `stride` apart.
  OpFoldResult toVector(OpFoldResult stride, OpFoldResult vector) {
    OpFoldResult each = e.constant(width / lanes);
    return e.add(e.mul(e.floorDiv(vector, each), stride),
                 e.mul(e.rem(vector, each), e.constant(lanes)));
  }

  void clear() {
    Value zero = e.splat(e.builder().getZeroAttr(element), lanes);
    overSums([&](Value place) { e.store(zero, place); });
  }

  //===--------------------------------------------------------------------===//
  // Tiles
  //===--------------------------------------------------------------------===//

  void emitStrip(Span images, Span rows) {
    over(box[1], [&](OpFoldResult group) {
      int64_t full = vectors / mostVectors, rest = vectors % mostVectors;
      OpFoldResult at = groups == 1 ? e.constant(0) : group;
      e.branch(
          at, e.constant(full), [&] { emitGroup(images, rows, at, mostVectors); },
          [&] {
            if (rest)
              emitGroup(images, rows, at, rest);
          });
    });
  }

  // `count` vectors of outputs.
  void emitGroup(Span images, Span rows, OpFoldResult group, int64_t count) {
    OpFoldResult vector = e.mul(group, e.constant(mostVectors));
    Value slopes = e.offset(e.at(slope, {images.first, e.constant(0), rows.first}), element,
                            toVector(slope.strides[1], vector));
    OpFoldResult toSums = toVector(sums.strides[2], vector);
    Value corner = e.at(
        data, {images.first, e.constant(0), e.mul(rows.first, e.constant(op.getStrides()[0]))});
    auto tiles = [&](Value image, Value target, ArrayRef<OpFoldResult> places,
                     OpFoldResult targetStep) {
      // Equal tiles, the last ones a row shorter.
      int64_t all = places.size(), pieces = llvm::divideCeil(all, mostRows);
      for (int64_t i = 0, row = 0; i < pieces; ++i) {
        int64_t rowsOfTile = all / pieces + (i < all % pieces);
        emitTile(images, rows, image, slopes,
                 e.offset(target, element, e.mul(targetStep, e.constant(row))),
                 places.slice(row, rowsOfTile), targetStep, count);
        row += rowsOfTile;
      }
    };
    if (taps)
      return over(box[2], [&](OpFoldResult channel) {
        SmallVector<OpFoldResult> places;
        for (int64_t tap = 0; tap < window; ++tap)
          places.push_back(tapOffset(e.constant(tap)));
        Value image =
            e.offset(e.offset(corner, element,
                              e.mul(e.floorDiv(channel, e.constant(inLanes)), data.strides[1])),
                     element, e.mul(e.rem(channel, e.constant(inLanes)), data.strides[4]));
        tiles(image, e.offset(sumAt(channel, e.constant(0)), element, toSums), places,
              sums.strides[5]);
      });
    auto channels = [&](OpFoldResult block, int64_t lanesOfBlock) {
      SmallVector<OpFoldResult> places;
      for (int64_t lane = 0; lane < lanesOfBlock; ++lane)
        places.push_back(e.mul(data.strides[4], e.constant(lane)));
      over(box[3], [&](OpFoldResult tap) {
        Value image = e.offset(e.offset(corner, element, e.mul(block, data.strides[1])), element,
                               tapOffset(tap));
        Value target = e.offset(sumAt(e.mul(block, e.constant(inLanes)), tap), element, toSums);
        tiles(image, target, places, sums.strides[3]);
      });
    };
    over(box[2], [&](OpFoldResult block) {
      OpFoldResult at = blocks == 1 ? e.constant(0) : block;
      e.branch(
          at, e.constant(inputs / inLanes), [&] { channels(at, inLanes); },
          [&] {
            if (inputs % inLanes)
              channels(at, inputs % inLanes);
          });
    });
  }

  // Elements of data from the window's first tap to another one.
  OpFoldResult tapOffset(OpFoldResult tap) {
    OpFoldResult columns = e.constant(op.getKernel()[1]);
    OpFoldResult row = e.mul(e.floorDiv(tap, columns), e.constant(op.getDilations()[0]));
    OpFoldResult column = e.mul(e.rem(tap, columns), e.constant(op.getDilations()[1]));
    return e.add(e.mul(row, data.strides[2]), e.mul(column, data.strides[3]));
  }

  // A loop over pixels that carries the pointers and the sums; pointers advance by these elements.
  Sums reduce(OpFoldResult count, OpFoldResult dataStep, OpFoldResult slopeStep, Value image,
              Value slopes, ArrayRef<Value> values,
              function_ref<Sums(Value, Value, ArrayRef<Value>)> iteration) {
    return sumPixels(e, {e.constant(0), count}, {element, dataStep, slopeStep}, image, slopes,
                     values, iteration);
  }

  // Sums of rows, whose data lies at `places` from a pixel's, by `count` vectors.
  void emitTile(Span images, Span rows, Value image, Value slopes, Value target,
                ArrayRef<OpFoldResult> places, OpFoldResult targetStep, int64_t count) {
    Sums values;
    SmallVector<Value> targets;
    for (int64_t row = 0; row < int64_t(places.size()); ++row)
      for (int64_t v = 0; v < count; ++v) {
        OpFoldResult to =
            e.add(e.mul(targetStep, e.constant(row)), toVector(sums.strides[2], e.constant(v)));
        targets.push_back(e.offset(target, element, to));
        values.push_back(isOneStrip ? e.splat(e.builder().getZeroAttr(element), lanes)
                                    : e.load(targets.back(), element, lanes));
      }
    int64_t sh = op.getStrides()[0], sw = op.getStrides()[1];
    OpFoldResult dataColumn = e.mul(data.strides[3], e.constant(sw)),
                 dataRow = e.mul(data.strides[2], e.constant(sh));
    OpFoldResult columns = slope.sizes[3];
    auto overColumns = [&](OpFoldResult count, Value image, Value slopes, ArrayRef<Value> values) {
      return reduce(count, dataColumn, slope.strides[3], image, slopes, values,
                    [&](Value image, Value slopes, ArrayRef<Value> values) {
                      return pixel(image, slopes, values, places, targets.size() / places.size());
                    });
    };
    // Rows that lie one behind the other in both are one.
    bool isFlat = constantOf(dataRow) == constantOf(e.mul(dataColumn, columns)) &&
                  constantOf(slope.strides[2]) == constantOf(e.mul(slope.strides[3], columns));
    OpFoldResult rowCount = e.sub(rows.end, rows.first);
    auto overRows = [&](Value image, Value slopes, ArrayRef<Value> values) {
      if (isFlat)
        return overColumns(e.mul(rowCount, columns), image, slopes, values);
      return reduce(rowCount, dataRow, slope.strides[2], image, slopes, values,
                    [&](Value image, Value slopes, ArrayRef<Value> values) {
                      return overColumns(columns, image, slopes, values);
                    });
    };
    values = oneImage ? overRows(image, slopes, values)
                      : reduce(e.sub(images.end, images.first), data.strides[0], slope.strides[0],
                               image, slopes, values, overRows);
    for (auto [value, place] : llvm::zip(values, targets))
      e.store(value, place);
  }

  // One pixel. The shorter side stays in registers, the longer one passes through.
  Sums pixel(Value image, Value slopes, ArrayRef<Value> values, ArrayRef<OpFoldResult> places,
             int64_t count) {
    auto slopeOf = [&](int64_t v) {
      return e.load(e.offset(slopes, element, toVector(slope.strides[1], e.constant(v))), element,
                    lanes);
    };
    auto dataOf = [&](int64_t row) {
      return e.loadBroadcast(e.offset(image, element, places[row]), element, lanes);
    };
    int64_t rows = places.size();
    Sums next(values), held;
    if (count <= rows) {
      for (int64_t v = 0; v < count; ++v)
        held.push_back(slopeOf(v));
      for (int64_t row = 0; row < rows; ++row) {
        Value x = dataOf(row);
        for (int64_t v = 0; v < count; ++v)
          next[row * count + v] = e.multiplyAdd(x, held[v], next[row * count + v]);
      }
    } else {
      for (int64_t row = 0; row < rows; ++row)
        held.push_back(dataOf(row));
      for (int64_t v = 0; v < count; ++v) {
        Value s = slopeOf(v);
        for (int64_t row = 0; row < rows; ++row)
          next[row * count + v] = e.multiplyAdd(held[row], s, next[row * count + v]);
      }
    }
    return next;
  }

  Emission e;
  kernel::ConvWeightsOp op;
  const View &data, &slope, &sums;
  Type element;
  kernel::PixelChunks chunks;
  int64_t lanes, width, inLanes, inputs, window;
  bool taps;
  int64_t perSlot;
  int64_t mostRows, mostVectors;
  int64_t vectors, groups, blocks; // of all outputs; in tiles' vectors; of data
  SmallVector<OpFoldResult> space;
  Span box[4];               // the task's
  OpFoldResult slot;         // that is summed
  bool isOneStrip, oneImage; // a chunk is one strip; a strip has one image
};
} // namespace

static LogicalResult checkConvWeights(kernel::ConvWeightsOp op, ArrayRef<View> operands,
                                      const TargetDescription &target) {
  int64_t lanes = std::min<int64_t>(target.blockWidth, target.lanes(4));
  int64_t together = (*op.getTile())[1] * lanes;
  if (!isConstant(operands[1].sizes[4], target.blockWidth))
    return op.emitError("internal error: conv_weights needs blocks of ")
           << target.blockWidth << " channels";
  if (together % target.blockWidth && target.blockWidth % together)
    return op.emitError("internal error: conv_weights needs a tile of whole blocks, or of a part "
                        "by which they divide, not of ")
           << together << " channels";
  return success();
}

namespace symc::codegen {
void registerConvWeightsLowering(DialectRegistry &registry) {
  addEmitter<kernel::ConvWeightsOp, ConvWeightsNest, checkConvWeights>(registry);
}
} // namespace symc::codegen
