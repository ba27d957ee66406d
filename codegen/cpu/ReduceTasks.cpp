// ReduceTasks.cpp: the tasks of kernel.reduce: some of its rows, by the work of one.
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static constexpr int64_t workOfFunction = 8; // exp and the like, in elements of a plain step
static constexpr int64_t usualRow = 64;      // elements, where they are known at run time only

static int64_t workOf(Region &body) {
  for (Operation &inner : body.front())
    if (isa<kernel::LogisticOp>(inner) ||
        (isa<math::MathDialect>(inner.getDialect()) && !isa<math::SqrtOp, math::AbsFOp>(inner)))
      return workOfFunction;
  return 1;
}

static LogicalResult chooseReduce(kernel::ReduceOp op, const TargetDescription &) {
  ArrayRef<int64_t> shape = cast<MemRefType>(op.getIns().front().getType()).getShape();
  int64_t each = op.getOuts().empty() ? 0 : workOf(op.getElements());
  for (Region &pass : op.getPasses())
    each += workOf(pass);
  int64_t row = productOf(shape.drop_front(op.getKept()));
  op.setCutAttr(cutSpace(op.getContext(), shape.take_front(op.getKept()),
                         (ShapedType::isDynamic(row) ? usualRow : row) * each));
  return success();
}

namespace symc::codegen {
void registerReduceTasks(DialectRegistry &registry) {
  addChosen<kernel::ReduceOp, chooseReduce>(registry);
}
} // namespace symc::codegen
