// UntypedInputs.h: operators at which MXNet's infer_type complains where nothing is known of their
// first input. The compiler, which takes float32 wherever nothing decides, has none.
#ifndef SYMC_TOOLS_LIBSYMC_UNTYPEDINPUTS_H
#define SYMC_TOOLS_LIBSYMC_UNTYPEDINPUTS_H

#include "mlir/IR/BuiltinOps.h"

namespace symc::library {

/// Before types are inferred: an untyped argument that such an operator is the first to read is an
/// error, whatever later nodes could determine of it, since MXNet goes forward first.
mlir::LogicalResult checkUntypedArguments(mlir::ModuleOp module);
/// Afterwards, with Undecided::Leave: the same for inputs that other nodes made.
mlir::LogicalResult checkUntypedInputs(mlir::ModuleOp module);

} // namespace symc::library

#endif // SYMC_TOOLS_LIBSYMC_UNTYPEDINPUTS_H
