// ExtentPolynomials.h: extents that hold symbolic sizes, as polynomials: are two equal, and
// what is one divided by another.
// (s0 * 2) * (s1 * 3) is six times s0 * s1, and s0 * 6 + (s0 floordiv 2) * 6 divides by 6.
#ifndef SYMC_IR_EXTENTPOLYNOMIALS_H
#define SYMC_IR_EXTENTPOLYNOMIALS_H

#include "ir/Inference.h"

namespace symc::sg {

/// `whole` divided by `part`, both known, where that leaves nothing for all sizes; nothing where it
/// does not, the part is 0, or there are more than 64 unknowns or a few hundred terms.
std::optional<Dim> divideExactly(Dim whole, Dim part);

/// Whether two extents or strides are the same for all sizes; false as well where they have more
/// than 64 unknowns or a few hundred terms, or coefficients beyond int64.
bool areEqual(mlir::AffineExpr a, mlir::AffineExpr b);

} // namespace symc::sg

#endif // SYMC_IR_EXTENTPOLYNOMIALS_H
