// PlanArena.cpp: kernel-plan-arena: a place in one arena for each buffer.
#include "codegen/KernelPasses.h"

#include "codegen/plan/PlanArena.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELPLANARENA
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct PlanArenaPass : symc::codegen::impl::KernelPlanArenaBase<PlanArenaPass> {
  using KernelPlanArenaBase::KernelPlanArenaBase;
  void runOnOperation() override {
    if (failed(planArenas(getOperation(), placement)))
      signalPassFailure();
  }
};

} // namespace
