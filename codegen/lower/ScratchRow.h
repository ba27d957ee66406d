// ScratchRow.h: a task's row of a step's scratch memory, one word of `slots` a row:
// 0 = free. There are as many rows as tasks, so that none waits; which row a task gets
// depends on timing, what it computes doesn't.
#ifndef SYMC_CODEGEN_LOWER_SCRATCHROW_H
#define SYMC_CODEGEN_LOWER_SCRATCHROW_H

#include "codegen/lower/Emission.h"

namespace symc::codegen {

/// The first row whose word was 0, taken; row 0 without a look if there is one row.
mlir::Value acquireRow(Emission &e, const View &slots, int64_t rows);

void releaseRow(Emission &e, const View &slots, int64_t rows, mlir::Value row);

/// Reports operands that a step of convolutions with scratch does not take: [data, weights,
/// extras..., out, scratch, slots] need f32, 16 channels side by side in data and out, and a row
/// of `elements` for each task.
mlir::LogicalResult checkScratchStep(mlir::Operation *op, llvm::ArrayRef<View> operands,
                                     int64_t tasks, int64_t elements);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_SCRATCHROW_H
