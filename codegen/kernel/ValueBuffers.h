// ValueBuffers.h: which buffers of a trainer hold values of the graph, and which of their channels
// mean something; and which of its steps are of prediction. The run that names the node of a NaN
// looks at these alone (lower/Watched.h).
#ifndef SYMC_CODEGEN_KERNEL_VALUEBUFFERS_H
#define SYMC_CODEGEN_KERNEL_VALUEBUFFERS_H

#include "llvm/ADT/StringRef.h"

namespace symc::kernel {

/// An attribute of kernel.buffer: of a value in blocks of channels their number, else 0. Other
/// buffers lack it.
inline constexpr llvm::StringLiteral channelsName = "symc.channels";

/// A unit attribute of a kernel.copy in a trainer's program: it runs to predict alone, and writes a
/// value in the place of that which training has there (plan/PredictionSteps.h).
inline constexpr llvm::StringLiteral predictingName = "kernel.predicting";

} // namespace symc::kernel

#endif // SYMC_CODEGEN_KERNEL_VALUEBUFFERS_H
