// DecidedSize.h: the mark of a kernel.call whose kernel writes one of the program's symbolic
// sizes into the frame (ir/ValueSizes.h). An attribute of the call with the size's number;
// the steps behind it read the sizes again.
#ifndef SYMC_CODEGEN_KERNEL_DECIDEDSIZE_H
#define SYMC_CODEGEN_KERNEL_DECIDEDSIZE_H

#include "llvm/ADT/StringRef.h"

namespace symc::kernel {

inline constexpr llvm::StringLiteral kDecidesAttr = "kernel.decides";

} // namespace symc::kernel

#endif // SYMC_CODEGEN_KERNEL_DECIDEDSIZE_H
