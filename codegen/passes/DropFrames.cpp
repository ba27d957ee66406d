// DropFrames.cpp: kernel-drop-frames: no zeros around images that kernels for CUDA skip.
#include "codegen/KernelPasses.h"

#include "codegen/cuda/ZeroFrames.h"
#include "codegen/passes/PassInputs.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELDROPFRAMES
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct DropFramesPass : symc::codegen::impl::KernelDropFramesBase<DropFramesPass> {
  using KernelDropFramesBase::KernelDropFramesBase;
  void runOnOperation() override {
    for (ModuleOp module : modulesOf(getOperation()))
      for (auto variant : module.getOps<kernel::VariantOp>())
        cuda::dropFrames(variant.getEntry()); // others are code of CPUs, which reads the zeros
  }
};

} // namespace
