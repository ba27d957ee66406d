// CostModel.h: how long a step takes on one core, in cycles, from the rates of the
// target description: arithmetic by the register tile (TileChoice.h), bytes by the
// level of memory that holds them.
#ifndef SYMC_CODEGEN_CPU_COSTMODEL_H
#define SYMC_CODEGEN_CPU_COSTMODEL_H

#include "codegen/cpu/TileChoice.h"

namespace symc::codegen {

/// Cycles of a convolution or matrix product with that tile. `modelWeightBytes`, the
/// weights of the whole model, decides where its own weights lie when it starts.
double estimateConvStep(kernel::ConvOp op, const ConvTile &tile, const TargetDescription &target,
                        uint64_t modelWeightBytes);

/// Bytes a cycle of a stream over a working set of so many bytes.
double streamRate(uint64_t bytes, const TargetDescription &target);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_COSTMODEL_H
