// Differences.h: the gradients of a case of training beside quotients of small differences, in f64
// by reference kernels. With `loss` the sum of each output times the gradient that it is given,
//
//   (loss(x + h d) - loss(x - h d)) / 2h   is   the sum of grad:x times d
//
// for directions d that are drawn. Every argument is an input, so that one program computes both
// sides.
#ifndef SYMC_TOOLS_CONFORMANCE_DIFFERENCES_H
#define SYMC_TOOLS_CONFORMANCE_DIFFERENCES_H

#include "frontend/symbol/Graph.h"
#include "runtime/include/symc/runtime.h"
#include "tools/conformance/StoredCase.h"
#include <map>

namespace symc::conformance {

/// Reads a case; its f32 become f64.
struct WideCase {
  StoredCase stored; // as in its files
  std::optional<symbol::Graph> graph;
  std::map<std::string, std::vector<double>> given; // floats by the key of io.params
  std::map<std::string, std::vector<char>> others;  // likewise, of other types

  /// The sentence of what is wrong, or "".
  std::string read(llvm::StringRef folder);
};

struct Compared {
  std::string problem;                // the first, or ""
  std::vector<std::string> unlike;    // arguments whose gradient is none of a difference
  std::vector<std::string> arguments; // all that were compared
};

/// Runs the model at the case's inputs: its results beside those of MXNet, with the tolerances of
/// the case. What differs, or "".
std::string compareStored(const symc_model &model, const WideCase &wide);

/// The gradients of each argument beside differences.
/// `symmetric`: arguments that stand for symmetric matrices, whose gradient is one of those.
Compared compareDifferences(const symc_model &model, const WideCase &wide,
                            llvm::ArrayRef<std::string> symmetric);

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_DIFFERENCES_H
