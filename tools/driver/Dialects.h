// Dialects.h: every dialect and pass of symc in one call, for the tools that
// read textual IR (symc-opt, symc-lsp, symc-reduce). The compiler itself loads
// only what it uses.
#ifndef SYMC_TOOLS_DRIVER_DIALECTS_H
#define SYMC_TOOLS_DRIVER_DIALECTS_H

#include "mlir/IR/DialectRegistry.h"

namespace symc {

void registerToolDialects(mlir::DialectRegistry &registry);
void registerToolPasses();

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_DIALECTS_H
