// KernelCalls.cpp: what kernels call, by the names that CudaPrelude.inc declares and clang's
// -fsanitize-coverage=trace-loads,trace-stores uses.
#include "tools/cuda-shim/Execution.h"
#include <cstdio>
#include <cstring>

using namespace symc::shim;

#define SHIM_CALL extern "C" __attribute__((visibility("default")))

#define SHIM_TRACE(bytes)                                                                          \
  SHIM_CALL void __sanitizer_cov_load##bytes(void *address) {                                      \
    execution().access(reinterpret_cast<uintptr_t>(address), bytes, Access::Read,                  \
                       __builtin_return_address(0));                                               \
  }                                                                                                \
  SHIM_CALL void __sanitizer_cov_store##bytes(void *address) {                                     \
    execution().access(reinterpret_cast<uintptr_t>(address), bytes, Access::Write,                 \
                       __builtin_return_address(0));                                               \
  }
SHIM_TRACE(1)
SHIM_TRACE(2)
SHIM_TRACE(4)
SHIM_TRACE(8)
SHIM_TRACE(16)

SHIM_CALL void symc_shim_atomic(void *address, unsigned long long bytes) {
  execution().access(reinterpret_cast<uintptr_t>(address), bytes, Access::Atomic,
                     __builtin_return_address(0));
}

SHIM_CALL void symc_shim_fence() { execution().memory.fence(); }

/// For memcpy and memset: as words where the place allows it.
SHIM_CALL void symc_shim_range(const void *begin, unsigned long long bytes, int writes) {
  uintptr_t at = reinterpret_cast<uintptr_t>(begin), end = at + bytes;
  for (uintptr_t step; at < end; at += step) {
    for (step = 4; at % step || step > end - at;)
      step /= 2;
    execution().access(at, step, writes ? Access::Write : Access::Read,
                       __builtin_return_address(0));
  }
}

// One of x, y and z: 0, 1, 2.
static unsigned part(Extents extents, int axis) { return (&extents.x)[axis]; }
SHIM_CALL unsigned symc_shim_thread(int axis) { return part(execution().threadIndex(), axis); }
SHIM_CALL unsigned symc_shim_block(int axis) { return part(execution().blockIndex, axis); }
SHIM_CALL unsigned symc_shim_block_extent(int axis) { return part(execution().blockExtents, axis); }
SHIM_CALL unsigned symc_shim_grid_extent(int axis) { return part(execution().gridExtents, axis); }
SHIM_CALL unsigned symc_shim_lane() { return execution().laneOfCurrent(); }
SHIM_CALL void *symc_shim_dynamic_shared() { return execution().dynamicShared(); }

SHIM_CALL int symc_shim_barrier(int predicate) {
  return execution().barrier(predicate != 0, __builtin_return_address(0));
}

SHIM_CALL void symc_shim_sync_warp(unsigned mask) {
  execution().syncWarp(mask, __builtin_return_address(0));
}

/// For warp functions of the prelude: operands of all lanes that take part.
SHIM_CALL void symc_shim_warp(unsigned mask, void (*function)(void **lanes, unsigned mask),
                              void *operands) {
  execution().warp(mask, function, operands, __builtin_return_address(0));
}

namespace {
struct Shuffle {
  unsigned long long value;
  unsigned source;
  bool active;
};
} // namespace

static void shuffle(void **lanes, unsigned mask) {
  unsigned long long values[32];
  for (int i = 0; i < 32; ++i)
    values[i] = lanes[i] ? static_cast<Shuffle *>(lanes[i])->value : 0;
  for (int i = 0; i < 32; ++i)
    if (auto *own = static_cast<Shuffle *>(lanes[i])) {
      own->active = mask >> own->source & 1;
      own->value = values[own->source];
    }
}

SHIM_CALL unsigned long long symc_shim_shuffle(unsigned mask, unsigned long long value,
                                               unsigned source) {
  Shuffle own = {value, source, false};
  void *caller = __builtin_return_address(0);
  execution().warp(mask, shuffle, &own, caller);
  if (!own.active) {
    char text[80];
    snprintf(text, sizeof(text), "shuffles from lane %u, which is inactive (mask 0x%08x)", source,
             mask);
    execution().fail(text, caller);
  }
  return own.value;
}

/// In: a lane's predicate. Out: the lanes whose predicates hold, and those that took part.
namespace {
struct Vote {
  unsigned holds, active;
};
} // namespace

static void vote(void **lanes, unsigned mask) {
  unsigned holds = 0;
  for (int i = 0; i < 32; ++i)
    if (lanes[i] && static_cast<Vote *>(lanes[i])->holds)
      holds |= 1u << i;
  for (int i = 0; i < 32; ++i)
    if (lanes[i])
      *static_cast<Vote *>(lanes[i]) = {holds, mask};
}

SHIM_CALL unsigned symc_shim_vote(unsigned mask, int predicate, unsigned *active) {
  Vote own = {predicate != 0, 0};
  execution().warp(mask, vote, &own, __builtin_return_address(0));
  *active = own.active;
  return own.holds;
}

//===-- Tensor cores (TensorPrelude.inc) -----------------------------------------------------===//

SHIM_CALL void symc_shim_read_shared(const void *address, unsigned bytes, int checked) {
  if (checked)
    execution().accessShared(reinterpret_cast<uintptr_t>(address), bytes, Access::Read,
                             __builtin_return_address(0));
}

static uintptr_t addressOf(const void *place) { return reinterpret_cast<uintptr_t>(place); }

SHIM_CALL void symc_shim_open_arrival(void *barrier, int checked) {
  execution().openArrival(addressOf(barrier), checked, __builtin_return_address(0));
}
SHIM_CALL void symc_shim_publish() { execution().publishArrivals(); }
SHIM_CALL void symc_shim_expect_bytes(void *barrier, unsigned bytes, int checked) {
  execution().expectBytes(addressOf(barrier), bytes, checked, __builtin_return_address(0));
}
SHIM_CALL void symc_shim_wait_arrival(void *barrier, unsigned parity, int checked) {
  execution().waitArrival(addressOf(barrier), parity, checked, __builtin_return_address(0));
}
SHIM_CALL void symc_shim_fetch(void *shared, const void *map, const int *first, const int *offsets,
                               void *barrier, int checked) {
  execution().fetch(addressOf(shared), map, first, offsets, addressOf(barrier), checked,
                    __builtin_return_address(0));
}

/// Of `count` operands, places and lengths in turns.
SHIM_CALL void symc_shim_start_group(const unsigned long long *operands, unsigned count) {
  std::vector<OperandOfGroup> all;
  for (unsigned i = 0; i < count; ++i)
    all.push_back({uintptr_t(operands[2 * i]), size_t(operands[2 * i + 1])});
  execution().startGroup(std::move(all));
}
SHIM_CALL void symc_shim_wait_groups(unsigned pending) {
  execution().waitGroups(pending, __builtin_return_address(0));
}

/// Bytes beyond `real` become 0.
SHIM_CALL void symc_shim_copy(void *shared, const void *global, unsigned bytes, unsigned real,
                              int checked) {
  void *caller = __builtin_return_address(0);
  uintptr_t source = reinterpret_cast<uintptr_t>(global);
  if (real > bytes || source % bytes)
    execution().fail("copies " + std::to_string(real) + " of " + std::to_string(bytes) +
                         " bytes to shared memory from an address that is no multiple of them",
                     caller);
  if (checked) {
    for (unsigned at = 0, step; at < real; at += step) {
      step = real - at < 4 ? 1 : 4;
      execution().access(source + at, step, Access::Read, caller);
    }
    execution().accessShared(reinterpret_cast<uintptr_t>(shared), bytes, Access::Write, caller);
  }
  PendingCopy copy = {shared, bytes, {}};
  memcpy(copy.data, global, real);
  memset(shared, 0xff, bytes);
  execution().copiesOfCurrent().open.push_back(copy);
}

SHIM_CALL void symc_shim_commit_copies() {
  Copies &copies = execution().copiesOfCurrent();
  copies.groups.push_back(std::move(copies.open));
  copies.open.clear();
}

SHIM_CALL void symc_shim_wait_copies(unsigned pending, int checked) {
  Copies &copies = execution().copiesOfCurrent();
  for (; copies.groups.size() > pending; copies.groups.erase(copies.groups.begin()))
    for (const PendingCopy &copy : copies.groups.front()) {
      if (checked)
        execution().accessShared(reinterpret_cast<uintptr_t>(copy.shared), copy.bytes,
                                 Access::Write, __builtin_return_address(0), /*again=*/true);
      memcpy(copy.shared, copy.data, copy.bytes);
    }
}
