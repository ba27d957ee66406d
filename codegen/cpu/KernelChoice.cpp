// KernelChoice.cpp: see KernelChoice.h. Winograd's cycles are those of its
// products (rated as matrix products by TileChoice), of its transforms, and of
// the bytes that pass through the caches, at the rates below.
#include "codegen/cpu/KernelChoice.h"

#include "codegen/cpu/Tuning.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::WinogradShape;

static constexpr int64_t panelChannels = 16;

// Bytes a cycle of one core: weights from memory, whatever an earlier pass or the
// transforms left beyond L2, and from L2.
static constexpr double memoryBytesPerCycle = 7, sharedBytesPerCycle = 14, l2BytesPerCycle = 45;
// Winograd must be this much faster than direct: its weights are larger. Strassen's
// product saves an eighth at most.
static constexpr double gainNeeded = 0.9, strassenGainNeeded = 0.97;
// A task repeats the transform of its inputs; at most this share of the step.
static constexpr double repeatedShare = 0.06;
static constexpr int64_t maxTasks = 16, minTaskFlops = 2'000'000;
static constexpr int64_t maxTilesAtOnce = 64;
// Of few channels: their sums are the traffic, and stay near.
static constexpr int64_t phaseTilesAtOnce = 16, fewChannels = 16;

llvm::StringRef symc::codegen::nameOf(ConvKernel kernel) {
  static const char *const names[] = {"direct", "winograd-f2", "winograd-f4", "winograd-f4-late",
                                      "winograd-phases", "strassen"};
  return names[static_cast<int>(kernel)];
}

std::optional<ConvKernel> symc::codegen::convKernelNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ConvKernel>>(name)
      .Case("direct", ConvKernel::Direct)
      .Case("winograd-f2", ConvKernel::WinogradF2)
      .Case("winograd-f4", ConvKernel::WinogradF4)
      .Case("winograd-f4-late", ConvKernel::WinogradF4Late)
      .Case("winograd-phases", ConvKernel::WinogradPhases)
      .Case("strassen", ConvKernel::Strassen)
      .Default(std::nullopt);
}

double symc::codegen::errorLimitOf(MathMode math) {
  return math <= MathMode::Strict ? 0 : math == MathMode::Default ? 5e-6 : 2e-5;
}

// Growth with the channels is that of a sum in one chain.
double symc::codegen::errorBound(ConvKernel kernel, int64_t inChannels) {
  if (kernel == ConvKernel::Strassen)
    return strassenErrorBound(inChannels);
  struct Row {
    int64_t channels;
    double direct, f2, f4;
  };
  static const Row rows[] = {{64, 1.5e-6, 1e-6, 2.4e-6},  {128, 2e-6, 1.4e-6, 3e-6},
                             {256, 2.5e-6, 1.8e-6, 4e-6}, {512, 3e-6, 2.4e-6, 4.9e-6},
                             {1024, 4e-6, 3e-6, 7e-6},    {4096, 8e-6, 6e-6, 1.4e-5}};
  const Row *row = llvm::find_if(rows, [&](const Row &r) { return inChannels <= r.channels; });
  if (row == std::end(rows))
    return 1;
  return kernel == ConvKernel::Direct ? row->direct
         : kernel == ConvKernel::WinogradF2 ? row->f2 : row->f4;
}

double symc::codegen::strassenErrorBound(int64_t length) {
  return length <= 256 ? 3e-6 : length <= 1024 ? 5e-6 : length <= 4096 ? 1e-5 : 1;
}

ConvKernel symc::codegen::kernelOf(kernel::WinogradOp op) {
  if (op.isLate())
    return ConvKernel::WinogradF4Late;
  if (op.getPhases())
    return ConvKernel::WinogradPhases;
  return op.getOutputTile() == 4 ? ConvKernel::WinogradF4 : ConvKernel::WinogradF2;
}

//===----------------------------------------------------------------------===//
// Cycles
//===----------------------------------------------------------------------===//

static ConvExtents productExtents(const WinogradShape &shape) {
  return {1, 1, shape.tilesAtOnce, shape.blocksPerTask * panelChannels, shape.inChannels, 1, 64};
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

// One tile and block, in and out of its two transforms. Loads, stores and
// arithmetic of m = 4, 3 and 2.
static double transformCycles(int64_t m, bool inputs, const TargetDescription &target) {
  double vectors = double(panelChannels) / target.lanes(4);
  double work = m == 4 ? (inputs ? 200 : 170) : m == 3 ? (inputs ? 200 : 140) : (inputs ? 90 : 75);
  return vectors * work / std::min(target.fmasPerCycle, 1.5) + 20;
}

// Beside the sums: the row of the weights' transform and what passes by.
LateTile symc::codegen::lateTile(int64_t tiles, const TargetDescription &target) {
  int64_t sums = target.vectorRegisters - 8;
  if (tiles > sums / 6)
    return {3, std::max<int64_t>(1, sums / 3)};
  return {6, std::max<int64_t>(1, sums / 6)};
}

// For each channel and block 36 multiply-adds a tile, and the transform: 24 multiplications
// for columns, 12 for rows (twice with half rows), and additions, which have a port of
// their own on some cores.
static double lateCycles(const WinogradShape &shape, const TargetDescription &target) {
  constexpr double overhead = 1.05;
  LateTile tile = lateTile(shape.tilesAtOnce, target);
  double transform = 24 + 12 * 6.0 / tile.columns;
  double slots = double(shape.tileProducts()) / shape.groups() +
                 transform * llvm::divideCeil(shape.tilesAtOnce, tile.tiles);
  double work = slots * (target.fma ? 1 : 2) / std::min(target.fmasPerCycle, target.loadsPerCycle);
  double vectors = double(panelChannels) / target.lanes(4);
  double passes = 36.0 / tile.columns * llvm::divideCeil(shape.tilesAtOnce, tile.tiles);
  double reads = passes * shape.weightElements() * panelChannels * 4 / l2BytesPerCycle;
  return shape.groups() * shape.outBlocks() * shape.inChannels * vectors *
         std::max(work * overhead, reads);
}

double symc::codegen::estimateWinogradCycles(const WinogradShape &shape,
                                             const TargetDescription &target) {
  double products;
  if (shape.late) {
    products = lateCycles(shape, target);
  } else {
    ConvExtents extents = productExtents(shape);
    ConvTile tile = chooseProductTile(shape, target);
    double blockShare = double(shape.outBlocks()) / shape.blocksPerTask;
    products = double(shape.groups()) * shape.positions() * blockShare *
               estimateConvCycles(extents, tile, target);
    // Ranges of tiles are rounded to whole register tiles.
    double needed = double(shape.tileProducts()) /
                    (shape.positions() * shape.groups() * shape.tilesAtOnce);
    if (tile.columns < shape.tilesAtOnce)
      products *= (1 + needed) / 2;
  }
  double inputs = double(shape.tiles()) * shape.inBlocks() * shape.blockTasks() *
                  transformCycles(shape.m, true, target);
  double outputs = double(shape.tiles()) * shape.outBlocks() *
                   transformCycles(shape.m, false, target);
  double weightBytes = double(shape.weightElements()) * shape.inBlocks() * shape.outBlocks() *
                       panelChannels * panelChannels * 4;
  double inputBytes = double(shape.positions()) * shape.inputStride() * 4;
  double sumBytes = double(shape.positions()) * shape.sumStride() * 4;
  // The first pass over the weights comes from memory, later ones from L3.
  double stream = weightBytes / memoryBytesPerCycle +
                  weightBytes * (shape.groups() - 1) / sharedBytesPerCycle;
  // Transformed inputs that L2 can't hold come round once for each group of blocks.
  double spilled = 0;
  if (inputBytes + sumBytes > target.l2Bytes * 0.8) {
    double rounds = llvm::divideCeil(shape.outBlocks(), shape.blocksAtOnce);
    spilled = shape.groups() * (inputBytes * (1 + rounds) + 2 * sumBytes * rounds) /
              sharedBytesPerCycle;
  }
  return inputs + outputs + std::max(products, stream) + 0.25 * std::min(products, stream) +
         0.5 * spilled;
}

static double directCycles(const ConvLayer &layer, const TargetDescription &target) {
  ConvExtents extents{layer.images,     layer.rows, layer.columns, layer.outChannels,
                      layer.inChannels, layer.kernel[0] * layer.kernel[1], 64};
  double cycles = layer.images *
                  estimateConvCycles(extents, chooseConvTile(extents, target), target);
  double weightBytes = 4.0 * layer.inChannels * layer.outChannels * extents.window;
  return std::max(cycles, weightBytes / memoryBytesPerCycle);
}

//===----------------------------------------------------------------------===//
// The cut
//===----------------------------------------------------------------------===//

// Many groups of tiles are tasks of their own; few ones are cut by output blocks.
static void cutTasks(WinogradShape &shape, int64_t tileBlocks, const TargetDescription &target) {
  shape.groupsPerTask = llvm::divideCeil(shape.groups(), maxTasks);
  shape.blocksPerTask = shape.outBlocks();
  double flops = 2.0 * shape.positions() * shape.tiles() * shape.inChannels * shape.outChannels;
  int64_t wanted = std::min<int64_t>(maxTasks, flops / minTaskFlops);
  while (shape.groupsPerTask < shape.groups() && shape.groupTasks() > std::max<int64_t>(wanted, 1))
    ++shape.groupsPerTask;
  for (int64_t pieces = 2; pieces * shape.groupTasks() <= std::min<int64_t>(wanted, 8); pieces *= 2) {
    WinogradShape cut = shape;
    cut.blocksPerTask = llvm::alignTo(llvm::divideCeil(shape.outBlocks(), pieces), tileBlocks);
    cut.blocksAtOnce = std::min(shape.blocksAtOnce, cut.blocksPerTask);
    double repeated = double(cut.tiles()) * cut.inBlocks() * (pieces - 1) *
                      transformCycles(cut.m, true, target);
    if (repeated > repeatedShare * estimateWinogradCycles(shape, target) ||
        cut.blockTasks() != pieces)
      break;
    shape.blocksPerTask = cut.blocksPerTask;
    shape.blocksAtOnce = cut.blocksAtOnce;
  }
}

// The cheapest cut: tiles in groups of equal size, output blocks a few or all at once.
static WinogradShape chooseCut(WinogradShape shape, const TargetDescription &target) {
  WinogradShape best;
  double bestCycles = -1;
  int64_t most = shape.stride > 1 && shape.inChannels <= fewChannels ? phaseTilesAtOnce
                                                                     : maxTilesAtOnce;
  for (int64_t groups = llvm::divideCeil(shape.tiles(), most); groups <= shape.tiles();
       groups = std::max(groups + 1, groups * 9 / 8)) {
    WinogradShape cut = shape;
    cut.tilesAtOnce = llvm::divideCeil(shape.tiles(), groups);
    cut.blocksPerTask = shape.outBlocks();
    int64_t tileBlocks = cut.late ? 1 : chooseConvTile(productExtents(cut), target).blocks;
    for (int64_t blocks : {tileBlocks, 2 * tileBlocks, 4 * tileBlocks, shape.outBlocks()}) {
      cut.blocksAtOnce = std::min(blocks, shape.outBlocks());
      cutTasks(cut, tileBlocks, target);
      double cycles = estimateWinogradCycles(cut, target);
      // Two cores share the tasks.
      int64_t tasks = cut.tasks();
      cycles *= 1 + 0.3 * (tasks % 2) / tasks;
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
// The choice
//===----------------------------------------------------------------------===//

// Why Winograd can't compute the phases of the layer's image; nothing where it can.
static std::string phasesObstacle(const ConvLayer &layer) {
  int64_t stride = layer.strides[0], taps = llvm::divideCeil(layer.kernel[0], stride);
  if (stride != layer.strides[1] || (stride != 2 && stride != 4) || layer.dilations[0] != 1 ||
      layer.dilations[1] != 1)
    return llvm::formatv("it has strides {0}x{1} and dilations {2}x{3}, phases need strides of 2 "
                         "or 4 both ways",
                         stride, layer.strides[1], layer.dilations[0], layer.dilations[1]);
  if (int64_t(llvm::divideCeil(layer.kernel[1], stride)) != taps || (taps != 3 && taps != 4))
    return llvm::formatv("its kernel is {0}x{1}, phases need 3 or 4 strides both ways",
                         layer.kernel[0], layer.kernel[1]);
  if (layer.blocked)
    return "its image comes in blocks of 16 channels, phases are taken from one that lies row by row";
  for (int64_t extent : {layer.images, layer.rows, layer.columns})
    if (ShapedType::isDynamic(extent))
      return "its extents are chosen at run time";
  return "";
}

// Why Winograd's other kernels can't compute the layer; nothing where they can.
static std::string obstacle(const ConvLayer &layer) {
  if (layer.kernel[0] != 3 || layer.kernel[1] != 3)
    return llvm::formatv("its kernel is {0}x{1}, Winograd takes 3x3", layer.kernel[0],
                         layer.kernel[1]);
  for (int d : {0, 1})
    if (layer.strides[d] != 1 || layer.dilations[d] != 1)
      return llvm::formatv("it has stride {0} and dilation {1}, Winograd takes 1 and 1",
                           layer.strides[d], layer.dilations[d]);
  if (!layer.blocked)
    return "its image is read as it lies, Winograd takes blocks of 16 channels";
  for (int64_t extent : {layer.images, layer.rows, layer.columns})
    if (ShapedType::isDynamic(extent))
      return "its extents are chosen at run time";
  return "";
}

static WinogradShape shapeOf(const ConvLayer &layer, ConvKernel kernel) {
  WinogradShape shape;
  shape.m = kernel == ConvKernel::WinogradF2 ? 2 : 4;
  if (kernel == ConvKernel::WinogradPhases) {
    shape.stride = layer.strides[0];
    shape.m = llvm::divideCeil(layer.kernel[0], shape.stride) == 4 ? 3 : 4;
  }
  shape.late = kernel == ConvKernel::WinogradF4Late;
  shape.images = layer.images;
  shape.rows = layer.rows;
  shape.columns = layer.columns;
  shape.inChannels = layer.inChannels * shape.stride * shape.stride;
  shape.outChannels = layer.outChannels;
  return shape;
}

// The bound of the sums that the kernel has.
static double boundOf(const ConvLayer &layer, ConvKernel kernel) {
  bool phases = kernel == ConvKernel::WinogradPhases;
  return errorBound(kernel, phases ? shapeOf(layer, kernel).inChannels : layer.inChannels);
}

// Sets kernel, cut and error bound; returns the cycles.
static double cut(ConvChoice &choice, const ConvLayer &layer, ConvKernel kernel,
                  const TargetDescription &target) {
  choice.kernel = kernel;
  choice.error = boundOf(layer, kernel);
  if (kernel == ConvKernel::Direct)
    return directCycles(layer, target);
  if (kernel == ConvKernel::Strassen) {
    choice.strassen = cutStrassen(layer, target);
    return estimateStrassenCycles(choice.strassen, target);
  }
  choice.winograd = chooseCut(shapeOf(layer, kernel), target);
  return estimateWinogradCycles(choice.winograd, target);
}

static double cyclesOf(const ConvLayer &layer, ConvKernel kernel, const TargetDescription &target) {
  ConvChoice choice;
  return cut(choice, layer, kernel, target);
}

namespace {
// The kernels besides the direct one that a layer may get, and why there are none.
struct Others {
  ArrayRef<ConvKernel> kernels;
  std::string obstacle;
};
} // namespace

// 1x1 kernels are Strassen's, strided ones of few channels Winograd's by phases, others
// Winograd's, unless one is forced.
static Others othersFor(const ConvLayer &layer, const KernelPolicy &policy) {
  static const ConvKernel strassen[] = {ConvKernel::Strassen};
  ArrayRef<ConvKernel> all = winogradKernels;
  bool forcedOther = policy.forced && *policy.forced != ConvKernel::Direct;
  if (forcedOther ? *policy.forced == ConvKernel::Strassen
                  : layer.kernel[0] == 1 && layer.kernel[1] == 1)
    return {strassen, strassenObstacle(layer)};
  bool forcePhases = policy.forced == ConvKernel::WinogradPhases;
  std::string strided = phasesObstacle(layer);
  if (forcePhases || (strided.empty() && !policy.forced))
    return {all.take_back(), strided};
  return {all.drop_back(), obstacle(layer)};
}

// One kernel for the layer at all batch sizes: the only one that any of them wants, or the
// best in the mean of those that some want.
static ConvChoice chooseShared(const ConvLayer &layer, const KernelPolicy &policy) {
  KernelPolicy alone = policy;
  alone.batches = {};
  ConvChoice own = chooseConvKernel(layer, alone);
  if (policy.forced || own.directCycles == 0) // no size has a choice
    return own;
  llvm::SmallVector<ConvLayer> layers;
  llvm::SmallVector<ConvKernel> wanted;
  for (int64_t batch : policy.batches) {
    layers.push_back(layer);
    int64_t &grows = layer.matrix ? layers.back().columns : layers.back().images;
    grows = std::max<int64_t>(grows * batch / policy.batch, 1);
    ConvKernel kernel = chooseConvKernel(layers.back(), alone).kernel;
    if (!llvm::is_contained(wanted, kernel))
      wanted.push_back(kernel);
  }
  ConvKernel best = wanted.front();
  double least = 0;
  for (ConvKernel kernel : wanted) {
    double sum = 0;
    for (const ConvLayer &each : layers) {
      double cycles = cyclesOf(each, kernel, *policy.target), fewest = cycles;
      for (ConvKernel other : wanted)
        fewest = std::min(fewest, cyclesOf(each, other, *policy.target));
      sum += cycles / fewest;
    }
    if (kernel == wanted.front() || sum < least) {
      best = kernel;
      least = sum;
    }
  }
  ConvChoice taken = own;
  if (best != own.kernel) {
    alone.forced = best;
    taken = chooseConvKernel(layer, alone);
    taken.directCycles = own.directCycles;
    taken.cycles = cyclesOf(layer, best, *policy.target);
    taken.reason = llvm::formatv("all batch sizes share its weights; alone this one would take {0}, "
                                 "with {1:F1} % of the cycles",
                                 nameOf(own.kernel), 100 * own.cycles / taken.cycles);
  }
  if (policy.cost) {
    policy.cost->own += own.cycles;
    policy.cost->taken += taken.cycles;
  }
  return taken;
}

ConvChoice symc::codegen::chooseConvKernel(const ConvLayer &layer, const KernelPolicy &policy) {
  if (policy.batches.size() > 1)
    return chooseShared(layer, policy);
  ConvChoice choice;
  choice.error = errorBound(ConvKernel::Direct, layer.inChannels);
  Others others = othersFor(layer, policy);
  choice.reason = others.obstacle;
  if (!choice.reason.empty())
    return choice;
  if (!policy.target) {
    choice.reason = "no instruction set is given";
    return choice;
  }
  const TargetDescription &target = *policy.target;
  if (policy.forced) {
    choice.reason = "forced";
    cut(choice, layer, *policy.forced, target);
    return choice;
  }
  if (policy.errorLimit == 0) {
    choice.reason = "strict mathematics keeps to it";
    return choice;
  }
  choice.directCycles = choice.cycles = directCycles(layer, target);
  const TuningChoice *measured =
      policy.measured ? policy.measured->find(target, Tuning::keyOf(layer)) : nullptr;
  if (measured && boundOf(layer, measured->kernel) <= policy.errorLimit &&
      (measured->kernel == ConvKernel::Direct ||
       llvm::is_contained(others.kernels, measured->kernel))) {
    choice.reason = "measured as the fastest";
    choice.cycles = cut(choice, layer, measured->kernel, target);
    return choice;
  }
  bool strassen = others.kernels.front() == ConvKernel::Strassen;
  double needed = strassen ? strassenGainNeeded : gainNeeded;
  double bestOther = -1, limited = 0;
  for (ConvKernel kernel : others.kernels) {
    double error = boundOf(layer, kernel);
    if (error > policy.errorLimit) {
      limited = error;
      continue;
    }
    ConvChoice other = choice;
    double cycles = cut(other, layer, kernel, target);
    bestOther = bestOther < 0 ? cycles : std::min(bestOther, cycles);
    if (cycles < choice.cycles && cycles < needed * choice.directCycles) {
      choice = other;
      choice.cycles = cycles;
    }
  }
  auto thousands = [](double cycles) { return llvm::formatv("{0:F0}", cycles / 1000).str(); };
  if (choice.kernel != ConvKernel::Direct)
    choice.reason = "the model gives " + thousands(choice.cycles) + " thousand cycles, direct " +
                    thousands(choice.directCycles);
  else if (bestOther < 0)
    choice.reason = llvm::formatv("{0}'s error bound, {1:E1}, is above the limit, {2:E1}",
                                  strassen ? "Strassen" : "Winograd", limited, policy.errorLimit);
  else
    choice.reason = std::string("the model gives ") +
                    (strassen ? "Strassen's product " : "Winograd ") + thousands(bestOther) +
                    " thousand cycles, direct " + thousands(choice.directCycles);
  return choice;
}

ConvTile symc::codegen::productTile(kernel::WinogradOp op, const TargetDescription &target) {
  WinogradShape shape = WinogradShape::of(op);
  if (shape.late)
    return {1, 1, std::min(lateTile(shape.tilesAtOnce, target).tiles, shape.tilesAtOnce)};
  auto given = op.getTile();
  if (given && given->size() == 3 && !llvm::is_contained(*given, 0))
    return {(*given)[0], 1, (*given)[2]};
  return chooseProductTile(shape, target);
}

std::vector<ConvTile> symc::codegen::rankProductTiles(kernel::WinogradOp op,
                                                      const TargetDescription &target,
                                                      size_t most) {
  if (op.isLate())
    return {productTile(op, target)};
  WinogradShape shape = WinogradShape::of(op);
  std::vector<ConvTile> tiles = rankConvTiles(productExtents(shape), target, most);
  ConvTile chosen = chooseProductTile(shape, target);
  llvm::erase_if(tiles, [&](const ConvTile &tile) {
    return tile.blocks == chosen.blocks && tile.columns == chosen.columns;
  });
  tiles.insert(tiles.begin(), chosen);
  // A tile of each other row of the table, balanced too.
  for (const TileShape &row : target.tiles) {
    int64_t blocks = row.vectors * target.lanes(4) / panelChannels;
    if (blocks > 0 && blocks != chosen.blocks && blocks <= shape.blocksPerTask)
      tiles.push_back({blocks, 1, balanced(shape.tilesAtOnce, row.pixels)});
  }
  return tiles;
}

void symc::codegen::chooseTile(kernel::WinogradOp op, const TargetDescription &target) {
  ConvTile tile = productTile(op, target);
  op.setTile(ArrayRef<int64_t>{tile.blocks, tile.rows, tile.columns});
}
