// pool.h: what the rest of the runtime wants from the pool beside runtime.h.
#ifndef SYMC_RUNTIME_CORE_POOL_H
#define SYMC_RUNTIME_CORE_POOL_H

#include "symc/runtime.h"

namespace symc {

constexpr int32_t maxThreads = 1024;

// Processors that the process may run on, 1..maxThreads.
int32_t processor_count();

} // namespace symc
#endif
