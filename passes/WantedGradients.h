// WantedGradients.h: which gradients a graph of training computes.
#ifndef SYMC_PASSES_WANTEDGRADIENTS_H
#define SYMC_PASSES_WANTEDGRADIENTS_H

#include <cstdint>
#include <string>
#include <vector>

namespace symc {

/// The gradients that a graph of training computes, by arguments' names.
struct WantedGradients {
  std::vector<std::string> arguments; // "all": each that holds floats
  std::vector<std::string> added;     // of those: to an input (grad_req add)
  std::vector<std::string> dropped;   // none (grad_req null)
  int64_t recomputeBytes = -1;        // of sg-recompute
};
} // namespace symc

#endif // SYMC_PASSES_WANTEDGRADIENTS_H
