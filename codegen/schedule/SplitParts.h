// SplitParts.h: divides the steps of a program with gradients into forward and backward, so that
// each part can run by itself, and backward later, again or not at all.
//
// Forward are the steps that its outputs depend on; they come first, in their order. All others are
// backward: they stand behind kernel.forward_end, and read inputs and outputs of forward from
// copies in the arena, which forward makes.
#ifndef SYMC_CODEGEN_SCHEDULE_SPLITPARTS_H
#define SYMC_CODEGEN_SCHEDULE_SPLITPARTS_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::codegen {

/// Nothing happens to a program without parts, or with an end of forward. Buffers have no offsets
/// yet: each is written for one purpose.
void splitParts(kernel::ProgramOp program);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_SPLITPARTS_H
