// LossFunctions.h: the functions whose gradients MXNet's loss heads give. Their outputs are others:
// SoftmaxOutput puts probabilities out, and its gradient is that of the cross entropy.
#ifndef SYMC_TOOLS_CONFORMANCE_LOSSFUNCTIONS_H
#define SYMC_TOOLS_CONFORMANCE_LOSSFUNCTIONS_H

#include "frontend/symbol/Graph.h"

namespace symc::conformance {

/// What a loss head puts out, and its label (empty of one without).
struct LossValues {
  llvm::ArrayRef<double> output, label;
  llvm::ArrayRef<int64_t> shape; // of the output
};

/// The sum that the head's gradient is of; nothing for other operators.
std::optional<double> lossOf(const symbol::Node &head, const LossValues &values);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_LOSSFUNCTIONS_H
