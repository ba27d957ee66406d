// WinogradWeights.cpp: see WinogradWeights.h. Cycles are those of the products (as of sums over
// pixels), of the transforms, and of the bytes that pass through the caches, at the target's rates.
#include "codegen/conv/winograd/WinogradWeights.h"

#include "codegen/conv/WeightsChoice.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::WinogradWeightsShape;

// Of all rows of scratch: they lie in the arena, together with what else lives then.
static constexpr int64_t mostScratchBytes = 24 << 20;
static constexpr int64_t maxTasks = 16;
static constexpr double minTaskCycles = 100'000;
static constexpr double shareNeeded = 0.9; // as of other algorithms: the model may err
static constexpr double shareWaited = 0.6; // of the time that bytes take: products hide the rest

// The different numbers of the transform of sums back to so many taps, but for signs.
static int64_t numbersOfTransform(int64_t taps) { return taps == 4 ? 7 : taps == 3 ? 5 : 4; }

// Those of a position: rows of blocks of inputs by vectors of blocks of outputs. LLVM keeps the
// numbers of the transform back, which follows in one nest, across the sums.
WeightsTile symc::codegen::chooseProductTile(const WinogradWeightsShape &shape,
                                             const TargetDescription &target) {
  int64_t vectors = shape.outBlocks() * shape.blockWidth / target.lanes(4);
  return chooseWeightsTile({shape.inBlocks() * shape.blockWidth, shape.blockWidth, 1, vectors,
                            numbersOfTransform(shape.taps())},
                           target);
}

double symc::codegen::estimateWinogradWeights(const WinogradWeightsShape &shape,
                                              const TargetDescription &target) {
  constexpr double workOfInputs = 200, workOfSlopes = 160, workOfSums = 110;
  // One tile and block of inputs, slopes, or of weights back: loads, stores and arithmetic of
  // twelve lines, and their loops; or of a line alone.
  auto ofTransform = [&](double work) {
    double vectors = double(target.blockWidth) / target.lanes(4);
    if (shape.line())
      work /= 12;
    return vectors * work / std::min(target.fmasPerCycle, 1.5) + (shape.line() ? 10 : 20);
  };
  double tiles = shape.tiles(), positions = shape.positions();
  double inBlocks = shape.inBlocks(), outBlocks = shape.outBlocks();
  double chunks = shape.chunks().count;
  double products = tiles * positions * chooseProductTile(shape, target).cycles;
  double transforms = tiles * (inBlocks * shape.outTasks() * ofTransform(workOfInputs) +
                               outBlocks * shape.inTasks() * ofTransform(workOfSlopes));
  double pairs = inBlocks * outBlocks * shape.blockWidth; // of a channel and a block
  transforms += chunks * pairs * ofTransform(workOfSums);

  // Sums are read and written in each group of tiles; what is transformed is written once, and read
  // once for each part of the other side's blocks.
  double sumBytes = positions * shape.sumStride() * 4;
  double inputBytes = positions * shape.inputStride() * 4,
         slopeBytes = positions * shape.slopeStride() * 4;
  double groups = chunks * shape.groups() * shape.inTasks() * shape.outTasks();
  double inParts = llvm::divideCeil(shape.inBlocksOfTask, shape.inBlocksSummed),
         outParts = llvm::divideCeil(shape.outBlocksOfTask, shape.outBlocksSummed);
  double traffic = groups * (2 * sumBytes * inParts * outParts + inputBytes * (1 + outParts) +
                             slopeBytes * (1 + inParts));
  bool isNear = sumBytes + inputBytes + slopeBytes <= target.l2Bytes * 0.8;
  return products + transforms +
         shareWaited * traffic / (isNear ? target.nearBytesPerCycle : target.sharedBytesPerCycle);
}

WinogradWeightsShape symc::codegen::cutWinogradWeights(WinogradWeightsShape shape,
                                                       const TargetDescription &target) {
  shape.blockWidth = target.blockWidth;
  int64_t perBlock = shape.blockWidth / target.lanes(4);
  WeightsTile tile = chooseProductTile(shape, target);
  int64_t step = std::max<int64_t>(1, tile.vectors / perBlock); // blocks of a tile
  auto sizesOf = [](int64_t all, int64_t step) {                // equal parts of whole steps
    SmallVector<int64_t> sizes;
    for (int64_t parts = 1; parts <= all; parts *= 2)
      sizes.push_back(std::min<int64_t>(all, llvm::alignTo(llvm::divideCeil(all, parts), step)));
    return sizes;
  };
  WinogradWeightsShape best;
  double least = -1;
  auto rate = [&](WinogradWeightsShape cut) {
    if (cut.slotTasks() * cut.inTasks() * cut.outTasks() > maxTasks)
      cut.slotsOfTask = llvm::divideCeil(
          cut.slots(), std::max<int64_t>(1, maxTasks / cut.inTasks() / cut.outTasks()));
    int64_t ofRow = 4 * cut.scratchElements();
    if (cut.slotTasks() * cut.inTasks() * cut.outTasks() * ofRow > mostScratchBytes)
      cut.slotsOfTask =
          llvm::divideCeil(cut.slots(), std::max<int64_t>(1, mostScratchBytes / ofRow /
                                                                 cut.inTasks() / cut.outTasks()));
    int64_t tasks = cut.tasks();
    if (tasks > maxTasks || tasks * ofRow > mostScratchBytes)
      return;
    double cycles = estimateWinogradWeights(cut, target);
    // What more threads than one gain.
    int64_t wanted = std::clamp<int64_t>(cycles / minTaskCycles, 1, 8);
    cycles *= 1 + 0.15 * std::max<double>(0, double(wanted) / tasks - 1) +
              0.3 * (tasks % target.cores) / tasks;
    if (least < 0 || cycles < least * 0.995) {
      best = cut;
      least = cycles;
    }
  };
  int64_t tiles = shape.tilesOfChunk();
  for (int64_t in : sizesOf(shape.inBlocks(), 1))
    for (int64_t out : sizesOf(shape.outBlocks(), step)) {
      WinogradWeightsShape cut = shape;
      cut.inBlocksOfTask = in;
      cut.outBlocksOfTask = out;
      cut.tilesAtOnce = tiles;
      for (int64_t inSummed : sizesOf(in, 1))
        for (int64_t outSummed : sizesOf(out, step)) {
          cut.inBlocksSummed = inSummed;
          cut.outBlocksSummed = outSummed;
          rate(cut);
        }
      cut.inBlocksSummed = in;
      cut.outBlocksSummed = out;
      for (int64_t groups = 2; groups <= tiles && tiles / groups >= 8; ++groups) {
        cut.tilesAtOnce = llvm::divideCeil(tiles, groups);
        if (!cut.isOneGroup())
          rate(cut);
      }
    }
  return best;
}

// Pixels from one tap to the next along an axis; a single tap has none.
static int64_t dilationOf(kernel::ConvWeightsOp op, int axis) {
  return op.getKernel()[axis] == 1 ? 1 : op.getDilations()[axis];
}

static std::string obstacleOf(kernel::ConvWeightsOp op) {
  auto data = cast<MemRefType>(op.getData().getType());
  auto slope = cast<MemRefType>(op.getSlope().getType());
  ArrayRef<int64_t> window = op.getKernel();
  if (!WinogradWeightsShape::takes(window[0], window[1]))
    return llvm::formatv("its window is {0}x{1}, Winograd takes 2 to 4 taps along both axes, or "
                         "along one",
                         window[0], window[1]);
  for (int64_t step : op.getStrides())
    if (step != 1)
      return llvm::formatv("it has stride {0}, Winograd takes 1", step);
  for (int axis : {0, 1}) {
    int64_t pixels = slope.getDimSize(2 + axis), apart = dilationOf(op, axis);
    if (apart > pixels)
      return llvm::formatv("its dilation {0} is beyond its {1} pixels", apart, pixels);
    if (data.getDimSize(2 + axis) != pixels + apart * (window[axis] - 1))
      return "its image has pixels that no window reads";
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  if (data.getShape().back() != slope.getShape().back() ||
      failed(data.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return "its image is read as it lies, Winograd takes blocks of 16 channels";
  return "";
}

static void createStep(kernel::ConvWeightsOp op, const WinogradWeightsShape &shape,
                       StringRef reason, Value scratch, Value slots) {
  OpBuilder b(op);
  kernel::WinogradWeightsOp::create(
      b, op.getLoc(), op.getData(), op.getSlope(), op.getSums(), scratch, slots,
      op.getInChannelsAttr(), op.getOutChannelsAttr(), op.getPerSlotAttr(),
      b.getDenseI64ArrayAttr({shape.tilesAtOnce, shape.inBlocksOfTask, shape.outBlocksOfTask}),
      b.getDenseI64ArrayAttr({shape.inBlocksSummed, shape.outBlocksSummed}),
      b.getI64IntegerAttr(shape.slotsOfTask), DenseI64ArrayAttr(), b.getStringAttr(reason));
}

static void take(WeightsChoice &choice, const WinogradWeightsShape &shape, double error) {
  choice.scratchRows = shape.tasks();
  choice.scratchElements = shape.scratchElements();
  choice.error = error;
  choice.description = llvm::formatv("Winograd's sums in {0} tasks, {1} tiles at once",
                                     shape.tasks(), shape.tilesAtOnce);
  choice.create = [shape, reason = choice.reason](kernel::ConvWeightsOp op, Value scratch,
                                                  Value slots) {
    createStep(op, shape, reason, scratch, slots);
  };
}

// That of forward layers of such a window, which also decides what is forced.
static const ConvAlgorithm *algorithmFor(const WinogradWeightsShape &shape) {
  if (shape.taps() == 2)
    return convAlgorithmNamed("winograd-f5");
  return convAlgorithmNamed(shape.taps() == 3 && !shape.line() ? "winograd-f4" : "winograd-pieces");
}

WeightsChoice symc::codegen::chooseWeightsAlgorithm(kernel::ConvWeightsOp op,
                                                    const KernelPolicy &policy) {
  WeightsChoice choice;
  choice.reason = obstacleOf(op);
  if (!choice.reason.empty()) {
    ArrayRef<int64_t> window = op.getKernel();
    choice.isMeant = window[0] * window[1] > 1;
    return choice;
  }
  WinogradWeightsShape shape;
  for (int axis : {0, 1}) {
    shape.window[axis] = op.getKernel()[axis];
    shape.dilations[axis] = dilationOf(op, axis);
  }
  const ConvAlgorithm *winograd = algorithmFor(shape);
  if (policy.forced && policy.forced != winograd) {
    choice.reason = "forced";
    return choice;
  }
  if (!policy.target) {
    choice.reason = "no instruction set is given";
    return choice;
  }
  const TargetDescription &target = *policy.target;
  ArrayRef<int64_t> slope = cast<MemRefType>(op.getSlope().getType()).getShape();
  shape.images = slope[0];
  shape.rows = slope[2];
  shape.columns = slope[3];
  shape.inChannels = op.getInChannels();
  shape.outChannels = op.getOutChannels();
  shape.perSlot = op.getPerSlot();
  shape = cutWinogradWeights(shape, target);
  const double error = winogradWeightsError(target.fma);
  if (policy.forced) {
    choice.reason = "forced";
    take(choice, shape, error);
    return choice;
  }
  choice.reason = refusal(*winograd, error, policy);
  if (!choice.reason.empty())
    return choice;
  double cycles = estimateWinogradWeights(shape, target);
  WeightsExtents extents{shape.inChannels, shape.blockWidth, op.getWindow(),
                         int64_t(llvm::divideCeil(shape.outChannels, target.lanes(4)))};
  double direct =
      chooseWeightsTile(extents, target).cycles * shape.images * shape.rows * shape.columns;
  choice.reason = llvm::formatv("the model gives Winograd {0:F0} thousand cycles, direct {1:F0}",
                                cycles / 1000, direct / 1000);
  if (cycles < shareNeeded * direct)
    take(choice, shape, error);
  return choice;
}
