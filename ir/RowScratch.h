// RowScratch.h: the scratch of a reference kernel whose rows run in tasks
// (runtime/kernels/reference/rows.h): a part for each of them, as many as threads can use.
#ifndef SYMC_IR_ROWSCRATCH_H
#define SYMC_IR_ROWSCRATCH_H

#include "ir/CheckedSize.h"

namespace symc::sg {

/// `bytes`: what the kernel needs to compute one row after another.
inline CheckedSize rowScratchBytes(CheckedSize rows, CheckedSize bytes) {
  constexpr int64_t mostParts = 8;
  return std::clamp<int64_t>(rows.get(), 1, mostParts) * alignTo(bytes, 64);
}

} // namespace symc::sg

#endif // SYMC_IR_ROWSCRATCH_H
