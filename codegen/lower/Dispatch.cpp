// Dispatch.cpp: from a step to the lowering of its family.
#include "codegen/lower/KernelLowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

OpFoldResult symc::codegen::countTasks(Operation *step, ArrayRef<View> operands,
                                       LoweringContext &context) {
  return llvm::TypeSwitch<Operation *, OpFoldResult>(step)
#define SYMC_FAMILY(NAME, OP)                                                                      \
  .Case<kernel::OP>([&](kernel::OP op) { return count##NAME##Tasks(op, operands, context); })
      SYMC_FAMILY(Loops, LoopsOp) SYMC_FAMILY(Conv, ConvOp) SYMC_FAMILY(Depthwise, DepthwiseOp)
          SYMC_FAMILY(Pool, PoolOp) SYMC_FAMILY(Copy, CopyOp) SYMC_FAMILY(Fill, FillOp)
              SYMC_FAMILY(Pack, PackOp) SYMC_FAMILY(Winograd, WinogradOp)
                  SYMC_FAMILY(Softmax, SoftmaxOp) SYMC_FAMILY(Recurrent, RecurrentOp)
                      SYMC_FAMILY(Strassen, StrassenOp)
#undef SYMC_FAMILY
      .Default([&](Operation *) { return context.builder.getIndexAttr(1); });
}

LogicalResult symc::codegen::lowerTask(Operation *step, ArrayRef<View> operands, Value task,
                                       LoweringContext &context) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(step)
#define SYMC_FAMILY(NAME, OP)                                                                      \
  .Case<kernel::OP>([&](kernel::OP op) { return lower##NAME(op, operands, task, context); })
      SYMC_FAMILY(Loops, LoopsOp) SYMC_FAMILY(Conv, ConvOp) SYMC_FAMILY(Depthwise, DepthwiseOp)
          SYMC_FAMILY(Pool, PoolOp) SYMC_FAMILY(Copy, CopyOp) SYMC_FAMILY(Fill, FillOp)
              SYMC_FAMILY(Pack, PackOp) SYMC_FAMILY(Winograd, WinogradOp)
                  SYMC_FAMILY(Softmax, SoftmaxOp) SYMC_FAMILY(Recurrent, RecurrentOp)
                      SYMC_FAMILY(Strassen, StrassenOp)
#undef SYMC_FAMILY
      .Default([](Operation *other) {
        return other->emitError("internal error: no lowering for this step");
      });
}
