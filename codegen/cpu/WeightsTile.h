// WeightsTile.h: the register tile of sums of products over pixels (kernel.conv_weights), input
// channels, or taps, by vectors of outputs, and what a small model of one core gives it.
#ifndef SYMC_CODEGEN_CPU_WEIGHTSTILE_H
#define SYMC_CODEGEN_CPU_WEIGHTSTILE_H

#include "codegen/cpu/TargetDescription.h"

namespace symc::codegen {

struct WeightsTile {
  int64_t rows, vectors;
  bool taps;     // are rows
  double cycles; // of all sums for one pixel
};

/// What is summed for each pixel: input channels, in blocks of so many, taps, and vectors of
/// outputs. `otherRegisters` hold what lives across the sums.
struct WeightsExtents {
  int64_t inputs, inLanes, window, vectors, otherRegisters = 0;
};

/// Of the tiles that convolutions have, whose pixels are rows here, the one that passes a pixel in
/// the fewest cycles over all sums: multiply-adds, loads, the latency of a chain, lines from L2.
WeightsTile chooseWeightsTile(const WeightsExtents &extents, const TargetDescription &target);

/// The cycles of a pixel with that tile.
double weightsTileCycles(const WeightsExtents &extents, const WeightsTile &tile,
                         const TargetDescription &target);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_WEIGHTSTILE_H
