// MathMode.h: what a compiled model's arithmetic may do, the values of --math and
// the stricter arithmetic of @prepare. In all of them one order of every reduction
// is fixed at compile time, scales and shifts that depend on weights alone become part of the
// weights in front of them (batch norms), no operation is replaced by a
// cheaper one that loses digits, and functions (exp, tanh, ...) err by a few ULP.
#ifndef SYMC_CODEGEN_TARGET_MATHMODE_H
#define SYMC_CODEGEN_TARGET_MATHMODE_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace symc::codegen {

/// Each mode allows what the ones before it allow, and more.
enum class MathMode {
  /// Products and sums round one by one, so that every host and instruction set
  /// gives equal bits: of @prepare, never of a model.
  Portable = -1,
  /// A multiply-add of a reduction rounds once where the instruction set has it.
  /// Convolutions are direct sums, linear layers keep the graph's order.
  Strict,
  /// Convolutions and products by algorithms other than the direct one where their error
  /// bound is at most 2e-5 of an output channel's largest value and no sample or pixel reaches
  /// the results of others; average poolings and 1x1 convolutions in the cheaper order.
  Default,
  /// The same with a bound of 1e-4, and by algorithms that mix pixels and samples.
  Fast,
};

/// "portable", "strict", "default", "fast".
llvm::StringRef nameOf(MathMode mode);
std::optional<MathMode> mathModeNamed(llvm::StringRef name);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_TARGET_MATHMODE_H
