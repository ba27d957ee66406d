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

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_SCRATCHROW_H
