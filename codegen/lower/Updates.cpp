// Updates.cpp: see Updates.h. What reads a parameter are the steps with a view of its memory:
// forms that kernels make of it, as panels, are other memory.
#include "codegen/lower/Updates.h"

#include "codegen/kernel/ViewOrigin.h"
#include "codegen/lower/KernelLowering.h"
#include "codegen/plan/PredictionSteps.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// Whether the run may end at the step.
static bool canFail(Operation *step) {
  return isa<CallLoweringInterface>(step) ||
         cast<kernel::StepInterface>(step).getDecidedSize().has_value();
}

SmallVector<ParameterUpdate> symc::codegen::updatesOf(kernel::ProgramOp program) {
  auto inputs = program->getAttrOfType<DenseI64ArrayAttr>(updatesName);
  SmallVector<ParameterUpdate> updates;
  if (!inputs)
    return updates;
  // Steps of prediction alone have no reports.
  std::optional<PredictionSteps> predictions = predictionSteps(program);
  Block &block = program.getBody().front();
  struct Touches {
    Operation *before = nullptr, *last = nullptr;
  };
  DenseMap<Value, Touches> touches;
  Operation *lastThatFails = nullptr, *previous = nullptr;
  for (Operation &op : block) {
    if (!isa<kernel::StepInterface>(op) || isOmitted(&op, predictions))
      continue;
    if (canFail(&op))
      lastThatFails = &op;
    for (Value operand : op.getOperands()) {
      FailureOr<kernel::ViewOrigin> view = kernel::traceView(operand);
      if (failed(view))
        continue;
      Touches &one = touches[view->root];
      one.before = one.last ? one.before : previous;
      one.last = &op;
    }
    previous = &op;
  }
  for (auto [output, input] : llvm::enumerate(inputs.asArrayRef())) {
    if (input < 0)
      continue;
    Touches gradient = touches.lookup(block.getArgument(program.getNumInputs() + output));
    if (!gradient.last)
      continue;
    Operation *step = gradient.last;
    for (Operation *other : {touches.lookup(block.getArgument(input)).last, lastThatFails})
      if (other && step->isBeforeInBlock(other))
        step = other;
    updates.push_back({int64_t(output), input, gradient.before, step});
  }
  return updates;
}
