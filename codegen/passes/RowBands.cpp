// RowBands.cpp: kernel-row-bands: chains of steps over bands of rows or blocks of channels.
#include "codegen/KernelPasses.h"

#include "codegen/cpu/ChannelBands.h"
#include "codegen/cpu/RowBands.h"
#include "codegen/passes/PassInputs.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELROWBANDS
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct RowBandsPass : symc::codegen::impl::KernelRowBandsBase<RowBandsPass> {
  using KernelRowBandsBase::KernelRowBandsBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<memref::MemRefDialect>();
  }
  void runOnOperation() override {
    std::optional<TargetAndMath> named =
        TargetAndMath::get(getOperation(), getArgument(), targetOf(getOperation(), target));
    if (!named)
      return signalPassFailure();
    BandLimits limits = BandLimits::of(named->target);
    if (largeBytes)
      limits.largeBytes = largeBytes;
    if (bandBytes)
      limits.bandBytes = bandBytes;
    bandRows(getOperation(), limits);
    if (!largeBytes && !bandBytes)
      bandChannels(getOperation(), BandLimits::ofCore(named->target));
  }
};

} // namespace
