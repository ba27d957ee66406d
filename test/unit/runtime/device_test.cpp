// device_test.cpp: the device table's one row, its copies and the guard.
#include "symc/runtime.h"

#include <cstring>
#include <gtest/gtest.h>

TEST(Device, CpuAllocatesAlignedAndCopies) {
  const symc_device *cpu = symc_find_device(SYMC_DEVICE_CPU);
  ASSERT_NE(cpu, nullptr);
  EXPECT_STREQ(cpu->name, "cpu");
  char *memory = static_cast<char *>(cpu->allocate(0, 100, 4096));
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(uintptr_t(memory) % 4096, 0u);
  for (int32_t mode : {SYMC_COPY_SYNC, SYMC_COPY_ASYNC}) {
    memset(memory, 0, 4);
    EXPECT_EQ(symc_copy(SYMC_DEVICE_CPU, memory, SYMC_DEVICE_CPU, "abc", 4, mode, nullptr),
              SYMC_STATUS_OK);
    EXPECT_EQ(cpu->synchronize(nullptr), SYMC_STATUS_OK);
    EXPECT_STREQ(memory, "abc");
  }
  cpu->release(0, memory, 100);
}

TEST(Device, BadArguments) {
  char a = 0, b = 0;
  EXPECT_EQ(symc_find_device(-1), nullptr);
  EXPECT_EQ(symc_find_device(SYMC_DEVICE_COUNT), nullptr);
  EXPECT_EQ(symc_copy(7, &a, SYMC_DEVICE_CPU, &b, 1, SYMC_COPY_SYNC, nullptr),
            SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_copy(SYMC_DEVICE_CPU, &a, SYMC_DEVICE_CPU, &b, 1, 2, nullptr),
            SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_copy(SYMC_DEVICE_CPU, nullptr, SYMC_DEVICE_CPU, &b, 1, SYMC_COPY_SYNC, nullptr),
            SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_device_enter(7, 0, nullptr), SYMC_STATUS_BAD_ARGUMENT);
}

TEST(Device, GuardRestoresWhatWasCurrent) {
  symc_device_guard outer, inner;
  ASSERT_EQ(symc_device_enter(SYMC_DEVICE_CPU, 0, &outer), SYMC_STATUS_OK);
  ASSERT_EQ(symc_device_enter(SYMC_DEVICE_CPU, 0, &inner), SYMC_STATUS_OK);
  EXPECT_EQ(inner.previous, 0);
  symc_device_leave(&inner);
  symc_device_leave(&outer);
  EXPECT_EQ(symc_find_device(SYMC_DEVICE_CPU)->current(), 0);
}

TEST(Device, ProcessorLevelHasAName) {
  int32_t level = symc_cpu_level();
  EXPECT_GE(level, 0);
  EXPECT_LE(level, 5);
  EXPECT_STREQ(symc_cpu_level_name(0), "baseline");
  EXPECT_STREQ(symc_cpu_level_name(1), "x86-64");
  EXPECT_STREQ(symc_cpu_level_name(4), "x86-64-v4");
  EXPECT_STREQ(symc_cpu_level_name(5), "x86-64-v4+vnni");
  EXPECT_STREQ(symc_cpu_level_name(6), "unknown");
#if defined(__x86_64__)
  // A second opinion on the whole level, system support included.
  bool wide = __builtin_cpu_supports("x86-64-v4");
  int expected = wide && __builtin_cpu_supports("avx512vnni") ? 5
                 : wide                                       ? 4
                 : __builtin_cpu_supports("x86-64-v3")        ? 3
                 : __builtin_cpu_supports("x86-64-v2")        ? 2
                                                              : 1;
  EXPECT_EQ(level, expected);
#endif
}
