// Updates.h: behind which step of a training program each parameter may change.
#ifndef SYMC_CODEGEN_LOWER_UPDATES_H
#define SYMC_CODEGEN_LOWER_UPDATES_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::codegen {

/// An attribute of the program of a trainer: of each output the input whose gradient it is, or -1
/// (i64 array).
inline constexpr llvm::StringLiteral updatesName = "symc.updates";

/// What symc_report_step gets where the parameter whose gradient is that output may change, and in
/// front of the first step that touches the gradient.
inline int64_t updateReport(int64_t output) { return -2 - 2 * output; }
inline int64_t beginReport(int64_t output) { return -3 - 2 * output; }

/// A parameter that may change while backward goes on.
struct ParameterUpdate {
  int64_t output, input;
  mlir::Operation *before; // the step before the first that touches its gradient, or null
  mlir::Operation *step;   // behind which it may change
};

/// Those of the attribute, in the order of outputs. Behind `step` no other one touches the
/// parameter or its gradient, and none can fail: a step of training that fails changes nothing.
/// Gradients that no step touches are left out.
llvm::SmallVector<ParameterUpdate> updatesOf(kernel::ProgramOp program);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_UPDATES_H
