// WinogradWeights.h: whether sums of products over pixels, the gradients of a convolution's
// weights, are made by Winograd's algorithm (kernel.winograd_weights), how that is cut, and what it
// costs.
#ifndef SYMC_CODEGEN_CONV_WINOGRAD_WINOGRADWEIGHTS_H
#define SYMC_CODEGEN_CONV_WINOGRAD_WINOGRADWEIGHTS_H

#include "codegen/conv/ConvChoice.h"
#include "codegen/conv/winograd/kernel/WinogradWeightsShape.h"
#include "codegen/cpu/WeightsTile.h"

namespace symc::codegen {

/// The largest error of the gradient of an output channel's weights over the channel's largest one,
/// at least twice what WinogradWeightsTest finds: of chains over chunks, whose number does not
/// enter.
constexpr double winogradWeightsError = 1e-5;

struct WeightsChoice {
  /// The cut of the step that takes the place of kernel.conv_weights; nothing: that stays.
  std::optional<kernel::WinogradWeightsShape> shape;
  std::string reason; // half a sentence for remarks
  bool isMeant;       // Winograd's algorithm takes such windows
};

WeightsChoice chooseWeightsAlgorithm(kernel::ConvWeightsOp op, const KernelPolicy &policy);

/// The cheapest cut of a shape whose extents and channels are given.
kernel::WinogradWeightsShape cutWinogradWeights(kernel::WinogradWeightsShape shape,
                                                const TargetDescription &target);

/// The model's cycles of one core with that cut.
double estimateWinogradWeights(const kernel::WinogradWeightsShape &shape,
                               const TargetDescription &target);

/// The register tile of its products.
WeightsTile chooseProductTile(const kernel::WinogradWeightsShape &shape,
                              const TargetDescription &target);

/// Puts the step with that cut in the place of `op`.
void replaceByWinograd(kernel::ConvWeightsOp op, const WeightsChoice &choice, mlir::Value scratch,
                       mlir::Value slots);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CONV_WINOGRAD_WINOGRADWEIGHTS_H
