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

/// Keys or values of fewer heads than queries: `source`, [heads, T, D] or [1, heads, T, D], each
/// head `repeats` times behind itself, by way of `nodes`, which nobody else reads. The last two
/// axes are swapped on the way where they are `isTransposed`.
struct RepeatedHeads {
  mlir::Value source;
  int64_t heads, repeats;
  bool isTransposed;
  llvm::SmallVector<mlir::Operation *> nodes; // from below
};
/// What such an operand of a product is made of, if it is one.
std::optional<RepeatedHeads> repeatedHeads(mlir::Value operand);

} // namespace symc::sg

#endif // SYMC_IR_FUSENODES_H
