// StrassenCost.h: how a layer by Strassen's product is cut, and what that costs. The
// choice between algorithms is ConvChoice's.
#ifndef SYMC_CODEGEN_CONV_STRASSEN_STRASSENCOST_H
#define SYMC_CODEGEN_CONV_STRASSEN_STRASSENCOST_H

#include "codegen/conv/strassen/kernel/StrassenShape.h"
#include "codegen/cpu/TileChoice.h"

namespace symc::codegen {

struct ConvLayer;

/// The cheapest cut of a layer that it can compute.
kernel::StrassenShape cutStrassen(const ConvLayer &layer, const TargetDescription &target);

/// The model's cycles of one core with that cut.
double estimateStrassenCycles(const kernel::StrassenShape &shape, const TargetDescription &target);

/// The `most` cheapest tiles of the op, best first.
std::vector<ConvTile> rankProductTiles(kernel::StrassenOp op, const TargetDescription &target,
                                       size_t most);

/// Sets `tile` on the op unless it is set.
void chooseTile(kernel::StrassenOp op, const TargetDescription &target);

/// errorBound of products of matrices by one step of the scheme, by the length of their
/// sums; where nothing is scaled (states of recurrent layers), of drawn weights.
double strassenErrorBound(int64_t length);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CONV_STRASSEN_STRASSENCOST_H
