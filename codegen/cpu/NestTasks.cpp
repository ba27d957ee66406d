// NestTasks.cpp: the tasks of steps whose nests may come in normal form: kernel.loops,
// kernel.copy and kernel.fill.
#include "codegen/cpu/CopyForm.h"
#include "codegen/cpu/TaskCut.h"
#include "codegen/cpu/TunableStep.h"
#include "codegen/kernel/NestNormalForm.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using kernel::ViewOrigin;

static SmallVector<int64_t> constantsOf(ArrayRef<AffineExpr> exprs) {
  SmallVector<int64_t> values;
  for (AffineExpr expr : exprs) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    values.push_back(constant ? constant.getValue() : ShapedType::kDynamic);
  }
  return values;
}

// The views of a step as its lowering sees them.
static FailureOr<SmallVector<ViewOrigin>> nestOf(kernel::StepInterface step) {
  SmallVector<ViewOrigin> views;
  for (Value operand : step->getOperands()) {
    FailureOr<ViewOrigin> view = kernel::traceView(operand);
    if (failed(view))
      return failure();
    views.push_back(*view);
  }
  SmallVector<ViewOrigin *> all;
  for (ViewOrigin &view : views)
    all.push_back(&view);
  if (step.isElementwise())
    normaliseNest(all, step.getOutputs().getBeginOperandIndex());
  return views;
}

template <typename Op> static LogicalResult chooseNest(Op op, const TargetDescription &) {
  FailureOr<SmallVector<ViewOrigin>> views = nestOf(op);
  if (failed(views))
    return failure();
  op.setCutAttr(cutSpace(op.getContext(), constantsOf(views->back().sizes)));
  return success();
}

static LogicalResult chooseCopy(kernel::CopyOp op, const TargetDescription &target) {
  FailureOr<SmallVector<ViewOrigin>> views = nestOf(op);
  if (failed(views))
    return failure();
  const ViewOrigin &from = (*views)[0], &to = (*views)[1];
  SmallVector<int64_t> sizes = constantsOf(to.sizes);
  CopyForm form = copyForm(sizes, constantsOf(from.strides), constantsOf(to.strides),
                           kernel::elementBytes(to.elementType), target);
  if (form.transposed)
    std::rotate(sizes.begin() + *form.transposed, sizes.begin() + *form.transposed + 1,
                sizes.end() - 1);
  op.setCutAttr(cutSpace(op.getContext(), sizes, 1, form.transposed ? 1 : 0));
  return success();
}

namespace symc::codegen {
void registerNestTasks(DialectRegistry &registry) {
  addChosen<kernel::LoopsOp, chooseNest<kernel::LoopsOp>>(registry);
  addChosen<kernel::FillOp, chooseNest<kernel::FillOp>>(registry);
  addChosen<kernel::CopyOp, chooseCopy>(registry);
}
} // namespace symc::codegen
