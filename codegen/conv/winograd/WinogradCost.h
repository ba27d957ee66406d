// WinogradCost.h: how a layer by Winograd's algorithm is cut, and what that costs.
#ifndef SYMC_CODEGEN_CONV_WINOGRAD_WINOGRADCOST_H
#define SYMC_CODEGEN_CONV_WINOGRAD_WINOGRADCOST_H

#include "codegen/conv/winograd/kernel/WinogradShape.h"
#include "codegen/cpu/TileChoice.h"

namespace symc::codegen {

/// The cheapest cut of a shape whose extents, channels and kind are given.
kernel::WinogradShape cutWinograd(kernel::WinogradShape shape, const TargetDescription &target);

/// The model's cycles of one core with that cut.
double estimateWinogradCycles(const kernel::WinogradShape &shape, const TargetDescription &target);

/// The `most` cheapest tiles of the op's products, best first.
std::vector<ConvTile> rankProductTiles(kernel::WinogradOp op, const TargetDescription &target,
                                       size_t most);

/// Sets `tile` on the op unless it is set, then `row_sums` and `prefetch` for that tile.
void chooseTile(kernel::WinogradOp op, const TargetDescription &target);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CONV_WINOGRAD_WINOGRADCOST_H
