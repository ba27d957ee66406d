// RecurrentTasks.cpp: the register tile of kernel.recurrent and its tasks.
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// Sums, the weights of one k and a broadcast state stay in registers. The whole block
// at once where the batch allows, so that its weights are read once.
static LogicalResult chooseRecurrent(kernel::RecurrentOp op, const TargetDescription &target) {
  ArrayRef<int64_t> gates = cast<MemRefType>(op.getGates().getType()).getShape();
  int64_t batch = gates[1], gateCount = gates[2], units = gates[3];
  // By sums of quarters, half the batch and a group of gates at once.
  bool halved = bool(op.getScratch());
  int64_t rowsAtOnce = std::max<int64_t>(halved ? batch / 2 : batch, 1);
  int64_t gatesAtOnce =
      halved ? cast<MemRefType>(op.getWeights().getType()).getDimSize(4) : gateCount;
  auto rowsFor = [&](int64_t vectors) {
    int64_t held = std::max<int64_t>(target.vectorRegisters - 2 - vectors * gatesAtOnce, 1);
    return std::max<int64_t>(held / (vectors * gatesAtOnce), 1);
  };
  int64_t vectors = target.blockWidth / std::min<int64_t>(target.blockWidth, target.lanes(4));
  while (vectors > 1 && rowsFor(vectors) < rowsAtOnce)
    vectors /= 2;
  int64_t most = std::min(rowsFor(vectors), rowsAtOnce);
  int64_t rows = llvm::divideCeil(rowsAtOnce, llvm::divideCeil(rowsAtOnce, most));
  op.setTile(ArrayRef<int64_t>{vectors, rows});

  int64_t blocks = llvm::divideCeil(units, target.blockWidth);
  double streamed = double(target.blockWidth) * gateCount * units;
  double sums = streamed * batch / (target.lanes(4) * target.fmasPerCycle);
  double cycles = std::max(sums, streamed * 4 / target.taskBytesPerCycle);
  op.setPerTask(unitsPerTask(halved ? blocks / 2 : blocks, halved ? cycles * 7 / 4 : cycles));
  return success();
}

namespace symc::codegen {
void registerRecurrentTasks(DialectRegistry &registry) {
  addChosen<kernel::RecurrentOp, chooseRecurrent>(registry);
}
} // namespace symc::codegen
