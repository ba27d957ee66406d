// TaskCut.cpp: see TaskCut.h. Cycles are those of one core.
#include "codegen/cpu/TaskCut.h"

#include "mlir/IR/BuiltinTypes.h"
#include <cmath>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// Handing a task out: a counter in a line that another core holds, a call.
static constexpr double handOutCycles = 400;

// Of one axis: more threads than a model mostly gets.
static constexpr int64_t enoughTasks = maxTasks / 2;

int64_t symc::codegen::leastUnitsPerTask(double cycles) {
  return std::ceil(leastTaskCycles / std::max(cycles, 1.0));
}

int64_t symc::codegen::unitsPerTask(int64_t units, double cycles, int64_t mostTasks) {
  units = std::max<int64_t>(units, 1);
  int64_t least = std::min(leastUnitsPerTask(cycles), units);
  int64_t best = units;
  double bestScore = -1;
  // Two tasks may be a fifth shorter than the least: both gain.
  for (int64_t tasks = 2; tasks <= mostTasks; ++tasks) {
    int64_t chunk = llvm::divideCeil(units, tasks);
    if (chunk < (tasks == 2 ? 0.8 : 1.0) * least || chunk == units)
      break;
    if (int64_t(llvm::divideCeil(units, chunk)) != tasks)
      continue;
    int64_t last = units - (tasks - 1) * chunk;
    double score = 0;
    for (int64_t threads : {2, 4, 8}) {
      // The longest queue: whole tasks, the last one possibly short.
      int64_t rounds = llvm::divideCeil(tasks, threads);
      int64_t longest = tasks % threads == 1 ? (rounds - 1) * chunk + last : rounds * chunk;
      score += (longest * cycles + rounds * handOutCycles) * (threads == 2 ? 3 : 1);
    }
    if (bestScore < 0 || score < bestScore * 0.999) {
      best = chunk;
      bestScore = score;
    }
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Index spaces
//===----------------------------------------------------------------------===//

int64_t symc::codegen::productOf(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents)
    if (extent == 0 || product == 0)
      product = 0;
    else if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(product))
      product = ShapedType::kDynamic;
    else
      product *= extent;
  return product;
}

// What an extent that is known only at run time is taken for when choosing the axis.
static constexpr int64_t usualExtent = 32;

kernel::CutAttr symc::codegen::cutSpace(MLIRContext *context, ArrayRef<int64_t> extents,
                                        int64_t work, unsigned whole) {
  auto indices = [&](unsigned axis, int64_t count) {
    return kernel::CutAttr::get(context, axis, count, /*grain=*/0, /*work=*/0);
  };
  if (extents.empty())
    return indices(0, 1);
  // The outermost axis under which a task's worth of elements, or less, lies.
  unsigned axis = extents.size() - 1;
  int64_t estimate = work;
  while (axis > 0) {
    int64_t extent = extents[axis];
    estimate *= ShapedType::isDynamic(extent) ? usualExtent : std::max<int64_t>(extent, 1);
    if (estimate > taskGrain && axis + whole < extents.size())
      break;
    --axis;
  }
  int64_t inner = productOf(extents.drop_front(axis + 1));
  int64_t outer = productOf(extents.take_front(axis));
  if (ShapedType::isDynamic(inner))
    return kernel::CutAttr::get(context, axis, 0, taskGrain, std::max<int64_t>(work, 1));
  inner *= work;
  if (ShapedType::isDynamic(extents[axis]) || outer <= 0) // a run-time value or none
    return indices(axis, std::max<int64_t>(taskGrain / std::max<int64_t>(inner, 1), 1));
  double cycles = double(inner) * leastTaskCycles / taskGrain;
  int64_t most = std::max<int64_t>(1, maxTasks / outer);
  return indices(axis, unitsPerTask(extents[axis], cycles, most));
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

// Pixel tiles of an image, where its extents are constants.
static std::optional<int64_t> pixelTilesOf(const ConvExtents &extents, const ConvTile &tile) {
  if (ShapedType::isDynamic(extents.rows) || ShapedType::isDynamic(extents.columns))
    return std::nullopt;
  return llvm::divideCeil(extents.rows, tile.rows) *
         llvm::divideCeil(extents.columns, tile.columns);
}

// Whether pixels are rows of a matrix in row-major order.
static bool isMatrix(const ConvExtents &extents) {
  return extents.rows == 1 && extents.pixelBytes >= 4 * extents.inChannels;
}

// Rows of a matrix that are left in L2 while a task walks groups of weights, which its
// caches can't hold. Fewer rows make the weights' stream the longer one. 1024 rows of 768 by
// 768x3072 take 61.5 ms in blocks of 126 rows, 66.0 of 66, 79.2 of 30, 70.0 all at once (Zen 3).
static int64_t rowsOfBlock(const ConvExtents &extents, const TargetDescription &target) {
  constexpr int64_t leastRows = 128;
  return std::max(leastRows, target.l2Bytes / 2 / (4 * extents.inChannels));
}

// Where a run chooses the rows, groups leave tasks for two such blocks and more. Groups alone are
// tasks where the rows are one block, and each group comes from memory once: with tasks of rows 128
// of them took all weights of 768 by 2304 ten times, 2.02 ms instead of 1.92, and a single row was
// one task (Zen 5).
static constexpr int64_t openBlocks = 2;

ConvTasks symc::codegen::cutConvTasks(MLIRContext *context, const ConvExtents &extents,
                                      const ConvTile &tile, const TargetDescription &target) {
  int64_t groups = llvm::divideCeil(extents.outChannels, tile.blocks * target.blockWidth);
  std::optional<int64_t> tiles = pixelTilesOf(extents, tile);
  int64_t steps = extents.inChannels * extents.window;
  int64_t inputBytes = tiles ? *tiles * tile.rows * tile.columns * extents.inChannels * 4
                             : std::numeric_limits<int64_t>::max();
  int64_t weightBytes = extents.outChannels * steps * extents.weightBytes();
  // Cycles of one tile of one group.
  double fmas = double(tile.blocks * target.blockWidth * tile.rows * tile.columns) * steps;
  double cycles =
      fmas / (extents.product->lanes(target) * target.fmasPerCycle * extents.product->stepsPerFma);
  // Groups are split where the weights are the larger stream; else pixels are.
  int64_t groupsPerTask = groups;
  int64_t rowBlocks = 1;
  bool allPixels = false; // are a task's
  bool largeMatrix = isMatrix(extents) && weightBytes > target.l2Bytes / 4;
  if (largeMatrix && tiles)
    rowBlocks = std::max<int64_t>(1, extents.columns / rowsOfBlock(extents, target));
  // Of as many rows as a run chooses, one, too.
  bool openRows = largeMatrix && !tiles;
  double groupBytes = double(tile.blocks * target.blockWidth) * steps * extents.weightBytes();
  // Products of a batch share nothing: what cuts it leaves them whole.
  int64_t mostOfImage =
      extents.ownWeights ? maxTasks / std::clamp<int64_t>(extents.batch, 1, maxTasks) : maxTasks;
  if (rowBlocks > 1) {
    double perBlock = double(*tiles) / rowBlocks * cycles;
    groupsPerTask = unitsPerTask(groups, perBlock, std::max<int64_t>(1, mostOfImage / rowBlocks));
  } else if (openRows) {
    double perGroup = groupBytes / target.taskBytesPerCycle;
    groupsPerTask = unitsPerTask(groups, perGroup, std::max<int64_t>(1, mostOfImage / openBlocks));
  } else if (tiles && weightBytes > inputBytes) {
    // Weights that meet few pixels cost their bytes.
    double perGroup = std::max(*tiles * cycles, groupBytes / target.taskBytesPerCycle);
    int64_t least =
        std::max<int64_t>(llvm::divideCeil(groups, mostOfImage), leastUnitsPerTask(perGroup));
    // Where groups alone are tasks enough, weights come from memory once and meet all pixels then.
    allPixels = int64_t(llvm::divideCeil(groups, least)) >= enoughTasks;
    groupsPerTask = allPixels ? least : unitsPerTask(groups, perGroup, mostOfImage);
  }
  int64_t groupChunks = llvm::divideCeil(groups, groupsPerTask);

  double perTile = cycles * groupsPerTask;
  int64_t mostPixelChunks = allPixels ? 1 : std::max<int64_t>(1, mostOfImage / groupChunks);
  int64_t leastTiles =
      tiles ? unitsPerTask(*tiles, perTile, mostPixelChunks) : leastUnitsPerTask(perTile);
  if (rowBlocks > 1) {
    leastTiles = llvm::divideCeil(*tiles, rowBlocks);
    mostPixelChunks = rowBlocks;
  } else if (openRows) {
    leastTiles = llvm::divideCeil(rowsOfBlock(extents, target), tile.columns);
  }
  // Whole images join a task while they are small.
  int64_t leastImages = 1, mostImageChunks = 0;
  if (tiles && *tiles > 0 && leastTiles >= *tiles) {
    double perImage = perTile * *tiles;
    leastImages = ShapedType::isDynamic(extents.batch) ? leastUnitsPerTask(perImage)
                                                       : unitsPerTask(extents.batch, perImage);
    mostImageChunks = maxTasks;
  }
  // All weights of the task stay in L2: then each input pixel is read once.
  bool pixelsOutside = !allPixels && weightBytes / groupChunks <= target.l2Bytes / 4;
  // Of groups a block reads few channels, which L1 holds while all their outputs' weights pass.
  if (extents.ofGroups && tiles && weightBytes / groupChunks > target.l1Bytes / 2 &&
      inputBytes + weightBytes / groups <= target.l1Bytes)
    pixelsOutside = false;
  return {kernel::ConvTasksAttr::get(context, groupsPerTask, leastTiles, mostPixelChunks,
                                     leastImages, mostImageChunks),
          pixelsOutside};
}

void symc::codegen::setChoice(kernel::ConvOp op, ConvTile tile, std::optional<bool> pixelsOutside,
                              const TargetDescription &target) {
  ConvExtents extents = extentsOf(op, productOf(op, target));
  std::optional<int64_t> tiles = pixelTilesOf(extents, tile);
  if (!tiles || extents.rows == 1)
    tile.rows = 1; // run-time extents leave a rest of columns only
  tiles = pixelTilesOf(extents, tile);
  ConvTasks tasks = cutConvTasks(op.getContext(), extents, tile, target);
  op.setTile(ArrayRef<int64_t>{tile.blocks, tile.rows, tile.columns});
  op.setCutAttr(tasks.cut);
  op.setPixelsOutside(pixelsOutside.value_or(tasks.pixelsOutside));
  // Weights that pass few pixels come from memory: each group fetches the next one's. Those of a
  // matrix are read again for each block of its rows, from L3 (1,024 rows of 512 by 1,536, in tasks
  // of 19 tiles: 6.55 -> 6.45 ms, Zen 5).
  ArrayRef<int64_t> panels = cast<MemRefType>(op.getWeights().getType()).getShape();
  int64_t ofTask = 0; // tiles
  if (tiles)
    ofTask =
        std::min(*tiles, std::max<int64_t>(tasks.cut.getPixelTiles(),
                                           llvm::divideCeil(*tiles, tasks.cut.getPixelChunks())));
  int64_t fewTiles = target.prefetchTiles * (isMatrix(extents) ? 2 : 1);
  op.setPrefetch(!op.getPixelsOutside() && ofTask > 1 && ofTask <= fewTiles && panels.size() == 6 &&
                 panels[4] == target.blockWidth);
}

void symc::codegen::chooseTile(kernel::ConvOp op, const TargetDescription &target) {
  if (op.isChosen())
    return;
  auto given = op.getTile();
  ConvTile tile = given ? ConvTile{(*given)[0], (*given)[1], (*given)[2]}
                        : chooseConvTile(extentsOf(op, productOf(op, target)), target);
  std::optional<bool> order;
  if (op.getPixelsOutside())
    order = true;
  setChoice(op, tile, order, target);
}
