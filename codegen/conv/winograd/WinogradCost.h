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

/// The register tile of the op's products: its `tile`, or the model's.
ConvTile productTile(kernel::WinogradOp op, const TargetDescription &target);

/// The `most` cheapest tiles of the op's products, best first.
std::vector<ConvTile> rankProductTiles(kernel::WinogradOp op, const TargetDescription &target,
                                       size_t most);

/// Sets `tile` on the op unless it is set.
void chooseTile(kernel::WinogradOp op, const TargetDescription &target);

/// What a product whose weights are transformed on the fly keeps in registers: sums of so many
/// columns of positions (6 or 3) and tiles. Three columns transform a row of weights twice, for
/// half the tiles' passes.
struct OnTheFlyTile {
  int64_t columns, tiles;
};
OnTheFlyTile onTheFlyTile(int64_t tiles, const TargetDescription &target);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CONV_WINOGRAD_WINOGRADCOST_H
