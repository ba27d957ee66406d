// InterpolateTasks.cpp: the tasks of kernel.interpolate: rows that are interpolated, or whose
// elements are.
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static LogicalResult chooseInterpolate(kernel::InterpolateOp op, const TargetDescription &) {
  ArrayRef<int64_t> out = cast<MemRefType>(op.getOut().getType()).getShape();
  unsigned cut = op.getCutExtents();
  int64_t inner = productOf(out.drop_front(cut));
  bool scalar = op.getAxis() + 1 == out.size();
  int64_t work = (ShapedType::isDynamic(inner) ? 1024 : inner) * (scalar ? 4 : 1);
  op.setCutAttr(cutSpace(op.getContext(), out.take_front(cut), std::max<int64_t>(work, 1)));
  return success();
}

namespace symc::codegen {
void registerInterpolateTasks(DialectRegistry &registry) {
  addChosen<kernel::InterpolateOp, chooseInterpolate>(registry);
}
} // namespace symc::codegen
