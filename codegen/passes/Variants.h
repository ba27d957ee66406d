// Variants.h: programs of one instruction set, as a kernel.variant.
#ifndef SYMC_CODEGEN_PASSES_VARIANTS_H
#define SYMC_CODEGEN_PASSES_VARIANTS_H

#include "codegen/kernel/KernelDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace symc::codegen {

/// Adds a kernel.variant with copies of `programs`, of which the last is the entry, to `to`.
void addVariant(mlir::ModuleOp to, const std::string &symbol, llvm::StringRef target,
                llvm::StringRef math, llvm::ArrayRef<kernel::ProgramOp> programs);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_PASSES_VARIANTS_H
