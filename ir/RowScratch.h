// RowScratch.h: the scratch of a reference kernel whose rows run in tasks
// (runtime/kernels/reference/rows.h): a part for each of them, as many as threads can use, but
// no more in all than the node's tensors take.
#ifndef SYMC_IR_ROWSCRATCH_H
#define SYMC_IR_ROWSCRATCH_H

#include "ir/Inference.h"

namespace symc::sg {

/// `bytes`: what the kernel needs to compute one row after another. Two parts are always given,
/// and what is little beside any arena; each row is computed in the same way in any part.
inline CheckedSize rowScratchBytes(const LargestShapes &shapes, CheckedSize rows,
                                   CheckedSize bytes) {
  constexpr int64_t mostParts = 8, leastParts = 2, little = 1 << 20, elementBytes = 4;
  CheckedSize tensors = 0, part = alignTo(bytes, 64);
  for (size_t i = 0; i < shapes.operands.size(); ++i)
    tensors += elementBytes * shapes.operandCount(i);
  for (size_t i = 0; i < shapes.results.size(); ++i)
    tensors += elementBytes * shapes.resultCount(i);
  int64_t parts = std::clamp<int64_t>(rows.get(), 1, mostParts);
  while (parts > leastParts && part * parts > std::max<CheckedSize>(tensors, little))
    --parts;
  return part * parts;
}

} // namespace symc::sg

#endif // SYMC_IR_ROWSCRATCH_H
