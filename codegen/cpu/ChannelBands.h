// ChannelBands.h: copies, pooling and depthwise layers that follow each other over images that a
// core's own cache can't hold, computed some blocks of channels after the other: what one
// writes is near when the next one reads it, and no channel needs another. Every step is cut into
// steps over views of fewer blocks; values stay as they are. A cut step keeps its name in
// reports and profiles.
#ifndef SYMC_CODEGEN_CPU_CHANNELBANDS_H
#define SYMC_CODEGEN_CPU_CHANNELBANDS_H

#include "codegen/cpu/LayerChain.h"

namespace symc::codegen {

/// Cuts the chains of a program whose arena is not planned yet. A `passed` remark names each chain
/// and its bands.
void bandChannels(kernel::ProgramOp program, const BandLimits &limits);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_CHANNELBANDS_H
