// memory.cpp: see memory.h.
#include "memory.h"

#include <stdlib.h>
#include <sys/mman.h>

namespace symc {

static constexpr size_t hugePage = size_t(2) << 20;

size_t allocated_bytes(size_t bytes, size_t alignment) {
  size_t rounded = (bytes + alignment - 1) & ~(alignment - 1);
  return rounded ? rounded : alignment;
}

void *allocate(const symc_allocator *hooks, size_t bytes, size_t alignment) {
  if (bytes > SIZE_MAX - alignment)
    return nullptr;
  size_t rounded = allocated_bytes(bytes, alignment);
  if (hooks && hooks->allocate)
    return hooks->allocate(hooks->user, rounded, alignment);
  return aligned_alloc(alignment, rounded);
}

void release(const symc_allocator *hooks, void *memory, size_t bytes) {
  if (!memory)
    return;
  if (hooks && hooks->release)
    hooks->release(hooks->user, memory, allocated_bytes(bytes, SYMC_ALIGN));
  else
    free(memory);
}

void *allocate_large(const symc_allocator *hooks, size_t bytes, bool hugePages) {
  if (!hugePages || bytes < 2 * hugePage || (hooks && hooks->allocate))
    return allocate(hooks, bytes, SYMC_ALIGN);
  void *memory = allocate(nullptr, bytes, hugePage);
  if (memory) // advice only: where the system has no huge pages, small ones serve
    madvise(memory, bytes & ~(hugePage - 1), MADV_HUGEPAGE);
  return memory;
}

static constexpr size_t smallPage = 4096;

void prefault_writable(void *memory, size_t bytes) {
  volatile char *bytesOf = static_cast<char *>(memory);
  for (size_t at = 0; at < bytes; at += smallPage)
    bytesOf[at] = 0;
  if (bytes)
    bytesOf[bytes - 1] = 0;
}

void prefault_readable(const void *memory, size_t bytes) {
  const volatile char *bytesOf = static_cast<const char *>(memory);
  for (size_t at = 0; at < bytes; at += smallPage)
    (void)bytesOf[at];
  if (bytes)
    (void)bytesOf[bytes - 1];
}

} // namespace symc
