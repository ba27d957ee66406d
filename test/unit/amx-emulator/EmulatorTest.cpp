// EmulatorTest.cpp: code with instructions of matrices runs on processors without them, in several
// threads at once, and what it does wrong ends it.
#include "tools/amx-emulator/Emulator.h"
#include "tools/amx-emulator/Tiles.h"

#include "symc/runtime.h"
#include "gtest/gtest.h"
#include <csignal>
#include <cstring>
#include <immintrin.h>
#include <thread>

using namespace symc::amx;

namespace {
class AmxEmulator : public testing::Test {
protected:
  void SetUp() override {
    if (__builtin_cpu_supports("amx-tile"))
      GTEST_SKIP() << "this processor executes them";
    if (!installEmulator())
      GTEST_SKIP() << "this processor has no AVX512-BF16";
  }
};
} // namespace

// rows x 8 outputs of 4 pairs; all numbers are small integers.
__attribute__((target("amx-tile,amx-bf16"))) static bool multiply(int rows, int seed) {
  Tiles::Configuration shapes = {};
  shapes.palette = 1;
  shapes.rows[1] = shapes.rows[4] = rows;
  shapes.rows[6] = 4;
  shapes.bytes[1] = shapes.bytes[6] = 32;
  shapes.bytes[4] = 16;
  uint16_t a[16][12], b[4][16];
  auto whole = [](int value) {
    float number = value;
    uint32_t word;
    memcpy(&word, &number, sizeof word);
    return uint16_t(word >> 16);
  };
  auto x = [&](int m, int k) { return (m * 5 + k * 3 + seed) % 13 - 6; };
  auto y = [&](int k, int n) { return (k * 7 + n * 2 + seed) % 7 - 3; };
  for (int m = 0; m < rows; ++m)
    for (int k = 0; k < 8; ++k)
      a[m][k] = whole(x(m, k));
  for (int k = 0; k < 8; ++k)
    for (int n = 0; n < 8; ++n)
      b[k / 2][2 * n + k % 2] = whole(y(k, n));
  float sums[16][8];
  _tile_loadconfig(&shapes);
  _tile_zero(1);
  for (int times = 0; times < 3; ++times) {
    _tile_loadd(4, a, sizeof a[0]);
    _tile_stream_loadd(6, b, sizeof b[0]);
    _tile_dpbf16ps(1, 4, 6);
  }
  _tile_stored(1, sums, sizeof sums[0]);
  Tiles::Configuration stored;
  _tile_storeconfig(&stored);
  _tile_release();
  bool right = memcmp(&stored, &shapes, sizeof shapes) == 0;
  for (int m = 0; m < rows; ++m)
    for (int n = 0; n < 8; ++n) {
      int expected = 0;
      for (int k = 0; k < 8; ++k)
        expected += 3 * x(m, k) * y(k, n);
      right &= sums[m][n] == float(expected);
    }
  return right;
}

TEST_F(AmxEmulator, ThreadsHaveTilesOfTheirOwn) {
  EXPECT_EQ(symc_cpu_level(), 7);
  EXPECT_EQ(symc_cpu_permits(7), 1);
  int64_t before = emulatedProducts();
  bool right[4];
  std::thread threads[4];
  for (int t = 0; t < 4; ++t)
    threads[t] = std::thread([&, t] {
      right[t] = true;
      for (int times = 0; times < 20; ++times)
        right[t] &= multiply(3 + 4 * t, t + times);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int t = 0; t < 4; ++t)
    EXPECT_TRUE(right[t]) << t;
  EXPECT_EQ(emulatedProducts() - before, 4 * 20 * 3);
}

__attribute__((target("amx-tile,amx-bf16"))) static void multiplyUnconfigured() {
  _tile_dpbf16ps(0, 1, 2);
}

TEST_F(AmxEmulator, WhatProcessorsRefuseEndsTheProcess) {
  EXPECT_EXIT(multiplyUnconfigured(), testing::KilledBySignal(SIGILL),
              "amx-emulator: a tile without a configuration");
  EXPECT_EXIT(__builtin_trap(), testing::KilledBySignal(SIGILL), "");
}
