// RowsTasks.cpp: the tasks of kernel.take_rows and kernel.add_rows: some rows of the result.
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"
#include "codegen/kernel/RowsOps.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

template <typename Op> static LogicalResult chooseRows(Op op, const TargetDescription &) {
  ArrayRef<int64_t> out = cast<MemRefType>(op.getOut().getType()).getShape();
  int64_t width = ShapedType::isDynamic(out[1]) ? 1024 : out[1];
  op.setCutAttr(cutSpace(op.getContext(), out.take_front(1), std::max<int64_t>(width, 1)));
  return success();
}

namespace symc::codegen {
void registerRowsTasks(DialectRegistry &registry) {
  addChosen<kernel::TakeRowsOp, chooseRows<kernel::TakeRowsOp>>(registry);
  addChosen<kernel::AddRowsOp, chooseRows<kernel::AddRowsOp>>(registry);
}
} // namespace symc::codegen
