// ScalarFunctions.h: the scalar functions of elementwise operators as data
// (ir/ScalarFunctions.td), and the substitution of their arguments.
#ifndef SYMC_IR_SCALARFUNCTIONS_H
#define SYMC_IR_SCALARFUNCTIONS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace symc::sg {

/// One function; texts hold arguments, numbers and primitives only.
struct ScalarFn {
  llvm::StringRef name;
  llvm::ArrayRef<const char *> args;
  llvm::StringRef body;
  llvm::ArrayRef<const char *> derivatives; // by each argument; fewer than args for parameters
};

/// All functions, sorted by name; one of them, or null.
llvm::ArrayRef<ScalarFn> allScalarFns();
const ScalarFn *lookupScalarFn(llvm::StringRef name);

/// The body of function `name` with `values` written for its arguments; the
/// function must exist and take that many.
std::string applyScalarFn(llvm::StringRef name, llvm::ArrayRef<std::string> values);
/// The same for any text over the argument names `args`.
std::string substituteArgs(llvm::StringRef text, llvm::ArrayRef<const char *> args,
                           llvm::ArrayRef<std::string> values);
/// A number as bodies write it: the shortest text that reads back exactly,
/// negative ones in parentheses, `inf` and `nan`.
std::string scalarLiteral(double value);

/// Result axes of `operand`, aligned at the last axes.
llvm::SmallVector<int64_t> alignedAxes(mlir::Operation *op, unsigned operand);

} // namespace symc::sg

#endif // SYMC_IR_SCALARFUNCTIONS_H
