// rows_test.cpp: rows of a kernel's work in tasks. Every row is computed once, by ranges whose
// scratch does not overlap, whatever the call brings; the first failure is the call's.
#include "kernels/reference/walk.h"

#include <gtest/gtest.h>
#include <vector>

using symc::ref::RowRange;
using symc::ref::Rows;

namespace {

struct Call {
  symc_frame frame = {};
  symc_kernel_args args = {};
  alignas(64) uint8_t scratch[4096];
  std::vector<RowRange> ranges;

  // Not in a run: a kernel that is called by itself. No scratch if `bytes` is 0.
  Call(bool inRun, int64_t bytes) {
    args.frame = inRun ? &frame : nullptr;
    args.scratch = bytes ? scratch : nullptr;
    args.scratch_bytes = bytes;
  }
  int32_t run(const Rows &rows, int64_t failsFrom = -1) {
    ranges.clear();
    return symc::ref::run_rows(&args, rows, [&](const RowRange &range) -> int32_t {
      ranges.push_back(range);
      return failsFrom >= 0 && range.end > failsFrom ? SYMC_STATUS_BAD_ARGUMENT : SYMC_STATUS_OK;
    });
  }
  void expectAllRows(int64_t count) {
    int64_t next = 0;
    for (const RowRange &range : ranges) {
      EXPECT_EQ(range.first, next);
      EXPECT_GT(range.end, range.first);
      next = range.end;
    }
    EXPECT_EQ(next, count);
  }
};

} // namespace

TEST(Rows, AreCutByTheirWork) {
  Call call(true, 0);
  EXPECT_EQ(call.run({1000, 1000}), SYMC_STATUS_OK);
  EXPECT_EQ(call.ranges.size(), 32u);
  call.expectAllRows(1000);
  call.run({5, 1 << 20});
  EXPECT_EQ(call.ranges.size(), 5u);
  call.expectAllRows(5);
  call.run({100, 200});
  EXPECT_EQ(call.ranges.size(), 2u);
  call.expectAllRows(100);
  call.run({1, 1 << 20});
  EXPECT_EQ(call.ranges.size(), 1u);
  call.run({INT64_MAX / 64, INT64_MAX}); // no product overflows
  EXPECT_EQ(call.ranges.size(), 32u);
  call.expectAllRows(INT64_MAX / 64);
  call.run({0, 1000});
  EXPECT_TRUE(call.ranges.empty());
}

TEST(Rows, RunAloneWithoutARun) {
  Call call(false, 0);
  call.run({1000, 1 << 20});
  EXPECT_EQ(call.ranges.size(), 1u);
  call.expectAllRows(1000);
}

TEST(Rows, HaveScratchOfTheirOwn) {
  Call call(true, 1000);
  call.run({1000, 1 << 20, 80}); // 7 parts of 128 bytes
  EXPECT_EQ(call.ranges.size(), 7u);
  call.expectAllRows(1000);
  for (size_t i = 0; i < call.ranges.size(); ++i) {
    auto *at = static_cast<uint8_t *>(call.ranges[i].scratch);
    EXPECT_EQ((at - call.scratch) % 64, 0);
    EXPECT_GE(call.ranges[i].scratch_bytes, 80);
    EXPECT_LE(at + call.ranges[i].scratch_bytes, call.scratch + 1000);
    if (i) {
      auto *before = static_cast<uint8_t *>(call.ranges[i - 1].scratch);
      EXPECT_GE(at, before + call.ranges[i - 1].scratch_bytes);
    }
  }
  call.run({1000, 1 << 20, 900}); // one part
  EXPECT_EQ(call.ranges.size(), 1u);
  EXPECT_EQ(call.ranges[0].scratch_bytes, 1000);
}

TEST(Rows, TellTheFirstFailure) {
  Call call(true, 0);
  EXPECT_EQ(call.run({64, 1 << 20}, 40), SYMC_STATUS_BAD_ARGUMENT);
  call.expectAllRows(64);
}

TEST(Rows, WalksBeginAnywhere) {
  const int64_t shape[] = {3, 4, 5};
  symc::ref::Walk all(3, shape);
  for (int64_t n = 0; n < 60; ++n, all.step()) {
    ASSERT_TRUE(all.more);
    symc::ref::Walk one(3, shape, n);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ(one.at[axis], all.at[axis]) << n;
  }
  EXPECT_FALSE(all.more);
  const int64_t none[] = {3, 0};
  EXPECT_FALSE(symc::ref::Walk(2, none).more);
}
