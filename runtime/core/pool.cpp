// pool.cpp: the thread pool behind symc_parallel.
//
// A call is a job: its tasks are cut into as many parts as there are threads, and each
// thread claims those of its own part one by one from an atomic counter, then those of the
// others' parts. So one thread mostly sees the same part of each layer, which its caches
// hold, and a thread that comes late or not at all delays nothing; the result cannot
// depend on who does what. The caller opens the job, works, closes it, and waits until the workers
// inside have left; a worker enters only through the open state, by compare-and-swap,
// so that it never sees the fields of a job while they change. Workers spin for a
// while after a job, then sleep on a futex. They take no signals, which are the application's. In
// a child of fork there are no workers: the caller does their parts, too. Where the pool is busy
// (another context, or a task that itself calls symc_parallel) the caller runs all tasks alone.
// Callers use a pool by the functions of symc_pool alone: they may be of another copy of this
// file.
#include "pool.h"

#include "float_mode.h"
#include "memory.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

using symc::float_mode;
using symc::set_float_mode;

namespace {
// state: bit 31 the job is open, bit 30 the caller sleeps until the count is 0,
// below them the number of workers inside.
constexpr uint32_t openBit = 1u << 31, waitingBit = 1u << 30, countMask = waitingBit - 1;
// FUTEX_WAIT and FUTEX_WAKE with FUTEX_PRIVATE_FLAG, of the kernel's interface.
constexpr int futexWait = 128, futexWake = 129;
constexpr int spins = 2000; // pauses, 20 to 100 microseconds
constexpr size_t stackBytes = size_t(1) << 20;
} // namespace

namespace {
/// The tasks of a part that nobody has claimed are [next, end).
struct alignas(64) Part {
  int64_t next, end;
};
struct Pool;
struct Worker {
  Pool *pool;
  int32_t thread; // the caller is 0
  pthread_t handle;
};

struct alignas(64) Pool {
  symc_pool shared; // first: what others see
  // The job; written by the caller while no worker is inside.
  const symc_frame *frame;
  symc_task_fn fn;
  uint32_t floatMode; // the caller's rounding and flushing mode, so that bits agree
  Part *parts;        // one a thread; the caller's is the first
  alignas(64) uint32_t state;
  alignas(64) uint32_t epoch; // counts jobs; workers wait for it to change
  uint32_t sleepers;
  uint32_t stop;
  alignas(64) uint32_t busy;
  // Fixed after creation.
  pid_t process; // that has the workers
  int32_t started;
  size_t bytes;
  Worker workers[];
};

/// Threads of the application.
struct WrappedPool {
  symc_pool shared;
  symc_parallel_for_fn parallelFor;
  void *user;
};
} // namespace

static void pause_once() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static void sleep_while(uint32_t *word, uint32_t value) {
  syscall(SYS_futex, word, futexWait, value, nullptr, nullptr, 0);
}
static void wake(uint32_t *word, int count) {
  syscall(SYS_futex, word, futexWake, count, nullptr, nullptr, 0);
}

static void run_tasks(Pool *pool, int32_t thread) {
  int32_t count = pool->started + 1;
  for (int32_t i = 0; i < count; ++i) {
    Part &part = pool->parts[(thread + i) % count];
    while (__atomic_load_n(&part.next, __ATOMIC_RELAXED) < part.end) {
      int64_t task = __atomic_fetch_add(&part.next, 1, __ATOMIC_RELAXED);
      if (task < part.end)
        pool->fn(pool->frame, task);
    }
  }
}

// Returns the epoch, which differs from `seen`.
static uint32_t await_job(Pool *pool, uint32_t seen) {
  for (int i = 0; i < spins; ++i) {
    uint32_t epoch = __atomic_load_n(&pool->epoch, __ATOMIC_ACQUIRE);
    if (epoch != seen)
      return epoch;
    pause_once();
  }
  // The caller raises the epoch, then reads sleepers; here the order is the reverse, so
  // that one of the two always sees the other.
  __atomic_fetch_add(&pool->sleepers, 1, __ATOMIC_SEQ_CST);
  uint32_t epoch;
  while ((epoch = __atomic_load_n(&pool->epoch, __ATOMIC_SEQ_CST)) == seen)
    sleep_while(&pool->epoch, seen);
  __atomic_fetch_sub(&pool->sleepers, 1, __ATOMIC_SEQ_CST);
  return epoch;
}

static void *work(void *argument) {
  const Worker *self = static_cast<Worker *>(argument);
  Pool *pool = self->pool;
  uint32_t seen = 0;
  for (;;) {
    seen = await_job(pool, seen);
    if (__atomic_load_n(&pool->stop, __ATOMIC_ACQUIRE))
      return nullptr;
    uint32_t state = __atomic_load_n(&pool->state, __ATOMIC_ACQUIRE);
    while (state & openBit) {
      if (!__atomic_compare_exchange_n(&pool->state, &state, state + 1, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE))
        continue;
      set_float_mode(pool->floatMode);
      run_tasks(pool, self->thread);
      if (__atomic_sub_fetch(&pool->state, 1, __ATOMIC_ACQ_REL) == waitingBit)
        wake(&pool->state, 1);
      break;
    }
  }
}

// Closes the job and returns when no worker is inside.
static void close_job(Pool *pool) {
  uint32_t state = __atomic_and_fetch(&pool->state, ~openBit, __ATOMIC_ACQ_REL);
  for (int i = 0; (state & countMask) && i < spins; ++i) {
    pause_once();
    state = __atomic_load_n(&pool->state, __ATOMIC_ACQUIRE);
  }
  if (state & countMask) {
    state = __atomic_or_fetch(&pool->state, waitingBit, __ATOMIC_ACQ_REL);
    while (state & countMask) {
      sleep_while(&pool->state, state);
      state = __atomic_load_n(&pool->state, __ATOMIC_ACQUIRE);
    }
  }
}

static void run_on_workers(Pool *pool, const symc_frame *frame, symc_task_fn fn, int64_t tasks) {
  pool->frame = frame;
  pool->fn = fn;
  pool->floatMode = float_mode();
  int32_t count = pool->started + 1;
  for (int32_t i = 0; i < count; ++i)
    pool->parts[i] = {i * tasks / count, (i + 1) * tasks / count};
  __atomic_store_n(&pool->state, openBit, __ATOMIC_RELEASE);
  __atomic_fetch_add(&pool->epoch, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&pool->sleepers, __ATOMIC_SEQ_CST)) {
    int64_t helpers = tasks - 1 < pool->started ? tasks - 1 : pool->started;
    wake(&pool->epoch, int(helpers));
  }
  run_tasks(pool, 0);
  close_job(pool);
}

namespace {
struct CallbackJob {
  const symc_frame *frame;
  symc_task_fn fn;
  uint32_t floatMode;
};
void run_callback_task(void *argument, int64_t index) {
  const CallbackJob *job = static_cast<const CallbackJob *>(argument);
  uint32_t own = float_mode();
  set_float_mode(job->floatMode);
  job->fn(job->frame, index);
  set_float_mode(own);
}
} // namespace

static void run_alone(const symc_frame *frame, symc_task_fn fn, int64_t tasks) {
  for (int64_t task = 0; task < tasks; ++task)
    fn(frame, task);
}

void symc_parallel(const symc_frame *frame, symc_task_fn fn, int64_t tasks) {
  symc_pool *pool = frame->pool;
  if (pool && tasks > 1)
    pool->parallel(pool, frame, fn, tasks);
  else
    run_alone(frame, fn, tasks);
}

static void parallel_on_workers(symc_pool *shared, const symc_frame *frame, symc_task_fn fn,
                                int64_t tasks) {
  Pool *pool = reinterpret_cast<Pool *>(shared);
  if (__atomic_exchange_n(&pool->busy, 1, __ATOMIC_ACQUIRE))
    return run_alone(frame, fn, tasks);
  run_on_workers(pool, frame, fn, tasks);
  __atomic_store_n(&pool->busy, 0, __ATOMIC_RELEASE);
}

static void parallel_by_application(symc_pool *shared, const symc_frame *frame, symc_task_fn fn,
                                    int64_t tasks) {
  WrappedPool *pool = reinterpret_cast<WrappedPool *>(shared);
  CallbackJob job = {frame, fn, float_mode()};
  pool->parallelFor(pool->user, run_callback_task, &job, tasks);
}

static void destroy_workers(symc_pool *shared) {
  Pool *pool = reinterpret_cast<Pool *>(shared);
  __atomic_store_n(&pool->stop, 1, __ATOMIC_RELEASE);
  __atomic_fetch_add(&pool->epoch, 1, __ATOMIC_SEQ_CST);
  wake(&pool->epoch, INT_MAX);
  for (int32_t i = 0; i < pool->started && pool->process == getpid(); ++i)
    pthread_join(pool->workers[i].handle, nullptr);
  symc::release(nullptr, pool, pool->bytes);
}

static void destroy_wrapped(symc_pool *shared) {
  symc::release(nullptr, shared, sizeof(WrappedPool));
}

static Pool *make_pool(int32_t threads) {
  int32_t workers = threads - 1;
  size_t partsAt =
      (sizeof(Pool) + size_t(workers) * sizeof(Worker) + alignof(Part) - 1) & ~(alignof(Part) - 1);
  size_t bytes = partsAt + size_t(threads) * sizeof(Part);
  void *memory = symc::allocate(nullptr, bytes, alignof(Pool));
  if (!memory)
    return nullptr;
  __builtin_memset(memory, 0, bytes);
  Pool *pool = static_cast<Pool *>(memory);
  pool->shared = {SYMC_ABI_VERSION, threads, parallel_on_workers, destroy_workers};
  pool->process = getpid();
  pool->bytes = bytes;
  pool->parts = reinterpret_cast<Part *>(static_cast<char *>(memory) + partsAt);
  return pool;
}

static bool start_workers(Pool *pool, int32_t count) {
  pthread_attr_t attributes;
  sigset_t all, callers;
  sigfillset(&all);
  // What an instruction raises reaches its handler: blocked, it would end the process.
  const int raised[] = {SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGTRAP};
  for (int signal : raised)
    sigdelset(&all, signal);
  if (count == 0)
    return true;
  if (symc_stay_loaded)
    symc_stay_loaded();
  if (pthread_attr_init(&attributes) != 0)
    return false;
  bool ready = pthread_attr_setstacksize(&attributes, stackBytes) == 0 &&
               pthread_sigmask(SIG_SETMASK, &all, &callers) == 0; // which the workers inherit
  if (ready) {
    while (ready && pool->started < count) {
      Worker &worker = pool->workers[pool->started];
      worker.pool = pool;
      worker.thread = pool->started + 1;
      ready = pthread_create(&worker.handle, &attributes, work, &worker) == 0;
      pool->started += ready;
    }
    pthread_sigmask(SIG_SETMASK, &callers, nullptr);
  }
  pthread_attr_destroy(&attributes);
  return ready;
}

symc_status symc_pool_create(int32_t threads, symc_pool **result) {
  if (!result)
    return SYMC_STATUS_BAD_ARGUMENT;
  *result = nullptr;
  if (threads < 1 || threads > symc::maxThreads)
    return SYMC_STATUS_BAD_ARGUMENT;
  Pool *pool = make_pool(threads);
  if (!pool)
    return SYMC_STATUS_OUT_OF_MEMORY;
  if (!start_workers(pool, threads - 1)) {
    destroy_workers(&pool->shared);
    return SYMC_STATUS_NO_THREADS;
  }
  *result = &pool->shared;
  return SYMC_STATUS_OK;
}

symc_status symc_pool_wrap(symc_parallel_for_fn parallel_for, void *user, int32_t threads,
                           symc_pool **result) {
  if (!result)
    return SYMC_STATUS_BAD_ARGUMENT;
  *result = nullptr;
  if (!parallel_for || threads < 1)
    return SYMC_STATUS_BAD_ARGUMENT;
  void *memory = symc::allocate(nullptr, sizeof(WrappedPool), alignof(WrappedPool));
  if (!memory)
    return SYMC_STATUS_OUT_OF_MEMORY;
  WrappedPool *pool = static_cast<WrappedPool *>(memory);
  pool->shared = {SYMC_ABI_VERSION, threads, parallel_by_application, destroy_wrapped};
  pool->parallelFor = parallel_for;
  pool->user = user;
  *result = &pool->shared;
  return SYMC_STATUS_OK;
}

void symc_pool_destroy(symc_pool *pool) {
  if (pool)
    pool->destroy(pool);
}

int32_t symc_pool_threads(const symc_pool *pool) { return pool ? pool->threads : 1; }

int32_t symc::processor_count() {
  uint64_t mask[128] = {}; // 8192 processors
  long bytes = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
  int32_t count = 0;
  for (long i = 0; i < bytes / 8; ++i)
    count += __builtin_popcountll(mask[i]);
  return count < 1 ? 1 : count > maxThreads ? maxThreads : count;
}
