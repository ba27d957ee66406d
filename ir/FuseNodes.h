// FuseNodes.h: several nodes of a graph become one sg.fused.
#ifndef SYMC_IR_FUSENODES_H
#define SYMC_IR_FUSENODES_H

#include "ir/GraphDialect.h"

namespace symc::sg {

/// Moves `nodes`, which stand in the order of their block, into an sg.fused in the place of the
/// last one, whose results are the last node's. Nothing else reads the results of the others.
FusedOp fuseNodes(llvm::ArrayRef<mlir::Operation *> nodes);

/// Whether the group is an attention layer, as sg-fuse-attention makes them: its softmax stands
/// before a product.
bool isAttention(FusedOp group);

} // namespace symc::sg

#endif // SYMC_IR_FUSENODES_H
