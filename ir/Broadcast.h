// Broadcast.h: how shapes meet that are aligned at their last extents, where missing and
// unit extents repeat.
#ifndef SYMC_IR_BROADCAST_H
#define SYMC_IR_BROADCAST_H

#include "ir/Inference.h"

namespace symc::sg {

/// The shape that two operands of a node meet in, as far as it is known; an
/// error at the node, where two extents differ and neither is 1.
mlir::FailureOr<Shape> broadcastShapes(ShapeScope &scope, const Shape &left, const Shape &right,
                                       llvm::StringRef leftName = "lhs",
                                       llvm::StringRef rightName = "rhs");

} // namespace symc::sg

#endif // SYMC_IR_BROADCAST_H
