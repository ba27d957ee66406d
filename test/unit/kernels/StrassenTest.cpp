// StrassenTest.cpp: the algebra of StrassenScheme.h in exact integers.
#include "codegen/kernel/StrassenScheme.h"

#include "gtest/gtest.h"
#include <functional>

using namespace symc::kernel;

namespace {
using Matrix = std::array<int64_t, 4>; // 11, 12, 21, 22

int64_t sum(const QuarterSum &coefficients, const Matrix &m) {
  int64_t result = 0;
  for (int i = 0; i < 4; ++i)
    result += coefficients[i] * m[i];
  return result;
}

// Tiles of one number.
struct Numbers {
  Matrix a, b, c{};
  std::array<int64_t, 4> sums;
  int64_t memory[2] = {};
  int multiplications = 0, kept_ = 0;

  int64_t zero() { return 0; }
  int64_t multiplyAdd(int product, int64_t tile) {
    ++multiplications;
    const StrassenProduct &p = strassenProducts[product];
    int64_t data = sum(p.data, b);
    if (p.dataSum >= 0)
      EXPECT_EQ(sums[p.dataSum], data) << "the sum of data that product " << product << " names";
    return tile + sum(p.weights, a) * data;
  }
  int64_t add(int64_t x, int64_t y) { return x + y; }
  void keep(int place, int64_t tile) { memory[place] = tile, ++kept_; }
  int64_t kept(int place) { return memory[place]; }
  void finish(int rows, int columns, int64_t tile) { c[2 * rows + columns] = tile; }
};
} // namespace

// If this fails, every layer by Strassen's product is wrong.
TEST(StrassenScheme, IsTheProductInSevenMultiplications) {
  for (int64_t seed = 1; seed < 50; ++seed) {
    Numbers t;
    for (int i = 0; i < 4; ++i) {
      t.a[i] = (seed * (7 + 3 * i)) % 23 - 11;
      t.b[i] = (seed * (5 + 11 * i)) % 19 - 9;
    }
    t.sums = strassenSumsOfData(t.b[0], t.b[1], t.b[2], t.b[3], std::minus<int64_t>());
    runStrassenChains(t);
    for (int i : {0, 1})
      for (int j : {0, 1})
        EXPECT_EQ(t.c[2 * i + j], t.a[2 * i] * t.b[j] + t.a[2 * i + 1] * t.b[2 + j]);
    EXPECT_EQ(t.multiplications, strassenProductCount);
    EXPECT_EQ(t.kept_, 3);
  }
}
