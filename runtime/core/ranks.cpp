// ranks.cpp: see ranks.h. A run's frame, and the copies that loops make of it for their bodies,
// have no place for the other processes: a frame is known by the buffer for its sentence, which is
// its context's.
#include "ranks.h"

#include "context.h"
#include "memory.h"

#include <string.h>

namespace symc {

struct Ranks {
  symc_context *context;
  symc_gather_fn gather;
  void *user;
  Ranks *next;
  int32_t count;
  uint8_t *memory; // of a message, and of all processes' behind it
  size_t memoryBytes;
};

} // namespace symc

using namespace symc;

namespace {
Ranks *joined; // of all contexts
char busy;     // 1 while a thread walks or changes the list

struct Walk {
  Walk() {
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) {
    }
  }
  ~Walk() { __atomic_clear(&busy, __ATOMIC_RELEASE); }
};

Ranks *ranks_of(const symc_frame *frame) {
  Walk walk;
  Ranks *one = joined;
  while (one && one->context->frame.error != frame->error)
    one = one->next;
  return one;
}
} // namespace

void symc::leave_ranks(symc_context &context) {
  Ranks *own = nullptr;
  {
    Walk walk;
    for (Ranks **at = &joined; *at && !own; at = own ? at : &(*at)->next)
      if ((*at)->context == &context) {
        own = *at;
        *at = own->next;
      }
  }
  if (!own)
    return;
  release(&context.allocator, own->memory, own->memoryBytes);
  release(&context.allocator, own, sizeof *own);
}

symc_status symc_join_ranks(symc_context *context, int32_t ranks, symc_gather_fn gather,
                            void *user) {
  if (!context)
    return SYMC_STATUS_BAD_ARGUMENT;
  Text error(context->error, sizeof context->error);
  if (ranks < 1 || (ranks > 1 && !gather)) {
    error << "ranks are at least 1, and several have a function that gathers; got " << ranks
          << (gather ? "" : " without one");
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  leave_ranks(*context);
  if (ranks == 1)
    return SYMC_STATUS_OK;
  auto *own = static_cast<Ranks *>(allocate(&context->allocator, sizeof(Ranks), alignof(Ranks)));
  if (!own) {
    error << "cannot allocate " << int64_t(sizeof(Ranks)) << " bytes";
    return SYMC_STATUS_OUT_OF_MEMORY;
  }
  Walk walk;
  *own = {context, gather, user, joined, ranks, nullptr, 0};
  joined = own;
  return SYMC_STATUS_OK;
}

const void *symc_gather_ranks(const symc_frame *frame, uint64_t node, const void *first,
                              const void *second, size_t bytes, int32_t *ranks) {
  *ranks = 0;
  Ranks *own = frame ? ranks_of(frame) : nullptr;
  if (!own)
    return nullptr;
  *ranks = -int32_t(SYMC_STATUS_RUN_FAILED);
  Text error(frame->error, size_t(frame->error_bytes));
  // The node's number, then both; of all processes the numbers stand apart from what the caller
  // reads.
  size_t one = 2 * bytes, n = size_t(own->count), head = sizeof node;
  size_t wanted = (head + one) * (n + 1) + one * n;
  const symc_allocator *hooks = &own->context->allocator;
  if (own->memoryBytes < wanted) {
    release(hooks, own->memory, own->memoryBytes);
    own->memory = static_cast<uint8_t *>(allocate(hooks, wanted, SYMC_ALIGN));
    own->memoryBytes = own->memory ? wanted : 0;
  }
  if (!own->memory) {
    error << "cannot allocate " << int64_t(wanted) << " bytes";
    return nullptr;
  }
  uint8_t *made = own->memory, *message = made + one * n, *all = message + head + one;
  memcpy(message, &node, head);
  memcpy(message + head, first, bytes);
  memcpy(message + head + bytes, second, bytes);
  if (own->gather(own->user, message, all, head + one, frame->error, size_t(frame->error_bytes)))
    return nullptr;
  for (size_t rank = 0; rank < n; ++rank) {
    const uint8_t *from = all + rank * (head + one);
    if (memcmp(from, &node, head) != 0) {
      error << "process " << int64_t(rank) << " is at another node: is its program the same?";
      return nullptr;
    }
    memcpy(made + rank * one, from + head, one);
  }
  *ranks = own->count;
  return made;
}
