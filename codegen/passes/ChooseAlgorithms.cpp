// ChooseAlgorithms.cpp: kernel-choose-algorithms: the algorithm of each convolution and product,
// for each variant.
#include "codegen/KernelPasses.h"

#include "codegen/conv/NarrowProducts.h"
#include "codegen/passes/PassInputs.h"
#include "codegen/schedule/ChooseAlgorithms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELCHOOSEALGORITHMS
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct ChooseAlgorithmsPass
    : symc::codegen::impl::KernelChooseAlgorithmsBase<ChooseAlgorithmsPass> {
  using KernelChooseAlgorithmsBase::KernelChooseAlgorithmsBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<kernel::KernelDialect, memref::MemRefDialect, affine::AffineDialect>();
  }
  void runOnOperation() override;
};

} // namespace

void ChooseAlgorithmsPass::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<ModuleOp> modules = modulesOf(module);
  std::optional<Tuning> choices = readTuning(module, getArgument(), tuning);
  if (!choices || !fitBatches(module, getArgument(), batches.size(), modules.size()))
    return signalPassFailure();
  KernelPolicy policy;
  policy.measured = &*choices;
  policy.precision = halfTypeNamed(precision, &getContext());
  if (!precision.empty() && !policy.precision) {
    module.emitError(getArgument()) << ": precision is '" << precision << "', needs f16 or bf16";
    return signalPassFailure();
  }
  policy.forced = convAlgorithmNamed(forceKernel);
  if (!forceKernel.empty() && !policy.forced) {
    module.emitError(getArgument()) << ": no kernel '" << forceKernel << "'";
    return signalPassFailure();
  }
  std::vector<std::optional<TargetAndMath>> named; // of each variant
  for (auto variant : modules.front().getOps<kernel::VariantOp>())
    named.push_back(
        TargetAndMath::get(variant, getArgument(), variant.getTarget(), variant.getMath()));
  bool isOpen = named.empty() && target.empty();
  if (named.empty())
    named.push_back(TargetAndMath::get(module, getArgument(), targetOr(target), math));
  if (llvm::is_contained(named, std::nullopt))
    return signalPassFailure();
  for (const std::optional<TargetAndMath> &one : named)
    if (policy.multiplies.empty() && policy.precision &&
        productRowOf(one->target, policy.precision, policy.precision))
      policy.multiplies = one->target.name;
  std::vector<SmallVector<KernelPolicy>> policies;
  for (const std::optional<TargetAndMath> &one : named) {
    SmallVector<KernelPolicy> &each = policies.emplace_back(modules.size(), policy);
    for (KernelPolicy &own : each) {
      own.target = isOpen ? nullptr : &one->target;
      own.forced = isOpen ? nullptr : policy.forced;
      own.errorLimit = isOpen ? 0 : errorLimitOf(one->math);
      own.mixing = mayMixPixels(one->math);
    }
    for (auto [own, size] : llvm::zip(each, batches)) {
      own.batches = *batches;
      own.batch = size;
    }
  }
  if (failed(chooseAlgorithms(modules, policies, named.front()->target)))
    signalPassFailure();
}
