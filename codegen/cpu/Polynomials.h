// Polynomials.h: functions of f32 that symc expands itself instead of by MLIR's
// approximations, because fewer operations do: exp and tanh, and products of a
// logistic factor, which recurrent and gated layers are made of.
#ifndef SYMC_CODEGEN_CPU_POLYNOMIALS_H
#define SYMC_CODEGEN_CPU_POLYNOMIALS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"

namespace symc::codegen {

/// kernel.logistic of all floats; math.exp and math.tanh of f32, scalars and vectors. Errors: exp 1
/// ULP (0 where the result would be below 2^-126 / sqrt 2, infinity above the largest number), tanh
/// 6 ULP.
void populatePolynomials(mlir::RewritePatternSet &patterns);

/// x * kernel.logistic(y) of f32 becomes x / (1 + exp(-y)), and a tanh in the place of x gives
/// its numerator and its denominator to the same division. Fewer roundings, and one
/// division for two or three operations. Runs before they are expanded.
void divideOnceByLogistic(mlir::Operation *function);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_POLYNOMIALS_H
