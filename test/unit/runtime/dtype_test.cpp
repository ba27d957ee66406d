// dtype_test.cpp: the table of element types and every kind of conversion. The
// compiler's own conversions are the second opinion for the 16-bit floats.
#include "core/half.h"
#include "symc/runtime.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

template <typename To, typename From> static To as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

TEST(Dtype, Table) {
  const char *names[] = {"f32",  "f64", "f16", "u8",  "i32", "i8",  "i64",
                         "bool", "i16", "u16", "u32", "u64", "bf16"};
  const int64_t bytes[] = {4, 8, 2, 1, 4, 1, 8, 1, 2, 2, 4, 8, 2};
  for (int32_t i = 0; i <= SYMC_BF16; ++i) {
    EXPECT_STREQ(symc_dtype_name(i), names[i]);
    EXPECT_EQ(symc_dtype_bytes(i), bytes[i]);
  }
  EXPECT_STREQ(symc_dtype_name(13), "unknown");
  EXPECT_EQ(symc_dtype_bytes(-1), 0);
}

TEST(Dtype, EveryHalfWidensAsTheCompilerDoes) {
  for (uint32_t i = 0; i < 65536; ++i) {
    float mine = symc::float_of_f16(uint16_t(i)), theirs = float(as<_Float16>(uint16_t(i)));
    if (mine == mine)
      ASSERT_EQ(as<uint32_t>(mine), as<uint32_t>(theirs)) << i;
    else
      ASSERT_NE(theirs, theirs) << i;
    ASSERT_EQ(as<uint32_t>(symc::float_of_bf16(uint16_t(i))), i << 16);
  }
}

TEST(Dtype, FloatsNarrowToNearestEven) {
  uint64_t seed = 1;
  for (uint32_t i = 0; i < 2000000; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    uint32_t bits = uint32_t(seed >> 32);
    if (i % 4) // near the range of f16, where most cases are
      bits = (bits & 0x80ffffff) | ((100 + i % 46) << 23);
    if (i % 8 == 1)
      bits &= 0xfffff000; // ties
    float value = as<float>(bits);
    uint16_t mine = symc::f16_of_float(value), theirs = as<uint16_t>(_Float16(value));
    if (value == value)
      ASSERT_EQ(mine, theirs) << bits;
    else
      ASSERT_TRUE((mine & 0x7c00) == 0x7c00 && (mine & 0x3ff)) << bits;
  }
}

TEST(Dtype, DoublesNarrowInOneStep) {
  // 1 + 2^-11 + 2^-40 lies above the tie between two halves; by way of a rounded float it
  // would fall on the tie and go down.
  double value = 1 + std::ldexp(1, -11) + std::ldexp(1, -40);
  uint16_t half;
  ASSERT_EQ(symc_convert(&value, SYMC_F64, &half, SYMC_F16, 1), SYMC_STATUS_OK);
  EXPECT_EQ(half, 0x3c01);
  value = -(1 + std::ldexp(1, -8) + std::ldexp(1, -40));
  ASSERT_EQ(symc_convert(&value, SYMC_F64, &half, SYMC_BF16, 1), SYMC_STATUS_OK);
  EXPECT_EQ(half, 0xbf81);
}

TEST(Dtype, Bfloat16RoundsAndKeepsNaN) {
  EXPECT_EQ(symc::bf16_of_float(as<float>(0x3f808000u)), 0x3f80); // tie to even
  EXPECT_EQ(symc::bf16_of_float(as<float>(0x3f818000u)), 0x3f82);
  EXPECT_EQ(symc::bf16_of_float(as<float>(0x3f808001u)), 0x3f81);
  EXPECT_EQ(symc::bf16_of_float(as<float>(0x7f7fffffu)), 0x7f80); // to infinity
  EXPECT_EQ(symc::bf16_of_float(as<float>(0x7f800001u)), 0x7fc0); // NaN, quiet
}

TEST(Dtype, FloatsToIntegersSaturate) {
  double from[] = {-1e30, -129, -1.9, 0, 1.9, 255.9, 1e30, NAN};
  int8_t i8[8];
  uint8_t u8[8], truth[8];
  int64_t i64[8];
  uint64_t u64[8];
  symc_convert(from, SYMC_F64, i8, SYMC_I8, 8);
  symc_convert(from, SYMC_F64, u8, SYMC_U8, 8);
  symc_convert(from, SYMC_F64, i64, SYMC_I64, 8);
  symc_convert(from, SYMC_F64, u64, SYMC_U64, 8);
  symc_convert(from, SYMC_F64, truth, SYMC_BOOL, 8);
  const int8_t wantI8[] = {-128, -128, -1, 0, 1, 127, 127, 0};
  const uint8_t wantU8[] = {0, 0, 0, 0, 1, 255, 255, 0}, wantTruth[] = {1, 1, 1, 0, 1, 1, 1, 1};
  const int64_t wantI64[] = {INT64_MIN, -129, -1, 0, 1, 255, INT64_MAX, 0};
  const uint64_t wantU64[] = {0, 0, 0, 0, 1, 255, UINT64_MAX, 0};
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(i8[i], wantI8[i]) << i;
    EXPECT_EQ(u8[i], wantU8[i]) << i;
    EXPECT_EQ(i64[i], wantI64[i]) << i;
    EXPECT_EQ(u64[i], wantU64[i]) << i;
    EXPECT_EQ(truth[i], wantTruth[i]) << i;
  }
}

TEST(Dtype, IntegersWrapAndWiden) {
  int32_t from[] = {-1, 300, 65536, -32769};
  uint8_t u8[4];
  int16_t i16[4];
  uint64_t u64[4];
  double f64[4];
  symc_convert(from, SYMC_I32, u8, SYMC_U8, 4);
  symc_convert(from, SYMC_I32, i16, SYMC_I16, 4);
  symc_convert(from, SYMC_I32, u64, SYMC_U64, 4);
  symc_convert(from, SYMC_I32, f64, SYMC_F64, 4);
  EXPECT_EQ(u8[0], 255);
  EXPECT_EQ(u8[1], 44);
  EXPECT_EQ(i16[2], 0);
  EXPECT_EQ(i16[3], 32767);
  EXPECT_EQ(u64[0], UINT64_MAX);
  EXPECT_EQ(f64[3], -32769.0);
  uint64_t big = UINT64_MAX;
  float single;
  symc_convert(&big, SYMC_U64, &single, SYMC_F32, 1);
  EXPECT_EQ(single, 18446744073709551616.0f);
}

TEST(Dtype, InPlaceInBothDirections) {
  double buffer[4];
  float narrow[4] = {1.5f, -2, 3, 4};
  memcpy(buffer, narrow, sizeof narrow);
  ASSERT_EQ(symc_convert(buffer, SYMC_F32, buffer, SYMC_F64, 4), SYMC_STATUS_OK);
  EXPECT_EQ(buffer[0], 1.5);
  EXPECT_EQ(buffer[3], 4.0);
  ASSERT_EQ(symc_convert(buffer, SYMC_F64, buffer, SYMC_F32, 4), SYMC_STATUS_OK);
  EXPECT_EQ(memcmp(buffer, narrow, sizeof narrow), 0);
}

TEST(Dtype, BadArguments) {
  float value = 0;
  EXPECT_EQ(symc_convert(&value, 99, &value, SYMC_F32, 1), SYMC_STATUS_BAD_DTYPE);
  EXPECT_EQ(symc_convert(nullptr, SYMC_F32, &value, SYMC_F64, 1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_convert(&value, SYMC_F32, &value, SYMC_F32, -1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_convert(nullptr, SYMC_F32, nullptr, SYMC_F64, 0), SYMC_STATUS_OK);
}
