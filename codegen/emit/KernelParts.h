// KernelParts.h: cuts the code of a model into pieces that can be compiled apart.
//
//   module { main, steps, kernel 0, kernel 1, ... kernel 9 }
//     -> module { main, steps, declarations of kernels }
//        part { kernel 0, kernel 1 }   part { kernel 2 }   ...
//
// Where the cuts lie depends on the kernels alone, so that the code does, too.
#ifndef SYMC_CODEGEN_EMIT_KERNELPARTS_H
#define SYMC_CODEGEN_EMIT_KERNELPARTS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <vector>

namespace symc::codegen {

/// A unit attribute of kernels that code of other modules calls, too.
inline constexpr llvm::StringLiteral sharedName = "symc.shared";

/// Operations from which on a part is full.
inline constexpr int64_t fullPart = 2000;

/// Moves kernels (internal functions of `func` that name no other symbol, as
/// lowerProgram makes them) out of `module`, in their order. Code that would make one
/// part stays whole: the result is empty then. Kernels in parts are external, and those with
/// sharedName, which lose it.
std::vector<mlir::OwningOpRef<mlir::ModuleOp>> takeKernels(mlir::ModuleOp module);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_KERNELPARTS_H
