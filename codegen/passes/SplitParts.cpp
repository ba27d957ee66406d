// SplitParts.cpp: kernel-split-parts: forward and backward as parts that run by themselves.
#include "codegen/KernelPasses.h"

#include "codegen/passes/PassInputs.h"
#include "codegen/schedule/SplitParts.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELSPLITPARTS
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct SplitPartsPass : symc::codegen::impl::KernelSplitPartsBase<SplitPartsPass> {
  void runOnOperation() override {
    for (ModuleOp module : modulesOf(getOperation()))
      for (auto program : module.getOps<kernel::ProgramOp>())
        splitParts(program);
  }
};

} // namespace
