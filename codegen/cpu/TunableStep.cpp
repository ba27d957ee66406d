// TunableStep.cpp: the interface of TunableStep.h and the models that are there.
#include "codegen/cpu/TunableStep.h"

using namespace mlir;
using namespace symc::codegen;

#include "codegen/cpu/TunableStep.cpp.inc"

namespace symc::codegen {
#define SYMC_TASKS(NAME) void register##NAME##Tasks(DialectRegistry &registry);
#include "codegen/cpu/TaskModels.inc"
#undef SYMC_TASKS
} // namespace symc::codegen

LogicalResult symc::codegen::chooseUnset(kernel::ProgramOp program,
                                         const TargetDescription &target) {
  WalkResult walk = program.walk([&](TunableStep step) { return WalkResult(step.choose(target)); });
  return failure(walk.wasInterrupted());
}

void symc::codegen::registerTaskModels(DialectRegistry &registry) {
#define SYMC_TASKS(NAME) register##NAME##Tasks(registry);
#include "codegen/cpu/TaskModels.inc"
#undef SYMC_TASKS
}
