// CheckPlan.cpp: kernel-check-plan: proves what kernel-plan-arena decided.
#include "codegen/KernelPasses.h"

#include "codegen/plan/PlanChecker.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELCHECKPLAN
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct CheckPlanPass : symc::codegen::impl::KernelCheckPlanBase<CheckPlanPass> {
  void runOnOperation() override {
    if (failed(checkPlan(getOperation())))
      signalPassFailure();
  }
};

} // namespace
