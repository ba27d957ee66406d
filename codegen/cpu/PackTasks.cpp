// PackTasks.cpp: the tasks of kernel.pack_panels and kernel.pack_depthwise: blocks of panels.
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// Of panels whose blocks the first `outer` extents count.
template <typename Op> static LogicalResult choosePack(Op op, unsigned outer) {
  ArrayRef<int64_t> panels = cast<MemRefType>(op.getTarget().getType()).getShape();
  int64_t work = 1;
  for (int64_t extent : panels.drop_front(outer))
    work *= ShapedType::isDynamic(extent) ? 1 : extent;
  op.setCutAttr(cutSpace(op.getContext(), panels.take_front(outer), work));
  return success();
}

static LogicalResult choosePanels(kernel::PackPanelsOp op, const TargetDescription &) {
  return choosePack(op, cast<MemRefType>(op.getTarget().getType()).getRank() - 4);
}

static LogicalResult chooseDepthwise(kernel::PackDepthwiseOp op, const TargetDescription &) {
  return choosePack(op, 1);
}

namespace symc::codegen {
void registerPackTasks(DialectRegistry &registry) {
  addChosen<kernel::PackPanelsOp, choosePanels>(registry);
  addChosen<kernel::PackDepthwiseOp, chooseDepthwise>(registry);
}
} // namespace symc::codegen
