// ScalarBody.h: from the text of a scalar body ("x0 / (1 + abs(x0))", see
// ir/ops/Elementwise.td for its grammar) to arith and math operations on one
// element. The bodies come from the op table, so their syntax is trusted; what
// a type or a primitive has no operation for is reported as unsupported, and
// the schedule takes the reference kernel instead.
#ifndef SYMC_CODEGEN_SCHEDULE_SCALARBODY_H
#define SYMC_CODEGEN_SCHEDULE_SCALARBODY_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace symc::codegen {

/// Whether `body` can be emitted on elements of `type`.
bool canEmitScalarBody(llvm::StringRef body, mlir::Type type);

/// Emits `body` on operands x0, x1, ... of one float or signless integer type;
/// returns the value, of the same type, or null where canEmitScalarBody is false.
mlir::Value emitScalarBody(llvm::StringRef body, llvm::ArrayRef<mlir::Value> operands,
                           mlir::Type type, mlir::OpBuilder &builder, mlir::Location location);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_SCALARBODY_H
