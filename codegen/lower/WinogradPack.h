// WinogradPack.h: the form of kernel.pack whose target is the five-dimensional
// panels of kernel.winograd; Pack.cpp hands it over.
#ifndef SYMC_CODEGEN_LOWER_WINOGRADPACK_H
#define SYMC_CODEGEN_LOWER_WINOGRADPACK_H

#include "codegen/lower/KernelLowering.h"

namespace symc::codegen {

mlir::OpFoldResult countWinogradPackTasks(kernel::PackOp op, llvm::ArrayRef<View> operands,
                                          LoweringContext &context);
mlir::LogicalResult lowerWinogradPack(kernel::PackOp op, llvm::ArrayRef<View> operands,
                                      mlir::Value task, LoweringContext &context);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_WINOGRADPACK_H
