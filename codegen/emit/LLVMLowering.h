// LLVMLowering.h: from loops to LLVM IR. The module holds functions of mixed form,
// as kernel-outline leaves them: func.func kernels and llvm.func wrappers with
// scf, affine, arith, math, vector and LLVM operations; afterwards it holds the
// LLVM dialect only. No step of a tensor's size is taken here: loops, tiles and
// vectors are as the lowerings chose them.
#ifndef SYMC_CODEGEN_EMIT_LLVMLOWERING_H
#define SYMC_CODEGEN_EMIT_LLVMLOWERING_H

#include "codegen/cpu/TargetDescription.h"
#include "codegen/target/MathMode.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace symc::codegen {

/// The dialects, inliner-free, that loops consist of, and the translation of
/// the LLVM dialect. Every context whose modules come here needs them.
void registerLoopDialects(mlir::DialectRegistry &registry);

/// Lowers every function of `module` in place by the LLVM pipeline (codegen/Pipelines.h).
/// A multiply-add of its polynomials is fused, except that on targets without an
/// instruction for it all modes but MathMode::Portable round twice.
mlir::LogicalResult lowerToLLVM(mlir::ModuleOp module, const TargetDescription &target,
                                MathMode math);

/// Loads the dialects that lowerToLLVM makes. A context cannot load one while threads
/// work in it: before several of them lower modules of `context`, one calls this.
void prepareForThreads(mlir::MLIRContext &context, const TargetDescription &target, MathMode math);

/// Translates a lowered module; null where that fails, with a diagnostic.
std::unique_ptr<llvm::Module> translateToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_LLVMLOWERING_H
