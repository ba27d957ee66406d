// UntypedInputs.h: what MXNet does where infer_type reaches an operator of whose inputs nothing is
// known. Most operators leave their outputs unknown then. Some take float32, a few older ones
// complain; the compiler, which takes float32 wherever nothing decides, knows neither.
#ifndef SYMC_TOOLS_LIBSYMC_UNTYPEDINPUTS_H
#define SYMC_TOOLS_LIBSYMC_UNTYPEDINPUTS_H

#include "mlir/IR/BuiltinOps.h"

namespace symc::library {

/// Before types are inferred: an untyped argument that an operator of the second kind is the first
/// to read is an error, whatever later nodes could tell of it, since MXNet goes forward first.
mlir::LogicalResult checkUntypedArguments(mlir::ModuleOp module);
/// Goes through the nodes of a module after its types were inferred with Undecided::Leave. Inputs
/// of operators of the one kind become float32, and inference goes on from there; an input that is
/// unknown at one of the other kind is an error.
mlir::LogicalResult settleUntypedInputs(mlir::ModuleOp module);

} // namespace symc::library

#endif // SYMC_TOOLS_LIBSYMC_UNTYPEDINPUTS_H
