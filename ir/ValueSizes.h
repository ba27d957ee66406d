// ValueSizes.h: symbolic sizes that values decide while a run goes on, such as the number
// of rows that a mask keeps. Each belongs to one node of the main graph: its kernel writes
// the number into the frame's sizes, and every later step reads it there. Before the run it
// counts as its largest, for which memory is planned.
#ifndef SYMC_IR_VALUESIZES_H
#define SYMC_IR_VALUESIZES_H

#include "ir/Inference.h"
#include <optional>

namespace symc::sg {

/// The number of the symbolic size that the node decides, if it does.
std::optional<int64_t> decidedSize(mlir::Operation *op);

/// Gives the node's graph a size from 0 to what `bound` can be at most, named after the axis of
/// the first result along which it lies; returns its number.
int64_t addSize(mlir::Operation *op, Dim bound, int64_t axis = 0);

/// An error where the scope's node is in the body of a loop or choice, where none may decide.
mlir::LogicalResult checkDecides(ShapeScope &scope);

/// The size of a node with the attribute `size`, a new one of at most `most` where it has none.
template <typename Op> Dim sizeOf(Op op, Dim most, int64_t axis = 0) {
  if (static_cast<int64_t>(op.getSize()) < 0)
    op.setSize(addSize(op, most, axis));
  return Dim(mlir::getAffineSymbolExpr(op.getSize(), op.getContext()));
}

} // namespace symc::sg

#endif // SYMC_IR_VALUESIZES_H
