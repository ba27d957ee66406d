// Prepare.h: runs a program of the kernel dialect on the host at compile time.
// @prepare makes prepared weights from raw parameters so: the same lowering as
// for the target, portable arithmetic, hence the same bits as on any machine.
// Memory beside the code: the arena of the program.
#ifndef SYMC_CODEGEN_EMIT_PREPARE_H
#define SYMC_CODEGEN_EMIT_PREPARE_H

#include "codegen/emit/InProcess.h"
#include "codegen/kernel/KernelDialect.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace symc::codegen {

/// Compiles the planned @prepare for this machine and runs it once. `parameters`
/// are the raw values in the order of its inputs, dense and aligned to their
/// elements; `prepared` gets the weights, is aligned to SYMC_ALIGN and as large
/// as the offsets of kernel.prepared require. Bytes between weights stay untouched.
/// Tasks run on up to eight threads, with the same bits for any number.
/// `release` is called on this thread between its tasks, each time that 64 MiB more are in
/// memory: a caller whose memory is mapped from files can let go of the
/// pages.
llvm::Error runPrepare(kernel::ProgramOp prepare, llvm::ArrayRef<const void *> parameters,
                       uint8_t *prepared, const InProcessOptions &options,
                       llvm::function_ref<void()> release = {});

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_PREPARE_H
