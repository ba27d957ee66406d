// NarrowProducts.h: which convolutions and products multiply floats of 16 bits under --precision,
// and by which row (ProductRow.h). Sums, and what steps compute of them, are float32.
#ifndef SYMC_CODEGEN_CONV_NARROWPRODUCTS_H
#define SYMC_CODEGEN_CONV_NARROWPRODUCTS_H

#include "codegen/cpu/ProductRow.h"
#include "codegen/kernel/KernelDialect.h"
#include <optional>
#include <string>

namespace symc::codegen {

/// The type that "f16" or "bf16" names, or null.
mlir::FloatType halfTypeNamed(llvm::StringRef name, mlir::MLIRContext *context);

/// The row for a direct step whose prepared weights are kept as `half`, of a target that multiplies
/// or widens such: with data of `half`, too, where the target multiplies these and it pays to round
/// data for it, else with data of float32. Null where weights stay float32; `reason`, if given, is
/// why, half a sentence, unless its factors are not prepared panels of float32 and data of it.
const ProductRow *narrowProductOf(kernel::ConvOp conv, const TargetDescription &target,
                                  mlir::FloatType half, std::string *reason = nullptr);

/// The same for a recurrent step's product of states.
const ProductRow *narrowProductOf(kernel::RecurrentOp layer, const TargetDescription &target,
                                  mlir::FloatType half, std::string *reason = nullptr);

/// The instruction set that multiplies floats of the type that "f16" or "bf16" names, which a file
/// for any processor has a variant for, in front of its others; none: there is none.
std::optional<std::string> targetMultiplying(llvm::StringRef precision);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CONV_NARROWPRODUCTS_H
