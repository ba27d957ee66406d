// RandomWeights.h: values for parameters that no file holds (--random-weights).
// Reproducible: the same seed and name give the same values on any machine.
#ifndef SYMC_TOOLS_DRIVER_RANDOMWEIGHTS_H
#define SYMC_TOOLS_DRIVER_RANDOMWEIGHTS_H

#include "ir/GraphDialect.h"
#include <vector>

namespace symc {

/// The bytes of a drawn weight, row-major. Roles gamma and moving_var (by
/// `sg.role`, else by the name's end) are 1, beta, bias and moving_mean 0,
/// others uniform in +-sqrt(3 / fan-in), which keeps activations at one scale.
std::vector<char> drawWeight(sg::WeightOp weight);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_RANDOMWEIGHTS_H
