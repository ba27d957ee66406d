// StepVerifiers.h: what the verifiers of steps share. They hold what lowerings rely on:
// ranks, shapes and lanes.
#ifndef SYMC_CODEGEN_KERNEL_STEPVERIFIERS_H
#define SYMC_CODEGEN_KERNEL_STEPVERIFIERS_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::kernel {

/// Whether `values` of a body are what lies in memory as `elements`; of a narrow step (narrowName)
/// float32 may lie there as f16 or bf16.
bool liesAs(mlir::Operation *op, mlir::TypeRange values, mlir::TypeRange elements);

/// The body takes `expected` scalars and ends in kernel.yield of `results` scalars.
mlir::LogicalResult verifyBody(mlir::Operation *op, mlir::Region &body, mlir::TypeRange expected,
                               mlir::TypeRange results);

llvm::SmallVector<mlir::Type> elementTypes(mlir::ValueRange values);

mlir::LogicalResult verifySameShape(mlir::Operation *op, mlir::ValueRange values);

/// Of a step that accumulates over `data`, then puts sums and `extras` through its body.
mlir::LogicalResult verifyAccumulate(mlir::Operation *op, mlir::Value data, mlir::ValueRange extras,
                                     mlir::Value out, mlir::Region &body);
template <typename Op> mlir::LogicalResult verifyAccumulate(Op op) {
  return verifyAccumulate(op, op.getData(), op.getExtras(), op.getOut(), op.getBody());
}

/// `tile` of a register kernel, if it has one: [vectors of 16, rows, columns].
mlir::LogicalResult verifyTile(mlir::Operation *op, std::optional<llvm::ArrayRef<int64_t>> tile);

/// `cut` of a step over an index space of so many axes, if it is set.
mlir::LogicalResult verifyCut(mlir::Operation *op, CutAttr cut, int64_t axes);
template <typename Op> mlir::LogicalResult verifyCut(Op op, int64_t axes) {
  return verifyCut(op, op.getCutAttr(), axes);
}

/// The product of the extents but the last ones; 0 where one is a run-time value.
int64_t staticElements(mlir::Value view, unsigned dropLast);

} // namespace symc::kernel

#endif // SYMC_CODEGEN_KERNEL_STEPVERIFIERS_H
