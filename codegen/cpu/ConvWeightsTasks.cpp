// ConvWeightsTasks.cpp: the register tile, strips and tasks of kernel.conv_weights, and the tasks
// of kernel.join_sums.
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"
#include "codegen/cpu/WeightsTile.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr double latency = 4; // cycles of a multiply-add, whose sum the next pixel's needs
static constexpr int64_t mostTaps = 64; // of a window whose taps are rows: they are unrolled

// Cycles that `all` rows, evenly in tiles of at most `most`, take for a pixel.
static double cyclesOfRows(int64_t all, int64_t most, int64_t vectors,
                           const TargetDescription &target) {
  double cycles = 0;
  int64_t pieces = llvm::divideCeil(all, most);
  for (int64_t i = 0; i < pieces; ++i) {
    double rows = all / pieces + (i < all % pieces);
    double products = rows * vectors / target.fmasPerCycle;
    double loads = (rows + vectors) / target.loadsPerCycle;
    double lines = (1 + vectors) * target.vectorBytes / target.l2BytesPerCycle;
    cycles += std::max({products, loads, latency}) + 0.1 * lines;
  }
  return cycles;
}

double symc::codegen::weightsTileCycles(const WeightsExtents &extents, const WeightsTile &tile,
                                        const TargetDescription &target) {
  auto ofGroup = [&](int64_t vectors) {
    if (tile.taps)
      return extents.inputs * cyclesOfRows(extents.window, tile.rows, vectors, target);
    int64_t whole = extents.inputs / extents.inLanes, rest = extents.inputs % extents.inLanes;
    double blocks = whole * cyclesOfRows(extents.inLanes, tile.rows, vectors, target);
    if (rest)
      blocks += cyclesOfRows(rest, tile.rows, vectors, target);
    return blocks * extents.window;
  };
  double cycles = extents.vectors / tile.vectors * ofGroup(tile.vectors);
  if (int64_t rest = extents.vectors % tile.vectors)
    cycles += ofGroup(rest);
  return cycles;
}

WeightsTile symc::codegen::chooseWeightsTile(const WeightsExtents &extents,
                                             const TargetDescription &target) {
  WeightsTile best{};
  int64_t perBlock = std::max<int64_t>(1, target.blockWidth / target.lanes(4));
  // Rows that stay in registers while vectors pass: LLVM loads these early, which spills.
  auto isWide = [](const TileShape &shape) { return shape.vectors > shape.pixels; };
  bool allWide = llvm::all_of(target.tiles, isWide);
  for (const TileShape &shape : target.tiles) {
    if (isWide(shape) && !allWide)
      continue;
    for (int64_t vectors = 1; vectors <= std::min<int64_t>(shape.vectors, extents.vectors);
         ++vectors)
      for (bool taps : {false, true}) {
        bool whole = vectors % perBlock == 0 || perBlock % vectors == 0;
        // A tap's line of data holds a block of channels, of which taps as rows read one.
        bool mayUseTaps =
            extents.window > 1 && extents.window <= mostTaps && extents.inputs < target.blockWidth;
        if (!whole || (taps && !mayUseTaps))
          continue;
        // Addresses of taps leave LLVM less room.
        int64_t others = std::max<int64_t>(extents.otherRegisters, taps ? 3 : 0);
        int64_t free = target.vectorRegisters - 1 - others - vectors;
        int64_t rows = others ? std::min<int64_t>(shape.pixels, free / vectors) : shape.pixels;
        if (rows < 1)
          continue;
        WeightsTile tile{rows, vectors, taps, 0};
        tile.cycles = weightsTileCycles(extents, tile, target);
        if (!best.rows || tile.cycles < best.cycles)
          best = tile;
      }
  }
  return best;
}

static LogicalResult chooseConvWeights(kernel::ConvWeightsOp op, const TargetDescription &target) {
  ArrayRef<int64_t> slope = cast<MemRefType>(op.getSlope().getType()).getShape();
  ArrayRef<int64_t> sums = cast<MemRefType>(op.getSums().getType()).getShape();
  int64_t inputs = op.getInChannels(), lanes = op.getInputLanes(), window = op.getWindow();
  WeightsExtents extents{inputs, lanes, window,
                         int64_t(llvm::divideCeil(op.getOutChannels(), target.lanes(4)))};
  WeightsTile tile = chooseWeightsTile(extents, target);
  if (op.getTile()) { // a given one keeps its form
    tile = {(*op.getTile())[0], (*op.getTile())[1], op.getTaps(), 0};
    tile.cycles = weightsTileCycles(extents, tile, target);
  }
  op.setTile(ArrayRef<int64_t>{tile.rows, tile.vectors});
  op.setTaps(tile.taps);

  // What a tile's vectors and one block of data hold of a strip stays in L2, with room for more.
  kernel::PixelChunks chunks = op.getChunks();
  int64_t step = op.getStrides()[0] * op.getStrides()[1];
  int64_t bytes = tile.vectors * target.vectorBytes + step * (tile.taps ? 4 : 4 * lanes);
  int64_t pixels = std::max<int64_t>(target.l2Bytes / 3 / bytes, 1);
  int64_t perImage = std::max<int64_t>(slope[2] * slope[3], 1);
  if (op.getStrip().empty()) {
    if (pixels >= perImage)
      op.setStrip(ArrayRef<int64_t>{std::min(chunks.images, pixels / perImage), slope[2]});
    else
      op.setStrip(ArrayRef<int64_t>{1, std::clamp<int64_t>(pixels / slope[3], 1, slope[2])});
  }
  if (op.getCutAttr())
    return success();
  int64_t groups = llvm::divideCeil(extents.vectors, tile.vectors);
  int64_t blocks = tile.taps ? inputs : llvm::divideCeil(inputs, lanes);
  int64_t space[] = {sums[0], groups, blocks, tile.taps ? 1 : window};
  double all = tile.cycles * slope[0] * perImage;
  double each = all / std::max<double>(1, double(space[0]) * space[1] * space[2] * space[3]);
  op.setCutAttr(
      cutSpace(op.getContext(), space, std::max<int64_t>(1, each * taskGrain / leastTaskCycles)));
  return success();
}

static LogicalResult chooseDepthwiseWeights(kernel::DepthwiseWeightsOp op,
                                            const TargetDescription &) {
  ArrayRef<int64_t> sums = cast<MemRefType>(op.getSums().getType()).getShape();
  ArrayRef<int64_t> slope = cast<MemRefType>(op.getSlope().getType()).getShape();
  int64_t pixels = slope[0] * slope[2] * slope[3] / std::max<int64_t>(sums[0], 1);
  int64_t window = sums[3] * op.getKernel()[0] * op.getKernel()[1];
  constexpr int64_t productsOfElement = 4; // of what tasks are measured by
  op.setCutAttr(
      cutSpace(op.getContext(), ArrayRef<int64_t>{sums[0], sums[2]},
               std::max<int64_t>(1, pixels * slope[4] * (1 + window / productsOfElement))));
  return success();
}

static LogicalResult chooseJoinSums(kernel::JoinSumsOp op, const TargetDescription &) {
  ArrayRef<int64_t> sums = cast<MemRefType>(op.getSums().getType()).getShape();
  int64_t width = sums[3];
  int64_t space[] = {sums[1], int64_t(llvm::divideCeil(sums[2], width))};
  op.setCutAttr(cutSpace(op.getContext(), space, width * width * (1 + sums[0])));
  return success();
}

namespace symc::codegen {
void registerConvWeightsTasks(DialectRegistry &registry) {
  addChosen<kernel::ConvWeightsOp, chooseConvWeights>(registry);
  addChosen<kernel::DepthwiseWeightsOp, chooseDepthwiseWeights>(registry);
  addChosen<kernel::JoinSumsOp, chooseJoinSums>(registry);
}
} // namespace symc::codegen
