// TaskSplitTest.cpp: steps are cut into tasks that end together, and not at all
// where the work is too short for two threads. If this fails, networks get slower
// with a second thread.
#include "codegen/cpu/TaskCut.h"

#include "gtest/gtest.h"

using namespace symc::codegen;

static int64_t tasks(int64_t units, double cycles, int64_t most = maxTasks) {
  int64_t chunk = unitsPerTask(units, cycles, most);
  return (units + chunk - 1) / chunk;
}

TEST(TaskSplit, ShortStepsStayWhole) {
  EXPECT_EQ(tasks(1, 1e9), 1);
  EXPECT_EQ(tasks(100, 10), 1);
  EXPECT_EQ(tasks(9, 1500), 1);
}

TEST(TaskSplit, TwoThreadsEndTogether) {
  for (int64_t units : {4, 7, 9, 14, 49, 56, 112, 196, 3136})
    for (double cycles : {500.0, 3000.0, 40'000.0}) {
      int64_t chunk = unitsPerTask(units, cycles), count = tasks(units, cycles);
      if (count == 1)
        continue;
      EXPECT_LE(count, maxTasks);
      int64_t longest = (count + 1) / 2 * chunk;
      if (count % 2) // the last task may be short
        longest = (count - 1) / 2 * chunk + units - (count - 1) * chunk;
      longest = std::max(longest, (units + 1) / 2);
      EXPECT_LE(longest, (units + 1) / 2 + (units + 7) / 8) << units << " of " << cycles;
    }
}

TEST(TaskSplit, MostTasksIsKept) {
  EXPECT_LE(tasks(1000, 1e6, 5), 5);
  EXPECT_EQ(tasks(1000, 1e6, 1), 1);
}
