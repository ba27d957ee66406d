// Extents.h: extents, offsets and strides of views, which may be numbers or expressions of sizes.
#ifndef SYMC_CODEGEN_KERNEL_EXTENTS_H
#define SYMC_CODEGEN_KERNEL_EXTENTS_H

#include "mlir/IR/AffineExpr.h"
#include <optional>

namespace symc::codegen {

/// The extent, offset or stride where it is a number.
inline std::optional<int64_t> constantOf(mlir::AffineExpr expr) {
  auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr);
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

} // namespace symc::codegen

#endif // SYMC_CODEGEN_KERNEL_EXTENTS_H
