// RecurrentDropout.h: zeros between recurrent layers as nodes of their own, used by sg-decompose.
#ifndef SYMC_PASSES_RECURRENTDROPOUT_H
#define SYMC_PASSES_RECURRENTDROPOUT_H

#include "ir/CoreBuilder.h"
#include "ir/GraphDialect.h"
#include "ir/ops/Recurrent.h"

namespace symc {

/// Whether the node draws zeros between its layers.
bool dropsBetweenLayers(sg::RnnOp op);
/// What such a node computes, a layer a node, before it: its output. Other results are replaced.
mlir::Value splitRecurrentLayers(sg::RnnOp op, CoreBuilder &core);

} // namespace symc

#endif // SYMC_PASSES_RECURRENTDROPOUT_H
