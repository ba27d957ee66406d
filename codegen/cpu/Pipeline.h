// Pipeline.h: from loops to LLVM IR. The module holds functions of mixed form,
// as lowerProgram leaves them: func.func kernels and llvm.func wrappers with
// scf, affine, arith, math, vector and LLVM operations; afterwards it holds the
// LLVM dialect only. No step of a tensor's size is taken here: loops, tiles and
// vectors are as the lowerings chose them.
#ifndef SYMC_CODEGEN_CPU_PIPELINE_H
#define SYMC_CODEGEN_CPU_PIPELINE_H

#include "codegen/lower/KernelLowering.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace symc::codegen {

/// The dialects, inliner-free, that loops consist of, and the translation of
/// the LLVM dialect. Every context whose modules come here needs them.
void registerPipelineDialects(mlir::DialectRegistry &registry);

/// Lowers every function of `module` in place. How mathematics is computed:
///   f32 exp, expm1, log, log1p, log2, tanh, erf   polynomials, the same bits on
///                                                 every instruction set
///   f16 and bf16                                  in f32, rounded after each operation
///   other functions without an instruction        libm, lane by lane
/// A multiply-add of those polynomials is fused, except that on targets without
/// an instruction for it all modes but MathMode::Portable round twice.
mlir::LogicalResult lowerToLLVM(mlir::ModuleOp module, const TargetDescription &target,
                                MathMode math);

/// Loads the dialects that lowerToLLVM makes. A context cannot load one while threads
/// work in it: before several of them lower modules of `context`, one calls this.
void prepareForThreads(mlir::MLIRContext &context, const TargetDescription &target, MathMode math);

/// Translates a lowered module; null where that fails, with a diagnostic.
std::unique_ptr<llvm::Module> translateToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_PIPELINE_H
