// PackRecurrent.h: the weights of a kernel.recurrent by Strassen's product.
#ifndef SYMC_CODEGEN_CONV_STRASSEN_PACKRECURRENT_H
#define SYMC_CODEGEN_CONV_STRASSEN_PACKRECURRENT_H

#include "codegen/kernel/KernelDialect.h"

namespace symc::codegen {

/// Sums of the quarters of state matrices [units, state, gates, 1], in the extents of
/// RecurrentHalves, by a nest for each product; they are taken in f64 and rounded once.
void packRecurrentSums(mlir::Value source, mlir::Value target, mlir::OpBuilder &builder,
                       mlir::Location location);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CONV_STRASSEN_PACKRECURRENT_H
