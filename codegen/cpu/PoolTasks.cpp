// PoolTasks.cpp: the tasks of kernel.pool, rows of one image and block of channels, and of
// kernel.pool_gradient, whose windows overlap, and kernel.pool_places: whole images of a block.
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
  op.setCutAttr(cutSpace(op.getContext(), out.take_front(3), work));
  return success();
}

static LogicalResult choosePoolGradient(kernel::PoolGradientOp op, const TargetDescription &) {
  ArrayRef<int64_t> out = cast<MemRefType>(op.getOut().getType()).getShape();
  ArrayRef<int64_t> slope = cast<MemRefType>(op.getSlope().getType()).getShape();
  int64_t window = op.getKernel()[0] * op.getKernel()[1];
  int64_t work = out[4] * (out[2] * out[3] + slope[2] * slope[3] * window);
  op.setCutAttr(cutSpace(op.getContext(), out.take_front(2), std::max<int64_t>(work, 1)));
  return success();
}

static LogicalResult choosePoolPlaces(kernel::PoolPlacesOp op, const TargetDescription &) {
  ArrayRef<int64_t> out = cast<MemRefType>(op.getPlaces().getType()).getShape();
  int64_t work = out[4] * out[2] * out[3] * op.getKernel()[0] * op.getKernel()[1];
  op.setCutAttr(cutSpace(op.getContext(), out.take_front(2), std::max<int64_t>(work, 1)));
  return success();
}

namespace symc::codegen {
void registerPoolTasks(DialectRegistry &registry) {
  addChosen<kernel::PoolOp, choosePool>(registry);
  addChosen<kernel::PoolGradientOp, choosePoolGradient>(registry);
  addChosen<kernel::PoolPlacesOp, choosePoolPlaces>(registry);
}
} // namespace symc::codegen
