// CudaTypes.h: element types in CUDA C++. Half floats are computed as float and rounded after each
// operation, so that a value of them is a float that 16 bits hold; in memory they are 16 bits.
#ifndef SYMC_CODEGEN_CUDA_CUDATYPES_H
#define SYMC_CODEGEN_CUDA_CUDATYPES_H

#include "codegen/kernel/KernelDialect.h"
#include <string>

namespace symc::codegen::cuda {

using kernel::isHalf;
/// Of a value: "float", "signed char"; i1 is bool, and index long long.
llvm::StringRef valueType(mlir::Type type);
/// Of an element in memory.
llvm::StringRef storageType(mlir::Type type);
/// `text` from memory as a value, and back.
std::string loaded(mlir::Type type, const std::string &text);
std::string stored(mlir::Type type, const std::string &text);
/// `text` from memory as memory of another type has it: of floats in other forms, or the same.
std::string converted(mlir::Type from, mlir::Type to, const std::string &text);
/// What an operation gives, as a value of its type: rounded where 16 bits hold it.
std::string rounded(mlir::Type type, const std::string &text);
/// A constant: 0x1p-3f, 7, true; infinities and NaN by their bits.
std::string literal(mlir::Attribute value);

/// The functions of half floats that the texts above call, for the top of a source.
llvm::StringRef halfFunctions();

} // namespace symc::codegen::cuda

#endif // SYMC_CODEGEN_CUDA_CUDATYPES_H
