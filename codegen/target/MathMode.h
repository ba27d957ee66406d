// MathMode.h: what a compiled model's arithmetic may do, the values of --math and
// the stricter arithmetic of @prepare. In all of them one order of every reduction
// is fixed at compile time, nothing is reassociated, no operation is replaced by a
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
  /// Convolutions are direct sums.
  Strict,
  /// Convolutions and products by algorithms other than the direct one where their error
  /// bound is at most 5e-6 of the largest output.
  Default,
  /// The same with a bound of 2e-5.
  Fast,
};

/// "portable", "strict", "default", "fast".
llvm::StringRef nameOf(MathMode mode);
std::optional<MathMode> mathModeNamed(llvm::StringRef name);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_TARGET_MATHMODE_H
