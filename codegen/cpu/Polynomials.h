// Polynomials.h: functions of f32 that symc expands itself instead of by MLIR's
// approximations, because fewer operations do: erf, exp and tanh, and products of a
// logistic factor, which recurrent and gated layers are made of.
#ifndef SYMC_CODEGEN_CPU_POLYNOMIALS_H
#define SYMC_CODEGEN_CPU_POLYNOMIALS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"

namespace symc::codegen {

/// kernel.logistic of all floats; math.erf, math.exp and math.tanh of f32, scalars and vectors.
/// Errors: exp 1 ULP (0 where the result would be below 2^-126 / sqrt 2, infinity above the largest
/// number), tanh 6 ULP, erf 5.6 ULP (6.4 without fused multiply-adds), never above 1.
void populatePolynomials(mlir::RewritePatternSet &patterns);

/// exp of f32 where no x is above 0, in fewer operations and with the bits of math.exp.
mlir::Value expandExpOfNegative(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x);

/// x * kernel.logistic(y) of f32 becomes x / (1 + exp(-y)), and a tanh in the place of x gives
/// its numerator and its denominator to the same division. Fewer roundings, and one
/// division for two or three operations. Runs before they are expanded.
void divideOnceByLogistic(mlir::Operation *function);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_POLYNOMIALS_H
