// Schedule.cpp: kernel-schedule: graphs of a module become kernel programs.
#include "codegen/KernelPasses.h"

#include "codegen/passes/PassInputs.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELSCHEDULE
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct SchedulePass : symc::codegen::impl::KernelScheduleBase<SchedulePass> {
  using KernelScheduleBase::KernelScheduleBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<kernel::KernelDialect, memref::MemRefDialect, affine::AffineDialect>();
  }
  void runOnOperation() override {
    SmallVector<ModuleOp> modules = modulesOf(getOperation());
    auto isScheduled = [](ModuleOp module) {
      return !module.getOps<kernel::ProgramOp>().empty() ||
             !module.getOps<kernel::VariantOp>().empty();
    };
    if (llvm::any_of(modules, isScheduled))
      return;
    auto inputs = ScheduleInputs::get(getOperation(), getArgument(), target, reference);
    if (!inputs)
      return signalPassFailure();
    ScheduleOptions options = inputs->options();
    options.openProducts = openProducts;
    if (failed(scheduleModules(modules, options)))
      signalPassFailure();
  }
};

} // namespace
