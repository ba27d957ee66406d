// KernelPasses.cpp: the passes of codegen/Passes.td over the functions that do
// the work.
#include "codegen/KernelPasses.h"

#include "codegen/cpu/RowBands.h"
#include "codegen/lower/Outline.h"
#include "codegen/plan/PlanArena.h"
#include "codegen/plan/PlanChecker.h"
#include "codegen/schedule/Schedule.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace symc::codegen {

#define GEN_PASS_DEF_KERNELSCHEDULE
#define GEN_PASS_DEF_KERNELROWBANDS
#define GEN_PASS_DEF_KERNELPLANARENA
#define GEN_PASS_DEF_KERNELCHECKPLAN
#define GEN_PASS_DEF_KERNELOUTLINE
#include "codegen/Passes.h.inc"

namespace {

std::optional<MathMode> mathModeNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<MathMode>>(name)
      .Case("portable", MathMode::Portable)
      .Case("strict", MathMode::Strict)
      .Case("default", MathMode::Default)
      .Case("fast", MathMode::Fast)
      .Default(std::nullopt);
}

struct SchedulePass : impl::KernelScheduleBase<SchedulePass> {
  using KernelScheduleBase::KernelScheduleBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<kernel::KernelDialect, memref::MemRefDialect, affine::AffineDialect>();
  }
  void runOnOperation() override {
    ScheduleOptions options;
    options.referenceOnly = reference;
    if (!target.empty()) {
      options.kernels.target = TargetDescription::get(target);
      options.kernels.forced = convKernelNamed(forceKernel);
      std::optional<MathMode> mode = mathModeNamed(math);
      if (!options.kernels.target || !mode || (!forceKernel.empty() && !options.kernels.forced)) {
        getOperation().emitError("kernel-schedule: no target '")
            << target << "', no math '" << math << "' or no kernel '" << forceKernel << "'";
        return signalPassFailure();
      }
      options.kernels.errorLimit = errorLimitOf(*mode);
    }
    if (failed(scheduleModule(getOperation(), options)))
      signalPassFailure();
  }
};

struct RowBandsPass : impl::KernelRowBandsBase<RowBandsPass> {
  using KernelRowBandsBase::KernelRowBandsBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<memref::MemRefDialect>();
  }
  void runOnOperation() override {
    std::optional<TargetDescription> description = TargetDescription::get(target);
    if (!description) {
      getOperation().emitError("kernel-row-bands: no target '") << target << "'";
      return signalPassFailure();
    }
    BandLimits limits = BandLimits::of(*description);
    if (largeBytes)
      limits.largeBytes = largeBytes;
    if (bandBytes)
      limits.bandBytes = bandBytes;
    bandRows(getOperation(), limits);
  }
};

struct PlanArenaPass : impl::KernelPlanArenaBase<PlanArenaPass> {
  void runOnOperation() override {
    if (failed(planArena(getOperation())))
      signalPassFailure();
  }
};

struct CheckPlanPass : impl::KernelCheckPlanBase<CheckPlanPass> {
  void runOnOperation() override {
    if (failed(checkPlan(getOperation())))
      signalPassFailure();
  }
};

struct OutlinePass : impl::KernelOutlineBase<OutlinePass> {
  using KernelOutlineBase::KernelOutlineBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, func::FuncDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  }
  void runOnOperation() override;
};

} // namespace

void OutlinePass::runOnOperation() {
  ModuleOp module = getOperation();
  std::optional<TargetDescription> description = TargetDescription::get(target);
  std::optional<MathMode> mode = mathModeNamed(math);
  if (!description || !mode) {
    module.emitError("kernel-outline: no target '") << target << "' or no math '" << math << "'";
    return signalPassFailure();
  }
  OwningOpRef<ModuleOp> lowered = ModuleOp::create(module.getLoc());
  OutlineOptions options;
  options.probes = probes;
  SmallVector<kernel::ProgramOp> programs(module.getOps<kernel::ProgramOp>());
  for (kernel::ProgramOp program : programs)
    if (failed(lowerProgram(program, program.getSymName(), *description, *mode, *lowered,
                            options)))
      return signalPassFailure();
  for (kernel::ProgramOp program : programs)
    program.erase();
  module.getBody()->getOperations().splice(module.getBody()->end(),
                                           lowered->getBody()->getOperations());
}

} // namespace symc::codegen
