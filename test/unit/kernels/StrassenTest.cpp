// StrassenTest.cpp: the algebra of StrassenScheme.h in exact integers, and
// kernel.strassen against the same product in f64 on every instruction set: both ways
// to halve pixels, several images, halos, residuals, rows of a matrix. Memory that no
// task has written is NaN, memory that must stay a canary.
#include "codegen/conv/ConvChoice.h"
#include "codegen/conv/strassen/kernel/StrassenScheme.h"
#include "tools/bench/KernelJit.h"

#include "gtest/gtest.h"
#include <functional>
#include <random>

using namespace symc::bench;
using namespace symc::kernel;
using symc::codegen::ConvAlgorithm;
using symc::codegen::convAlgorithmNamed;
using symc::codegen::TargetDescription;

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

static Layer image(int64_t in, int64_t rows, int64_t columns, int64_t out) {
  Layer l;
  l.in = in;
  l.rows = rows;
  l.columns = columns;
  l.out = out;
  l.strassen = true;
  return l;
}

// Within the table's bound of the exact result. Returns the output; nothing for a layer
// with a halo.
static std::vector<float> expectClose(const Layer &l, const TargetDescription &target,
                                      int threads = 1) {
  auto code = CompiledLayer::compile(l, target);
  EXPECT_TRUE(code);
  if (!code)
    return {};
  Operands operands(l, 23);
  code->run(l, operands, threads);
  EXPECT_LE(operands.error(operands.exact(l)), convAlgorithmNamed("strassen")->errorBound(l.in))
      << target.name << " " << l.in << ">" << l.out << " @" << l.rows << "x" << l.columns << " x"
      << l.batch << " halo " << l.outHalo << (l.matrix ? " matrix" : "");
  if (l.outHalo)
    return {};
  return {operands.outAt, operands.outAt + operands.out.size() - 16}; // without alignment
}

static void expectClose(const Layer &l) {
  for (const TargetDescription &target : targetsFor(l))
    expectClose(l, target);
}

TEST(Strassen, RowsAreHalved) {
  expectClose(image(32, 2, 1, 32));
  expectClose(image(64, 8, 17, 96));
}

// The pixel in the middle of an odd number is stored once.
TEST(Strassen, OneRowIsHalved) {
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{7, 7}, {1, 2}, {1, 3}, {3, 5}, {5, 6}})
    expectClose(image(32, rows, columns, 64));
}

// The epilogue reads and writes real pixels only.
TEST(Strassen, BiasResidualActivationAndHalo) {
  Layer l = image(64, 6, 11, 96);
  l.residual = true;
  l.outHalo = 1;
  expectClose(l);
  l.relu = l.bias = false;
  expectClose(l);
}

TEST(Strassen, PixelsOfSeveralImages) {
  for (int64_t rows : {4, 5}) {
    Layer l = image(32, rows, 9, 64);
    l.batch = 3;
    expectClose(l);
  }
}

TEST(Strassen, RowsOfAMatrix) {
  for (int64_t rows : {2, 33, 60}) {
    Layer l = image(96, 1, 1, 64);
    l.matrix = true;
    l.batch = rows;
    expectClose(l);
  }
}

// Rows of a matrix are apart: a tile has few of them, of an image many pixels.
TEST(Strassen, TilesOfAMatrixHaveFewRows) {
  auto target = TargetDescription::get("x86-64-v4");
  Layer rows = image(512, 1, 1, 2048);
  rows.matrix = true;
  rows.batch = 1024;
  auto matrix = CompiledLayer::compile(rows, *target);
  auto pixels = CompiledLayer::compile(image(512, 32, 32, 2048), *target);
  ASSERT_TRUE(matrix && pixels);
  EXPECT_EQ(matrix->tile()[2], 6);
  EXPECT_GT(pixels->tile()[2], 6);
}

// However units are cut, tiled and shared by threads: the same bits.
TEST(Strassen, BitsDoNotDependOnUnitTileOrThreads) {
  Layer l = image(64, 5, 11, 160);
  l.batch = 2;
  for (const TargetDescription &target : targetsHere()) {
    std::vector<float> first = expectClose(l, target);
    for (std::vector<int64_t> cut :
         {std::vector<int64_t>{1, 9, 1, 3}, {1, 28, 2, 1}, {1, 5, 4, 2}}) {
      Layer other = l;
      other.cut = cut;
      if (cut[1] == 9)
        other.tile = {1, 1, 4};
      EXPECT_EQ(expectClose(other, target, 3), first) << target.name;
    }
  }
}

TEST(Strassen, BitsDoNotDependOnRowsOfAUnit) {
  Layer l = image(64, 10, 7, 96);
  for (const TargetDescription &target : targetsHere()) {
    std::vector<float> first = expectClose(l, target);
    for (std::vector<int64_t> cut :
         {std::vector<int64_t>{0, 7, 1, 2}, {0, 14, 1, 1}, {0, 35, 1, 3}}) {
      Layer other = l;
      other.cut = cut;
      EXPECT_EQ(expectClose(other, target, 3), first) << target.name << " unit " << cut[1];
    }
  }
}

TEST(Strassen, RandomShapes) {
  std::mt19937 engine(11);
  auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  };
  for (int i = 0; i < 5; ++i) {
    Layer l = image(32 * draw(1, 4), 2 * draw(1, 8), draw(1, 30), 32 * draw(1, 4));
    l.batch = draw(1, 3);
    l.outHalo = draw(0, 1);
    l.residual = draw(0, 1);
    l.bias = draw(0, 1);
    l.relu = draw(0, 1);
    expectClose(l);
  }
}

// The table of bounds, by channel, which --report prints and --math obeys: inputs of
// either sign, and such as follow a rectifier. measure_errors.py of tools/scripts has more kinds.
TEST(Strassen, ErrorsStayBelowTheTable) {
  auto target = TargetDescription::get("x86-64-v3");
  if (!runsHere(*target))
    GTEST_SKIP() << "this machine cannot run x86-64-v3";
  for (int64_t in : {32, 64, 128, 256, 512, 1024})
    for (bool positive : {false, true}) {
      Layer l = image(in, 8, 8, 32);
      l.bias = l.relu = false;
      l.positive = positive;
      auto code = CompiledLayer::compile(l, *target);
      ASSERT_TRUE(code);
      double worst = 0;
      for (uint64_t seed = 1; seed <= 3; ++seed) {
        Operands operands(l, seed);
        code->run(l, operands);
        worst = std::max(worst, operands.channelError(l, operands.exact(l)));
      }
      double bound = convAlgorithmNamed("strassen")->errorBound(in);
      printf("strassen %4d channels%s: error %.2e, bound %.1e\n", int(in),
             positive ? ", inputs >= 0" : "", worst, bound);
      EXPECT_LE(worst, bound);
    }
}

// Layers whose weights outweigh their pixels and those that cannot be halved are
// direct; wide ones are not.
TEST(KernelChoice, TakesStrassenWhereItPays) {
  using namespace symc::codegen;
  TargetDescription v4 = *TargetDescription::get("x86-64-v4");
  KernelPolicy policy{&v4, errorLimitOf(MathMode::Fast), mayMixPixels(MathMode::Fast)};
  auto chosen = [&](int64_t in, int64_t out, int64_t extent, int64_t stride = 1) {
    ConvLayer layer{1, extent, extent, in, out, {1, 1}, {stride, stride}, {1, 1}, true};
    return chooseConvAlgorithm(layer, policy);
  };
  EXPECT_EQ(chosen(512, 512, 14).algorithm, convAlgorithmNamed("strassen"));
  EXPECT_EQ(chosen(512, 512, 2).algorithm, convAlgorithmNamed("direct"));
  EXPECT_EQ(chosen(512, 512, 14, 2).reason, "it has stride 2, Strassen's product takes 1");
  EXPECT_EQ(chosen(512, 512, 7).reason, "its 7 rows cannot be halved for Strassen's product");
  EXPECT_EQ(chosen(48, 64, 14).reason, "it has 48 input and 64 output channels, Strassen's product "
                                       "takes multiples of 32");
  EXPECT_EQ(chosen(8192, 512, 14).reason,
            "the error bound of Strassen's product, 1.0E+00, is above the limit, 1.0E-04");
  policy.forced = convAlgorithmNamed("strassen");
  ConvLayer wide{1, 8, 8, 32, 32, {3, 3}, {1, 1}, {1, 1}, true};
  EXPECT_EQ(chooseConvAlgorithm(wide, policy).reason,
            "its kernel is 3x3, Strassen's product takes 1x1");
  wide.kernel[0] = wide.kernel[1] = 1;
  wide.blocked = false;
  EXPECT_EQ(chooseConvAlgorithm(wide, policy).reason,
            "its image is read as it lies, Strassen's product takes blocks of 16 channels");
  policy.forced = nullptr;
  policy.mixing = mayMixPixels(MathMode::Default);
  EXPECT_EQ(chosen(512, 512, 14).algorithm, convAlgorithmNamed("direct"));
  EXPECT_EQ(chosen(512, 512, 14).reason,
            "Strassen's product mixes pixels and rows, which --math=fast allows");
  policy.errorLimit = errorLimitOf(MathMode::Strict);
  EXPECT_EQ(chosen(512, 512, 14).reason, "strict mathematics keeps to it");
}

// Rows of a matrix grow with the batch where images would: 64 alone are few, with 1024 of
// another size of the batch the mean decides, for both.
TEST(KernelChoice, OfAMatrixGoesByAllNumbersOfRows) {
  using namespace symc::codegen;
  TargetDescription v4 = *TargetDescription::get("x86-64-v4");
  KernelPolicy policy{&v4, errorLimitOf(MathMode::Fast), mayMixPixels(MathMode::Fast)};
  auto chosen = [&](int64_t batch) {
    ConvLayer rows{1, 1, 64 * batch, 512, 2048, {1, 1}, {1, 1}, {1, 1}, true, 2, true, true};
    policy.batch = batch;
    return chooseConvAlgorithm(rows, policy).algorithm;
  };
  EXPECT_EQ(chosen(1), convAlgorithmNamed("direct"));
  EXPECT_EQ(chosen(16), convAlgorithmNamed("strassen"));
  const int64_t sizes[] = {16, 1};
  policy.batches = sizes;
  EXPECT_EQ(chosen(1), chosen(16));
}
