// DoubleFunctions.h: functions of f32 that are computed in f64 and rounded once: trigonometric and
// hyperbolic functions and their inverses, powers, roots, log10 and remainders.
#ifndef SYMC_CODEGEN_CPU_DOUBLEFUNCTIONS_H
#define SYMC_CODEGEN_CPU_DOUBLEFUNCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace symc::codegen {

/// math.sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, asinh, acosh, atanh, log10, cbrt, powf
/// and arith.remf of f32, scalars and vectors. Errors: at most 0.51 ULP of f32 each, since the
/// doubles err by less than 2^-33 of their value; remainders are exact. NaN, infinities, zeros and
/// their signs are those of C (ISO/IEC 9899, annex F). An angle above 2^20, or a quotient above
/// 2^29, goes to libm by itself, so that no element's bits hang on its neighbours. Also math.exp
/// of f64 where f32 is all that is made of it.
void populateDoubleFunctions(mlir::RewritePatternSet &patterns);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_DOUBLEFUNCTIONS_H
