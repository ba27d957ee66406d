// ScalarBody.h: scalar functions (ir/ScalarFunctions.h) as arith and math operations on one
// element, and whether a type has operations for what they are made of. Where it has not, the
// schedule takes the reference kernel instead.
#ifndef SYMC_CODEGEN_SCHEDULE_SCALARBODY_H
#define SYMC_CODEGEN_SCHEDULE_SCALARBODY_H

#include "ir/GraphDialect.h"
#include "mlir/IR/Builders.h"

namespace symc::codegen {

/// Whether the function of `op` can be built on elements of `type`; builds nothing.
bool canBuildScalar(sg::ElementwiseInterface op, mlir::Type type);

/// Whether it holds functions (ir/ScalarPrimitives.def), so that its value is worth keeping.
bool hasFunctions(sg::ElementwiseInterface op);

/// Builds the function of `op` on elements of `type`, for which canBuildScalar is true. Half
/// floats are computed in f32 and rounded once, as MXNet does.
mlir::Value buildScalar(sg::ElementwiseInterface op, llvm::ArrayRef<mlir::Value> operands,
                        mlir::Type type, mlir::OpBuilder &builder, mlir::Location location);

/// Whether elements of one type of a graph become those of another by operations, as MXNet casts
/// them: floats are cut off to integers, by way of 32 bits to narrow ones; what does not fit
/// gives the least integer; any value but 0 is the bool 1. Roundings that would be two
/// operations (doubles and long integers to half floats) have none.
bool canConvert(mlir::Type from, mlir::Type to);
mlir::Value convertElement(mlir::Value value, mlir::Type from, mlir::Type to,
                           mlir::OpBuilder &builder, mlir::Location location);

/// Builds primitives on values of one type, a float of 32 or 64 bits or a signless integer. A
/// comparison is an i1 until a number is needed.
class ScalarOps : public sg::ScalarBuilder {
public:
  using P = sg::ScalarPrimitive;

  ScalarOps(mlir::Type type, mlir::OpBuilder &builder, mlir::Location location)
      : type(type), isFloat(llvm::isa<mlir::FloatType>(type)), b(builder), loc(location) {}

  sg::Scalar number(double value) override { return wrap(constant(value)); }
  sg::Scalar apply(P primitive, llvm::ArrayRef<sg::Scalar> operands) override;

  /// The same over values of the IR.
  mlir::Value constant(double value);
  mlir::Value make(P primitive, llvm::ArrayRef<mlir::Value> operands);
  /// 0 or 1 for a truth value.
  mlir::Value asNumber(mlir::Value value);

  static sg::Scalar wrap(mlir::Value value) { return sg::Scalar(value.getAsOpaquePointer()); }
  static mlir::Value unwrap(sg::Scalar scalar) {
    return mlir::Value::getFromOpaquePointer(scalar.get());
  }

private:
  mlir::Value asTruth(mlir::Value value);
  mlir::Value compare(P primitive, mlir::Value x, mlir::Value y);
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y);
  template <typename RealOp, typename IntOp> mlir::Value binary(mlir::Value x, mlir::Value y);
  template <typename Op> mlir::Value real(mlir::Value x);
  template <typename Op> mlir::Value logarithm(mlir::Value x, double shift);
  mlir::Value throughHalf(mlir::Value x, mlir::Type half);
  mlir::Value erfinv(mlir::Value x);
  mlir::Value expm1(mlir::Value x);
  mlir::Value tgamma(mlir::Value x);
  mlir::Value lgamma(mlir::Value x);
  mlir::Value power(mlir::Value x, mlir::Value exponent);

  struct Made {
    P primitive;
    llvm::SmallVector<mlir::Value> operands;
    mlir::Value result;
  };
  llvm::SmallVector<Made> functions;
  mlir::Type type;
  bool isFloat;
  mlir::OpBuilder &b;
  mlir::Location loc;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_SCALARBODY_H
