// TilesTest.cpp: the order and the roundings of a product of matrices, and what a processor
// refuses.
#include "tools/amx-emulator/Tiles.h"

#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <vector>

using namespace symc::amx;

static uint16_t bfloat(float value) {
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  return word >> 16; // of values that have no more bits
}

namespace {
/// A sum in tile 0, factors in tiles 1 and 2.
struct Product {
  Tiles tiles;
  Tiles::Configuration shapes = {};

  Product(int rows, int pairs, int columns) {
    shapes.palette = 1;
    set(0, rows, columns * 4);
    set(1, rows, pairs * 4);
    set(2, pairs, columns * 4);
  }
  void set(int tile, int rows, int bytes) {
    shapes.rows[tile] = rows;
    shapes.bytes[tile] = bytes;
  }
  const char *configure() {
    auto *bytes = reinterpret_cast<uint8_t *>(&shapes);
    return tiles.execute({Operation::LoadConfig, 0}, bytes, 0);
  }
  const char *load(int tile, void *from, int64_t stride) {
    return tiles.execute({Operation::Load, 0, tile}, static_cast<uint8_t *>(from), stride);
  }
  const char *multiply(int target = 0, int first = 1, int second = 2) {
    return tiles.execute({Operation::MultiplyBFloats, 0, target, first, second}, nullptr, 0);
  }
  /// One output: its value before, its factors pair by pair.
  float one(float before, std::vector<float> x, std::vector<float> y) {
    EXPECT_EQ(configure(), nullptr);
    std::vector<uint16_t> a, b;
    for (float value : x)
      a.push_back(bfloat(value));
    for (float value : y)
      b.push_back(bfloat(value));
    EXPECT_EQ(load(0, &before, 4), nullptr);
    EXPECT_EQ(load(1, a.data(), 0), nullptr);
    EXPECT_EQ(load(2, b.data(), 4), nullptr);
    EXPECT_EQ(multiply(), nullptr);
    float after;
    tiles.execute({Operation::Store, 0, 0}, reinterpret_cast<uint8_t *>(&after), 4);
    return after;
  }
};
} // namespace

TEST(AmxTiles, SumsPairsApart) {
  float large = 1 << 24; // and one more is no float32
  // Firsts: large + 1; seconds: 1 + 0; then both together, then what there was.
  EXPECT_EQ(Product(1, 2, 1).one(-large, {large, 1, 1, 0}, {1, 1, 1, 1}), 0);
  // Seconds: 1 + 1.
  EXPECT_EQ(Product(1, 2, 1).one(-large, {large, 1, 0, 1}, {1, 1, 1, 1}), 2);
  EXPECT_EQ(Product(1, 1, 1).one(0.5f, {3, -2}, {0.25f, 8}), -14.75f);
}

TEST(AmxTiles, CountsSubnormalNumbersAsZero) {
  float least = std::ldexp(1.0f, -126), small = least / 2, large = std::ldexp(1.0f, 100);
  EXPECT_EQ(Product(1, 1, 1).one(0, {small, 0}, {large, 0}), 0);
  EXPECT_EQ(Product(1, 1, 1).one(0, {least, 0}, {large, 0}), least * large);
  EXPECT_EQ(Product(1, 1, 1).one(0, {least, 0}, {0.5f, 0}), 0);
  EXPECT_EQ(Product(1, 1, 1).one(small, {0, 0}, {0, 0}), 0);
  EXPECT_TRUE(std::isnan(Product(1, 1, 1).one(0, {INFINITY, 0}, {0, 0})));
}

TEST(AmxTiles, WholeProductsWithStrides) {
  Product p(5, 3, 7);
  ASSERT_EQ(p.configure(), nullptr);
  uint16_t a[5][20], b[3][14];
  float sums[5][9], expected[5][7];
  for (int m = 0; m < 5; ++m)
    for (int k = 0; k < 20; ++k)
      a[m][k] = bfloat((m * 7 + k * 3) % 11 - 5);
  for (int k = 0; k < 3; ++k)
    for (int n = 0; n < 14; ++n)
      b[k][n] = bfloat((k * 5 + n * 2) % 9 - 4);
  auto at = [](uint16_t bits) {
    uint32_t word = uint32_t(bits) << 16;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
  };
  for (int m = 0; m < 5; ++m)
    for (int n = 0; n < 9; ++n)
      sums[m][n] = m - n;
  for (int m = 0; m < 5; ++m)
    for (int n = 0; n < 7; ++n) {
      expected[m][n] = sums[m][n];
      for (int k = 0; k < 6; ++k)
        expected[m][n] += at(a[m][k]) * at(b[k / 2][2 * n + k % 2]);
    }
  p.load(0, sums, sizeof sums[0]);
  p.load(1, a, sizeof a[0]);
  p.load(2, b, sizeof b[0]);
  EXPECT_EQ(p.multiply(), nullptr);
  p.tiles.execute({Operation::Store, 0, 0}, reinterpret_cast<uint8_t *>(sums), sizeof sums[0]);
  for (int m = 0; m < 5; ++m)
    for (int n = 0; n < 9; ++n)
      EXPECT_EQ(sums[m][n], n < 7 ? expected[m][n] : m - n) << m << " " << n;
}

TEST(AmxTiles, Refusals) {
  Product p(4, 2, 3);
  EXPECT_STREQ(p.multiply(), "a tile without a configuration");
  ASSERT_EQ(p.configure(), nullptr);
  EXPECT_STREQ(p.multiply(0, 0, 2), "a product of a tile by itself, or into one of its factors");
  EXPECT_STREQ(p.multiply(0, 2, 1), "a product of tiles whose shapes do not fit");
  EXPECT_EQ(p.multiply(), nullptr);
  p.tiles.execute({Operation::Release, 0}, nullptr, 0);
  EXPECT_STREQ(p.multiply(), "a tile without a configuration");
  auto refusal = [](auto change) {
    Product other(4, 2, 3);
    change(other.shapes);
    return other.configure();
  };
  using Shapes = Tiles::Configuration;
  EXPECT_STREQ(refusal([](Shapes &s) { s.palette = 2; }),
               "a configuration with another palette or start row");
  EXPECT_STREQ(refusal([](Shapes &s) { s.reserved[3] = 1; }),
               "a configuration whose reserved bytes are not zero");
  EXPECT_STREQ(refusal([](Shapes &s) { s.rows[5] = 1; }),
               "a configuration of a tile that is not there, or has no rows or bytes");
  EXPECT_STREQ(refusal([](Shapes &s) { s.rows[9] = s.bytes[9] = 4; }),
               "a configuration of a tile that is not there, or has no rows or bytes");
  EXPECT_STREQ(refusal([](Shapes &s) { s.rows[0] = 17; }),
               "a configuration of a tile that is too large");
  Product resumed(4, 2, 3);
  resumed.shapes.startRow = 2;
  ASSERT_EQ(resumed.configure(), nullptr);
  EXPECT_STREQ(resumed.multiply(),
               "an instruction that continues one, which this emulator has not");
}
