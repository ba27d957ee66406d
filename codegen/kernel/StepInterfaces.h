// StepInterfaces.h: the C++ face of StepInterfaces.td, and what its defaults and
// verifiers stand on.
#ifndef SYMC_CODEGEN_KERNEL_STEPINTERFACES_H
#define SYMC_CODEGEN_KERNEL_STEPINTERFACES_H

#include "codegen/kernel/KernelAttributes.h"

#include "mlir/IR/OpDefinition.h"
#include <algorithm>

namespace symc::kernel {

/// Rows [begin, end).
struct RowRange {
  int64_t begin, end;
};

/// Output row y reads data's rows [y * stride - before, y * stride - before + reach), of
/// those that there are.
struct RowWindow {
  int64_t stride, before, reach;

  int64_t first(RowRange out) const { return out.begin * stride - before; }
  int64_t end(RowRange out) const { return (out.end - 1) * stride - before + reach; }
  /// What those rows of the output read of data with so many.
  RowRange reads(RowRange out, int64_t dataRows) const {
    return {std::max<int64_t>(first(out), 0), std::min(end(out), dataRows)};
  }
};

/// The operands that the operation's memory effects say it reads, or writes.
mlir::OperandRange inputsOf(mlir::Operation *step);
mlir::OperandRange outputsOf(mlir::Operation *step);

/// The names of the nodes that a location tells, "conv0+relu0".
std::string nodesOf(mlir::Location location);

/// Inputs come before outputs, and the step writes something.
mlir::LogicalResult verifyStep(mlir::Operation *step);

} // namespace symc::kernel

#include "codegen/kernel/StepInterfaces.h.inc"

#endif // SYMC_CODEGEN_KERNEL_STEPINTERFACES_H
