// WinogradLowering.cpp: kernel.winograd as loops around the register tile of TileKernel.
//
//   task: some groups of tiles, some output blocks; a free row of scratch
//     for each group of tiles:
//       inputs of all tiles, input blocks and pieces of the window -> B' d B, scattered to
//         the positions
//       for each group of output blocks:
//         for each position: one matrix product (the tile kernel, pixels = tiles),
//           or all of them at once from 3x3 weights (WinogradOnTheFly), or these as panels
//           in scratch, a row of positions at a time
//         for each block and tile: A' s A, the step's body, stores
//
// Transforms go through a patch of one tile: inputs' columns first, then rows, and sums'
// rows first, which some products leave transformed; each pass is a real loop, so that
// code stays small and no instruction set runs out of registers. Where the window is a line,
// one transform does, without a patch.
// Tiles at the lower and right edge read zeros beyond the image and store only what
// exists; where they are short of one output, products leave their last positions out. Which row of
// scratch a task gets depends on timing; what it computes doesn't.
#include "codegen/conv/winograd/lower/WinogradOnTheFly.h"
#include "codegen/conv/winograd/lower/WinogradTransform.h"
#include "codegen/lower/ScratchRow.h"
#include "codegen/lower/TileKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include <functional>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::WinogradShape;

namespace {
class WinogradNest {
public:
  WinogradNest(kernel::WinogradOp op, ArrayRef<View> operands, LoweringContext &context)
      : e(context, op.getLoc()), op(op), shape(WinogradShape::of(op)), data(operands[0]),
        weights(operands[1]), extras(operands.slice(2, operands.size() - 5)),
        out(operands[operands.size() - 3]), scratch(operands[operands.size() - 2]),
        slots(operands.back()), element(scratch.elementType), factor(weights.elementType),
        lanes(std::min<int64_t>(e.blockWidth(), e.target().lanes(4))) {
    panelStrides[0] = shape.expands ? e.constant(0) : weights.strides[1];
    panelStrides[1] =
        shape.expands ? e.constant(e.blockWidth() * e.blockWidth()) : weights.strides[2];
    tileBlocks = (*op.getTile())[0];
    tileColumns_ = (*op.getTile())[2];
    // The products' results are stored as they are.
    OpBuilder b(op.getContext());
    Block *block = b.createBlock(&plain);
    block->addArgument(element, op.getLoc());
    kernel::YieldOp::create(b, op.getLoc(), block->getArguments());
  }

  void lower(Value task) {
    int64_t rows = *constantOf(scratch.sizes[0]);
    Value slot = acquireRow(e, slots, rows);
    memory = e.at(scratch, {slot});
    SmallVector<OpFoldResult> chunk =
        e.delinearize(task, {e.constant(shape.groupTasks()), e.constant(shape.blockTasks())});
    auto range = [&](OpFoldResult index, int64_t size, int64_t total) {
      OpFoldResult first = e.mul(index, e.constant(size));
      return std::make_pair(first, e.min(e.add(first, e.constant(size)), e.constant(total)));
    };
    auto [group, groupEnd] = range(chunk[0], shape.groupsPerTask, shape.groups());
    auto [block, blockEnd] = range(chunk[1], shape.blocksPerTask, shape.outBlocks());
    loop(group, groupEnd, 1, [&, block = block, blockEnd = blockEnd](Value g) {
      firstTile = e.mul(g, e.constant(shape.tilesAtOnce));
      tiles = e.min(e.constant(shape.tilesAtOnce), e.sub(e.constant(shape.tiles()), firstTile));
      if (shape.tiles() % shape.tilesAtOnce == 0)
        tiles = e.constant(shape.tilesAtOnce);
      transformGroup();
      loop(block, blockEnd, shape.blocksAtOnce, [&](Value first) {
        OpFoldResult end = e.min(e.add(first, e.constant(shape.blocksAtOnce)), blockEnd);
        sumProducts(first, end);
        transformBack(first, end);
      });
    });
    releaseRow(e, slots, rows, slot);
  }

private:
  void loop(OpFoldResult first, OpFoldResult end, int64_t step, function_ref<void(Value)> body) {
    e.forLoop(first, end, e.constant(step), {}, [&](Value induction, ValueRange) {
      body(induction);
      return SmallVector<Value>();
    });
  }

  // Image, tile row and tile column of tile `t` of the group; of a dilated kernel the image's
  // first pixel, too.
  struct Tile {
    OpFoldResult image, row, column, firstRow = {}, firstColumn = {};
  };
  Tile tileAt(Value t) {
    Tile tile = tileOfImages(t);
    if (!shape.isDilated())
      return tile;
    OpFoldResult apart[] = {e.constant(shape.dilations[0]), e.constant(shape.dilations[1])};
    SmallVector<OpFoldResult> at = e.delinearize(tile.image, {out.sizes[0], apart[0], apart[1]});
    return {at[0], tile.row, tile.column, at[1], at[2]};
  }
  // The image of a tile in data, extras or out; its extents are those of the whole.
  View imageOf(const View &view, const Tile &tile) {
    View image = view;
    if (!shape.isDilated())
      return image;
    image.pointer = e.offset(
        view.pointer, view.elementType,
        e.add(e.mul(view.strides[2], tile.firstRow), e.mul(view.strides[3], tile.firstColumn)));
    for (int axis : {0, 1})
      image.strides[2 + axis] = e.mul(view.strides[2 + axis], e.constant(shape.dilations[axis]));
    return image;
  }
  Tile tileOfImages(Value t) {
    OpFoldResult tile = e.add(firstTile, OpFoldResult(t));
    int64_t shortRows = shape.shortRows(), shortColumns = shape.shortColumns();
    if (shortRows + shortColumns == 0) {
      SmallVector<OpFoldResult> at =
          e.delinearize(tile, {e.constant(shape.images), e.constant(shape.tileRows()),
                               e.constant(shape.tileColumns())});
      return {at[0], at[1], at[2]};
    }
    // Column by column, above with the short ones first, below with them last: the
    // order of WinogradShape::tilesOf.
    auto column = [&](OpFoldResult from, int64_t rows) {
      SmallVector<OpFoldResult> at = e.delinearize(
          from, {e.constant(shape.tileColumns()), e.constant(shape.images), e.constant(rows)});
      return Tile{at[1], at[2], at[0]};
    };
    int64_t fullRows = shape.tileRows() - shortRows,
            fullColumns = shape.tileColumns() - shortColumns;
    if (fullRows == 0)
      return column(tile, shortRows);
    Tile above = column(tile, fullRows);
    if (shortColumns && fullColumns)
      above.column =
          select(above.column, shortColumns, e.add(above.column, e.constant(fullColumns)),
                 e.sub(above.column, e.constant(shortColumns)));
    if (shortRows == 0)
      return above;
    OpFoldResult upper = e.constant(shape.upperTiles());
    Tile below = column(e.sub(e.max(tile, upper), upper), shortRows);
    below.row = e.add(below.row, e.constant(fullRows));
    auto either = [&](OpFoldResult x, OpFoldResult y) {
      return select(tile, shape.upperTiles(), x, y);
    };
    return {either(above.image, below.image), either(above.row, below.row),
            either(above.column, below.column)};
  }
  // x where index < limit, else y.
  OpFoldResult select(OpFoldResult index, int64_t limit, OpFoldResult x, OpFoldResult y) {
    return OpFoldResult(Value(arith::SelectOp::create(
        e.builder(), e.location(), e.less(index, e.constant(limit)), e.index(x), e.index(y))));
  }

  // Tiles along an axis of the image: 0 for rows, 1 for columns.
  struct Axis {
    int number;
    int64_t extent, count, shorts;
  };
  Axis tileRows() const { return {0, shape.rows, shape.tileRows(), shape.shortRows()}; }
  Axis tileColumns() const { return {1, shape.columns, shape.tileColumns(), shape.shortColumns()}; }
  // The short tiles up to that index, it included or not.
  OpFoldResult shortsBefore(Axis axis, OpFoldResult index, bool included) {
    OpFoldResult full = e.constant(axis.count - axis.shorts);
    return e.sub(e.max(included ? e.add(index, e.constant(1)) : index, full), full);
  }
  // The first output of a tile.
  OpFoldResult startOf(Axis axis, OpFoldResult index) {
    OpFoldResult start = e.mul(index, e.constant(shape.outputs(axis.number)));
    return axis.shorts ? e.sub(start, shortsBefore(axis, index, false)) : start;
  }
  // Outputs of the last tile.
  int64_t lastExtent(Axis axis) const {
    int64_t outputs = shape.outputs(axis.number);
    return axis.shorts ? outputs - 1 : axis.extent - outputs * (axis.count - 1);
  }
  // The tiles of m outputs.
  int64_t fullTiles(Axis axis) const {
    return axis.shorts ? axis.count - axis.shorts
                       : axis.count - (lastExtent(axis) < shape.outputs(axis.number));
  }
  // The outputs of a tile.
  OpFoldResult outputsOf(Axis axis, OpFoldResult index) {
    int64_t outputs = shape.outputs(axis.number);
    if (axis.shorts)
      return e.sub(e.constant(outputs), e.min(shortsBefore(axis, index, true), e.constant(1)));
    if (lastExtent(axis) == outputs || axis.count == 1)
      return e.constant(lastExtent(axis));
    return e.min(e.constant(outputs), e.sub(e.constant(axis.extent), startOf(axis, index)));
  }
  // The image's extent beyond the first input that a piece reads for the first output.
  int64_t reach(Axis axis, int64_t piece) const {
    return axis.extent + shape.extent(axis.number) - 1 - piece * shape.taps(axis.number);
  }
  // The inputs of the last tile, of which others have `span`: so many begin there.
  int64_t lastInputs(Axis axis, int64_t piece) const {
    return std::min(shape.span(axis.number), lastExtent(axis) + reach(axis, piece) - axis.extent);
  }
  OpFoldResult inputsOf(Axis axis, OpFoldResult index, int64_t piece) {
    int64_t span = shape.span(axis.number);
    if (lastInputs(axis, piece) == span || axis.count == 1)
      return e.constant(lastInputs(axis, piece));
    return e.min(e.constant(span), e.sub(e.constant(reach(axis, piece)), startOf(axis, index)));
  }
  // `body` with the inputs of a tile, a number that it may build loops of.
  void withInputs(Axis axis, OpFoldResult index, int64_t piece, function_ref<void(int64_t)> body) {
    int64_t span = shape.span(axis.number), last = lastInputs(axis, piece);
    if (last == span)
      return body(span);
    e.branch(
        axis.count == 1 ? e.constant(0) : index, e.constant(axis.count - 1), [&] { body(span); },
        [&] { body(last); });
  }

  // A piece of the window, by rows and columns of pieces.
  using Piece = std::array<int64_t, 2>;
  // Where the products have a piece's block of data.
  OpFoldResult summedBlock(Piece piece, OpFoldResult block) {
    int64_t before = piece[0] * shape.pieces(1) + piece[1];
    return e.add(block, e.constant(before * shape.dataBlocks()));
  }
  void transformGroup();
  void transformPiece(Piece piece);
  void transformTile(Piece piece, OpFoldResult block, Value t);
  void transformLine(Piece piece, Tile tile, const View &image, Value source, Value target);
  void sumProducts(OpFoldResult first, OpFoldResult end);
  void sumExpanded(OpFoldResult first, OpFoldResult end);
  void chooseProducts(OpFoldResult position);
  void product(Value inputs, Value panels, Value sums, int64_t blocks);
  void transformBack(OpFoldResult first, OpFoldResult end);
  void transformTileBack(OpFoldResult block, Value sums, Value t, OpFoldResult lane,
                         int64_t channels);
  void storeLine(OpFoldResult block, Value from, Tile tile, OpFoldResult lane, int64_t channels);
  void storeColumns(OpFoldResult block, Value from, int64_t rowStride, int64_t columnStride,
                    Tile tile, OpFoldResult lane, int64_t channels);

  Value zero() { return e.splat(e.builder().getZeroAttr(element), lanes); }
  Value walk(Value pointer, OpFoldResult index, int64_t stride) {
    return e.offset(pointer, element, e.mul(index, e.constant(stride)));
  }
  // Of transformed inputs.
  Value walkInputs(Value pointer, OpFoldResult index, int64_t stride) {
    return e.offset(pointer, factor, e.mul(index, e.constant(stride)));
  }
  int64_t positionStride() const { return shape.inputStride() * (shape.pairs ? 2 : 1); }
  void storeInput(Value value, Value pointer) { e.store(e.convert(value, factor), pointer); }
  Value patchAt(OpFoldResult row, OpFoldResult column) {
    OpFoldResult elements =
        e.mul(e.add(e.mul(row, e.constant(shape.span())), column), e.constant(e.blockWidth()));
    return e.offset(memory, element, e.add(e.constant(shape.patchOffset()), elements));
  }
  // `count` values of data, `stride` elements apart, then zeros.
  SmallVector<Value> inputsFrom(Value first, OpFoldResult stride, int64_t count, int64_t span) {
    SmallVector<Value> values(span, count < span ? zero() : Value());
    for (int64_t i = 0; i < count; ++i)
      values[i] = e.convert(e.load(e.offset(first, data.elementType, e.mul(stride, e.constant(i))),
                                   data.elementType, lanes),
                            element);
    return values;
  }
  SmallVector<Value> patchRow(Value row) {
    SmallVector<Value> values;
    for (int64_t c = 0; c < shape.span(); ++c)
      values.push_back(e.load(patchAt(OpFoldResult(row), e.constant(c)), element, lanes));
    return values;
  }
  void storePatchColumn(ArrayRef<Value> values, Value column) {
    for (auto [row, value] : llvm::enumerate(values))
      e.store(value, patchAt(e.constant(row), OpFoldResult(column)));
  }
  View shifted(const View &view, const Tile &tile, OpFoldResult lane) {
    View result = imageOf(view, tile);
    result.pointer = e.offset(result.pointer, view.elementType, e.mul(view.strides[4], lane));
    return result;
  }

  Emission e;
  kernel::WinogradOp op;
  WinogradShape shape;
  View data, weights;
  OpFoldResult panelStrides[2]; // from a block of outputs, and of inputs, to the next
  ArrayRef<View> extras;
  View out, scratch, slots;
  Type element, factor;                    // of scratch, and of what products read
  int64_t lanes, tileBlocks, tileColumns_; // of the products' register tile
  Region plain;
  Value memory;                          // the task's row of scratch
  OpFoldResult firstTile, tiles;         // of the group
  OpFoldResult firstProduct, endProduct; // tiles of the group that a position needs
};
} // namespace

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

void WinogradNest::transformGroup() {
  for (int64_t row = 0; row < shape.pieces(0); ++row)
    for (int64_t column = 0; column < shape.pieces(1); ++column)
      transformPiece({row, column});
}

void WinogradNest::transformPiece(Piece piece) {
  bool allFull = constantOf(tiles).has_value();
  loop(e.constant(0), e.constant(shape.dataBlocks()), 1, [&](Value block) {
    loop(e.constant(0), tiles, 1, [&](Value t) { transformTile(piece, OpFoldResult(block), t); });
    if (allFull)
      return;
    // The products run over the whole group; what the last one lacks is zero.
    loop(tiles, e.constant(shape.tilesAtOnce), 1, [&](Value t) {
      OpFoldResult summed = summedBlock(piece, OpFoldResult(block));
      Value to = walkInputs(walkInputs(memory, summed, shape.tilesAtOnce * e.blockWidth()),
                            OpFoldResult(t), e.blockWidth());
      loop(e.constant(0), e.constant(shape.positions()), 1, [&](Value position) {
        for (int64_t lane = 0; lane < e.blockWidth(); lane += lanes)
          storeInput(zero(), e.offset(walkInputs(to, OpFoldResult(position), positionStride()),
                                      factor, e.constant(lane)));
      });
    });
  });
}

void WinogradNest::transformTile(Piece piece, OpFoldResult block, Value t) {
  Tile tile = tileAt(t);
  auto start = [&](Axis axis, OpFoldResult index) {
    return e.add(startOf(axis, index), e.constant(piece[axis.number] * shape.taps(axis.number)));
  };
  View image = imageOf(data, tile);
  Value from = e.at(
      image, {tile.image, block, start(tileRows(), tile.row), start(tileColumns(), tile.column)});
  OpFoldResult summed = summedBlock(piece, block);
  Value to = walkInputs(walkInputs(memory, summed, shape.tilesAtOnce * e.blockWidth()),
                        OpFoldResult(t), e.blockWidth());
  OpFoldResult columns;
  if (!shape.line())
    columns = inputsOf(tileColumns(), tile.column, piece[1]);

  loop(e.constant(0), e.constant(e.blockWidth()), lanes, [&](Value lane) {
    Value source = e.offset(from, data.elementType, OpFoldResult(lane));
    auto target = [&] { return e.offset(to, factor, OpFoldResult(lane)); };
    if (shape.line())
      return transformLine(piece, tile, image, source, target());
    int64_t span = shape.span();
    withInputs(tileRows(), tile.row, piece[0], [&](int64_t rows) {
      loop(e.constant(0), columns, 1, [&](Value column) {
        Value top =
            e.offset(source, data.elementType, e.mul(OpFoldResult(column), image.strides[3]));
        storePatchColumn(transformInputs(e, inputsFrom(top, image.strides[2], rows, span)), column);
      });
    });
    if (!isConstant(columns, span))
      loop(columns, e.constant(span), 1,
           [&](Value column) { storePatchColumn(SmallVector<Value>(span, zero()), column); });
    Value first = target();
    loop(e.constant(0), e.constant(span), 1, [&](Value row) {
      Value line = walkInputs(first, OpFoldResult(row), span * positionStride());
      for (auto [column, value] : llvm::enumerate(transformInputs(e, patchRow(row))))
        storeInput(value, walkInputs(line, e.constant(column), positionStride()));
    });
  });
}

// A tile along one axis: from the image to the positions.
void WinogradNest::transformLine(Piece piece, Tile tile, const View &image, Value source,
                                 Value target) {
  int along = *shape.line();
  withInputs(along ? tileColumns() : tileRows(), along ? tile.column : tile.row, piece[along],
             [&](int64_t count) {
               SmallVector<Value> values =
                   inputsFrom(source, image.strides[2 + along], count, shape.span());
               for (auto [position, value] : llvm::enumerate(transformInputs(e, values)))
                 storeInput(value, walkInputs(target, e.constant(position), positionStride()));
             });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// Weights that are transformed on the fly, by rows of positions in scratch.
void WinogradNest::sumExpanded(OpFoldResult first, OpFoldResult end) {
  int64_t span = shape.span();
  Value panels = e.offset(memory, element, e.constant(shape.panelsOffset()));
  loop(first, end, 1, [&](Value block) {
    Value basis = e.at(weights, {OpFoldResult(block)});
    Value next = e.offset(basis, element, weights.strides[0]);
    Value sums = walk(e.offset(memory, element, e.constant(shape.sumsOffset())),
                      e.sub(OpFoldResult(block), first), shape.tilesAtOnce * e.blockWidth());
    loop(e.constant(0), e.constant(span), 1, [&](Value row) {
      std::function<void(int64_t)> expand = [&](int64_t number) {
        if (number + 1 == span)
          return emitExpandedRow(e, shape, number, basis, next, panels, element);
        e.branch(
            OpFoldResult(row), e.constant(number + 1),
            [&] { emitExpandedRow(e, shape, number, basis, next, panels, element); },
            [&] { expand(number + 1); });
      };
      expand(0);
      loop(e.constant(0), e.constant(span), 1, [&](Value column) {
        OpFoldResult position =
            e.add(e.mul(OpFoldResult(row), e.constant(span)), OpFoldResult(column));
        chooseProducts(position);
        product(walk(memory, position, shape.inputStride()),
                walk(panels, OpFoldResult(column), shape.panelStride()),
                walk(sums, position, shape.sumStride()), 1);
      });
    });
  });
}

void WinogradNest::sumProducts(OpFoldResult first, OpFoldResult end) {
  if (shape.expands)
    return sumExpanded(first, end);
  if (std::optional<RowSums> rowSums = RowSums::of(op))
    return emitOnTheFlyProducts(e, shape, *rowSums, memory,
                                e.offset(memory, element, e.constant(shape.sumsOffset())), weights,
                                first, end);
  int64_t panel = *constantOf(weights.strides[1]);
  // Groups end with a whole register tile, or with one rest that is always the same.
  bool even = shape.blocksAtOnce % tileBlocks == 0 && shape.blocksPerTask % tileBlocks == 0;
  int64_t rest = even ? shape.outBlocks() % tileBlocks : 1;
  loop(e.constant(0), e.constant(shape.positions()), 1, [&](Value position) {
    chooseProducts(OpFoldResult(position));
    Value inputs = walkInputs(memory, OpFoldResult(position), positionStride());
    Value panels =
        e.offset(weights.pointer, factor, e.mul(OpFoldResult(position), weights.strides[0]));
    Value sums = walk(e.offset(memory, element, e.constant(shape.sumsOffset())),
                      OpFoldResult(position), shape.sumStride());
    auto at = [&](OpFoldResult block, int64_t blocks) {
      product(inputs, e.offset(panels, factor, e.mul(block, e.constant(panel))),
              walk(sums, e.sub(block, first), shape.tilesAtOnce * e.blockWidth()), blocks);
    };
    loop(first, end, tileBlocks, [&](Value block) {
      OpFoldResult next = e.add(OpFoldResult(block), e.constant(tileBlocks));
      if (rest == 0 || tileBlocks == 1)
        return at(OpFoldResult(block), tileBlocks);
      e.branch(
          end, next, [&] { loop(block, end, rest, [&](Value b) { at(OpFoldResult(b), rest); }); },
          [&] { at(OpFoldResult(block), tileBlocks); });
    });
  });
}

// The tiles that the position needs, widened to whole register tiles.
void WinogradNest::chooseProducts(OpFoldResult position) {
  firstProduct = e.constant(0);
  endProduct = e.constant(shape.tilesAtOnce);
  if (!shape.skipsTiles())
    return;
  int64_t lastRow = shape.span(0) - 1, lastColumn = shape.span(1) - 1;
  OpFoldResult row = e.floorDiv(position, e.constant(shape.span(1)));
  OpFoldResult column = e.rem(position, e.constant(shape.span(1)));
  auto either = [&](auto member) {
    auto bound = [&](bool lastRow, bool lastColumn) {
      return e.constant(member(shape.tilesOf(lastRow, lastColumn)));
    };
    return select(row, lastRow, select(column, lastColumn, bound(false, false), bound(false, true)),
                  select(column, lastColumn, bound(true, false), bound(true, true)));
  };
  firstProduct = either(
      [&](WinogradShape::TileRange range) { return range.first / tileColumns_ * tileColumns_; });
  endProduct = either([&](WinogradShape::TileRange range) { return range.end; });
}

// sums[block][tile][16] = sum over channels of inputs[..][tile] * panels, of one position.
void WinogradNest::product(Value inputs, Value panels, Value sums, int64_t blocks) {
  OpFoldResult zero = e.constant(0), one = e.constant(1), lane = e.constant(e.blockWidth());
  OpFoldResult count = e.constant(shape.tilesAtOnce);
  OpFoldResult blockStride = e.constant(shape.tilesAtOnce * e.blockWidth());
  OpFoldResult tail = e.constant(shape.inBlocks());
  ConvSite site;
  site.data = {inputs, factor, {one, tail, one, count, lane}, {zero, blockStride, zero, lane, one}};
  site.out = {sums,
              element,
              {one, e.constant(blocks), one, count, lane},
              {zero, blockStride, zero, lane, one}};
  site.weights = {panels,
                  factor,
                  {e.constant(blocks), tail, one, one, lane, lane},
                  {panelStrides[0], panelStrides[1], zero, zero, lane, one}};
  site.kernel = site.strides = site.dilations = {1, 1};
  site.inChannels = shape.summedChannels();
  site.outChannels = blocks * e.blockWidth();
  site.body = &plain;
  int64_t whole = shape.tilesAtOnce / tileColumns_ * tileColumns_;
  int64_t pixelTiles = llvm::divideCeil(shape.tilesAtOnce, tileColumns_);
  auto tile = [&](OpFoldResult column, int64_t columns) {
    TilePosition position{zero, zero, zero, column};
    if (op.getPrefetch()) { // its part of the weights that come next
      position.aheadLines = llvm::divideCeil(e.blockWidth(), pixelTiles);
      OpFoldResult part = e.mul(e.floorDiv(column, e.constant(tileColumns_)),
                                e.constant(position.aheadLines * e.blockWidth()));
      position.ahead =
          e.add(part, shape.blocksAtOnce > blocks ? e.mul(weights.strides[1], e.constant(blocks))
                                                  : weights.strides[0]);
    }
    emitTile(e, site, position, {blocks * e.blockWidth(), 1, columns});
  };
  if (whole)
    loop(firstProduct, e.min(endProduct, e.constant(whole)), tileColumns_,
         [&](Value column) { tile(OpFoldResult(column), tileColumns_); });
  if (whole < shape.tilesAtOnce)
    e.branch(e.constant(whole), endProduct,
             [&] { tile(e.constant(whole), shape.tilesAtOnce - whole); });
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

void WinogradNest::transformBack(OpFoldResult first, OpFoldResult end) {
  int64_t partial = shape.outChannels % e.blockWidth();
  loop(first, end, 1, [&](Value block) {
    Value sums = walk(e.offset(memory, element, e.constant(shape.sumsOffset())),
                      e.sub(OpFoldResult(block), first), shape.tilesAtOnce * e.blockWidth());
    auto whole = [&](Value t) {
      loop(e.constant(0), e.constant(e.blockWidth()), lanes, [&](Value lane) {
        transformTileBack(OpFoldResult(block), sums, t, OpFoldResult(lane), lanes);
      });
    };
    auto rest = [&](Value t) {
      for (int64_t lane = 0; lane < partial; lane += lanes)
        transformTileBack(OpFoldResult(block), sums, t, e.constant(lane),
                          std::min(lanes, partial - lane));
    };
    auto all = [&](function_ref<void(Value)> body) { loop(e.constant(0), tiles, 1, body); };
    if (partial == 0)
      return all(whole);
    e.branch(
        shape.outBlocks() == 1 ? e.constant(0) : OpFoldResult(block),
        e.constant(shape.outBlocks() - 1), [&] { all(whole); }, [&] { all(rest); });
  });
}

void WinogradNest::transformTileBack(OpFoldResult block, Value sums, Value t, OpFoldResult lane,
                                     int64_t channels) {
  int64_t span = shape.span(), m = shape.m;
  Value from = e.offset(walk(sums, OpFoldResult(t), e.blockWidth()), element, lane);
  if (shape.line())
    return storeLine(block, from, tileAt(t), lane, channels);
  if (std::optional<RowSums> rowSums = RowSums::of(op); rowSums && rowSums->foldsRows())
    return storeColumns(block, from, m * shape.sumStride(), shape.sumStride(), tileAt(t), lane,
                        channels);
  loop(e.constant(0), e.constant(span), 1, [&](Value row) {
    Value line = walk(from, OpFoldResult(row), span * shape.sumStride());
    SmallVector<Value> values;
    for (int64_t column = 0; column < span; ++column)
      values.push_back(e.load(walk(line, e.constant(column), shape.sumStride()), element, lanes));
    for (auto [column, value] : llvm::enumerate(transformSums(e, values, m)))
      e.store(value, patchAt(OpFoldResult(row), e.constant(column)));
  });
  storeColumns(block, patchAt(e.constant(0), e.constant(0)), span * e.blockWidth(), e.blockWidth(),
               tileAt(t), lane, channels);
}

// A tile along one axis: its sums to outputs.
void WinogradNest::storeLine(OpFoldResult block, Value from, Tile tile, OpFoldResult lane,
                             int64_t channels) {
  bool along = *shape.line();
  Axis axis = along ? tileColumns() : tileRows();
  View target = shifted(out, tile, lane);
  SmallVector<View> more;
  for (const View &extra : extras)
    more.push_back(shifted(extra, tile, lane));
  SmallVector<Value> values;
  for (int64_t i = 0; i < shape.span(); ++i)
    values.push_back(e.load(walk(from, e.constant(i), shape.sumStride()), element, lanes));
  SmallVector<SmallVector<Value>> pixels;
  for (Value value : transformSums(e, values, shape.m))
    pixels.push_back({value});
  TilePosition position{tile.image, block, startOf(tileRows(), tile.row),
                        startOf(tileColumns(), tile.column)};
  auto store = [&](int64_t count) {
    emitEpilogue(e, target, more, op.getBody(), position,
                 {channels, along ? 1 : count, along ? count : 1},
                 ArrayRef(pixels).take_front(count));
  };
  if (lastExtent(axis) == shape.m)
    return store(shape.m);
  e.branch(
      axis.count == 1 ? e.constant(0) : (along ? tile.column : tile.row),
      e.constant(fullTiles(axis)), [&] { store(shape.m); }, [&] { store(lastExtent(axis)); });
}

// The second half, of sums that are transformed along their rows, so many elements apart.
void WinogradNest::storeColumns(OpFoldResult block, Value from, int64_t rowStride,
                                int64_t columnStride, Tile tile, OpFoldResult lane,
                                int64_t channels) {
  int64_t m = shape.m, lastRows = lastExtent(tileRows());
  View target = shifted(out, tile, lane);
  SmallVector<View> more;
  for (const View &extra : extras)
    more.push_back(shifted(extra, tile, lane));
  loop(e.constant(0), outputsOf(tileColumns(), tile.column), 1, [&](Value column) {
    Value top = walk(from, OpFoldResult(column), columnStride);
    SmallVector<Value> values;
    for (int64_t row = 0; row < shape.span(); ++row)
      values.push_back(e.load(walk(top, e.constant(row), rowStride), element, lanes));
    SmallVector<SmallVector<Value>> pixels;
    for (Value value : transformSums(e, values, m))
      pixels.push_back({value});
    TilePosition position{tile.image, block, startOf(tileRows(), tile.row),
                          e.add(startOf(tileColumns(), tile.column), OpFoldResult(column))};
    auto store = [&](int64_t rows) {
      emitEpilogue(e, target, more, op.getBody(), position, {channels, rows, 1},
                   ArrayRef(pixels).take_front(rows));
    };
    if (lastRows == m)
      return store(m);
    e.branch(
        shape.tileRows() == 1 ? e.constant(0) : tile.row, e.constant(fullTiles(tileRows())),
        [&] { store(m); }, [&] { store(lastRows); });
  });
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

static OpFoldResult countWinogradTasks(kernel::WinogradOp op, ArrayRef<View> operands,
                                       LoweringContext &context) {
  return context.builder.getIndexAttr(WinogradShape::of(op).tasks());
}

static LogicalResult lowerWinograd(kernel::WinogradOp op, ArrayRef<View> operands, Value task,
                                   LoweringContext &context) {
  WinogradShape shape = WinogradShape::of(op);
  if (failed(checkScratchStep(op, operands, shape.tasks(), shape.scratchElements())))
    return failure();
  WinogradNest(op, operands, context).lower(task);
  return success();
}

// What transforms read and write, and weights as pairs; scratch is float32.
static bool takesHalves(kernel::WinogradOp op, OpOperand &operand) {
  unsigned number = operand.getOperandNumber();
  return number <= 1 || (number >= 2 && number < op->getNumOperands() - 2);
}

namespace symc::codegen {
void registerWinogradLowering(DialectRegistry &registry) {
  addLowering<kernel::WinogradOp, countWinogradTasks, lowerWinograd, takesHalves>(registry);
}
} // namespace symc::codegen
