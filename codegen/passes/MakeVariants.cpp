// MakeVariants.cpp: kernel-make-variants: a copy of the programs for each instruction set.
#include "codegen/KernelPasses.h"

#include "codegen/passes/PassInputs.h"
#include "codegen/passes/Variants.h"
#include "llvm/ADT/SetVector.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELMAKEVARIANTS
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct MakeVariantsPass : symc::codegen::impl::KernelMakeVariantsBase<MakeVariantsPass> {
  using KernelMakeVariantsBase::KernelMakeVariantsBase;
  void runOnOperation() override;
};

} // namespace

// `entry` and the programs that it calls, those first, each once.
static void collectPrograms(kernel::ProgramOp entry, SymbolTableCollection &symbols,
                            llvm::SetVector<Operation *> &programs) {
  entry.walk([&](kernel::StepInterface step) {
    if (ArrayAttr called = step.getCalledPrograms())
      for (auto body : called.getAsRange<FlatSymbolRefAttr>())
        if (auto callee =
                symbols.lookupNearestSymbolFrom<kernel::ProgramOp>(entry->getParentOp(), body);
            callee && !programs.contains(callee))
          collectPrograms(callee, symbols, programs);
  });
  programs.insert(entry);
}

void MakeVariantsPass::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<ModuleOp> modules = modulesOf(module);
  if (!fitBatches(module, getArgument(), batches.size(), modules.size()))
    return signalPassFailure();
  for (const std::string &name : targets)
    if (!TargetAndMath::get(module, getArgument(), name, math))
      return signalPassFailure();
  for (auto [i, each] : llvm::enumerate(modules)) {
    auto main = each.lookupSymbol<kernel::ProgramOp>("main_program");
    if (!main)
      continue;
    SymbolTableCollection symbols;
    llvm::SetVector<Operation *> collected;
    collectPrograms(main, symbols, collected);
    auto programs = llvm::map_to_vector(
        collected, [](Operation *program) { return cast<kernel::ProgramOp>(program); });
    std::string rows = batches.empty() ? "" : "_rows" + std::to_string(batches[i]);
    for (auto [number, name] : llvm::enumerate(targets))
      addVariant(each, prefix + "_run_" + std::to_string(number) + rows, name, math, programs);
    for (kernel::ProgramOp program : programs)
      program.erase();
  }
}
