// RowBands.h: chains of layers over images that caches can't hold, computed band by
// band: some rows of the first layer, the rows of the second that need them, and so
// on, so that what one layer writes is still near when the next one reads it.
// Every step is cut into steps over views of fewer rows; values, and the order of
// every sum, stay as they are. A cut step keeps its name in reports and profiles.
#ifndef SYMC_CODEGEN_CPU_ROWBANDS_H
#define SYMC_CODEGEN_CPU_ROWBANDS_H

#include "codegen/cpu/LayerChain.h"

namespace symc::codegen {

/// Cuts the chains of a program whose arena is not planned yet. A `passed` remark
/// names each chain, its bands and the bytes between its layers.
void bandRows(kernel::ProgramOp program, const BandLimits &limits);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_ROWBANDS_H
