// Outline.cpp: kernel-outline: planned programs become functions.
#include "codegen/KernelPasses.h"

#include "codegen/lower/Outline.h"
#include "codegen/passes/PassInputs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace symc::codegen {
#define GEN_PASS_DEF_KERNELOUTLINE
#include "codegen/Passes.h.inc"
} // namespace symc::codegen

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

struct OutlinePass : symc::codegen::impl::KernelOutlineBase<OutlinePass> {
  using KernelOutlineBase::KernelOutlineBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, func::FuncDialect, scf::SCFDialect, vector::VectorDialect>();
    registerLowerings(registry);
  }
  void runOnOperation() override;
  LogicalResult outlineVariant(kernel::VariantOp variant);
  LogicalResult outlinePrograms(ModuleOp module);
};

} // namespace

LogicalResult OutlinePass::outlineVariant(kernel::VariantOp variant) {
  std::optional<TargetAndMath> named =
      TargetAndMath::get(variant, getArgument(), variant.getTarget(), variant.getMath());
  if (!named)
    return failure();
  OwningOpRef<ModuleOp> functions = ModuleOp::create(variant.getLoc());
  OutlineOptions options;
  options.probes = probes && variant.getEntry().getSymName() == "main_program";
  if (failed(lowerProgram(variant.getEntry(), variant.getSymName(), named->target, named->math,
                          *functions, options)))
    return failure();
  variant.getBody().front().push_back(functions.release());
  return success();
}

LogicalResult OutlinePass::outlinePrograms(ModuleOp module) {
  std::optional<TargetAndMath> named = TargetAndMath::get(module, getArgument(), target, math);
  if (!named)
    return failure();
  OwningOpRef<ModuleOp> functions = ModuleOp::create(module.getLoc());
  OutlineOptions options;
  options.probes = probes;
  SmallVector<kernel::ProgramOp> programs(module.getOps<kernel::ProgramOp>());
  for (kernel::ProgramOp program : programs)
    if (failed(lowerProgram(program, program.getSymName(), named->target, named->math, *functions,
                            options)))
      return failure();
  for (kernel::ProgramOp program : programs)
    program.erase();
  module.getBody()->getOperations().splice(module.getBody()->end(),
                                           functions->getBody()->getOperations());
  return success();
}

void OutlinePass::runOnOperation() {
  SmallVector<kernel::VariantOp> variants;
  getOperation()->walk([&](kernel::VariantOp variant) { variants.push_back(variant); });
  auto module = dyn_cast<ModuleOp>(getOperation());
  if (variants.empty() && module && failed(outlinePrograms(module)))
    signalPassFailure();
  for (kernel::VariantOp variant : variants)
    if (failed(outlineVariant(variant)))
      return signalPassFailure();
}
