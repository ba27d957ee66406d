// ChooseTiles.cpp: kernel-choose-tiles: tiles and loop orders of steps.
#include "codegen/KernelPasses.h"

#include "codegen/cpu/TileChoice.h"
#include "codegen/cpu/TunableStep.h"
#include "codegen/passes/PassInputs.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELCHOOSETILES
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct ChooseTilesPass : symc::codegen::impl::KernelChooseTilesBase<ChooseTilesPass> {
  using KernelChooseTilesBase::KernelChooseTilesBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registerTunableSteps(registry);
  }
  void runOnOperation() override {
    std::optional<TargetAndMath> named =
        TargetAndMath::get(getOperation(), getArgument(), targetOf(getOperation(), target));
    std::optional<Tuning> choices = readTuning(getOperation(), getArgument(), tuning);
    if (!named || !choices || failed(chooseTiles(getOperation(), named->target, *choices)))
      signalPassFailure();
  }
};

} // namespace
