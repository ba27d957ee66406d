// ScaledBytes.h: recognises a body of kernel.loops that scales bytes and saturates what it rounds,
// as a concatenation of quantised values does: where the scale is 1 its result is its input.
#ifndef SYMC_CODEGEN_LOWER_SCALEDBYTES_H
#define SYMC_CODEGEN_LOWER_SCALEDBYTES_H

#include "mlir/IR/Block.h"
#include <optional>

namespace symc::codegen {

/// Arguments of a body, by number.
struct ScaledBytes {
  unsigned bytes, scale;
};

/// Those of a body that yields nothing but `bytes` times `scale`, rounded within limits that no
/// byte lies beyond; nothing of any other body.
std::optional<ScaledBytes> matchScaledBytes(mlir::Block &body);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_SCALEDBYTES_H
