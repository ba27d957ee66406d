// ProcessTest.cpp: breaks if a tool that gets no memory or no thread, or whose input is cut
// short while it reads it, ends in a signal, or in silence.
#include "tools/driver/Process.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <gtest/gtest.h>
#include <limits>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace symc;

TEST(ProcessDeath, EndsWithASentence) {
  auto end = [](void (*cause)()) {
    settleProcess("tool", 7);
    cause();
  };
#if __has_feature(address_sanitizer)
  std::puts("not tried: memory that is not there, which ASan's own allocator ends with");
#else
  EXPECT_EXIT(end([] { (void)operator new(std::numeric_limits<ptrdiff_t>::max()); }),
              testing::ExitedWithCode(7), "^tool: error: out of memory\n$");
#endif
  EXPECT_EXIT(end([] { std::terminate(); }), testing::ExitedWithCode(7),
              "^tool: error: the system gives no more threads or memory\n$");
  EXPECT_EXIT(end([] { abort(); }), testing::ExitedWithCode(7),
              "^tool: error: ended by the system, see the message above\n$");
  EXPECT_EXIT(end([] {
                FILE *file = tmpfile();
                ASSERT_EQ(ftruncate(fileno(file), 1), 0);
                void *mapped = mmap(nullptr, 1, PROT_READ, MAP_SHARED, fileno(file), 0);
                ASSERT_EQ(ftruncate(fileno(file), 0), 0);
                (void)*static_cast<volatile char *>(mapped);
              }),
              testing::ExitedWithCode(7),
              "^tool: error: a file that is being read was cut short\n$");
}
