// pool.h: what the rest of the runtime uses of the pool beside runtime.h.
#ifndef SYMC_RUNTIME_CORE_POOL_H
#define SYMC_RUNTIME_CORE_POOL_H

#include "symc/runtime.h"

namespace symc {

constexpr int32_t maxThreads = 1024;

// Processors that the process may run on, 1..maxThreads.
int32_t processor_count();

} // namespace symc

// Keeps the library of this code in memory, also after dlclose. NULL where the code is not in a
// shared library that symc linked (runtime/library).
extern "C" __attribute__((weak, visibility("hidden"))) void symc_stay_loaded();
#endif
