// RecurrentTasks.cpp: the register tile of kernel.recurrent and its tasks, for the largest batch.
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"
#include "codegen/kernel/ViewOrigin.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// Weights that are widened pass through more registers than they are multiplied from.
static int64_t registersOf(const ProductRow &product, const TargetDescription &target) {
  return target.vectorRegisters - (product.tileTable ? 2 : 0);
}

// Registers of the weights of one step for a vector of units: pairs stay until both are widened.
static int64_t registersOfWeights(const ProductRow &product) {
  return product.tileTable ? product.termsPerStep : 1;
}

// The gates that a tile of plain products sums at once, as many as registers hold beside the
// weights of one k and a broadcast state. One row reads its weights as one stream.
static int64_t gatesOfTile(int64_t vectors, int64_t rows, int64_t gates, const ProductRow &product,
                           const TargetDescription &target) {
  int64_t some = gates;
  while (rows > 1 && some > 1 &&
         (gates % some ||
          vectors * some * (rows + registersOfWeights(product)) + 1 > registersOf(product, target)))
    --some;
  return some;
}

namespace {
struct Passes {
  double cycles, bytes; // bytes of weights
};
} // namespace

// One step of the product of a block, all its gates and `batch` rows: cycles of multiply-adds,
// loads, or lines of weights that L1 does not keep from pass to pass.
static Passes passesOf(int64_t vectors, int64_t rows, int64_t batch, int64_t gates,
                       const ProductRow &product, const TargetDescription &target) {
  constexpr double latency = 4, line = 64; // cycles of a multiply-add, bytes
  int64_t some = gatesOfTile(vectors, rows, gates, product, target);
  int64_t inBlock = target.blockWidth / std::min<int64_t>(target.blockWidth, target.lanes(4));
  double bytes = some * std::max(line, vectors * target.lanes(4) * 4.0);
  Passes sum{0, 0};
  for (int64_t row = 0; row < batch; row += rows) {
    double count = std::min(rows, batch - row), weights = vectors * some;
    sum.bytes += bytes;
    sum.cycles +=
        std::max({count * weights / (target.fmasPerCycle * product.stepsPerFma), latency,
                  (count + weights) / target.loadsPerCycle, bytes / target.l2BytesPerCycle});
  }
  double times = double(inBlock / vectors) * (gates / some);
  return {sum.cycles * times, sum.bytes * times};
}

// Sums, the weights of one k and a broadcast state stay in registers. The whole block
// at once where the batch allows, so that its weights are read once; else the tile whose
// passes take the fewest cycles.
static LogicalResult chooseRecurrent(kernel::RecurrentOp op, const TargetDescription &target) {
  ArrayRef<int64_t> gates = cast<MemRefType>(op.getGates().getType()).getShape();
  int64_t batch = gates[1], gateCount = gates[2], units = gates[3];
  if (ShapedType::isDynamic(batch)) {
    FailureOr<kernel::ViewOrigin> view = kernel::traceView(op.getGates());
    if (failed(view))
      return failure();
    auto program = op->getParentOfType<kernel::ProgramOp>();
    batch = sg::intervalOf(view->sizes[1], kernel::symbolRanges(program)).max;
  }
  Type f32 = Float32Type::get(op.getContext());
  Type factor = cast<MemRefType>(op.getWeights().getType()).getElementType();
  const ProductRow *product = productRowOf(target, op.getRounded() ? factor : f32, factor);
  if (!product)
    return failure(); // reported where the step becomes code
  int64_t registers = registersOf(*product, target), held = registersOfWeights(*product);
  // By sums of quarters, half the batch and a group of gates at once.
  bool halved = bool(op.getScratch());
  int64_t rowsAtOnce = std::max<int64_t>(halved ? batch / 2 : batch, 1);
  int64_t gatesAtOnce =
      halved ? cast<MemRefType>(op.getWeights().getType()).getDimSize(4) : gateCount;
  auto rowsFor = [&](int64_t vectors) {
    int64_t sums = std::max<int64_t>(registers - 2 - vectors * gatesAtOnce * held, 1);
    return std::max<int64_t>(sums / (vectors * gatesAtOnce), 1);
  };
  int64_t vectors = target.blockWidth / std::min<int64_t>(target.blockWidth, target.lanes(4));
  while (vectors > 1 && rowsFor(vectors) < rowsAtOnce)
    vectors /= 2;
  int64_t most = std::min(rowsFor(vectors), rowsAtOnce);
  auto balanced = [&](int64_t rows) -> int64_t {
    return llvm::divideCeil(rowsAtOnce, llvm::divideCeil(rowsAtOnce, rows));
  };
  int64_t rows = balanced(most);
  if (!halved && rows < rowsAtOnce) {
    // A tile of few gates has to gain a quarter of the cycles, for its weights are no stream; or of
    // the bytes that all passes read, if L1 does not hold a block (LSTM of 512 units, 16 rows: 8
    // rows by two gates in 38.7 ms, 6 by four in 40.9, Zen 5).
    constexpr double gain = 0.75;
    Passes plain = passesOf(vectors, rows, batch, gateCount, *product, target);
    bool rereads = double(target.blockWidth) * gateCount * units * 4 > double(target.l1Bytes);
    double least = gain * plain.cycles, leastOfFewer = plain.cycles;
    bool isFaster = false;
    for (int64_t wide = target.blockWidth / std::min<int64_t>(target.blockWidth, target.lanes(4));
         wide >= 1; wide /= 2)
      for (int64_t gates = 1; gates < gateCount; ++gates) {
        int64_t more = (registers - 1) / (wide * gates) - held;
        if (gateCount % gates || more < 2)
          continue;
        more = balanced(std::min(more, rowsAtOnce));
        Passes passes = passesOf(wide, more, batch, gateCount, *product, target);
        bool readsFewer = rereads && passes.bytes <= gain * plain.bytes;
        if (passes.cycles < least) {
          least = passes.cycles;
          isFaster = true;
        } else if (!isFaster && readsFewer && passes.cycles <= leastOfFewer) {
          leastOfFewer = passes.cycles;
        } else {
          continue;
        }
        vectors = wide;
        rows = more;
      }
  }
  int64_t some = halved ? gatesAtOnce : gatesOfTile(vectors, rows, gateCount, *product, target);
  op.setTile(ArrayRef<int64_t>{vectors, rows, some});

  int64_t blocks = llvm::divideCeil(units, target.blockWidth);
  double streamed = double(target.blockWidth) * gateCount * units / product->termsPerStep; // steps
  double sums = streamed * batch / (target.lanes(4) * target.fmasPerCycle * product->stepsPerFma);
  double cycles = std::max(sums, streamed * product->weightBytesPerStep / target.taskBytesPerCycle);
  op.setPerTask(unitsPerTask(halved ? blocks / 2 : blocks, halved ? cycles * 7 / 4 : cycles));
  return success();
}

namespace symc::codegen {
void registerRecurrentTasks(DialectRegistry &registry) {
  addChosen<kernel::RecurrentOp, chooseRecurrent>(registry);
}
} // namespace symc::codegen
