// SplitBytesTasks.cpp: the tasks of kernel.split_bytes: rows of its image or of panels.
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static LogicalResult chooseSplit(kernel::SplitBytesOp op, const TargetDescription &) {
  constexpr int64_t bytesLikeElement = 4; // so many are moved in the time of one float
  ArrayRef<int64_t> words = cast<MemRefType>(op.getTarget().getType()).getShape();
  int64_t row = productOf(words.drop_front(3));
  int64_t work = ShapedType::isDynamic(row) ? 1024 : row * 2 / bytesLikeElement;
  op.setCutAttr(cutSpace(op.getContext(), words.take_front(3), std::max<int64_t>(work, 1)));
  return success();
}

namespace symc::codegen {
void registerSplitBytesTasks(DialectRegistry &registry) {
  addChosen<kernel::SplitBytesOp, chooseSplit>(registry);
}
} // namespace symc::codegen
