// DecomposeUpdates.h: steps of optimizers as elementwise operators, used by sg-decompose.
#ifndef SYMC_PASSES_DECOMPOSEUPDATES_H
#define SYMC_PASSES_DECOMPOSEUPDATES_H

#include "ir/CoreBuilder.h"

namespace symc {

/// What the results of an operator of the family Optimizer are, of core operators before it; none
/// where it is another operator, or stays as it is.
llvm::SmallVector<mlir::Value> decomposeUpdate(mlir::Operation *op, CoreBuilder &core);

} // namespace symc

#endif // SYMC_PASSES_DECOMPOSEUPDATES_H
