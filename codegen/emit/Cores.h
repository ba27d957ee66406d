// Cores.h: independent pieces of work on the cores that this process may use (its
// affinity, so that `taskset` limits them). What a piece computes must not depend on
// the thread that runs it, nor on the others' order.
#ifndef SYMC_CODEGEN_EMIT_CORES_H
#define SYMC_CODEGEN_EMIT_CORES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace symc::codegen {

/// Calls body(0) to body(count - 1), each once, handed out in this order; returns when
/// all are done. The caller works too, and does all where the system gives no thread.
/// `afterOwn` runs on the caller's thread behind each piece that it did itself.
void forEachOnCores(int64_t count, llvm::function_ref<void(int64_t)> body,
                    llvm::function_ref<void()> afterOwn = {});

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_CORES_H
