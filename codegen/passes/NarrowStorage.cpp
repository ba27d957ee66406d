// NarrowStorage.cpp: kernel-narrow-storage: what layers read and write in 16 bits, for tensor
// cores.
#include "codegen/KernelPasses.h"

#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/NarrowStorage.h"
#include "codegen/cuda/RowLanes.h"
#include "codegen/passes/PassInputs.h"
#include "codegen/schedule/PreparedForms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELNARROWSTORAGE
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct NarrowStoragePass : symc::codegen::impl::KernelNarrowStorageBase<NarrowStoragePass> {
  using KernelNarrowStorageBase::KernelNarrowStorageBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<kernel::KernelDialect, arith::ArithDialect, memref::MemRefDialect>();
    cuda::registerCudaSteps(registry);
  }
  void runOnOperation() override {
    Builder b(&getContext());
    FloatType element = type == "bf16" ? FloatType(b.getBF16Type()) : FloatType(b.getF16Type());
    if (type != "f16" && type != "bf16") {
      getOperation().emitError(getArgument()) << ": type is '" << type << "', needs f16 or bf16";
      return signalPassFailure();
    }
    SmallVector<ModuleOp> modules = modulesOf(getOperation());
    cuda::layRowsAsLanes(modules, element);
    cuda::narrowStorage(modules, element);
    for (ModuleOp module : modules)
      if (failed(placePrepared(module)))
        return signalPassFailure();
  }
};

} // namespace
