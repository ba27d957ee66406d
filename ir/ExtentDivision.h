// ExtentDivision.h: division of extents that hold symbolic sizes, as polynomials.
// (s0 * 2) * (s1 * 3) is six times s0 * s1, and s0 * 6 + (s0 floordiv 2) * 6 divides by 6.
#ifndef SYMC_IR_EXTENTDIVISION_H
#define SYMC_IR_EXTENTDIVISION_H

#include "ir/Inference.h"

namespace symc::sg {

/// `whole` divided by `part`, both known, where that leaves nothing for all sizes; nothing where it
/// does not, the part is 0, or there are more than 64 unknowns or a few hundred terms.
std::optional<Dim> divideExactly(Dim whole, Dim part);

} // namespace symc::sg

#endif // SYMC_IR_EXTENTDIVISION_H
