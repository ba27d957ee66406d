// memory.h: memory by the caller's hooks or by the system, with huge pages where
// they gain.
#ifndef SYMC_RUNTIME_CORE_MEMORY_H
#define SYMC_RUNTIME_CORE_MEMORY_H

#include "symc/runtime.h"

namespace symc {

// What allocate takes for so many bytes: the next multiple of the alignment, at least one.
size_t allocated_bytes(size_t bytes, size_t alignment);

// NULL where there is none. `bytes` may be 0. `hooks` NULL or without functions: the system's.
// Hooks get allocated_bytes, with SYMC_ALIGN, at allocate and the same number at release.
void *allocate(const symc_allocator *hooks, size_t bytes, size_t alignment);
void release(const symc_allocator *hooks, void *memory, size_t bytes);

// As allocate with SYMC_ALIGN; requests huge pages from 4 MiB on, unless hooks give the memory.
void *allocate_large(const symc_allocator *hooks, size_t bytes, bool hugePages);

// Touches every page now, so that the first run has no page faults.
void prefault_writable(void *memory, size_t bytes);
void prefault_readable(const void *memory, size_t bytes);

} // namespace symc
#endif
