// StrassenRecurrent.h: the extents of a kernel.recurrent whose states are multiplied by Strassen's
// product, halved by the batch, the units and the state.
#ifndef SYMC_CODEGEN_CONV_STRASSEN_KERNEL_STRASSENRECURRENT_H
#define SYMC_CODEGEN_CONV_STRASSEN_KERNEL_STRASSENRECURRENT_H

#include "codegen/conv/strassen/kernel/StrassenScheme.h"
#include "llvm/ADT/StringRef.h"

namespace symc::kernel {

/// The form of the weights: sums of the quarters of the state's matrices.
inline constexpr llvm::StringLiteral recurrentSumsForm = "sums";

struct RecurrentHalves {
  int64_t batch, units, gates, blockWidth;

  /// Of blocks of units, one of each half.
  int64_t pairs() const { return (units + blockWidth - 1) / blockWidth / 2; }
  /// Of gates, so that a tile of half the batch reads them once.
  int64_t groups() const { return gates % 2 ? 1 : gates / 2; }
  std::array<int64_t, 6> weights() const {
    return {pairs(), groups(), strassenProductCount, units / 2, gates / groups(), blockWidth};
  }
  /// Elements of a row of sums of states, and of a tile.
  int64_t sumStride() const { return units / 2 + blockWidth; }
  static constexpr int64_t tile = 512;
  /// A row for the sums and tiles of each pair, then the sums of the states of even and of odd time
  /// steps.
  std::array<int64_t, 2> scratch() const {
    return {pairs() + 2, strassenDataSums * (batch / 2) * sumStride() + (2 + 4 * groups()) * tile};
  }
};

} // namespace symc::kernel

#endif // SYMC_CODEGEN_CONV_STRASSEN_KERNEL_STRASSENRECURRENT_H
