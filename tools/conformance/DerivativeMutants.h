// DerivativeMutants.h: mistakes in the derivatives of ir/ScalarFunctions.td, made while they are
// evaluated: one primitive of a derivative has another sign, comparison or choice, or a factor
// less. Quotients of differences have to find each.
#ifndef SYMC_TOOLS_CONFORMANCE_DERIVATIVEMUTANTS_H
#define SYMC_TOOLS_CONFORMANCE_DERIVATIVEMUTANTS_H

#include <string>
#include <vector>

namespace symc::conformance {

struct DerivativeMutants {
  size_t derivatives = 0; // that have a primitive
  size_t count = 0;
  size_t equal = 0;               // that compute what the derivative does
  std::vector<std::string> alive; // "hypot by 0, primitive 7"
};

/// Makes each of them. `misbehave`: notices none.
DerivativeMutants mutateDerivatives(bool misbehave);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_DERIVATIVEMUTANTS_H
