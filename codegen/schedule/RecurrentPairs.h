// RecurrentPairs.h: recurrent layers of training and their gradients: which belong together.
#ifndef SYMC_CODEGEN_SCHEDULE_RECURRENTPAIRS_H
#define SYMC_CODEGEN_SCHEDULE_RECURRENTPAIRS_H

#include "ir/ops/Recurrent.h"

namespace symc::codegen {

/// The layer before a gradient that computes what this needs, or null.
sg::RnnOp layerOf(sg::RnnGradientOp gradient);
/// Whether a gradient reads what the layer's steps keep.
bool hasGradient(sg::RnnOp layer);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_RECURRENTPAIRS_H
