// CudaTable.h: lays out what code generation for CUDA made of a program as
// runtime/include/symc/cuda.h requires, and the function that runs it.
#ifndef SYMC_CODEGEN_EMIT_CUDATABLE_H
#define SYMC_CODEGEN_EMIT_CUDATABLE_H

#include "codegen/cuda/CudaProgram.h"
#include "llvm/IR/Module.h"
#include <string>

namespace symc::codegen {

/// The table's name: what a variant lists in VariantInfo::programSymbols.
std::string cudaProgramSymbol(llvm::StringRef runSymbol);

/// The name of the CPU's code of step `i` of CudaProgram::hostSteps, as lowerStep takes it.
std::string hostStepSymbol(llvm::StringRef runSymbol, size_t i);

/// Adds the table, symc_cuda_program, and int32_t <runSymbol>(const symc_frame *), which hands both
/// to symc_cuda_run. The images are those of `program`, the source is not part of them; the code of
/// steps on the CPU is the module's or comes to it later.
void addCudaProgram(llvm::Module &module, const CudaProgram &program, llvm::StringRef runSymbol);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_CUDATABLE_H
