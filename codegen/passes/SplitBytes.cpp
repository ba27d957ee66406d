// SplitBytes.cpp: kernel-split-bytes: products of bytes as pairs of 16 bits, where a target
// multiplies no bytes.
#include "codegen/KernelPasses.h"

#include "codegen/passes/PassInputs.h"
#include "codegen/schedule/SplitBytes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELSPLITBYTES
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct SplitBytesPass : symc::codegen::impl::KernelSplitBytesBase<SplitBytesPass> {
  using KernelSplitBytesBase::KernelSplitBytesBase;
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
    if (named->target.pairsBytes())
      splitBytes(getOperation(), named->target, named->target.name);
  }
};

} // namespace
