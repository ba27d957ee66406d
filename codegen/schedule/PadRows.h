// PadRows.h: rows of matrices that would lie a multiple of half a page apart. Products read as many
// rows side by side as a tile has, and lines that lie 2048 bytes apart share two sets of L1,
// which hold 16 of them beside weights: they evict each other before the next channel needs them. A
// line more between rows spreads them over all sets.
#ifndef SYMC_CODEGEN_SCHEDULE_PADROWS_H
#define SYMC_CODEGEN_SCHEDULE_PADROWS_H

#include "codegen/kernel/KernelDialect.h"
#include "codegen/target/Target.h"

namespace symc::codegen {

/// Gives the rows of buffers that products read a line more, in a program whose arena is not
/// planned yet. A `passed` remark at each such product names the distance of rows.
void padRows(kernel::ProgramOp program, const Target &target);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_PADROWS_H
