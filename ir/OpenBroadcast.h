// OpenBroadcast.h: how shapes meet (Broadcast.h) of which a run chooses extents.
#ifndef SYMC_IR_OPENBROADCAST_H
#define SYMC_IR_OPENBROADCAST_H

#include "ir/Broadcast.h"

namespace symc::sg {

/// The same where an extent that a run chooses may meet a constant, which it is then, or 1.
mlir::FailureOr<Shape> broadcastOpenShapes(ShapeScope &scope, const Shape &left,
                                           const Shape &right);

} // namespace symc::sg

#endif // SYMC_IR_OPENBROADCAST_H
