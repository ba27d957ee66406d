// LLVMLowering.cpp: see LLVMLowering.h.
#include "codegen/emit/LLVMLowering.h"

#include "codegen/Pipelines.h"
#include "codegen/kernel/KernelDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

void symc::codegen::registerLoopDialects(DialectRegistry &registry) {
  registry.insert<kernel::KernelDialect, affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, func::FuncDialect, index::IndexDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, scf::SCFDialect, ub::UBDialect,
                  vector::VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

// A multiply-add without an instruction for it is a library call a lane.
static bool unfuses(const TargetDescription &target, MathMode math) {
  return !target.fma && math != MathMode::Portable;
}

void symc::codegen::prepareForThreads(MLIRContext &context, const TargetDescription &target,
                                      MathMode math) {
  PassManager manager(&context, ModuleOp::getOperationName());
  buildLLVMPipeline(manager, unfuses(target, math));
  DialectRegistry used;
  manager.getDependentDialects(used);
  context.appendDialectRegistry(used);
  for (StringRef name : used.getDialectNames())
    context.getOrLoadDialect(name);
}

LogicalResult symc::codegen::lowerToLLVM(ModuleOp module, const TargetDescription &target,
                                         MathMode math) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.enableVerifier(false); // once, at the end: the conversion and its input are ours
  buildLLVMPipeline(manager, unfuses(target, math));
  if (failed(manager.run(module)))
    return failure();
  return mlir::verify(module);
}

std::unique_ptr<llvm::Module> symc::codegen::translateToLLVM(ModuleOp module,
                                                             llvm::LLVMContext &context) {
  return translateModuleToLLVMIR(module, context, "symc", /*disableVerification=*/true);
}
