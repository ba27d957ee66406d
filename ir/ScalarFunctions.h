// ScalarFunctions.h: the scalar functions of elementwise operators as builders, which the build
// makes of the expressions in ir/ScalarFunctions.td. What the values are that a function builds is
// its builder's affair: operations (codegen/schedule/ScalarBody.h), or the answer to a question
// about the function.
#ifndef SYMC_IR_SCALARFUNCTIONS_H
#define SYMC_IR_SCALARFUNCTIONS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace symc::sg {

enum class ScalarPrimitive {
#define SYMC_SCALAR_PRIMITIVE(name, operands, kind) name,
#include "ir/ScalarPrimitives.def"
};

/// Whether it takes many instructions, so that its result is worth keeping.
bool isFunction(ScalarPrimitive primitive);

/// A value of the builder that made it.
class Scalar {
public:
  Scalar() = default;
  explicit Scalar(const void *value) : value(value) {}
  const void *get() const { return value; }

private:
  const void *value = nullptr;
};

/// Receives a function's primitives in the order of their evaluation.
class ScalarBuilder {
public:
  virtual ~ScalarBuilder() = default;
  virtual Scalar number(double value) = 0;
  virtual Scalar apply(ScalarPrimitive primitive, llvm::ArrayRef<Scalar> operands) = 0;
};

/// Builds a function of these operands; returns its value.
using ScalarFnBuilder = Scalar (*)(ScalarBuilder &builder, llvm::ArrayRef<Scalar> operands);

struct ScalarFn {
  llvm::StringRef name;
  size_t operands;
  ScalarFnBuilder build;
  llvm::ArrayRef<ScalarFnBuilder> derivatives; // by each operand; fewer where others are parameters

  /// Whether the derivative by operand `by` is that number wherever it is taken.
  bool isConstant(size_t by, double value) const;
};

/// All functions, sorted by name; one of them, or null.
llvm::ArrayRef<ScalarFn> allScalarFns();
const ScalarFn *lookupScalarFn(llvm::StringRef name);

/// Builds the function of that name, which must exist and take as many operands.
Scalar buildScalarFn(ScalarBuilder &builder, llvm::StringRef name, llvm::ArrayRef<Scalar> operands);

/// Result axes of `operand`, aligned at the last axes.
llvm::SmallVector<int64_t> alignedAxes(mlir::Operation *op, unsigned operand);

} // namespace symc::sg

#endif // SYMC_IR_SCALARFUNCTIONS_H
