// ProcessTest.cpp: breaks if a tool that gets no memory or no thread ends in a signal, or in
// silence.
#include "tools/driver/Process.h"

#include <exception>
#include <gtest/gtest.h>
#include <limits>
#include <new>

using namespace symc;

TEST(ProcessDeath, EndsWithASentence) {
  auto end = [](void (*cause)()) {
    settleProcess("tool", 7);
    cause();
  };
  EXPECT_EXIT(end([] { (void)operator new(std::numeric_limits<ptrdiff_t>::max()); }),
              testing::ExitedWithCode(7), "^tool: error: out of memory\n$");
  EXPECT_EXIT(end([] { std::terminate(); }), testing::ExitedWithCode(7),
              "^tool: error: the system gives no more threads or memory\n$");
}
