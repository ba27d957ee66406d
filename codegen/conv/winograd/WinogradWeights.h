// WinogradWeights.h: how sums of products over pixels, the gradients of a convolution's weights,
// are cut for Winograd's algorithm (kernel.winograd_weights), and what that costs.
#ifndef SYMC_CODEGEN_CONV_WINOGRAD_WINOGRADWEIGHTS_H
#define SYMC_CODEGEN_CONV_WINOGRAD_WINOGRADWEIGHTS_H

#include "codegen/conv/winograd/kernel/WinogradWeightsShape.h"
#include "codegen/cpu/WeightsTile.h"

namespace symc::codegen {

/// The largest error of the gradient of an output channel's weights over the channel's largest one,
/// at least twice what WinogradWeightsTest finds: of chains over chunks, whose number does not
/// enter. Without fused multiply-adds a chunk that is a row of 4,000 pixels errs by 1.2e-5.
constexpr double winogradWeightsError(bool fma) { return fma ? 1.2e-5 : 2.4e-5; }

/// The cheapest cut of a shape whose extents and channels are given.
kernel::WinogradWeightsShape cutWinogradWeights(kernel::WinogradWeightsShape shape,
                                                const TargetDescription &target);

/// The model's cycles of one core with that cut.
double estimateWinogradWeights(const kernel::WinogradWeightsShape &shape,
                               const TargetDescription &target);

/// The register tile of its products.
WeightsTile chooseProductTile(const kernel::WinogradWeightsShape &shape,
                              const TargetDescription &target);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CONV_WINOGRAD_WINOGRADWEIGHTS_H
