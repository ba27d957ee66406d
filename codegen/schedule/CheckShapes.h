// CheckShapes.h: the boundary between graphs and code generation.
#ifndef SYMC_CODEGEN_SCHEDULE_CHECKSHAPES_H
#define SYMC_CODEGEN_SCHEDULE_CHECKSHAPES_H

#include "mlir/IR/BuiltinOps.h"

namespace symc::codegen {

/// Fails, with an internal error that names the node, where a shape is not known: layouts and
/// steps take all of them for granted.
mlir::LogicalResult checkShapes(mlir::ModuleOp module);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_CHECKSHAPES_H
