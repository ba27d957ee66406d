// ranks_test.cpp: what steps get from other processes (core/ranks.h), with processes that are none.
#include "core/context.h"
#include "core/ranks.h"

#include "fake_model.h"

#include <cstring>
#include <gtest/gtest.h>

namespace {
struct Ranks : testing::Test {
  void SetUp() override { ASSERT_EQ(symc_create(&fake.model, nullptr, &context), SYMC_STATUS_OK); }
  void TearDown() override { symc_destroy(context); }
  const float *gather(uint64_t node, std::vector<float> first, std::vector<float> second) {
    symc_frame loop = context->frame; // as a loop has it
    return static_cast<const float *>(symc_gather_ranks(&loop, node, first.data(), second.data(),
                                                        first.size() * sizeof(float), &ranks));
  }
  FakeModel fake;
  symc_context *context = nullptr;
  int32_t ranks = 7;
};

// The other process has numbers ten times as large, of the same node or of the next.
int32_t tenfold(void *user, const void *own, void *all, size_t bytes, char *error, size_t size) {
  auto *other = static_cast<uint8_t *>(all) + bytes;
  memcpy(all, own, bytes);
  memcpy(other, own, bytes);
  if (user && *static_cast<const int *>(user) < 0) {
    snprintf(error, size, "rank 1 did not come");
    return 1;
  }
  other[0] = uint8_t(other[0] + (user ? *static_cast<const int *>(user) : 0));
  auto *numbers = reinterpret_cast<float *>(other + sizeof(uint64_t));
  for (size_t i = 0; i < (bytes - sizeof(uint64_t)) / sizeof(float); ++i)
    numbers[i] *= 10;
  return 0;
}
} // namespace

TEST_F(Ranks, AreOneBeforeOthersJoin) {
  EXPECT_EQ(gather(1, {1}, {2}), nullptr);
  EXPECT_EQ(ranks, 0);
  EXPECT_EQ(symc_gather_ranks(nullptr, 1, nullptr, nullptr, 0, &ranks), nullptr);
  EXPECT_EQ(ranks, 0);
}

TEST_F(Ranks, GatherBothArraysOfEach) {
  ASSERT_EQ(symc_join_ranks(context, 2, tenfold, nullptr), SYMC_STATUS_OK);
  for (size_t n : {2u, 5u}) {
    std::vector<float> first(n, 1), second(n, 2);
    const float *all = gather(9, first, second);
    ASSERT_NE(all, nullptr);
    EXPECT_EQ(ranks, 2);
    for (size_t i = 0; i < n; ++i)
      EXPECT_EQ((std::vector<float>{all[i], all[n + i], all[2 * n + i], all[3 * n + i]}),
                (std::vector<float>{1, 2, 10, 20}));
  }
  ASSERT_EQ(symc_join_ranks(context, 1, nullptr, nullptr), SYMC_STATUS_OK);
  EXPECT_EQ(gather(9, {1}, {2}), nullptr);
  EXPECT_EQ(ranks, 0);
}

TEST_F(Ranks, FailWithASentence) {
  int apart = 1;
  ASSERT_EQ(symc_join_ranks(context, 2, tenfold, &apart), SYMC_STATUS_OK);
  EXPECT_EQ(gather(4, {1}, {2}), nullptr);
  EXPECT_EQ(ranks, -SYMC_STATUS_RUN_FAILED);
  EXPECT_STREQ(symc_last_error(context), "process 1 is at another node: is its program the same?");
  apart = -1;
  EXPECT_EQ(gather(4, {1}, {2}), nullptr);
  EXPECT_EQ(ranks, -SYMC_STATUS_RUN_FAILED);
  EXPECT_STREQ(symc_last_error(context), "rank 1 did not come");
  EXPECT_EQ(symc_join_ranks(context, 2, nullptr, nullptr), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(context), "ranks are at least 1, and several have a function that "
                                         "gathers; got 2 without one");
  EXPECT_EQ(symc_join_ranks(nullptr, 2, tenfold, nullptr), SYMC_STATUS_BAD_ARGUMENT);
}
