// threads.h: whose work the parts of a kernel are. On a CPU the thread that calls a kernel goes
// through all of its loops, or the run's pool does in tasks (rows.h). On a CUDA device all threads
// of a launch go through the same kernel, and the functions below hand each part of a loop to one
// of them. What stands outside of such loops, every thread does: it may read, and write nothing.
//
// A kernel's file specifies what its operators' loops are made for; those that it does not name run
// on one thread.
//
//   SYMC_ON_GRID(a, b)    parts of each_of, each_in, each_place and run_rows depend on no other;
//                         many blocks
//   SYMC_ON_BLOCKS(a, b)  rows of run_rows_by_blocks, each by a block whose threads share the loops
//                         of each_of_block
//   SYMC_ON_BLOCK(a, b)   one block, which waits behind each loop of each_of_block
//
// Each part is computed whole and in the same way by any thread, so that results do not depend on
// the grid.
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_THREADS_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_THREADS_H

#include <stddef.h>
#include <stdint.h>

#define SYMC_ON_GRID(...)
#define SYMC_ON_BLOCKS(...)
#define SYMC_ON_BLOCK(...)

namespace symc::ref {

#ifdef SYMC_ON_DEVICE
constexpr bool kOnDevice = true;
constexpr int64_t kMostBlockThreads = 256;
inline int64_t block_thread() { return threadIdx.x; }
inline int64_t block_threads() { return blockDim.x; }
inline int64_t grid_block() { return blockIdx.x; }
inline int64_t grid_blocks() { return gridDim.x; }
inline int64_t grid_thread() { return int64_t(blockIdx.x) * blockDim.x + threadIdx.x; }
inline int64_t grid_threads() { return int64_t(gridDim.x) * blockDim.x; }
// What threads of the block wrote can be read by all of them behind it.
inline void wait_for_block() { __syncthreads(); }
#else
constexpr bool kOnDevice = false;
constexpr int64_t block_thread() { return 0; }
constexpr int64_t block_threads() { return 1; }
constexpr int64_t grid_thread() { return 0; }
constexpr int64_t grid_threads() { return 1; }
inline void wait_for_block() {}
#endif

// Calls body(n) for n of [0, count), which do not depend on each other.
template <class Body> void each_of(int64_t count, const Body &body) {
  for (int64_t n = grid_thread(); n < count; n += grid_threads())
    body(n);
}

// The same by the threads of a block, which wait for each other behind it.
template <class Body> void each_of_block(int64_t count, const Body &body) {
  for (int64_t n = block_thread(); n < count; n += block_threads())
    body(n);
  wait_for_block();
}

// Copies bytes that do not overlap on a device, in words where they lie at whole ones.
inline void move_bytes(void *to, const void *from, int64_t bytes) {
#ifdef SYMC_ON_DEVICE
  if ((uintptr_t(to) | uintptr_t(from) | uintptr_t(bytes)) % 8 == 0)
    each_of(bytes / 8, [&](int64_t n) {
      static_cast<uint64_t *>(to)[n] = static_cast<const uint64_t *>(from)[n];
    });
  else
    each_of(bytes, [&](int64_t n) {
      static_cast<uint8_t *>(to)[n] = static_cast<const uint8_t *>(from)[n];
    });
#else
  __builtin_memmove(to, from, size_t(bytes));
#endif
}

// Adds 1 to a number that other threads add to as well.
inline void count_one(int64_t *number) {
#ifdef SYMC_ON_DEVICE
  atomicAdd(reinterpret_cast<unsigned long long *>(number), 1ull);
#else
  ++*number;
#endif
}

// Whether it is true for all threads of the block.
inline bool holds_in_block(bool here) {
#ifdef SYMC_ON_DEVICE
  return __syncthreads_and(here);
#else
  return here;
#endif
}

// The best of the numbers that threads of the block bring, -1 for none: better(a, b) is a strict
// order of all that they may bring.
template <class Better> int64_t best_in_block(int64_t own, [[maybe_unused]] const Better &better) {
#ifdef SYMC_ON_DEVICE
  __shared__ int64_t held[kMostBlockThreads];
  int64_t thread = block_thread(), threads = block_threads();
  held[thread] = own;
  for (int64_t apart = kMostBlockThreads / 2; apart > 0; apart /= 2) {
    __syncthreads();
    if (thread < apart && thread + apart < threads) {
      int64_t other = held[thread + apart];
      if (other >= 0 && (held[thread] < 0 || better(other, held[thread])))
        held[thread] = other;
    }
  }
  __syncthreads();
  own = held[0];
  __syncthreads();
#endif
  return own;
}

// Writes the numbers of [0, count) for which wanted(n) holds to `places`, in order; returns how
// many they are.
template <class Wanted>
int64_t gather_in_block(int64_t count, int64_t *places, const Wanted &wanted) {
  int64_t found = 0;
#ifdef SYMC_ON_DEVICE
  __shared__ int64_t counts[kMostBlockThreads];
  int64_t thread = block_thread(), threads = block_threads();
  int64_t begin = count * thread / threads, end = count * (thread + 1) / threads;
  counts[thread] = 0;
  for (int64_t n = begin; n < end; ++n)
    counts[thread] += wanted(n);
  __syncthreads();
  int64_t to = 0;
  for (int64_t other = 0; other < threads; ++other) {
    to += other < thread ? counts[other] : 0;
    found += counts[other];
  }
  for (int64_t n = begin; n < end; ++n)
    if (wanted(n))
      places[to++] = n;
  __syncthreads();
#else
  for (int64_t n = 0; n < count; ++n)
    if (wanted(n))
      places[found++] = n;
#endif
  return found;
}

// Zeros for `bytes` bytes.
inline void clear_bytes(void *to, int64_t bytes) {
  if constexpr (kOnDevice)
    each_of(bytes, [&](int64_t n) { static_cast<uint8_t *>(to)[n] = 0; });
  else
    __builtin_memset(to, 0, size_t(bytes));
}

// Elements that lie beside each other in both places; none where `to` is null.
struct Run {
  void *to;
  const void *from;
};

#ifdef SYMC_ON_DEVICE
template <class Word, class At> void move_run_words(int64_t runs, int64_t length, const At &at) {
  each_of(runs * length, [&](int64_t n) {
    if (Run run = at(n / length); run.to)
      static_cast<Word *>(run.to)[n % length] = static_cast<const Word *>(run.from)[n % length];
  });
}
#else
// Runs of one element: a copy of a known size is an instruction, no call.
template <int64_t bytes, class At> void move_elements(int64_t runs, const At &at) {
  for (int64_t n = 0; n < runs; ++n)
    if (Run run = at(n); run.to)
      __builtin_memcpy(run.to, run.from, bytes);
}
#endif

// Copies the run at(n) of `length` elements for n of [0, runs). An element has 1, 2, 4 or 8 bytes.
template <class At>
void move_runs(int64_t runs, int64_t length, int64_t element_bytes, const At &at) {
#ifdef SYMC_ON_DEVICE
  switch (element_bytes) {
  case 1:
    return move_run_words<uint8_t>(runs, length, at);
  case 2:
    return move_run_words<uint16_t>(runs, length, at);
  case 4:
    return move_run_words<uint32_t>(runs, length, at);
  default:
    return move_run_words<uint64_t>(runs, length, at);
  }
#else
  if (length == 1 && element_bytes == 4)
    return move_elements<4>(runs, at);
  if (length == 1 && element_bytes == 8)
    return move_elements<8>(runs, at);
  for (int64_t n = 0; n < runs; ++n)
    if (Run run = at(n); run.to)
      __builtin_memcpy(run.to, run.from, size_t(length * element_bytes));
#endif
}

} // namespace symc::ref
#endif // SYMC_RUNTIME_KERNELS_REFERENCE_THREADS_H
