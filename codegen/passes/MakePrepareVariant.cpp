// MakePrepareVariant.cpp: kernel-make-prepare-variant: the variant that prepares weights.
#include "codegen/KernelPasses.h"

#include "codegen/passes/PassInputs.h"
#include "codegen/passes/Variants.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELMAKEPREPAREVARIANT
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct MakePrepareVariantPass
    : symc::codegen::impl::KernelMakePrepareVariantBase<MakePrepareVariantPass> {
  using KernelMakePrepareVariantBase::KernelMakePrepareVariantBase;
  void runOnOperation() override;
};

} // namespace

void MakePrepareVariantPass::runOnOperation() {
  ModuleOp module = getOperation();
  ModuleOp first = modulesOf(module).front();
  if (!TargetAndMath::get(module, getArgument(), target))
    return signalPassFailure();
  std::string name = prefix + "_prepare_program";
  // Without prepared weights there is nothing that it would write.
  if (auto own = first.lookupSymbol<kernel::ProgramOp>("prepare_program");
      own && !first.getOps<kernel::PreparedOp>().empty() && !first.lookupSymbol(name))
    addVariant(first, name, target, nameOf(MathMode::Portable), own);
}
