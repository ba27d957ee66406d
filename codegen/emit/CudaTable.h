// CudaTable.h: lays out what code generation for CUDA made of a program as
// runtime/include/symc/cuda.h asks, and the function that runs it.
#ifndef SYMC_CODEGEN_EMIT_CUDATABLE_H
#define SYMC_CODEGEN_EMIT_CUDATABLE_H

#include "codegen/cuda/CudaProgram.h"
#include "llvm/IR/Module.h"
#include <string>

namespace symc::codegen {

/// The table's name: what a variant lists in VariantInfo::programSymbols.
std::string cudaProgramSymbol(llvm::StringRef runSymbol);

/// Adds the table, symc_cuda_program, and int32_t <runSymbol>(const symc_frame *), which hands both
/// to symc_cuda_run. The images are those of `program`, the source is not part of them.
void addCudaProgram(llvm::Module &module, const CudaProgram &program, llvm::StringRef runSymbol);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_CUDATABLE_H
