// DrawnWeights.h: values of parameters that no source holds (--random-weights).
// Reproducible: the same seed and name give the same values on any machine.
#ifndef SYMC_TOOLS_DRIVER_DRAWNWEIGHTS_H
#define SYMC_TOOLS_DRIVER_DRAWNWEIGHTS_H

#include "frontend/params/WeightSource.h"
#include "ir/GraphDialect.h"
#include <vector>

namespace symc {

/// The name of the source that drawWeights() makes; no file is called so.
inline constexpr llvm::StringLiteral drawnWeights = "";

/// The weights of `module`, shapes and types known, that are drawn. Roles gamma and
/// moving_var (by `sg.role`, else by the name's end) are 1, beta, bias and moving_mean 0,
/// others uniform in +-sqrt(3 / fan-in), which keeps activations at one scale.
std::unique_ptr<params::WeightSource> drawWeights(mlir::ModuleOp module);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_DRAWNWEIGHTS_H
