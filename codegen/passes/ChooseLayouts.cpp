// ChooseLayouts.cpp: kernel-choose-layouts: where the values of graphs lie.
#include "codegen/KernelPasses.h"

#include "codegen/passes/PassInputs.h"
#include "codegen/schedule/CheckShapes.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELCHOOSELAYOUTS
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct ChooseLayoutsPass : symc::codegen::impl::KernelChooseLayoutsBase<ChooseLayoutsPass> {
  using KernelChooseLayoutsBase::KernelChooseLayoutsBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<kernel::KernelDialect>();
  }
  void runOnOperation() override {
    auto inputs = ScheduleInputs::get(getOperation(), getArgument(), target, reference);
    if (!inputs)
      return signalPassFailure();
    for (ModuleOp module : modulesOf(getOperation())) {
      if (failed(checkShapes(module)))
        return signalPassFailure();
      chooseLayouts(module, inputs->options());
    }
  }
};

} // namespace
