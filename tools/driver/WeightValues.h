// WeightValues.h: values of parameters: drawn where no file holds them
// (--random-weights), converted where a file holds another element type.
// Reproducible: the same seed and name give the same values on any machine.
#ifndef SYMC_TOOLS_DRIVER_WEIGHTVALUES_H
#define SYMC_TOOLS_DRIVER_WEIGHTVALUES_H

#include "frontend/params/WeightSource.h"
#include "ir/GraphDialect.h"
#include <vector>

namespace symc {

/// The name of the source that drawWeights() makes; no file is called so.
inline constexpr llvm::StringLiteral drawnWeights = "";

/// The weights of `module`, shapes and types known, that are drawn. Roles gamma and moving_var (by
/// `sg.role`, else by the name's end) are 1, beta, bias and moving_mean 0,
/// others uniform in +-sqrt(3 / fan-in), which keeps activations at one scale.
std::unique_ptr<params::WeightSource> drawWeights(mlir::ModuleOp module);

/// Elements of type `stored` as those of `type` (row-major, any alignment in), each
/// through double: to floats by rounding to nearest even, to integers by cutting off.
std::vector<char> convertWeight(const char *data, mlir::Type stored, mlir::RankedTensorType type);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_WEIGHTVALUES_H
