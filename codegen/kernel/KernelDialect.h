// KernelDialect.h: the kernel dialect's C++ face. Steps in destination-passing
// style over planned buffers; see KernelOps.td for what each step promises.
#ifndef SYMC_CODEGEN_KERNEL_KERNELDIALECT_H
#define SYMC_CODEGEN_KERNEL_KERNELDIALECT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "codegen/kernel/KernelAttributes.h"
#include "codegen/kernel/PixelChunks.h"
#include "codegen/kernel/StepInterfaces.h"

#define GET_OP_CLASSES
#include "codegen/kernel/KernelOps.h.inc"

namespace symc::kernel {

/// Attributes of operations of a graph; see #kernel.layout.
inline constexpr llvm::StringLiteral layoutsName = "kernel.layouts", placesName = "kernel.places";

/// Of a step with operands of float32 that lie in memory as f16 or bf16: its body computes with
/// float32. Code of CUDA devices reads such operands (codegen/cuda/NarrowStorage.h), that of CPUs
/// does not.
inline constexpr llvm::StringLiteral narrowName = "kernel.narrow";
/// f16 or bf16.
inline bool isHalf(mlir::Type type) { return type.isF16() || type.isBF16(); }

/// @main_program of each instruction set, best first; before variants are made the only one.
llvm::SmallVector<ProgramOp> mainPrograms(mlir::ModuleOp module);

} // namespace symc::kernel

#endif // SYMC_CODEGEN_KERNEL_KERNELDIALECT_H
