// PackedWeights.h: the weights that kernels other than direct ones read, made from a
// layer's panels by plain loops, apart from the compiler's own kernel.pack.
#ifndef SYMC_TOOLS_BENCH_PACKEDWEIGHTS_H
#define SYMC_TOOLS_BENCH_PACKEDWEIGHTS_H

#include "tools/bench/KernelJit.h"

namespace symc::bench {

/// How many elements they are; 0 where the kernel reads the panels themselves.
int64_t packedElements(const Layer &layer);
/// Of Strassen's product: blocks of panels that hold scales of outputs, then of inputs.
int64_t scaleBlocks(const Layer &layer);

/// `panels` are [OB, IB, kH, kW, 16, 16].
void packWeights(const Layer &layer, const float *panels, float *target);

} // namespace symc::bench

#endif // SYMC_TOOLS_BENCH_PACKEDWEIGHTS_H
