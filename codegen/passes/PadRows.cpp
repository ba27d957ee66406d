// PadRows.cpp: kernel-pad-rows: a line between rows of matrices that would share sets of L1.
#include "codegen/KernelPasses.h"

#include "codegen/passes/PassInputs.h"
#include "codegen/schedule/PadRows.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELPADROWS
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct PadRowsPass : symc::codegen::impl::KernelPadRowsBase<PadRowsPass> {
  using KernelPadRowsBase::KernelPadRowsBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<memref::MemRefDialect, affine::AffineDialect>();
  }
  void runOnOperation() override {
    StringRef name = targetOf(getOperation(), target);
    if (name.empty())
      return;
    std::optional<TargetAndMath> named = TargetAndMath::get(getOperation(), getArgument(), name);
    if (!named)
      return signalPassFailure();
    padRows(getOperation(), named->target);
  }
};

} // namespace
