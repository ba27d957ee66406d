// NestNormalForm.h: the index space of an elementwise step in its simplest form,
// so that lowerings see few, long dimensions and steps that differ in shape only
// in name share a function. Every index is still visited exactly once.
#ifndef SYMC_CODEGEN_KERNEL_NESTNORMALFORM_H
#define SYMC_CODEGEN_KERNEL_NESTNORMALFORM_H

#include "codegen/kernel/ViewOrigin.h"

namespace symc::codegen {

/// Rewrites views of one shape: dimensions of extent 1 go; dimensions are ordered
/// by falling stride of view number `leading` (its unit stride last); neighbours
/// that every view walks as one become one. Rank 0 is left for one element.
void normaliseNest(llvm::ArrayRef<kernel::ViewOrigin *> views, unsigned leading);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_KERNEL_NESTNORMALFORM_H
