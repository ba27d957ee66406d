// StrassenCost.cpp: see StrassenCost.h. The products are rated as one matrix
// product of half the outputs over seven half reductions (TileChoice); the sums of
// data, the tiles that are kept and the weights' stream are added.
#include "codegen/conv/strassen/StrassenCost.h"

#include "codegen/conv/ConvAlgorithm.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::StrassenOp;
using kernel::StrassenShape;

static constexpr int64_t maxTasks = 16, minTaskFlops = 2'000'000;
// Of a unit's products and its weights' stream, the part of the shorter one that shows
// where both are about equal.
static constexpr double notHidden = 0.25;
// Sums of data that several tasks repeat, at most this share of the step.
static constexpr double repeatedShare = 0.012;
// Rows of a matrix lie kilobytes apart, so that a tile of many reads as many lines for each
// block of channels, which no prefetcher follows: two layers of LSTM, 1024 rows of 512 by
// 512x2048 each, take 71.7 ms with tiles of 4x1x6, 74.3 with 2x1x14 (Zen 4).
static constexpr int64_t mostRowsOfTile = 6, consideredTiles = 16;
// One vector of each quarter of the data in, one of each sum out.
static constexpr double sumCycles = 20;
// Three more epilogues and three tiles kept, a vector.
static constexpr double keepCycles = 12;

static ConvExtents productExtents(const StrassenShape &shape) {
  int64_t columns = shape.flat ? shape.unit : shape.columns;
  return {1, 1, columns, shape.outChannels / 2, 7 * shape.inChannels / 2, 1, 64};
}

static double pixelsOfHalf(const StrassenShape &shape) {
  return double(shape.halfColumns()) * shape.halfRows() * shape.images;
}

static double cyclesOfSums(const StrassenShape &shape, const TargetDescription &target) {
  return pixelsOfHalf(shape) * shape.inBlocks() * target.blockWidth / target.lanes(4) * sumCycles;
}

double symc::codegen::estimateStrassenCycles(const StrassenShape &shape,
                                             const TargetDescription &target) {
  ConvExtents extents = productExtents(shape);
  double pixels = pixelsOfHalf(shape), units = shape.units();
  double vectors = double(target.blockWidth) / target.lanes(4);
  double products = pixels / extents.columns *
                        estimateConvCycles(extents, chooseConvTile(extents, target), target) +
                    pixels * shape.outBlocks() * vectors * keepCycles;
  // The first pass over the weights comes from memory, later ones from L3 or L2.
  double bytes = 4.0 * shape.weightElements();
  double rate = bytes > target.l2Bytes / 2 ? target.sharedBytesPerCycle : target.l2BytesPerCycle;
  double sums = cyclesOfSums(shape, target);
  auto unit = [&](double stream) {
    double longer = std::max(products / units, stream);
    double shorter = std::min(products / units, stream);
    return longer + notHidden * shorter * shorter / longer;
  };
  double repeated = sums / shape.unitTasks() * (shape.lastPieces - 1);
  return sums + repeated + unit(bytes / target.firstBytesPerCycle) +
         (units - 1) * unit(bytes / rate);
}

// As many tasks as are worth it; an odd number of them ends with a shared one.
static void cutTasks(StrassenShape &shape, const TargetDescription &target) {
  double flops =
      2.0 * shape.images * shape.rows * shape.columns * shape.inChannels * shape.outChannels;
  int64_t wanted = std::clamp<int64_t>(flops / minTaskFlops, 1, maxTasks);
  shape.unitsPerTask = llvm::divideCeil(shape.units(), wanted);
  shape.lastPieces = 1;
  int64_t tasks = shape.unitTasks();
  if (tasks % 2 == 0 || tasks >= wanted || shape.outBlocks() < 4)
    return;
  shape.lastPieces = 2;
  if (tasks == 1 && wanted >= 4 && shape.outBlocks() >= 8 &&
      3 * cyclesOfSums(shape, target) < repeatedShare * estimateStrassenCycles(shape, target))
    shape.lastPieces = 4;
}

// How much longer the target's cores take than their share of the time of one.
static double imbalance(const StrassenShape &shape, const TargetDescription &target) {
  constexpr int64_t mostCounted = 1 << 16; // so many keep all cores busy to the end
  if (shape.tasks() > mostCounted || shape.units() > mostCounted)
    return 0;
  SmallVector<double> busy(target.cores, 0);
  double all = 0;
  int64_t perImage = shape.unitsPerImage();
  double rest = (shape.flat ? shape.halfColumns() : shape.halfRows() * shape.columns) -
                double(perImage - 1) * shape.unit;
  for (int64_t task = 0; task < shape.tasks(); ++task) {
    int64_t chunk = std::min(task, shape.unitTasks() - 1);
    double time = 0;
    for (int64_t u = chunk * shape.unitsPerTask;
         u < std::min((chunk + 1) * shape.unitsPerTask, shape.units()); ++u)
      time += (u + 1) % perImage == 0 ? rest : shape.unit;
    if (chunk == shape.unitTasks() - 1)
      time /= shape.lastPieces;
    *llvm::min_element(busy) += time;
    all += time;
  }
  return target.cores * *llvm::max_element(busy) / all - 1;
}

StrassenShape symc::codegen::cutStrassen(const ConvLayer &layer, const TargetDescription &target) {
  StrassenShape shape;
  shape.blockWidth = target.blockWidth;
  shape.images = layer.images;
  shape.rows = layer.rows;
  shape.columns = layer.columns;
  shape.inChannels = layer.inChannels;
  shape.outChannels = layer.outChannels;
  StrassenShape best;
  double bestCycles = -1;
  auto rate = [&] {
    cutTasks(shape, target);
    double cycles = estimateStrassenCycles(shape, target) * (1 + 0.3 * imbalance(shape, target));
    if (bestCycles < 0 || cycles < bestCycles * 0.995) {
      best = shape;
      bestCycles = cycles;
    }
  };
  // The sums of a unit stay in L2, beside its data and the weights of a group.
  int64_t most = std::max<int64_t>(0.45 * target.l2Bytes / (4 * shape.inBlocks() * 64), 1);
  if (layer.rows % 2 == 0)
    for (int64_t rows = 1; rows <= layer.rows / 2 && (rows == 1 || rows * layer.columns <= most);
         ++rows) {
      shape.unit = rows * layer.columns;
      rate();
    }
  if (layer.flat && layer.rows * layer.columns > 1) {
    shape.flat = true;
    int64_t units = llvm::divideCeil(shape.halfColumns(), most);
    shape.unit = llvm::divideCeil(shape.halfColumns(), units);
    // Units of whole tiles of every instruction set leave no rests.
    constexpr int64_t even = 84;
    if (units > 1 && shape.unit > even)
      shape.unit -= shape.unit % even;
    rate();
  }
  return best;
}

static ConvTile chooseProductTile(StrassenOp op, const TargetDescription &target) {
  StrassenShape shape = StrassenShape::of(op);
  ConvExtents extents = productExtents(shape);
  ConvTile best = chooseConvTile(extents, target);
  if (!shape.flat || shape.rows != 1)
    return best;
  // In cycles of the model one tile is about as good as the next.
  for (const ConvTile &tile : rankConvTiles(extents, target, consideredTiles))
    if (tile.columns <= mostRowsOfTile)
      return tile;
  return best;
}

std::vector<ConvTile> symc::codegen::rankProductTiles(kernel::StrassenOp op,
                                                      const TargetDescription &target,
                                                      size_t most) {
  std::vector<ConvTile> tiles = rankConvTiles(productExtents(StrassenShape::of(op)), target, most);
  ConvTile chosen = chooseProductTile(op, target);
  llvm::erase_if(tiles, [&](const ConvTile &tile) {
    return std::tie(tile.blocks, tile.rows, tile.columns) ==
           std::tie(chosen.blocks, chosen.rows, chosen.columns);
  });
  tiles.insert(tiles.begin(), chosen);
  tiles.resize(std::min(tiles.size(), most));
  return tiles;
}

void symc::codegen::chooseTile(kernel::StrassenOp op, const TargetDescription &target) {
  if (op.isChosen())
    return;
  ConvTile tile = chooseProductTile(op, target);
  op.setTile(ArrayRef<int64_t>{tile.blocks, tile.rows, tile.columns});
}

double symc::codegen::strassenErrorBound(int64_t length) {
  static constexpr std::pair<int64_t, double> rows[] = {
      {128, 1.1e-5}, {256, 1.4e-5}, {512, 1.7e-5}, {1024, 2e-5}, {2048, 3e-5}, {4096, 5.5e-5}};
  for (auto [most, bound] : rows)
    if (length <= most)
      return bound;
  return 1;
}
