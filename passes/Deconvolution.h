// Deconvolution.h: a deconvolution as a convolution, used by sg-decompose.
#ifndef SYMC_PASSES_DECONVOLUTION_H
#define SYMC_PASSES_DECONVOLUTION_H

#include "ir/CoreBuilder.h"
#include "ir/GraphDialect.h"
#include "ir/ops/Nn.h"

namespace symc {

/// What the node computes, of core operators before it; null where it stays as it is.
mlir::Value decomposeDeconvolution(sg::DeconvolutionOp op, CoreBuilder &core);

} // namespace symc

#endif // SYMC_PASSES_DECONVOLUTION_H
