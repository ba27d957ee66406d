// pool_test.cpp: the thread pool: each task once, the same bits for any number of
// threads, shared by contexts, busy, nested, and by the application's own threads.
// Run it under -fsanitize=thread (CMakeLists.txt says how).
#include "fake_model.h"

#include <atomic>
#include <csignal>
#include <gtest/gtest.h>
#include <memory>
#include <sys/wait.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <xmmintrin.h>

namespace {
struct Pool {
  explicit Pool(int32_t threads) {
    EXPECT_EQ(symc_pool_create(threads, &handle), SYMC_STATUS_OK);
    frame.pool = handle;
  }
  ~Pool() { symc_pool_destroy(handle); }
  symc_pool *handle = nullptr;
  symc_frame frame = {};
};

// Where tasks count: the frame's io.
struct Counts {
  explicit Counts(int64_t n) : values(new std::atomic<int32_t>[n]) {
    for (int64_t i = 0; i < n; ++i)
      values[i] = 0;
    io[0] = values.get();
  }
  std::unique_ptr<std::atomic<int32_t>[]> values;
  void *io[1];
};

void countTask(const symc_frame *frame, int64_t task) {
  ++static_cast<std::atomic<int32_t> *>(frame->io[0])[task];
}
} // namespace

TEST(Pool, EveryTaskOnce) {
  for (int32_t threads : {1, 2, 5, 16}) {
    Pool pool(threads);
    EXPECT_EQ(symc_pool_threads(pool.handle), threads);
    Counts counts(1000);
    pool.frame.io = counts.io;
    for (int64_t tasks : {0, 1, 2, 3, 17, 1000})
      symc_parallel(&pool.frame, countTask, tasks);
    EXPECT_EQ(counts.values[0], 5);
    EXPECT_EQ(counts.values[1], 4);
    EXPECT_EQ(counts.values[16], 2);
    EXPECT_EQ(counts.values[999], 1);
  }
}

// What an instruction of a task raises reaches the handler, on whatever thread: blocked, it would
// end the process.
#if defined(__x86_64__)
TEST(Pool, InstructionsReachTheirHandlers) {
  static std::atomic<int> handled;
  auto handler = [](int, siginfo_t *, void *given) {
    constexpr int bytesOfUd2 = 2;
    static_cast<ucontext_t *>(given)->uc_mcontext.gregs[REG_RIP] += bytesOfUd2;
    ++handled;
  };
  struct sigaction action = {}, old;
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGILL, &action, &old);
  {
    Pool pool(4);
    symc_parallel(&pool.frame, [](const symc_frame *, int64_t) { __asm__ volatile("ud2"); }, 100);
  }
  sigaction(SIGILL, &old, nullptr);
  EXPECT_EQ(handled, 100);
}
#endif

// Threads of a pool have all other signals blocked: the application's handlers run on its own
// threads.
TEST(Pool, TakesNoSignals) {
  static std::atomic<int> onOthers, handled;
  static pthread_t self;
  self = pthread_self();
  auto handler = [](int) {
    ++handled;
    onOthers += !pthread_equal(pthread_self(), self);
  };
  struct sigaction action = {}, old;
  action.sa_handler = handler;
  sigaction(SIGUSR1, &action, &old);
  sigset_t before, set, after;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, &before); // only the pool's threads could take it
  {
    Pool pool(4);
    Counts counts(100);
    pool.frame.io = counts.io;
    for (int i = 0; i < 20; ++i) {
      kill(getpid(), SIGUSR1);
      symc_parallel(&pool.frame, countTask, 100);
    }
  }
  EXPECT_EQ(handled, 0);
  pthread_sigmask(SIG_SETMASK, &before, &after);
  EXPECT_EQ(handled, 1);
  EXPECT_EQ(onOthers, 0);
  EXPECT_TRUE(sigismember(&after, SIGUSR1)); // the caller's mask is what it was
  sigaction(SIGUSR1, &old, nullptr);
}

// A child of fork has no threads of the pool: it computes, and ends the pool, without them.
TEST(Pool, InAChildOfFork) {
  Pool pool(4);
  Counts counts(100);
  pool.frame.io = counts.io;
  symc_parallel(&pool.frame, countTask, 100);
  pid_t child = fork();
  if (child == 0) {
    alarm(10);
    symc_parallel(&pool.frame, countTask, 100);
    symc_pool_destroy(pool.handle);
    _exit(counts.values[99] == 2 ? 0 : 1);
  }
  int status;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  symc_parallel(&pool.frame, countTask, 100); // the parent's threads are there
  EXPECT_EQ(counts.values[99], 2);
}

namespace {
constexpr int32_t meetingSize = 4;
struct Meeting {
  std::atomic<int32_t> inside{0};
  std::thread::id threads[meetingSize];
  void *io[1] = {this};
};

void meetTask(const symc_frame *frame, int64_t task) {
  Meeting *meeting = static_cast<Meeting *>(frame->io[0]);
  meeting->threads[task] = std::this_thread::get_id();
  ++meeting->inside;
  while (meeting->inside < meetingSize)
    std::this_thread::yield();
}
} // namespace

// Threads that come in time work on the same part of every job, which their caches hold.
TEST(Pool, ThreadsKeepTheirParts) {
  Pool pool(meetingSize);
  Meeting first, second;
  pool.frame.io = first.io;
  symc_parallel(&pool.frame, meetTask, meetingSize);
  pool.frame.io = second.io;
  symc_parallel(&pool.frame, meetTask, meetingSize);
  EXPECT_EQ(first.threads[0], std::this_thread::get_id());
  for (int32_t i = 0; i < meetingSize; ++i)
    EXPECT_EQ(first.threads[i], second.threads[i]) << "task " << i;
}

TEST(Pool, ManyShortJobs) {
  Pool pool(4);
  Counts counts(3);
  pool.frame.io = counts.io;
  for (int i = 0; i < 30000; ++i)
    symc_parallel(&pool.frame, countTask, 3);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(counts.values[i], 30000);
}

TEST(Pool, JobsAfterTheWorkersSleep) {
  Pool pool(3);
  Counts counts(8);
  pool.frame.io = counts.io;
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    symc_parallel(&pool.frame, countTask, 8);
  }
  EXPECT_EQ(counts.values[7], 20);
}

TEST(Pool, WorkersReallyHelp) {
  // Two tasks that wait for each other end only if two threads run them.
  Pool pool(2);
  std::atomic<int> arrived{0};
  void *io[] = {&arrived};
  pool.frame.io = io;
  symc_parallel(
      &pool.frame,
      [](const symc_frame *frame, int64_t) {
        std::atomic<int> &count = *static_cast<std::atomic<int> *>(frame->io[0]);
        ++count;
        while (count < 2)
          std::this_thread::yield();
      },
      2);
  EXPECT_EQ(arrived, 2);
}

TEST(Pool, SharedByCallersInManyThreads) {
  Pool pool(3);
  std::vector<std::thread> callers;
  std::atomic<int> right{0};
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      Counts counts(7);
      symc_frame frame = pool.frame;
      frame.io = counts.io;
      for (int i = 0; i < 3000; ++i)
        symc_parallel(&frame, countTask, 7);
      right += counts.values[0] == 3000 && counts.values[6] == 3000;
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(right, 4);
}

TEST(Pool, TasksMayCallIt) {
  Pool pool(3);
  Counts counts(4);
  pool.frame.io = counts.io;
  symc_parallel(
      &pool.frame, [](const symc_frame *frame, int64_t) { symc_parallel(frame, countTask, 4); }, 5);
  EXPECT_EQ(counts.values[3], 5);
}

TEST(Pool, WorkersTakeTheCallersFloatMode) {
  Pool pool(2);
  struct State {
    std::atomic<int> arrived{0};
    unsigned modes[2];
  } state;
  void *io[] = {&state};
  pool.frame.io = io;
  unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040); // flush to zero, denormals are zero
  symc_parallel(
      &pool.frame,
      [](const symc_frame *frame, int64_t task) {
        State &state = *static_cast<State *>(frame->io[0]);
        state.modes[task] = _mm_getcsr() & 0x8040;
        for (++state.arrived; state.arrived < 2;)
          std::this_thread::yield();
      },
      2);
  _mm_setcsr(before);
  EXPECT_EQ(state.modes[0], 0x8040u);
  EXPECT_EQ(state.modes[1], 0x8040u);
}

TEST(Pool, SameBitsForAnyNumberOfThreads) {
  FakeModel fake;
  Tensor data({8, 4}), expected({8, 4});
  for (size_t i = 0; i < 32; ++i)
    data.data[i] = 1.0f / float(i + 3);
  symc_tensor in = data.view();
  for (int32_t threads : {1, 2, 3, 8}) {
    symc_options options = {};
    options.threads = threads;
    ScopedContext context(fake.model, options);
    Tensor output({8, 4});
    symc_tensor out = output.view();
    ASSERT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_OK);
    if (threads == 1)
      expected = output;
    EXPECT_EQ(output.data, expected.data);
  }
}

TEST(Pool, ThreadsOfTheApplication) {
  int calls = 0;
  symc_pool *pool;
  auto parallelFor = [](void *user, void (*body)(void *, int64_t), void *argument, int64_t count) {
    ++*static_cast<int *>(user);
    std::vector<std::thread> threads;
    for (int64_t i = count; i-- > 0;)
      threads.emplace_back(body, argument, i);
    for (std::thread &thread : threads)
      thread.join();
  };
  ASSERT_EQ(symc_pool_wrap(parallelFor, &calls, 4, &pool), SYMC_STATUS_OK);
  EXPECT_EQ(symc_pool_threads(pool), 4);
  Counts counts(6);
  symc_frame frame = {};
  frame.pool = pool;
  frame.io = counts.io;
  symc_parallel(&frame, countTask, 6);
  EXPECT_EQ(calls, 1);
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(counts.values[i], 1);
  symc_pool_destroy(pool);
}

TEST(Pool, BadArguments) {
  symc_pool *pool;
  EXPECT_EQ(symc_pool_create(0, &pool), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(pool, nullptr);
  EXPECT_EQ(symc_pool_create(1025, &pool), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_pool_create(1, nullptr), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_pool_wrap(nullptr, nullptr, 1, &pool), SYMC_STATUS_BAD_ARGUMENT);
  symc_pool_destroy(nullptr);
  EXPECT_EQ(symc_pool_threads(nullptr), 1);
}
