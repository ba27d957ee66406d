// RowScratch.h: the scratch of a reference kernel whose rows run in tasks
// (runtime/kernels/reference/rows.h): a part for each of them, as many as threads can use.
#ifndef SYMC_IR_ROWSCRATCH_H
#define SYMC_IR_ROWSCRATCH_H

#include <algorithm>
#include <cstdint>

namespace symc::sg {

/// `bytes`: what the kernel needs to compute one row after another.
inline int64_t rowScratchBytes(int64_t rows, int64_t bytes) {
  constexpr int64_t mostParts = 8;
  return std::clamp<int64_t>(rows, 1, mostParts) * ((bytes + 63) / 64 * 64);
}

} // namespace symc::sg

#endif // SYMC_IR_ROWSCRATCH_H
