// Dialects.cpp: see Dialects.h.
#include "tools/driver/Dialects.h"

#include "codegen/KernelPasses.h"
#include "codegen/Pipelines.h"
#include "codegen/conv/Tuning.h"
#include "codegen/cuda/CudaStep.h"
#include "codegen/emit/LLVMLowering.h"
#include "codegen/lower/KernelLowering.h"
#include "ir/GraphDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Passes.h"

void symc::registerToolDialects(mlir::DialectRegistry &registry) {
  registry.insert<sg::SGDialect, kernel::KernelDialect, mlir::memref::MemRefDialect>();
  codegen::registerLoopDialects(registry);
  codegen::registerLowerings(registry);
  codegen::cuda::registerCudaSteps(registry);
  codegen::registerTunableSteps(registry);
}

void symc::registerToolPasses() {
  mlir::registerTransformsPasses();
  registerSymcPasses();
  codegen::registerKernelPasses();
  codegen::registerCodegenPipelines();
}
