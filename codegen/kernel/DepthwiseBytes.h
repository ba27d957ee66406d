// DepthwiseBytes.h: kernel.depthwise over bytes. Data and weights, without groups, are i8 and the
// accumulator i32; data is unsigned, or with the attribute `kernel.shifted` signed and read plus
// 128.
#ifndef SYMC_CODEGEN_KERNEL_DEPTHWISEBYTES_H
#define SYMC_CODEGEN_KERNEL_DEPTHWISEBYTES_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::kernel {

inline constexpr llvm::StringLiteral shiftedName = "kernel.shifted";

/// Whether it sums products of bytes.
inline bool sumsBytes(DepthwiseOp op) {
  return mlir::cast<mlir::MemRefType>(op.getData().getType()).getElementType().isInteger(8);
}

} // namespace symc::kernel

#endif // SYMC_CODEGEN_KERNEL_DEPTHWISEBYTES_H
