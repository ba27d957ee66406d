// Messages.h: what MLIR and the passes report, as the compiler's own messages,
// which begin with a place in the user's file.
#ifndef SYMC_TOOLS_DRIVER_MESSAGES_H
#define SYMC_TOOLS_DRIVER_MESSAGES_H

#include "tools/driver/Compiler.h"

namespace symc {

/// Makes diagnostics the compiler's own: file, line, column, notes. Those without
/// a place are about `file` as a whole.
std::unique_ptr<mlir::ScopedDiagnosticHandler>
forwardDiagnostics(mlir::MLIRContext &context, Diagnostics &diagnostics, llvm::StringRef file);

/// Calls `notify` with each remark of these kinds, as it comes. A context takes one call.
void forwardRemarks(mlir::MLIRContext &context, RemarkKinds kinds, llvm::StringRef file,
                    std::function<void(const RemarkText &)> notify);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_MESSAGES_H
