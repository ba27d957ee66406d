// PoolTasks.cpp: the tasks of kernel.pool: rows of one image and block of channels.
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static LogicalResult choosePool(kernel::PoolOp op, const TargetDescription &) {
  ArrayRef<int64_t> out = cast<MemRefType>(op.getOut().getType()).getShape();
  int64_t window = op.getKernel()[0] * op.getKernel()[1];
  int64_t columns = ShapedType::isDynamic(out[3]) ? 32 : out[3];
  int64_t work = out[4] * columns * std::clamp<int64_t>(window / 4, 1, 1024);
  op.setCut(cutSpace(out.take_front(3), work));
  return success();
}

namespace symc::codegen {
void registerPoolTasks(DialectRegistry &registry) {
  addChosen<kernel::PoolOp, choosePool>(registry);
}
} // namespace symc::codegen
