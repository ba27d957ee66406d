// StrassenPack.h: the form of kernel.pack whose target is the seven-dimensional panels
// of kernel.strassen; Pack.cpp hands it over.
#ifndef SYMC_CODEGEN_LOWER_STRASSENPACK_H
#define SYMC_CODEGEN_LOWER_STRASSENPACK_H

#include "codegen/lower/KernelLowering.h"

namespace symc::codegen {

mlir::OpFoldResult countStrassenPackTasks(kernel::PackOp op, llvm::ArrayRef<View> operands,
                                          LoweringContext &context);
mlir::LogicalResult lowerStrassenPack(kernel::PackOp op, llvm::ArrayRef<View> operands,
                                      mlir::Value task, LoweringContext &context);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_STRASSENPACK_H
