// ConvLowering.cpp: kernel.conv as loops around the register tile of TileKernel.
//
// Tasks are boxes of images x groups of output blocks x pixel tiles; a group is
// the `tile`'s output blocks. Their sizes come from the shape alone. Pixels of
// 1x1 kernels over images without a halo are one long row; else a tile stays
// within rows. What a shape leaves over has tiles of its own: at most two sizes
// each way when extents are constants; run-time columns leave pieces of 8, 4, 2
// and 1 pixels. Each output is one chain in either case (TileKernel.h).
#include "codegen/cpu/TileChoice.h"
#include "codegen/kernel/Groups.h"
#include "codegen/lower/SumStart.h"
#include "codegen/lower/TileKernel.h"
#include "codegen/lower/products/MatrixTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static int64_t known(OpFoldResult value) {
  return constantOf(value).value_or(ShapedType::kDynamic);
}

namespace {
// The loop structure of one kernel.conv, the same for countTasks and lowerTask.
class ConvNest {
public:
  ConvNest(kernel::ConvOp op, ArrayRef<View> operands, LoweringContext &context)
      : e(context, op.getLoc()), op(op), start(op.getBody(), operands.drop_front(2).drop_back()) {
    site.data = operands[0];
    site.weights = operands[1];
    if (site.weights.sizes.size() == 7) { // each image has its own
      site.imageStep = site.weights.strides.front();
      site.weights.sizes.erase(site.weights.sizes.begin());
      site.weights.strides.erase(site.weights.strides.begin());
    }
    site.extras.assign(operands.begin() + 2, operands.end() - 1);
    site.out = operands.back();
    llvm::append_range(site.kernel, op.getKernel());
    llvm::append_range(site.strides, op.getStrides());
    llvm::append_range(site.dilations, op.getDilations());
    site.inChannels = op.getInChannels();
    site.outChannels = op.getOutChannels();
    site.body = &start.body();
    site.start = start.extra();
    if (auto groups = kernel::ChannelGroups::of(op))
      std::tie(site.groups, site.parts) = std::pair(groups->count, groups->parts);
    site.shifted = op.getShifted();
    site.zeros = kernel::paddingOf(op.getZerosAttr());
    site.product = &productOf(op, context.target);
    flatten();
    split();
  }

  OpFoldResult countTasks() { return e.product({imageChunks, groupChunks, pixelChunks}); }

  void lower(Value task) {
    if (site.product->matrixPixels)
      site.room = MatrixTile::roomFor(e, tile);
    SmallVector<OpFoldResult> chunk = e.delinearize(task, {imageChunks, groupChunks, pixelChunks});
    auto range = [&](OpFoldResult index, OpFoldResult size, OpFoldResult total) {
      OpFoldResult first = e.mul(index, size);
      return std::make_pair(first, e.min(e.add(first, size), total));
    };
    auto [image, imageEnd] = range(chunk[0], imagesPerTask, images);
    auto [group, groupEnd] = range(chunk[1], e.constant(groupsPerTask), groups);
    auto [tile, tileEnd] = range(chunk[2], pixelTilesPerTask, pixelTiles);
    loop(image, imageEnd,
         [&, group = group, groupEnd = groupEnd, tile = tile, tileEnd = tileEnd](Value n) {
           firstTile = tile;
           if (op.getPixelsOutside())
             loop(tile, tileEnd,
                  [&](Value t) { loop(group, groupEnd, [&](Value g) { emitGroup(n, g, t); }); });
           else
             loop(group, groupEnd,
                  [&](Value g) { loop(tile, tileEnd, [&](Value t) { emitGroup(n, g, t); }); });
         });
  }

private:
  void loop(OpFoldResult first, OpFoldResult end, function_ref<void(Value)> body) {
    e.forLoop(first, end, e.constant(1), {}, [&](Value induction, ValueRange) {
      body(induction);
      return SmallVector<Value>();
    });
  }

  // One row of H * W pixels where every view has its pixels at one distance.
  void flatten() {
    SmallVector<std::pair<int64_t, int64_t>> viewStrides;
    SmallVector<View *> views{&site.data, &site.out};
    for (View &extra : site.extras)
      views.push_back(&extra);
    for (View *view : views)
      viewStrides.push_back({known(view->strides[2]), known(view->strides[3])});
    auto rows = constantOf(site.out.sizes[2]), columns = constantOf(site.out.sizes[3]);
    if (!rows || !columns || !isFlat(*columns, site.kernel, site.strides, viewStrides))
      return;
    for (View *view : views) {
      view->sizes[2] = e.constant(1);
      view->sizes[3] = e.constant(*rows * *columns);
    }
  }

  // Extents in tiles, and what of them makes a task.
  void split() {
    images = site.out.sizes[0];
    rows = site.out.sizes[2];
    columns = site.out.sizes[3];
    tile = {(*op.getTile())[0], (*op.getTile())[1], (*op.getTile())[2]};
    groups = e.constant(llvm::divideCeil(site.outChannels, tile.blocks * e.blockWidth()));
    if (!constantOf(site.out.sizes[1])) // whole blocks, one in a tile
      groups = site.out.sizes[1];
    fullGroups = site.outChannels / (tile.blocks * e.blockWidth());
    fullRows = e.floorDiv(rows, e.constant(tile.rows));
    fullColumns = e.floorDiv(columns, e.constant(tile.columns));
    columnTiles = e.ceilDiv(columns, e.constant(tile.columns));
    pixelTiles = e.mul(e.ceilDiv(rows, e.constant(tile.rows)), columnTiles);

    kernel::ConvTasksAttr cut = op.getCutAttr();
    // Units of which there are `count`: at least so many a task, in at most so many chunks.
    auto perTask = [&](OpFoldResult count, int64_t least, int64_t mostChunks) {
      OpFoldResult units = e.max(e.constant(least), e.ceilDiv(count, e.constant(mostChunks)));
      return e.max(e.min(count, units), e.constant(1));
    };
    groupsPerTask = cut.getGroups();
    groupChunks = e.ceilDiv(groups, e.constant(groupsPerTask));
    pixelTilesPerTask = perTask(pixelTiles, cut.getPixelTiles(), cut.getPixelChunks());
    pixelChunks = e.ceilDiv(pixelTiles, pixelTilesPerTask);
    imagesPerTask = cut.getImageChunks() ? perTask(images, cut.getImages(), cut.getImageChunks())
                                         : e.constant(1);
    imageChunks = e.ceilDiv(images, imagesPerTask);
    prefetchTiles = op.getPrefetch() ? *constantOf(pixelTilesPerTask) : 0;
  }

  // Tile t of group g: full or the rest, in channels, rows and columns.
  void emitGroup(Value n, Value g, Value t) {
    OpFoldResult block = e.mul(g, e.constant(tile.blocks));
    auto withChannels = [&](int64_t channels) { emitPixels(n, block, t, channels); };
    int64_t groupChannels = tile.blocks * e.blockWidth();
    int64_t restChannels = site.outChannels - fullGroups * groupChannels;
    if (restChannels == 0)
      return withChannels(groupChannels);
    OpFoldResult at = isConstant(groups, 1) ? e.constant(0) : OpFoldResult(g);
    e.branch(
        at, e.constant(fullGroups), [&] { withChannels(groupChannels); },
        [&] { withChannels(restChannels); });
  }

  void emitPixels(Value n, OpFoldResult block, Value t, int64_t channels) {
    OpFoldResult tileRow =
        isConstant(columnTiles, 1) ? OpFoldResult(t) : e.floorDiv(t, columnTiles);
    OpFoldResult tileColumn = e.rem(t, columnTiles);
    if (isConstant(rows, 1)) {
      tileRow = e.constant(0);
      tileColumn = t;
    }
    TilePosition position{n, block, e.mul(tileRow, e.constant(tile.rows)),
                          e.mul(tileColumn, e.constant(tile.columns))};
    if (prefetchTiles) { // this tile's part of the next group's weights
      int64_t lines = llvm::divideCeil(e.blockWidth(), prefetchTiles);
      position.aheadLines = lines;
      position.ahead =
          e.add(e.mul(site.weights.strides[0], e.constant(tile.blocks)),
                e.mul(e.sub(OpFoldResult(t), firstTile), e.constant(lines * e.blockWidth())));
    }
    auto withRows = [&](int64_t tileRows) {
      auto full = [&] { emitTile(e, site, position, {channels, tileRows, tile.columns}); };
      if (isConstant(e.rem(columns, e.constant(tile.columns)), 0))
        return full();
      e.branch(tileColumn, fullColumns, full, [&] { emitRest(position, {channels, tileRows, 0}); });
    };
    int64_t restRows = tile.rows == 1 ? 0 : *constantOf(rows) % tile.rows;
    if (restRows == 0)
      return withRows(tile.rows);
    e.branch(tileRow, fullRows, [&] { withRows(tile.rows); }, [&] { withRows(restRows); });
  }

  // The columns after the last full tile.
  void emitRest(TilePosition position, TileExtent extent) {
    OpFoldResult rest = e.rem(columns, e.constant(tile.columns));
    if (auto count = constantOf(rest)) {
      extent.columns = *count;
      return emitTile(e, site, position, extent);
    }
    // A run-time count is a sum of powers of two.
    int64_t piece = 1;
    while (piece * 2 < tile.columns)
      piece *= 2;
    OpFoldResult first = position.column;
    for (; piece > 0; piece /= 2) {
      // Pieces before this one took rest - rest % (2 * piece) columns.
      OpFoldResult left = e.rem(rest, e.constant(2 * piece));
      position.column = e.add(first, e.sub(rest, left));
      extent.columns = piece;
      e.branch(e.constant(piece - 1), left, [&] { emitTile(e, site, position, extent); });
    }
  }

  Emission e;
  kernel::ConvOp op;
  SumStart start;
  ConvSite site;
  ConvTile tile;
  OpFoldResult images, rows, columns, groups, groupChunks;
  int64_t fullGroups, groupsPerTask;
  OpFoldResult fullRows, fullColumns, columnTiles, pixelTiles;
  OpFoldResult imagesPerTask, imageChunks, pixelTilesPerTask, pixelChunks;
  OpFoldResult firstTile; // of the task
  int64_t prefetchTiles;  // pixel tiles of a task if they fetch weights ahead, else 0
};
} // namespace

// What its epilogue reads and writes. Data is a factor of a row of products.
static bool takesHalves(kernel::ConvOp op, OpOperand &operand) {
  return !op.sumsBytes() && operand.getOperandNumber() >= 2;
}

static LogicalResult checkConv(kernel::ConvOp op, ArrayRef<View> operands,
                               const TargetDescription &target) {
  if (op.getPadAttr())
    return op.emitError("internal error: conv over data without its padding, which "
                        "kernel-choose-algorithms adds");
  const View &weights = operands[1], &out = operands.back();
  const ProductRow *row = productRowOf(target, operands[0].elementType, weights.elementType);
  if (!row)
    return op.emitError("internal error: conv of ")
           << operands[0].elementType << " and " << weights.elementType << ", which " << target.name
           << " does not multiply";
  bool narrow = op->hasAttr(kernel::narrowName);
  for (const View &view : operands.drop_front(2))
    if (row->accumulator(op.getContext()).isF32() && !view.elementType.isF32() && !narrow)
      return op.emitError("internal error: conv of ") << view.elementType << "; it needs 'f32'";
  if (row->elementsPerStep > 1 && operands[0].elementType.isBF16() &&
      !isConstant(operands[0].strides[4], 1))
    return op.emitError("internal error: conv needs pairs of channels side by side");
  const ProductRow &product = productOf(op, target);
  if (kernel::ChannelGroups::of(op) && (product.termsPerStep != 1 || product.matrixPixels))
    return op.emitError("internal error: conv of groups by ")
           << product.name << ", which takes several channels at once";
  ArrayRef<int64_t> tile = op.getTile().value_or(ArrayRef<int64_t>());
  if (product.matrixPixels && !tile.empty() &&
      !MatrixTile::fits(product, {tile[0], tile[1], tile[2]}))
    return op.emitError("internal error: conv by ")
           << product.name << " has no tile of " << tile[0] << " blocks by " << tile[1] << " x "
           << tile[2] << " pixels";
  if (!isConstant(weights.sizes.back(), target.blockWidth) || !isConstant(out.strides[4], 1))
    return op.emitError("internal error: conv needs panels [OB, IB, kH, kW, L, ")
           << target.blockWidth << "] and an output of as many channels side by side";
  return success();
}

namespace symc::codegen {
void registerConvLowering(DialectRegistry &registry) {
  addEmitter<kernel::ConvOp, ConvNest, checkConv, takesHalves>(registry);
}
} // namespace symc::codegen
