// ShapeAdvice.h: what shape of an input a graph and its weights would take, where inference failed.
#ifndef SYMC_TOOLS_DRIVER_SHAPEADVICE_H
#define SYMC_TOOLS_DRIVER_SHAPEADVICE_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace symc {

/// A sentence for the user of a module whose inference failed over the shape of an input: what the
/// node called `node`, or the first reader of the input, takes, and the nearest shape that fits.
/// Nothing where that is not known. The module stays as it is.
std::string adviseShape(mlir::ModuleOp module, llvm::StringRef node);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_SHAPEADVICE_H
