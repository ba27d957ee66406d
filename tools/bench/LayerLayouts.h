// LayerLayouts.h: where a layer's operands lie in memory. Written out here a second time
// on purpose: it is the oracle of the lowerings' address arithmetic.
#ifndef SYMC_TOOLS_BENCH_LAYERLAYOUTS_H
#define SYMC_TOOLS_BENCH_LAYERLAYOUTS_H

#include "tools/bench/KernelJit.h"

namespace symc::bench {

/// Sizes and strides in elements; element [0, ..., 0] lies at `offset` of `elements`.
struct Layout {
  llvm::SmallVector<int64_t> sizes, strides;
  int64_t offset = 0, elements = 0;
};

inline int64_t blocksOf(int64_t channels) { return (channels + 15) / 16; }

/// [N, C/16, H, W, 16] with the halo in H and W; of planar data [N, 1, H, W, C].
Layout dataLayout(const Layer &layer);
/// [N, O/16, H, W, 16] inside of its halo.
Layout outLayout(const Layer &layer);
/// Weights before any transform.
Layout weightLayout(const Layer &layer);
/// The weights that the kernel reads.
Layout packedLayout(const Layer &layer);

/// Room for so many zeros from a boundary of 64 bytes on.
float *align(std::vector<float> &storage, int64_t elements);
/// Where those begin.
const float *aligned(const std::vector<float> &storage);

} // namespace symc::bench

#endif // SYMC_TOOLS_BENCH_LAYERLAYOUTS_H
