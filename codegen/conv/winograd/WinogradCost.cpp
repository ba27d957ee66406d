// WinogradCost.cpp: see WinogradCost.h. Cycles are those of the products (rated as matrix
// products by TileChoice), of the transforms, and of the bytes that pass through the
// caches, at the target's rates.
#include "codegen/conv/winograd/WinogradCost.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::WinogradShape;

// A task repeats the transform of its inputs; at most this share of the step.
static constexpr double repeatedShare = 0.06;
static constexpr int64_t maxTasks = 16, minTaskFlops = 2'000'000;
static constexpr int64_t maxTilesAtOnce = 64;
// Of few channels: their sums are the traffic, and stay near.
static constexpr int64_t phaseTilesAtOnce = 16, fewChannels = 16;

static ConvExtents productExtents(const WinogradShape &shape) {
  int64_t blocks = shape.expands ? 1 : shape.blocksPerTask;
  ConvExtents extents{1, 1, shape.tilesAtOnce, blocks * shape.blockWidth, shape.summedChannels(),
                      1, 64};
  if (shape.pairs) {
    extents.product = productRowNamed("Vdpbf16ps");
    extents.inChannels = llvm::divideCeil(extents.inChannels, extents.product->termsPerStep);
  }
  return extents;
}

// As few pieces of at most that size, all about equal where they are so few that each
// fetches a part of the weights that come next: a short one would wait for its part.
static int64_t balanced(int64_t extent, int64_t size) {
  constexpr int64_t fewPieces = 4;
  int64_t pieces = llvm::divideCeil(extent, size);
  return pieces > fewPieces ? size : llvm::divideCeil(extent, pieces);
}

static ConvTile chooseProductTile(const WinogradShape &shape, const TargetDescription &target) {
  ConvTile tile = chooseConvTile(productExtents(shape), target);
  return {tile.blocks, 1, balanced(shape.tilesAtOnce, tile.columns)};
}

// One tile and block, in and out of its two transforms, or of the one of a line: loads,
// stores and arithmetic.
static double transformCycles(const WinogradShape &shape, bool inputs,
                              const TargetDescription &target) {
  double vectors = double(target.blockWidth) / target.lanes(4);
  static constexpr double outputsOf[] = {75, 140, 170, 195}; // m = 2 to 5
  double work = !inputs ? outputsOf[shape.m - 2] : shape.m == 2 ? 90 : 200;
  if (shape.line())
    return vectors * work / 9 / std::min(target.fmasPerCycle, 1.5) + 6;
  return vectors * work / std::min(target.fmasPerCycle, 1.5) + 20;
}

// What the sums of a row of positions keep in registers: so many columns (6 or 3) and tiles.
// Three columns transform a row of weights twice, for half the tiles' passes.
namespace {
struct OnTheFlyTile {
  int64_t columns, tiles;
};
} // namespace

// Beside the sums: the row of the weights' transform and what passes by.
static OnTheFlyTile onTheFlyTile(int64_t tiles, const TargetDescription &target) {
  int64_t sums = target.vectorRegisters - 8;
  if (tiles > sums / 6)
    return {3, std::max<int64_t>(1, sums / 3)};
  return {6, std::max<int64_t>(1, sums / 6)};
}

// For each channel and block 36 multiply-adds a tile, and the transform: 24 multiplications
// for columns, 12 for rows (twice with half rows), and additions, which have a port of
// their own on some cores.
static double onTheFlyCycles(const WinogradShape &shape, const TargetDescription &target) {
  constexpr double overhead = 1.05;
  OnTheFlyTile tile = onTheFlyTile(shape.tilesAtOnce, target);
  double transform = 24 + 12 * 6.0 / tile.columns;
  double slots = double(shape.tileProducts()) / shape.groups() +
                 transform * llvm::divideCeil(shape.tilesAtOnce, tile.tiles);
  double work = slots * (target.fma ? 1 : 2) / std::min(target.fmasPerCycle, target.loadsPerCycle);
  double vectors = double(target.blockWidth) / target.lanes(4);
  double passes = 36.0 / tile.columns * llvm::divideCeil(shape.tilesAtOnce, tile.tiles);
  double reads = passes * shape.weightElements() * target.blockWidth * 4 / target.nearBytesPerCycle;
  return shape.groups() * shape.outBlocks() * shape.inChannels * vectors *
         std::max(work * overhead, reads);
}

// Registers that hold a row of six sums for one tile only would transform weights for each tile
// anew: there the transform goes through scratch.
static bool shouldExpand(const WinogradShape &shape, const TargetDescription &target) {
  return shape.onTheFly && target.vectorRegisters - 8 < 2 * 6;
}

// For each block and group of tiles: of each channel and row of positions six stores, about as
// many loads, and arithmetic beside them.
static double expandCycles(const WinogradShape &shape, const TargetDescription &target) {
  constexpr double rows = 6, cyclesOfRow = 10;
  double vectors = double(shape.blockWidth) / target.lanes(4);
  return shape.groups() * shape.outBlocks() * shape.inBlocks() * shape.blockWidth * vectors * rows *
         cyclesOfRow;
}

double symc::codegen::estimateWinogradCycles(const WinogradShape &shape,
                                             const TargetDescription &target) {
  double products;
  if (shape.onTheFly && !shape.expands) {
    products = onTheFlyCycles(shape, target);
  } else {
    ConvExtents extents = productExtents(shape);
    ConvTile tile = chooseProductTile(shape, target);
    double blockShare = double(shape.outBlocks()) * shape.blockWidth / extents.outChannels;
    products = double(shape.groups()) * shape.positions() * blockShare *
               estimateConvCycles(extents, tile, target);
    // Ranges of tiles are rounded to whole register tiles.
    double needed =
        double(shape.tileProducts()) / (shape.positions() * shape.groups() * shape.tilesAtOnce);
    if (tile.columns < shape.tilesAtOnce)
      products *= (1 + needed) / 2;
    if (shape.expands)
      products += expandCycles(shape, target);
  }
  double inputs = double(shape.tiles()) * shape.inBlocks() * shape.blockTasks() *
                  transformCycles(shape, true, target);
  double outputs =
      double(shape.tiles()) * shape.outBlocks() * transformCycles(shape, false, target);
  double weightBytes = double(shape.weightElements()) * shape.inBlocks() * shape.outBlocks() *
                       target.blockWidth * target.blockWidth * (shape.pairs ? 2 : 4);
  double inputBytes = double(shape.positions()) * shape.inputStride() * 4;
  double sumBytes = double(shape.positions()) * shape.sumStride() * 4;
  // The first pass over the weights comes from memory, later ones from L3.
  double stream = weightBytes / target.weightBytesPerCycle +
                  weightBytes * (shape.groups() - 1) / target.sharedBytesPerCycle;
  // Transformed inputs that L2 can't hold come round once for each group of blocks.
  double spilled = 0;
  if (inputBytes + sumBytes > target.l2Bytes * 0.8) {
    double rounds = llvm::divideCeil(shape.outBlocks(), shape.blocksAtOnce);
    spilled = shape.groups() * (inputBytes * (1 + rounds) + 2 * sumBytes * rounds) /
              target.sharedBytesPerCycle;
  }
  return inputs + outputs + std::max(products, stream) + 0.25 * std::min(products, stream) +
         0.5 * spilled;
}

//===----------------------------------------------------------------------===//
// The cut
//===----------------------------------------------------------------------===//

// Many groups of tiles are tasks of their own; few ones are cut by output blocks.
static void cutTasks(WinogradShape &shape, int64_t tileBlocks, const TargetDescription &target) {
  shape.groupsPerTask = llvm::divideCeil(shape.groups(), maxTasks);
  shape.blocksPerTask = shape.outBlocks();
  double flops =
      2.0 * shape.positions() * shape.tiles() * shape.summedChannels() * shape.outChannels;
  int64_t wanted = std::min<int64_t>(maxTasks, flops / minTaskFlops);
  while (shape.groupsPerTask < shape.groups() && shape.groupTasks() > std::max<int64_t>(wanted, 1))
    ++shape.groupsPerTask;
  for (int64_t pieces = 2; pieces * shape.groupTasks() <= std::min<int64_t>(wanted, 8);
       pieces *= 2) {
    WinogradShape cut = shape;
    cut.blocksPerTask = llvm::alignTo(llvm::divideCeil(shape.outBlocks(), pieces), tileBlocks);
    cut.blocksAtOnce = std::min(shape.blocksAtOnce, cut.blocksPerTask);
    double repeated =
        double(cut.tiles()) * cut.inBlocks() * (pieces - 1) * transformCycles(cut, true, target);
    if (repeated > repeatedShare * estimateWinogradCycles(shape, target) ||
        cut.blockTasks() != pieces)
      break;
    shape.blocksPerTask = cut.blocksPerTask;
    shape.blocksAtOnce = cut.blocksAtOnce;
  }
}

// The cheapest cut: tiles in groups of equal size, output blocks a few or all at once.
WinogradShape symc::codegen::cutWinograd(WinogradShape shape, const TargetDescription &target) {
  shape.blockWidth = target.blockWidth;
  WinogradShape best;
  double bestCycles = -1;
  shape.expands = shouldExpand(shape, target);
  int64_t most =
      shape.stride > 1 && shape.inChannels <= fewChannels ? phaseTilesAtOnce : maxTilesAtOnce;
  for (int64_t groups = llvm::divideCeil(shape.tiles(), most); groups <= shape.tiles();
       groups = std::max(groups + 1, groups * 9 / 8)) {
    WinogradShape cut = shape;
    cut.tilesAtOnce = llvm::divideCeil(shape.tiles(), groups);
    cut.blocksPerTask = shape.outBlocks();
    int64_t tileBlocks = cut.onTheFly ? 1 : chooseConvTile(productExtents(cut), target).blocks;
    for (int64_t blocks : {tileBlocks, 2 * tileBlocks, 4 * tileBlocks, shape.outBlocks()}) {
      cut.blocksAtOnce = std::min(blocks, shape.outBlocks());
      cutTasks(cut, tileBlocks, target);
      double cycles = estimateWinogradCycles(cut, target);
      int64_t tasks = cut.tasks();
      cycles *= 1 + 0.3 * (tasks % target.cores) / tasks;
      if (bestCycles < 0 || cycles < bestCycles * 0.995) {
        best = cut;
        bestCycles = cycles;
      }
      cut.blocksPerTask = shape.outBlocks();
    }
    if (cut.tilesAtOnce < 8)
      break;
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static ConvTile modelTile(const WinogradShape &shape, const TargetDescription &target) {
  if (shape.onTheFly && !shape.expands)
    return {1, 1, std::min(onTheFlyTile(shape.tilesAtOnce, target).tiles, shape.tilesAtOnce)};
  return chooseProductTile(shape, target);
}

std::vector<ConvTile> symc::codegen::rankProductTiles(kernel::WinogradOp op,
                                                      const TargetDescription &target,
                                                      size_t most) {
  WinogradShape shape = WinogradShape::of(op);
  if (shape.onTheFly)
    return {modelTile(shape, target)};
  std::vector<ConvTile> tiles = rankConvTiles(productExtents(shape), target, most);
  ConvTile chosen = chooseProductTile(shape, target);
  llvm::erase_if(tiles, [&](const ConvTile &tile) {
    return tile.blocks == chosen.blocks && tile.columns == chosen.columns;
  });
  tiles.insert(tiles.begin(), chosen);
  // A tile of each other row of the table, balanced too.
  for (const TileShape &row : target.tiles) {
    int64_t blocks = row.vectors * target.lanes(4) / target.blockWidth;
    if (blocks > 0 && blocks != chosen.blocks && blocks <= shape.blocksPerTask)
      tiles.push_back({blocks, 1, balanced(shape.tilesAtOnce, row.pixels)});
  }
  return tiles;
}

void symc::codegen::chooseTile(kernel::WinogradOp op, const TargetDescription &target) {
  WinogradShape shape = WinogradShape::of(op);
  if (!op.getTile() || shape.onTheFly) { // a transform on the fly leaves no choice
    ConvTile tile = modelTile(shape, target);
    op.setTile(ArrayRef<int64_t>{tile.blocks, tile.rows, tile.columns});
  }
  // Weights that are read, not computed, alternate with inputs: a row of them needs
  // several tiles to pay.
  constexpr int64_t leastTiles = 3;
  OnTheFlyTile row = onTheFlyTile(shape.onTheFly ? shape.tilesAtOnce : 1, target);
  bool sumsRows =
      (shape.onTheFly && !shape.expands) || (shape.stride > 1 && row.tiles >= leastTiles);
  if (sumsRows)
    op.setRowSums({{row.columns, row.tiles}});
  // Few tiles meet the weights, so that they pass at the speed of memory, in chunks too short
  // for the hardware.
  constexpr int64_t fewTiles = 4;
  int64_t pixelTiles = llvm::divideCeil(shape.tilesAtOnce, (*op.getTile())[2]);
  op.setPrefetch(!sumsRows && !shape.expands &&
                 pixelTiles <= std::max<int64_t>(fewTiles, target.prefetchTiles));
}
