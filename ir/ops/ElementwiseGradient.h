// ElementwiseGradient.h: what sg-decompose and the rules of gradients share of activations.
#ifndef SYMC_IR_OPS_ELEMENTWISEGRADIENT_H
#define SYMC_IR_OPS_ELEMENTWISEGRADIENT_H

#include "ir/CoreBuilder.h"
#include "ir/ops/Elementwise.h"

namespace symc::sg {

/// What rrelu multiplies values below 0 by in training. A node of the same name draws the same
/// slopes.
mlir::Value drawSlopes(LeakyReLUOp op, CoreBuilder &core);

} // namespace symc::sg

#endif // SYMC_IR_OPS_ELEMENTWISEGRADIENT_H
