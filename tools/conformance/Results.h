// Results.h: results of a run beside those that a case has stored.
#ifndef SYMC_TOOLS_CONFORMANCE_RESULTS_H
#define SYMC_TOOLS_CONFORMANCE_RESULTS_H

#include "runtime/include/symc/runtime.h"
#include "tools/conformance/StoredCase.h"

namespace symc::conformance {

/// What a run left: its outputs, with the extents that values decided, and its states.
struct Results {
  std::vector<symc_tensor> outputs;
  std::vector<symc_tensor> states;
  /// What each element of an output may differ beside the case's tolerance; none: nothing.
  std::vector<std::vector<double>> rounding;
  std::vector<int64_t> extents;          // that `outputs` point to
  std::vector<std::vector<char>> memory; // of states

  /// Reads the context after a run. The sentence of what fails, or "".
  std::string fetch(symc_context *context, const std::vector<symc_tensor> &outputs);
};

int64_t bytesOf(const symc_tensor &tensor);

/// The extents of all outputs at these inputs, one behind the other, or the sentence of what is
/// wrong; `refused`: the model takes no such inputs.
std::string inferExtents(symc_context *context, const symc_model &model,
                         const std::vector<symc_tensor> &inputs, std::vector<int64_t> &extents,
                         bool &refused);

/// The first difference from what is stored, or "": values, shapes, types, names, and how many
/// outputs and changed states there are.
std::string compare(const Results &results, const symc_model &model, const StoredCase &stored);

/// The largest |x - y| of two arrays of floats, but at most 5 % of y's largest value; 0 for other
/// types and for elements that are not finite.
double roundingBetween(const params::Array &x, const params::Array &y);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_RESULTS_H
