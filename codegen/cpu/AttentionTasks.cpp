// AttentionTasks.cpp: the tasks of kernel.attention: blocks of rows of a head, several where keys
// are few.
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"
#include "codegen/kernel/AttentionOps.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static LogicalResult chooseAttention(kernel::AttentionOp op, const TargetDescription &target) {
  ArrayRef<int64_t> queries = cast<MemRefType>(op.getQueries().getType()).getShape();
  ArrayRef<int64_t> values = cast<MemRefType>(op.getValues().getType()).getShape();
  int64_t rows = op.getRowsAtOnce(target.lanes(4)), count = queries[2];
  int64_t keys = ShapedType::isDynamic(values[2]) ? kernel::AttentionOp::keysAtOnce : values[2];
  int64_t space[] = {queries[0], queries[1],
                     ShapedType::isDynamic(count) ? count : int64_t(llvm::divideCeil(count, rows))};
  constexpr int64_t productsOfElement = 4; // of what tasks are measured by
  int64_t products = rows * keys * (queries[3] + values[3]);
  op.setCutAttr(
      cutSpace(op.getContext(), space, std::max<int64_t>(1, products / productsOfElement)));
  return success();
}

namespace symc::codegen {
void registerAttentionTasks(DialectRegistry &registry) {
  addChosen<kernel::AttentionOp, chooseAttention>(registry);
}
} // namespace symc::codegen
