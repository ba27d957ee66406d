// StrassenLowering.cpp: kernel.strassen as loops around the register tile of TileKernel.
//
//   task: some units of pixels, all output blocks; a free row of scratch
//     for each unit (pixels of the first half, with those of the second):
//       the four sums of the quarters of its data -> scratch
//       for each group of output blocks (of the first half, with the second):
//         for each row, each tile of pixels: the chains of StrassenScheme.h, whose sums stay
//           in registers; four epilogues, one a quarter of the output
//
// Weights of a group are one stream in the order of use. Seven eighths of the direct
// multiply-adds are left, and a chain of half the channels runs for every store.
#include "codegen/lower/ScratchRow.h"
#include "codegen/lower/TileKernel.h"

#include "codegen/conv/strassen/kernel/StrassenShape.h"
#include "codegen/cpu/TileChoice.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::StrassenShape;

namespace {
/// Where a tile lies in the first half, and in its unit's scratch.
struct Place {
  OpFoldResult image, block, row, column, inUnit;
};

class StrassenNest {
public:
  StrassenNest(kernel::StrassenOp op, ArrayRef<View> operands, LoweringContext &context)
      : e(context, op.getLoc()), op(op), shape(StrassenShape::of(op)), data(operands[0]),
        weights(operands[1]), extras(operands.slice(2, operands.size() - 5)),
        out(operands[operands.size() - 3]), scratch(operands[operands.size() - 2]),
        slots(operands.back()), element(out.elementType),
        lanes(std::min<int64_t>(e.blockWidth(), e.target().lanes(4))),
        tile{(*op.getTile())[0], 1, (*op.getTile())[2]} {
    tile.blocks = std::min(tile.blocks, shape.outBlocks());
    tile.columns = std::min(tile.columns, shape.flat ? shape.unit : shape.columns);
  }

  void lower(Value task) {
    int64_t rows = *constantOf(scratch.sizes[0]);
    Value taken = acquireRow(e, slots, rows);
    memory = e.at(scratch, {taken});
    // The outputs of the last units are shared by several tasks.
    int64_t groups = llvm::divideCeil(shape.outBlocks(), tile.blocks);
    OpFoldResult lastUnits = e.constant(shape.unitTasks() - 1);
    OpFoldResult chunk = e.min(OpFoldResult(task), lastUnits);
    OpFoldResult piece = e.sub(OpFoldResult(task), chunk);
    OpFoldResult share = e.constant(llvm::divideCeil(groups, shape.lastPieces));
    OpFoldResult all = e.constant(groups);
    firstGroup = shape.lastPieces == 1 ? e.constant(0) : e.mul(piece, share);
    endGroup = all;
    if (shape.lastPieces > 1) {
      OpFoldResult end = e.min(e.add(firstGroup, share), all);
      endGroup = end;
      if (shape.unitTasks() > 1)
        endGroup = arith::SelectOp::create(e.builder(), e.location(), e.less(chunk, lastUnits),
                                           e.index(all), e.index(end))
                       .getResult();
    }
    OpFoldResult first = e.mul(chunk, e.constant(shape.unitsPerTask));
    OpFoldResult end =
        e.min(e.add(first, e.constant(shape.unitsPerTask)), e.constant(shape.units()));
    loop(first, end, [&](Value unit) { emitUnit(unit); });
    releaseRow(e, slots, rows, taken);
  }

private:
  friend struct TileChains;

  void loop(OpFoldResult first, OpFoldResult end, function_ref<void(Value)> body,
            bool unroll = false) {
    e.forLoop(
        first, end, e.constant(1), {},
        [&](Value induction, ValueRange) {
          body(induction);
          return SmallVector<Value>();
        },
        unroll);
  }

  void emitUnit(Value unit) {
    SmallVector<OpFoldResult> at = e.delinearize(
        OpFoldResult(unit), {e.constant(shape.images), e.constant(shape.unitsPerImage())});
    if (!shape.flat) {
      OpFoldResult row = e.mul(at[1], e.constant(shape.unitRows()));
      OpFoldResult rows = e.constant(shape.unitRows());
      if (shape.halfRows() % shape.unitRows() != 0)
        rows = e.min(rows, e.sub(e.constant(shape.halfRows()), row));
      return emitRows({at[0], e.constant(0), row, e.constant(0), e.constant(0)}, rows,
                      shape.columns, false);
    }
    auto columns = [&](int64_t count, bool shares) {
      OpFoldResult column = e.mul(at[1], e.constant(shape.unit));
      emitRows({at[0], e.constant(0), e.constant(0), column, e.constant(0)}, e.constant(1), count,
               shares);
    };
    int64_t whole = shape.unitsPerImage() - 1, last = shape.halfColumns() - whole * shape.unit;
    bool shares = shape.sharesPixel();
    if (whole == 0 || (last == shape.unit && !shares))
      return columns(last, shares);
    e.branch(
        at[1], e.constant(whole), [&] { columns(shape.unit, false); },
        [&] { columns(last, shares); });
  }

  // A unit of `count` pixels in each row.
  void emitRows(Place place, OpFoldResult rows, int64_t count, bool shares) {
    auto eachRow = [&](function_ref<void(Place)> body) {
      loop(e.constant(0), rows, [&](Value row) {
        Place inside = place;
        inside.row = e.add(place.row, OpFoldResult(row));
        inside.inUnit = e.mul(OpFoldResult(row), e.constant(count));
        body(inside);
      });
    };
    eachRow([&](Place row) { sumData(row, count); });
    loop(firstGroup, endGroup, [&](Value group) {
      place.block = e.mul(OpFoldResult(group), e.constant(tile.blocks));
      int64_t whole = shape.outBlocks() / tile.blocks, rest = shape.outBlocks() % tile.blocks;
      auto blocks = [&](int64_t blocks) {
        eachRow([&](Place row) { emitTiles(row, blocks * e.blockWidth(), count, shares); });
      };
      if (rest == 0)
        return blocks(tile.blocks);
      e.branch(
          whole == 0 ? e.constant(0) : OpFoldResult(group), e.constant(whole),
          [&] { blocks(tile.blocks); }, [&] { blocks(rest); });
    });
  }

  // All tiles of one group in a row of `count` pixels; of the last one the first half
  // does not store the pixel that the halves share.
  void emitTiles(const Place &place, int64_t channels, int64_t count, bool shares) {
    int64_t whole = (shares ? count - 1 : count) / tile.columns;
    int64_t rest = count - whole * tile.columns;
    auto at = [&](OpFoldResult index, int64_t columns, bool last) {
      OpFoldResult pixels = e.mul(index, e.constant(tile.columns));
      Place here = place;
      here.inUnit = e.add(place.inUnit, pixels);
      here.column = e.add(place.column, pixels);
      emitTile(here, {channels, 1, columns}, last && shares);
    };
    if (whole)
      loop(e.constant(0), e.constant(whole),
           [&](Value t) { at(OpFoldResult(t), tile.columns, false); });
    if (rest)
      at(e.constant(whole), rest, true);
  }

  OpFoldResult rowOf(const Place &place, int half) {
    return e.add(place.row, e.constant(half * shape.shiftRows()));
  }
  OpFoldResult columnOf(const Place &place, int half) {
    return e.add(place.column, e.constant(half * shape.shiftColumns()));
  }
  // The first pixel of a quarter of the data: inputs' half, pixels' half.
  Value dataAt(const Place &place, OpFoldResult block, int inputs, int pixels) {
    return e.at(data, {place.image, e.add(block, e.constant(inputs * shape.inBlocks())),
                       rowOf(place, pixels), columnOf(place, pixels), e.constant(0)});
  }
  Value scaleAt(OpFoldResult channel) {
    return e.offset(e.at(weights, {e.constant(shape.outBlocks())}), element, channel);
  }
  // A pixel of a sum of data.
  Value sumAt(int64_t sum, OpFoldResult block, OpFoldResult inUnit) {
    OpFoldResult elements = e.add(e.mul(block, e.constant(shape.blockStride())),
                                  e.mul(inUnit, e.constant(e.blockWidth())));
    return e.offset(memory, element, e.add(e.constant(sum * shape.sumStride()), elements));
  }

  void sumData(const Place &place, int64_t count) {
    OpBuilder &b = e.builder();
    auto subtract = [&](Value x, Value y) -> Value {
      return arith::SubFOp::create(b, e.location(), x, y);
    };
    loop(e.constant(0), e.constant(shape.inBlocks()), [&](Value block) {
      Value from[4];
      for (int quarter = 0; quarter < 4; ++quarter)
        from[quarter] = dataAt(place, OpFoldResult(block), quarter / 2, quarter % 2);
      SmallVector<Value> scales; // of the second half's channels
      for (int64_t lane = 0; lane < e.blockWidth(); lane += lanes)
        scales.push_back(
            e.load(scaleAt(e.add(e.constant(shape.outChannels + shape.inChannels / 2 + lane),
                                 e.mul(OpFoldResult(block), e.constant(e.blockWidth())))),
                   element, lanes));
      loop(
          e.constant(0), e.constant(count),
          [&](Value pixel) {
            for (int64_t lane = 0; lane < e.blockWidth(); lane += lanes) {
              Value x[4];
              for (int quarter = 0; quarter < 4; ++quarter) {
                OpFoldResult elements = e.mul(OpFoldResult(pixel), data.strides[3]);
                x[quarter] =
                    e.load(e.offset(from[quarter], element, e.add(elements, e.constant(lane))),
                           element, lanes);
                if (quarter >= 2)
                  x[quarter] =
                      arith::MulFOp::create(b, e.location(), x[quarter], scales[lane / lanes]);
              }
              auto sums = kernel::strassenSumsOfData(x[0], x[1], x[2], x[3], subtract);
              for (int64_t sum = 0; sum < kernel::strassenDataSums; ++sum)
                e.store(sums[sum], e.offset(sumAt(sum, OpFoldResult(block),
                                                  e.add(place.inUnit, OpFoldResult(pixel))),
                                            element, e.constant(lane)));
            }
          },
          /*unroll=*/true);
    });
  }

  void emitTile(const Place &place, const TileExtent &extent, bool shares);

  Emission e;
  kernel::StrassenOp op;
  StrassenShape shape;
  View data, weights;
  ArrayRef<View> extras;
  View out, scratch, slots;
  Type element;
  int64_t lanes;
  ConvTile tile;
  Value memory; // the task's row of scratch
  OpFoldResult firstGroup, endGroup;
};

/// The chains of one tile, for runStrassenChains. A tile is its vectors, pixel by pixel.
struct TileChains {
  using Tile = SmallVector<Value>;

  StrassenNest &nest;
  const Place &place;
  TileExtent extent;
  bool shares;

  Emission &e = nest.e;
  int64_t vectors = tileVectors(e, extent);

  Tile zero() { return Tile(vectors, e.splat(e.builder().getZeroAttr(nest.element), nest.lanes)); }
  Tile add(const Tile &x, const Tile &y) {
    Tile sums;
    for (auto [a, b] : llvm::zip(x, y))
      sums.push_back(arith::AddFOp::create(e.builder(), e.location(), a, b));
    return sums;
  }
  Value keptAt(int which, int64_t vector) {
    return e.offset(nest.memory, nest.element,
                    e.constant(nest.shape.tilesOffset() + which * nest.shape.tileElements() +
                               vector * nest.lanes));
  }
  // What is kept is volatile, so that no vector of it stays in a register through the
  // reduction between: it would take that of a sum.
  void keep(int which, const Tile &tile) {
    for (auto [i, vector] : llvm::enumerate(tile))
      LLVM::StoreOp::create(e.builder(), e.location(), vector, keptAt(which, i), /*alignment=*/4,
                            /*isVolatile=*/true);
  }
  Tile kept(int which) {
    Tile tile;
    Type type = e.vectorType(nest.element, nest.lanes);
    for (int64_t i = 0; i < vectors; ++i)
      tile.push_back(LLVM::LoadOp::create(e.builder(), e.location(), type, keptAt(which, i),
                                          /*alignment=*/4, /*isVolatile=*/true));
    return tile;
  }

  Tile multiplyAdd(int number, const Tile &tile) {
    const kernel::StrassenProduct &product = kernel::strassenProducts[number];
    const StrassenShape &shape = nest.shape;
    OpFoldResult zero = e.constant(0), one = e.constant(1), lane = e.constant(e.blockWidth());
    OpFoldResult blocks = e.constant(shape.inBlocks());
    ConvSite site = siteOf(blocks);
    Value from;
    if (product.dataSum < 0) {
      int quarter = llvm::find(product.data, 1) - product.data.begin();
      from = nest.dataAt(place, zero, quarter / 2, quarter % 2);
    } else {
      from = nest.sumAt(product.dataSum, zero, place.inUnit);
      site.data = {from,
                   nest.element,
                   {one, blocks, one, e.constant(shape.unit), lane},
                   {zero, e.constant(shape.blockStride()), zero, lane, one}};
    }
    if (number == 0)
      prefetch(site, 0, 0);
    if (number == 2)
      prefetch(site, 1, 0);
    if (number == 5) {
      prefetch(site, 1, 1);
      prefetch(site, 0, 1);
    }
    Value panels = e.at(nest.weights, {place.block, e.constant(number)});
    return addProducts(e, site, extent, from, panels, tile);
  }

  void finish(int rowHalf, int columnHalf, const Tile &tile) {
    TileExtent stored = extent;
    if (shares && columnHalf == 0)
      --stored.columns;
    if (stored.columns == 0)
      return;
    int64_t each = vectors / extent.columns;
    SmallVector<Value> scales; // of the second half's channels
    for (int64_t v = 0; rowHalf == 1 && v < each; ++v)
      scales.push_back(
          e.load(nest.scaleAt(e.add(e.mul(place.block, e.constant(e.blockWidth())),
                                    e.constant(nest.shape.outChannels / 2 + v * nest.lanes))),
                 nest.element, nest.lanes));
    SmallVector<SmallVector<Value>> pixels;
    for (int64_t p = 0; p < stored.columns; ++p) {
      SmallVector<Value> &pixel = pixels.emplace_back(ArrayRef<Value>(tile).slice(p * each, each));
      for (auto [value, scale] : llvm::zip(pixel, scales))
        value = arith::MulFOp::create(e.builder(), e.location(), value, scale);
    }
    emitEpilogue(e, nest.out, nest.extras, nest.op.getBody(), position(rowHalf, columnHalf), stored,
                 pixels);
  }

private:
  // The reduction over half of the inputs; its data is the image.
  ConvSite siteOf(OpFoldResult blocks) {
    OpFoldResult one = e.constant(1), lane = e.constant(e.blockWidth());
    ConvSite site;
    site.data = nest.data;
    site.out = nest.out;
    site.extras.assign(nest.extras.begin(), nest.extras.end());
    site.weights = {nest.weights.pointer,
                    nest.element,
                    {e.constant(nest.shape.outBlocks()), blocks, one, one, lane, lane},
                    {nest.weights.strides[0], nest.weights.strides[2], lane, lane, lane, one}};
    site.kernel = site.strides = site.dilations = {1, 1};
    site.inChannels = nest.shape.inBlocks() * e.blockWidth();
    site.outChannels = nest.shape.outBlocks() * e.blockWidth();
    return site;
  }
  TilePosition position(int rowHalf, int columnHalf) {
    return {place.image, e.add(place.block, e.constant(rowHalf * nest.shape.outBlocks())),
            nest.rowOf(place, columnHalf), nest.columnOf(place, columnHalf)};
  }
  void prefetch(const ConvSite &site, int rowHalf, int columnHalf) {
    prefetchTile(e, site, position(rowHalf, columnHalf), extent);
  }
};
} // namespace

void StrassenNest::emitTile(const Place &place, const TileExtent &extent, bool shares) {
  TileChains chains{*this, place, extent, shares};
  kernel::runStrassenChains(chains);
}

static OpFoldResult countStrassenTasks(kernel::StrassenOp op, ArrayRef<View> operands,
                                       LoweringContext &context) {
  return context.builder.getIndexAttr(StrassenShape::of(op).tasks());
}

static LogicalResult lowerStrassen(kernel::StrassenOp op, ArrayRef<View> operands, Value task,
                                   LoweringContext &context) {
  StrassenShape shape = StrassenShape::of(op);
  if (failed(checkScratchStep(op, operands, shape.tasks(), shape.scratchElements())))
    return failure();
  StrassenNest(op, operands, context).lower(task);
  return success();
}

namespace symc::codegen {
void registerStrassenLowering(DialectRegistry &registry) {
  addLowering<kernel::StrassenOp, countStrassenTasks, lowerStrassen>(registry);
}
} // namespace symc::codegen
