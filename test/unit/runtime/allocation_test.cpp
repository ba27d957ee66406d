// allocation_test.cpp: breaks if a run allocates, or, with one thread, enters the
// kernel. malloc is replaced by a counting one; a child process under seccomp, which
// kills it at any system call but read, write and exit, makes the runs.
#include "fake_model.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static std::atomic<int64_t> allocations;

#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer) &&                         \
    !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)
#define COUNTS 1
extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void *malloc(size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}
void *calloc(size_t n, size_t bytes) {
  ++allocations;
  return __libc_calloc(n, bytes);
}
void *realloc(void *old, size_t bytes) {
  ++allocations;
  return __libc_realloc(old, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}
}
#else
#define COUNTS 0
#endif

TEST(Allocation, RunsAllocateNothing) {
  if (!COUNTS)
    GTEST_SKIP() << "a sanitizer owns malloc in this build";
  FakeModel fake;
  for (int32_t threads : {1, 3}) {
    symc_options options = {};
    options.threads = threads;
    int64_t before = allocations;
    ScopedContext context(fake.model, options);
    EXPECT_GT(allocations, before) << "the counter does not count";
    Tensor data({8, 4}, 1), output({8, 4}), wrong({8, 5});
    symc_tensor in = data.view(), out = output.view(), bad = wrong.view();
    before = allocations;
    for (int i = 0; i < 1000; ++i) {
      symc_run(context.handle, &in, 1, &out, 1);
      symc_run(context.handle, &bad, 1, &out, 1);
    }
    EXPECT_EQ(allocations, before) << threads << " threads";
    EXPECT_EQ(output.data[31], 4);
  }
}

TEST(Allocation, OneThreadEntersNoSystemCall) {
  if (!COUNTS)
    GTEST_SKIP() << "a sanitizer makes system calls of its own";
  FakeModel fake;
  ScopedContext context(fake.model);
  Tensor data({8, 4}, 1), output({8, 4}), wrong({8, 5});
  symc_tensor in = data.view(), out = output.view(), bad = wrong.view();
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
      _exit(77);
    int failed = 0;
    for (int i = 0; i < 1000; ++i) {
      failed |= symc_run(context.handle, &in, 1, &out, 1) != SYMC_STATUS_OK;
      failed |= symc_run(context.handle, &bad, 1, &out, 1) != SYMC_STATUS_BAD_SHAPE;
    }
    syscall(SYS_exit, failed);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
    GTEST_SKIP() << "this system has no seccomp";
  ASSERT_TRUE(WIFEXITED(status)) << "killed at a system call, signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Allocation, NoThreads) {
  if (!COUNTS)
    GTEST_SKIP() << "a sanitizer needs the address space that this test takes away";
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // 64 MiB of address space hold no 1000 stacks of 1 MiB.
    FakeModel fake;
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1)
      _exit(77);
    fclose(file);
    rlim_t bytes = rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE)) + (rlim_t(64) << 20);
    struct rlimit limit = {bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    symc_options options = {};
    options.threads = 1000;
    ScopedContext context(fake.model, options);
    _exit(context.status == SYMC_STATUS_NO_THREADS && !context.handle &&
                  strcmp(context.error, "cannot start 1000 threads") == 0
              ? 0
              : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
    GTEST_SKIP() << "this system has no /proc";
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}
