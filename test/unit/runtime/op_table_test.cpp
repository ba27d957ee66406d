// op_table_test.cpp: the op table's own rows, rows of the application, and which row
// is found.
#include "symc/runtime.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

#define SYMC_KERNEL(mnemonic, dtype, symbol, isa)                                                  \
  extern "C" int32_t symbol(const symc_kernel_args *args);
#include "symc/kernels.def"
#undef SYMC_KERNEL

static int32_t first(const symc_kernel_args *) { return 0; }
static int32_t second(const symc_kernel_args *) { return 0; }

static symc_kernel kernel(const char *isa, symc_kernel_fn function) {
  return {"unit_test_operator", isa, function, SYMC_F32, SYMC_DEVICE_CPU};
}

TEST(OpTable, EveryScalarRowIsFoundAndOnlyOnce) {
  std::set<std::string> seen;
#define SYMC_ISA_NAME_SCALAR "scalar"
#define SYMC_ISA_NAME_X86_64_V2 "x86-64-v2"
#define SYMC_ISA_NAME_X86_64_V3 "x86-64-v3"
#define SYMC_ISA_NAME_X86_64_V4 "x86-64-v4"
#define SYMC_KERNEL(mnemonic, dtype, symbol, isa)                                                  \
  {                                                                                                \
    const symc_kernel *row =                                                                       \
        symc_find_kernel(#mnemonic, SYMC_##dtype, SYMC_DEVICE_CPU, SYMC_ISA_NAME_##isa);           \
    ASSERT_NE(row, nullptr) << #mnemonic;                                                          \
    EXPECT_EQ(row->function, symbol) << #symbol;                                                   \
    EXPECT_TRUE(seen.insert(#mnemonic " " #dtype " " #isa).second) << #symbol;                     \
  }
#include "symc/kernels.def"
#undef SYMC_KERNEL
}

TEST(OpTable, RegisterFindFallBackUnregister) {
  auto find = [](const char *isa) {
    return symc_find_kernel("unit_test_operator", SYMC_F32, SYMC_DEVICE_CPU, isa);
  };
  EXPECT_EQ(find("x86-64-v4"), nullptr);
  symc_kernel scalar = kernel("scalar", first), wide = kernel("x86-64-v3", second);
  ASSERT_EQ(symc_register_kernel(&scalar), SYMC_STATUS_OK);
  ASSERT_EQ(symc_register_kernel(&wide), SYMC_STATUS_OK);
  EXPECT_EQ(find("x86-64-v4"), &wide);
  EXPECT_EQ(find("x86-64-v4+amx"), &wide);
  EXPECT_EQ(find("x86-64-v3"), &wide);
  EXPECT_EQ(find("x86-64-v2"), &scalar);
  EXPECT_EQ(find("scalar"), &scalar);
  EXPECT_EQ(find(nullptr), symc_cpu_level() >= 3 ? &wide : &scalar);
  EXPECT_EQ(find("no-such-isa"), nullptr);
  EXPECT_EQ(symc_find_kernel("unit_test_operator", SYMC_F64, SYMC_DEVICE_CPU, nullptr), nullptr);
  EXPECT_EQ(symc_find_kernel("unit_test_operator", SYMC_F32, 5, nullptr), nullptr);
  ASSERT_EQ(symc_unregister_kernel(&wide), SYMC_STATUS_OK);
  EXPECT_EQ(find("x86-64-v4"), &scalar);
  ASSERT_EQ(symc_unregister_kernel(&scalar), SYMC_STATUS_OK);
  EXPECT_EQ(find("x86-64-v4"), nullptr);
  EXPECT_EQ(symc_unregister_kernel(&scalar), SYMC_STATUS_BAD_NAME);
}

TEST(OpTable, BadRows) {
  EXPECT_EQ(symc_register_kernel(nullptr), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_unregister_kernel(nullptr), SYMC_STATUS_BAD_NAME);
  symc_kernel row = kernel("scalar", nullptr);
  EXPECT_EQ(symc_register_kernel(&row), SYMC_STATUS_BAD_ARGUMENT);
  row = kernel("x86-64-v9", first);
  EXPECT_EQ(symc_register_kernel(&row), SYMC_STATUS_BAD_ISA);
  row = kernel("scalar", first);
  row.dtype = 99;
  EXPECT_EQ(symc_register_kernel(&row), SYMC_STATUS_BAD_ARGUMENT);
}

TEST(OpTable, FullTable) {
  symc_kernel row = kernel("scalar", first);
  int registered = 0;
  while (symc_register_kernel(&row) == SYMC_STATUS_OK)
    ++registered;
  EXPECT_EQ(registered, 256);
  EXPECT_EQ(symc_register_kernel(&row), SYMC_STATUS_TABLE_FULL);
  while (symc_unregister_kernel(&row) == SYMC_STATUS_OK)
    --registered;
  EXPECT_EQ(registered, 0);
}
