// TileChoice.cpp: the model behind TileChoice.h. Times are cycles of one core.
#include "codegen/cpu/TileChoice.h"

#include "codegen/kernel/Groups.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr double fmaLatency = 4.4; // cycles until a sum is added to again, with jitter
static constexpr double matrixLatency = 52, stepsPerMatrix = 8; // of a product of matrices
static constexpr double issueWidth = 6;                         // instructions a cycle
static constexpr double tileOverhead = 30; // addresses, loop set-up, branch misses
static constexpr double loopOverhead = 6;  // leaving the loop over a block's channels
static constexpr double l1Ways = 8;
static constexpr double bestStreams = 4; // panels side by side that stream fastest
static constexpr double storeCycles = 2; // epilogue and store of one vector

// Lines of pixels `bytes` apart that share a set of L1 (of 64 sets, as 32 KiB in 8
// ways and 48 KiB in 12 have): 14 rows of 1024 floats fall into one.
static double linesPerSet(double pixels, int64_t bytes) {
  constexpr int64_t sets = 64, line = 64;
  if (bytes < line)
    return pixels / sets;
  int64_t period = sets / std::gcd(sets, bytes / line);
  return pixels / std::min<double>(pixels, period);
}

// One register tile of `vectors` by `pixels` over a reduction of `steps`. Between
// two uses of a weight lie `apart` bytes of other weights.
static double tileCycles(double vectors, double pixels, double steps, double apart,
                         const ConvExtents &extents, const TargetDescription &target) {
  double fmas = vectors * pixels;
  double loads = vectors + pixels, latency = fmaLatency, issued = fmas * (target.fma ? 1 : 2);
  if (extents.product->matrixPixels) {
    loads = vectors + pixels / stepsPerMatrix;
    latency = matrixLatency / stepsPerMatrix;
    issued = 0; // one for many sums
  }
  if (linesPerSet(pixels, extents.pixelBytes) > l1Ways - 1) // pixels evict each other
    loads += 2 * pixels;
  double step =
      std::max({fmas / target.fmasPerCycle / extents.product->stepsPerFma,
                loads / target.loadsPerCycle, latency, (issued + loads + 3) / issueWidth});
  double panelBytes = vectors * target.vectorBytes * extents.weightBytes() / 4;
  // Weights come from L2 (a plain stream from beyond is as fast) in each tile once
  // L1 can't hold them.
  if (apart > target.l1Bytes / 2) {
    double streams = panelBytes / (target.blockWidth * 4);
    double stream =
        panelBytes / target.l2BytesPerCycle * (1 + 0.01 * std::abs(streams - bestStreams));
    step = std::max(step, stream);
  }
  double loops = std::ceil(steps / target.blockWidth);
  return step * steps + loopOverhead * loops + fmas * storeCycles + tileOverhead;
}

// The extent in whole tiles and the rest.
struct Split {
  int64_t size, count; // `count` tiles of `size`
};
static SmallVector<Split, 2> split(int64_t extent, int64_t size) {
  SmallVector<Split, 2> parts;
  if (extent / size)
    parts.push_back({size, extent / size});
  if (extent % size)
    parts.push_back({extent % size, 1});
  return parts;
}

// A run-time extent is rated as if it were a few tiles and a rest.
static int64_t assumed(int64_t extent) { return ShapedType::isDynamic(extent) ? 100 : extent; }

double symc::codegen::estimateConvCycles(const ConvExtents &extents, const ConvTile &tile,
                                         const TargetDescription &target) {
  int64_t lanes = extents.product->lanes(target);
  double steps = double(extents.inChannels) * extents.window, cycles = 0;
  // A group's weights come round with each tile of pixels; with one tile only, all
  // weights do with each image.
  bool oneTile = assumed(extents.rows) <= tile.rows && assumed(extents.columns) <= tile.columns;
  double groupChannels = std::min<double>(extents.outChannels, tile.blocks * target.blockWidth);
  double apart =
      extents.weightBytes() * steps * (oneTile ? double(extents.outChannels) : groupChannels);
  for (Split channels : split(extents.outChannels, tile.blocks * target.blockWidth))
    for (Split rows : split(assumed(extents.rows), tile.rows))
      for (Split columns : split(assumed(extents.columns), tile.columns))
        cycles += double(channels.count * rows.count * columns.count) *
                  tileCycles(llvm::divideCeil(channels.size, lanes), rows.size * columns.size,
                             steps, apart, extents, target);
  return cycles;
}

// Calls `visit` for every tile that the target's table allows for this shape.
static void forEachTile(const ConvExtents &extents, const TargetDescription &target,
                        llvm::function_ref<void(const ConvTile &, double cycles)> visit) {
  int64_t vectorsPerBlock = std::max<int64_t>(1, target.blockWidth / target.lanes(4));
  bool dynamic = ShapedType::isDynamic(extents.rows) || ShapedType::isDynamic(extents.columns);
  int64_t outBlocks = extents.openOutput || extents.ofGroups
                          ? 1
                          : llvm::divideCeil(extents.outChannels, target.blockWidth);
  bool first = true;
  for (const TileShape &row : extents.product->tiles(target)) {
    int64_t blocks = std::max<int64_t>(1, row.vectors / vectorsPerBlock);
    if (blocks > outBlocks && !first)
      continue; // a narrower row holds as many pixels
    first = false;
    int64_t pixels = row.pixels;
    if (extents.ofGroups) // the registers that other blocks would take
      pixels = pixels * row.vectors / (outBlocks * vectorsPerBlock);
    blocks = std::min(blocks, outBlocks);
    for (int64_t columns = std::min<int64_t>(pixels, assumed(extents.columns)); columns > 0;
         --columns) {
      int64_t maxRows =
          dynamic ? 1
          : extents.ofGroups
              ? std::min<int64_t>(pixels / columns, extents.rows)
              : std::min<int64_t>(extents.product->rowsOf(row, columns), extents.rows);
      for (int64_t rows = 1; rows <= maxRows; ++rows) {
        ConvTile tile{blocks, rows, columns};
        visit(tile, estimateConvCycles(extents, tile, target));
      }
    }
  }
}

ConvTile symc::codegen::chooseConvTile(const ConvExtents &extents,
                                       const TargetDescription &target) {
  ConvTile best{1, 1, 1};
  double bestCycles = -1;
  forEachTile(extents, target, [&](const ConvTile &tile, double cycles) {
    if (bestCycles >= 0 && cycles >= bestCycles * 0.995)
      return;
    best = tile;
    bestCycles = cycles;
  });
  return best;
}

std::vector<ConvTile> symc::codegen::rankConvTiles(const ConvExtents &extents,
                                                   const TargetDescription &target, size_t most) {
  std::vector<std::pair<double, ConvTile>> all;
  forEachTile(extents, target,
              [&](const ConvTile &tile, double cycles) { all.push_back({cycles, tile}); });
  auto extentsOfTile = [](const ConvTile &tile) {
    return std::make_tuple(tile.blocks, tile.rows, tile.columns);
  };
  llvm::sort(all, [&](const auto &x, const auto &y) {
    return std::make_pair(x.first, extentsOfTile(x.second)) <
           std::make_pair(y.first, extentsOfTile(y.second));
  });
  std::vector<ConvTile> tiles{chooseConvTile(extents, target)};
  for (const auto &candidate : all) {
    bool known = llvm::any_of(tiles, [&](const ConvTile &one) {
      return extentsOfTile(one) == extentsOfTile(candidate.second);
    });
    if (!known && tiles.size() < most)
      tiles.push_back(candidate.second);
  }
  return tiles;
}

// By extents and kernel alone, not by layouts, which passes change. Matrices take whole pairs of
// channels, which an odd number leaves to vectors.
int64_t symc::codegen::pixelsSideBySide(kernel::ConvOp op) {
  if (op.getInChannels() % 2)
    return 1;
  ArrayRef<int64_t> out = cast<MemRefType>(op.getOut().getType()).getShape();
  auto isOne = [](int64_t value) { return value == 1; };
  bool rowsJoin = llvm::all_of(op.getKernel(), isOne) && llvm::all_of(op.getStrides(), isOne) &&
                  !ShapedType::isDynamic(out[2]);
  return assumed(out[3]) * (rowsJoin ? out[2] : 1);
}

const ProductRow &symc::codegen::productOf(kernel::ConvOp op, const TargetDescription &target) {
  auto elementOf = [](Value view) { return cast<MemRefType>(view.getType()).getElementType(); };
  const ProductRow *row = productRowOf(target, elementOf(op.getData()), elementOf(op.getWeights()),
                                       pixelsSideBySide(op));
  return row ? *row : *productRowNamed("Fma");
}

ConvExtents symc::codegen::extentsOf(kernel::ConvOp op, const ProductRow &product) {
  auto outType = cast<MemRefType>(op.getOut().getType());
  ArrayRef<int64_t> out = outType.getShape();
  auto data = cast<MemRefType>(op.getData().getType());
  int64_t steps = llvm::divideCeil(op.getInChannels(), product.termsPerStep);
  ConvExtents extents{out[0], out[2],
                      out[3], int64_t(op.getOutChannels()),
                      steps,  op.getKernel()[0] * op.getKernel()[1],
                      0};
  extents.ownWeights = cast<MemRefType>(op.getWeights().getType()).getRank() == 7;
  extents.openOutput = outType.isDynamicDim(1);
  extents.product = &product;
  if (auto groups = kernel::ChannelGroups::of(op)) {
    extents.ofGroups = true;
    int64_t panels = groups->panels(op.getOutChannels(), out[4]);
    extents.inChannels = llvm::divideCeil(panels * op.getInChannels(), out[1]);
  }
  SmallVector<Value> views{op.getData(), op.getOut()};
  llvm::append_range(views, op.getExtras());
  auto pixels = pixelStrides(views);
  if (!pixels)
    return extents;
  int64_t column = pixels->front().second; // of the data
  if (!ShapedType::isDynamic(column))
    extents.pixelBytes = column * op.getStrides()[1] * data.getElementTypeBitWidth() / 8;
  if (isFlat(out[3], op.getKernel(), op.getStrides(), *pixels) && !ShapedType::isDynamic(out[2])) {
    extents.columns *= extents.rows;
    extents.rows = 1;
  }
  return extents;
}
