// PrintCuda.cpp: kernel-print-cuda: the CUDA C++ of a program, printed.
#include "codegen/KernelPasses.h"

#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/ProgramText.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELPRINTCUDA
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct PrintCudaPass : symc::codegen::impl::KernelPrintCudaBase<PrintCudaPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    cuda::registerCudaSteps(registry);
  }
  void runOnOperation() override {
    FailureOr<CudaProgram> program = cuda::writeProgram(getOperation(), nullptr);
    if (failed(program))
      return signalPassFailure();
    llvm::outs() << program->source;
  }
};

} // namespace
