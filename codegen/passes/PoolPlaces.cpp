// PoolPlaces.cpp: kernel-pool-places: a byte a window in the place of an image that only the
// gradient of its pooling reads later.
//
//   kernel.pool "max" data(%x) out(%y)                      kernel.pool "max" data(%x) out(%y)
//   ...                                                     kernel.pool_places data(%x) result(%y)
//   places(%p) kernel.pool_gradient "max" slope(%g) ins(%x, %y)   ->   ...
//                                                           kernel.pool_gradient "max" slope(%g)
//                                                           ins(%p)
//
// 1. The pooling is found by its views: its data and result are those that the gradient reads.
// 2. No step behind the gradient, and no step between that stands in the other part of the program,
//    touches the image.
#include "codegen/KernelPasses.h"

#include "codegen/kernel/ViewOrigin.h"
#include "codegen/passes/PassInputs.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELPOOLPLACES
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// The pooling whose image and result the gradient reads.
static kernel::PoolOp poolingOf(kernel::PoolGradientOp gradient) {
  std::optional<kernel::KnownView> data = kernel::traceKnownView(gradient.getIns()[0]);
  std::optional<kernel::KnownView> result = kernel::traceKnownView(gradient.getIns()[1]);
  if (!data || !result || !data->root.getDefiningOp<kernel::BufferOp>())
    return {};
  for (auto pool : gradient->getBlock()->getOps<kernel::PoolOp>())
    if (pool->isBeforeInBlock(gradient) && pool.getKind() == "max" &&
        kernel::traceKnownView(pool.getData()) == data &&
        kernel::traceKnownView(pool.getOut()) == result &&
        pool.getKernel() == gradient.getKernel() && pool.getStrides() == gradient.getStrides() &&
        pool.getPadAttr() == gradient.getPadAttr())
      return pool;
  return {};
}

// Whether the image lives for the gradient alone: all else that touches it stands before the end of
// forward, or before the gradient where the parts are one.
static bool livesForGradient(kernel::PoolGradientOp gradient) {
  Value image = kernel::rootOf(gradient.getIns()[0]);
  Operation *end = gradient->getParentOfType<kernel::ProgramOp>().getForwardEnd();
  for (auto step : gradient->getBlock()->getOps<kernel::StepInterface>()) {
    if (step == gradient || step->isBeforeInBlock(end ? end : gradient))
      continue;
    for (Value operand : step->getOperands())
      if (isa<MemRefType>(operand.getType()) && kernel::rootOf(operand) == image)
        return false;
  }
  return true;
}

namespace {

struct PoolPlacesPass : symc::codegen::impl::KernelPoolPlacesBase<PoolPlacesPass> {
  void runOnOperation() override {
    for (ModuleOp module : modulesOf(getOperation()))
      for (auto program : module.getOps<kernel::ProgramOp>())
        for (auto gradient : program.getBody().front().getOps<kernel::PoolGradientOp>())
          keepPlaces(gradient);
  }

private:
  void keepPlaces(kernel::PoolGradientOp gradient) {
    if (gradient.getKind() != "max" || gradient.getIns().size() != 2 ||
        gradient.getKernel()[0] * gradient.getKernel()[1] > kernel::PoolPlacesOp::mostElements)
      return;
    kernel::PoolOp pool = poolingOf(gradient);
    if (!pool || !livesForGradient(gradient))
      return;
    OpBuilder b(pool);
    b.setInsertionPointAfter(pool);
    auto shape = cast<MemRefType>(gradient.getSlope().getType()).getShape();
    Value places = kernel::BufferOp::create(b, pool.getLoc(), MemRefType::get(shape, b.getI8Type()),
                                            ValueRange(), ValueRange(), IntegerAttr());
    kernel::PoolPlacesOp::create(b, pool.getLoc(), pool.getData(), pool.getOut(), places,
                                 pool.getKernelAttr(), pool.getStridesAttr(), pool.getPadAttr(),
                                 kernel::CutAttr());
    gradient.getInsMutable().assign(places);
  }
};

} // namespace
