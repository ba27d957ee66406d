// DepthwiseTasks.cpp: the tasks of kernel.depthwise: rows of one image and block of channels,
// or whole ones.
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static LogicalResult chooseDepthwise(kernel::DepthwiseOp op, const TargetDescription &target) {
  ArrayRef<int64_t> out = cast<MemRefType>(op.getOut().getType()).getShape();
  auto setCut = [&](int64_t planes, int64_t planeChunks, int64_t rows) {
    op.setCutAttr(kernel::DepthwiseTasksAttr::get(op.getContext(), planes, planeChunks, rows));
  };
  int64_t planes = productOf(out.take_front(2)), rows = out[2], columns = out[3];
  if (productOf({rows, columns}) <= 0) { // run-time values or none
    setCut(1, 0, 0);
    return success();
  }
  // Bound by loads: one a multiply-add. Those of groups are shuffles instead.
  int64_t window = op.getKernel()[0] * op.getKernel()[1] * op.getGroupChannels();
  int64_t vectors = out[4] / std::min<int64_t>(out[4], target.lanes(4));
  double rowCycles = double(columns * window) * vectors / target.loadsPerCycle;
  double planeCycles = rowCycles * rows;
  if (ShapedType::isDynamic(planes)) {
    setCut(leastUnitsPerTask(planeCycles), maxTasks, 0);
    return success();
  }
  int64_t rowsPerTask = rows;
  if (planes < maxTasks && planes % 8 != 0)
    rowsPerTask = unitsPerTask(rows, rowCycles,
                               std::max<int64_t>(1, maxTasks / std::max<int64_t>(1, planes)));
  if (rowsPerTask == rows)
    setCut(unitsPerTask(planes, planeCycles), 0, 0);
  else
    setCut(1, 0, rowsPerTask);
  return success();
}

namespace symc::codegen {
void registerDepthwiseTasks(DialectRegistry &registry) {
  addChosen<kernel::DepthwiseOp, chooseDepthwise>(registry);
}
} // namespace symc::codegen
