// SplitBytes.h: convolutions and products over bytes for targets without an instruction that sums
// products of bytes. They multiply pairs of 16 bits, into which bytes have to be taken apart: data
// for each tap and each group of outputs that reads it, weights for each tile of pixels. Here
// a step in front of the layer does it once.
#ifndef SYMC_CODEGEN_SCHEDULE_SPLITBYTES_H
#define SYMC_CODEGEN_SCHEDULE_SPLITBYTES_H

#include "codegen/kernel/KernelDialect.h"
#include "codegen/target/Target.h"

namespace symc::codegen {

/// Puts kernel.split_bytes in front of the layers of a program whose arena is not planned yet,
/// where their bytes are used often. A `passed` remark names each layer and the target.
void splitBytes(kernel::ProgramOp program, const Target &target, llvm::StringRef name);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_SPLITBYTES_H
