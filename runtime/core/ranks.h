// ranks.h: what a step of a run gets from the other processes that make the same run.
#ifndef SYMC_RUNTIME_CORE_RANKS_H
#define SYMC_RUNTIME_CORE_RANKS_H

#include "symc/abi.h"

struct symc_context;

#ifndef SYMC_ON_DEVICE // on a device every process is by itself
// `bytes` at `first` and as many at `second` of each process, one behind the other in the order of
// ranks, until the next call with the context. `node` is the same in all. NULL with 0 ranks where
// the frame's context was not joined to others (symc_join_ranks), with a status below 0 and its
// sentence in frame->error where they failed.
extern "C" const void *symc_gather_ranks(const symc_frame *frame, uint64_t node, const void *first,
                                         const void *second, size_t bytes, int32_t *ranks);

namespace symc {
// Before a context ends.
void leave_ranks(symc_context &context);
} // namespace symc
#endif

#endif
