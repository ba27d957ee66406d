// hash.h: xxh3_64 of a range of bytes, seed 0.
#ifndef SYMC_RUNTIME_CORE_HASH_H
#define SYMC_RUNTIME_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

namespace symc {
uint64_t xxh3_64(const void *data, size_t bytes);
} // namespace symc
#endif
