// device_test.cpp: the device table's one row, its copies, and the guard of any device.
#include "symc/runtime.h"

#include <cstring>
#include <gtest/gtest.h>

TEST(Device, CpuAllocatesAlignedAndCopies) {
  const symc_device *cpu = symc_find_device(SYMC_DEVICE_CPU);
  ASSERT_NE(cpu, nullptr);
  EXPECT_STREQ(cpu->name, "cpu");
  void *allocated = nullptr;
  ASSERT_EQ(cpu->allocate(0, 100, 4096, &allocated), SYMC_STATUS_OK);
  char *memory = static_cast<char *>(allocated);
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
  EXPECT_EQ(symc_find_device(SYMC_DEVICE_CUDA), nullptr) << "models bring its functions";
  EXPECT_EQ(symc_copy(7, &a, SYMC_DEVICE_CPU, &b, 1, SYMC_COPY_SYNC, nullptr),
            SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_copy(SYMC_DEVICE_CPU, &a, SYMC_DEVICE_CPU, &b, 1, 2, nullptr),
            SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_copy(SYMC_DEVICE_CPU, nullptr, SYMC_DEVICE_CPU, &b, 1, SYMC_COPY_SYNC, nullptr),
            SYMC_STATUS_BAD_ARGUMENT);
  symc_device_guard guard;
  EXPECT_EQ(symc_device_enter(nullptr, 0, &guard), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_device_enter(symc_find_device(0), 0, nullptr), SYMC_STATUS_BAD_ARGUMENT);
}

static int current; // of the device below
TEST(Device, GuardRestoresWhatWasCurrent) {
  symc_device device = {};
  device.enter = [](int32_t ordinal, void **previous) {
    *previous = reinterpret_cast<void *>(intptr_t(current));
    current = ordinal;
    return ordinal < 9 ? SYMC_STATUS_OK : SYMC_STATUS_BAD_ORDINAL;
  };
  device.leave = [](void *previous) { current = int(reinterpret_cast<intptr_t>(previous)); };
  symc_device_guard outer, inner;
  ASSERT_EQ(symc_device_enter(&device, 3, &outer), SYMC_STATUS_OK);
  ASSERT_EQ(symc_device_enter(&device, 4, &inner), SYMC_STATUS_OK);
  EXPECT_EQ(current, 4);
  symc_device_leave(&inner);
  EXPECT_EQ(current, 3);
  symc_device_leave(&outer);
  EXPECT_EQ(current, 0);
  EXPECT_EQ(symc_device_enter(&device, 9, &outer), SYMC_STATUS_BAD_ORDINAL);
  ASSERT_EQ(symc_device_enter(symc_find_device(SYMC_DEVICE_CPU), 0, &outer), SYMC_STATUS_OK);
  symc_device_leave(&outer);
}

TEST(Device, ProcessorLevelHasAName) {
  int32_t level = symc_cpu_level();
  EXPECT_GE(level, 0);
  EXPECT_LE(level, 7);
  EXPECT_STREQ(symc_cpu_level_name(0), "baseline");
  EXPECT_STREQ(symc_cpu_level_name(1), "x86-64");
  EXPECT_STREQ(symc_cpu_level_name(4), "x86-64-v4");
  EXPECT_STREQ(symc_cpu_level_name(5), "x86-64-v4+vnni");
  EXPECT_STREQ(symc_cpu_level_name(6), "x86-64-v4+bf16");
  EXPECT_STREQ(symc_cpu_level_name(7), "x86-64-v4+amx");
  EXPECT_STREQ(symc_cpu_level_name(8), "unknown");
#if defined(__x86_64__)
  // A second opinion on the whole level, system support included.
  bool wide = __builtin_cpu_supports("x86-64-v4");
  bool bytes = wide && __builtin_cpu_supports("avx512vnni");
  bool halves = bytes && __builtin_cpu_supports("avx512bf16");
  int expected = halves && __builtin_cpu_supports("amx-bf16") ? 7
                 : halves                                     ? 6
                 : bytes                                      ? 5
                 : wide                                       ? 4
                 : __builtin_cpu_supports("x86-64-v3")        ? 3
                 : __builtin_cpu_supports("x86-64-v2")        ? 2
                                                              : 1;
  EXPECT_EQ(level, expected);
#endif
}
