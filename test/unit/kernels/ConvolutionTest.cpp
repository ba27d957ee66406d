// ConvolutionTest.cpp: compiled convolutions, matrix products and depthwise
// convolutions give the bits of plain loops in the promised order (icb, kh, kw,
// channel), on every instruction set, for every tail, and never touch a byte
// outside of their outputs (canaries) nor read a dead lane (NaN).
#include "tools/bench/KernelJit.h"

#include "gtest/gtest.h"
#include <random>

using namespace symc::bench;
using symc::codegen::MathMode;
using symc::codegen::TargetDescription;

static std::string describe(const Layer &l, const TargetDescription &target) {
  std::string text = target.name;
  for (int64_t value : {l.batch, l.in, l.rows, l.columns, l.out, l.kernelRows, l.kernelColumns,
                        l.stride, l.dilation, l.padRows, l.padColumns, l.outHalo})
    text += " " + std::to_string(value);
  text += l.planar ? " planar" : "";
  text += l.matrix ? " matrix" : "";
  text += l.depthwise ? " depthwise" : "";
  text += l.dynamic ? " dynamic" : "";
  for (int64_t extent : l.tile)
    text += " tile " + std::to_string(extent);
  return text;
}

// The layer's bits equal the oracle's; `sizes` may differ from the compiled
// layer's batch, rows and columns where those are run-time values.
static void expectBits(const Layer &layer, const TargetDescription &target,
                       const std::vector<Layer> &sizes) {
  auto code = CompiledLayer::compile(layer, target);
  ASSERT_TRUE(code) << describe(layer, target);
  bool fused = layer.math != MathMode::Portable && target.fma;
  for (const Layer &size : sizes) {
    Operands operands(size, 17);
    code->run(size, operands);
    auto expected = operands.expected(size, fused);
    EXPECT_EQ(operands.mismatches(size, expected, 0), 0) << describe(size, target);
  }
}

static void expectBits(const Layer &layer) {
  for (const TargetDescription &target : targetsFor(layer))
    expectBits(layer, target, {layer});
}

static Layer image(int64_t in, int64_t rows, int64_t columns, int64_t out, int64_t kernel) {
  Layer l;
  l.in = in;
  l.rows = rows;
  l.columns = columns;
  l.out = out;
  l.kernelRows = l.kernelColumns = kernel;
  l.padRows = l.padColumns = kernel / 2;
  return l;
}

TEST(Convolution, PointwiseFlattensPixels) { expectBits(image(32, 7, 7, 32, 1)); }

TEST(Convolution, PointwiseWithHaloKeepsRows) {
  Layer l = image(16, 5, 9, 48, 1);
  l.outHalo = 1;
  l.residual = true;
  expectBits(l);
}

TEST(Convolution, ReductionStopsAtTheRealChannels) { expectBits(image(21, 6, 6, 16, 3)); }

TEST(Convolution, LastOutputBlockIsMasked) {
  for (int64_t out : {1, 7, 8, 10, 17, 24, 33, 63})
    expectBits(image(16, 4, 5, out, 1));
}

TEST(Convolution, PlanarInput) {
  Layer l = image(3, 17, 19, 20, 7);
  l.planar = true;
  l.stride = 2;
  expectBits(l);
  l.in = 1;
  l.kernelRows = l.kernelColumns = 5;
  l.padRows = l.padColumns = 0;
  l.stride = 1;
  expectBits(l);
}

TEST(Convolution, StridesAndDilations) {
  Layer l = image(16, 13, 11, 16, 3);
  l.stride = 2;
  expectBits(l);
  l.stride = 1;
  l.dilation = 2;
  expectBits(l);
  l.stride = 3;
  expectBits(l);
}

TEST(Convolution, OneDimensionalKernels) {
  Layer l = image(20, 9, 9, 40, 1);
  l.kernelColumns = 7;
  l.padColumns = 3;
  expectBits(l);
  std::swap(l.kernelRows, l.kernelColumns);
  std::swap(l.padRows, l.padColumns);
  expectBits(l);
}

TEST(Convolution, FullyConnected) {
  for (int64_t batch : {1, 2, 15, 37})
    for (int64_t out : {5, 16, 100}) {
      Layer l = image(75, 1, 1, out, 1);
      l.matrix = true;
      l.batch = batch;
      expectBits(l);
    }
}

TEST(Convolution, SeveralImagesAndTasks) {
  Layer l = image(64, 14, 14, 64, 3);
  l.batch = 5;
  expectBits(l);
  Layer wide = image(64, 6, 6, 256, 3); // split by output channels
  for (const TargetDescription &target : targetsHere()) {
    auto code = CompiledLayer::compile(wide, target);
    ASSERT_TRUE(code);
    EXPECT_GT(code->tasks(wide), 1);
    EXPECT_LE(code->tasks(wide), 64);
  }
}

// Weights that are fetched a group ahead change no bit and touch nothing.
TEST(Convolution, WeightsFetchedAhead) {
  Layer l = image(40, 7, 7, 80, 3);
  for (TargetDescription target : targetsHere()) {
    target.prefetchTiles = 49;
    target.l2Bytes = 4 << 10;
    auto code = CompiledLayer::compile(l, target);
    ASSERT_TRUE(code);
    EXPECT_NE(code->assembly().find("prefetcht1"), std::string::npos) << target.name;
    expectBits(l, target, {l});
  }
}

// Residuals come early: the reduction hides their way from memory.
TEST(Convolution, ResidualsAreFetchedBeforeTheReduction) {
  Layer l = image(64, 14, 14, 64, 3);
  for (bool residual : {false, true}) {
    l.residual = residual;
    auto code = CompiledLayer::compile(l, *TargetDescription::get("x86-64-v3"));
    ASSERT_TRUE(code);
    size_t first = code->assembly().find("prefetcht0"), fma = code->assembly().find("vfmadd");
    EXPECT_EQ(first < fma, residual);
  }
}

// Strict forbids other sums than direct ones, not the multiply-add of those.
TEST(Convolution, StrictFusesMultiplyAdds) {
  Layer l = image(16, 5, 5, 16, 3);
  l.math = MathMode::Strict;
  expectBits(l);
}

TEST(Convolution, PortableMultipliesThenAdds) {
  Layer l = image(16, 5, 5, 16, 3);
  l.math = MathMode::Portable;
  expectBits(l);
}

// Every tile gives the same bits: tails in each direction, forced.
TEST(Convolution, BitsDoNotDependOnTheTile) {
  Layer l = image(18, 5, 11, 40, 3);
  for (const TargetDescription &target : targetsHere())
    for (std::vector<int64_t> tile : {std::vector<int64_t>{1, 1, 1},
                                      {1, 1, 4},
                                      {1, 2, 3},
                                      {2, 1, 6},
                                      {1, 3, 2},
                                      {2, 2, 2},
                                      {3, 1, 7}}) {
      l.tile = tile;
      expectBits(l, target, {l});
    }
}

// One compilation with run-time batch, rows and columns runs every size.
TEST(Convolution, RunTimeExtents) {
  for (bool planar : {false, true}) {
    Layer l = image(planar ? 3 : 24, 9, 9, 20, 3);
    l.planar = planar;
    l.dynamic = l.residual = true;
    l.outHalo = 1;
    std::vector<Layer> sizes;
    for (auto [batch, rows, columns] :
         {std::array<int64_t, 3>{1, 9, 9}, {2, 3, 29}, {1, 40, 13}, {3, 12, 14}, {1, 5, 1}}) {
      sizes.push_back(l);
      sizes.back().batch = batch;
      sizes.back().rows = rows;
      sizes.back().columns = columns;
    }
    for (const TargetDescription &target : targetsHere())
      expectBits(l, target, sizes);
  }
}

TEST(Convolution, RunTimeBatchOfRows) {
  Layer l = image(75, 1, 1, 26, 1);
  l.matrix = l.dynamic = true;
  std::vector<Layer> sizes;
  for (int64_t batch = 1; batch < 32; ++batch) {
    sizes.push_back(l);
    sizes.back().batch = batch;
  }
  for (const TargetDescription &target : targetsHere())
    expectBits(l, target, sizes);
}

TEST(Convolution, RandomShapes) {
  std::mt19937 engine(3);
  auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  };
  for (int i = 0; i < 25; ++i) {
    Layer l = image(draw(1, 40), draw(3, 18), draw(3, 18), draw(1, 70), 1);
    l.batch = draw(1, 2);
    l.kernelRows = draw(1, 3);
    l.kernelColumns = draw(1, 3);
    l.padRows = l.padColumns = draw(0, 1);
    l.stride = draw(1, 2);
    l.outHalo = draw(0, 1);
    l.planar = draw(0, 3) == 0;
    l.residual = draw(0, 1);
    l.bias = draw(0, 1);
    l.relu = draw(0, 1);
    expectBits(l);
  }
}

static Layer perChannel(int64_t channels, int64_t rows, int64_t columns, int64_t kernel) {
  Layer l = image(channels, rows, columns, channels, kernel);
  l.depthwise = true;
  return l;
}

TEST(Depthwise, WindowsStridesAndHalos) {
  for (int64_t kernel : {1, 2, 3, 5, 7}) {
    Layer l = perChannel(32, 15, 17, kernel);
    expectBits(l);
    l.stride = 2;
    l.outHalo = 1;
    l.residual = true;
    expectBits(l);
  }
  Layer l = perChannel(16, 12, 12, 3);
  l.dilation = 2;
  expectBits(l);
}

// Channels of a group are summed in their order, in each kernel row, whatever part of a vector it
// is.
TEST(Depthwise, GroupsWithinABlock) {
  for (int64_t group : {2, 4, 8}) {
    Layer l = perChannel(48, 11, 13, 3);
    l.group = group;
    expectBits(l);
    l.stride = 2;
    l.outHalo = 1;
    l.residual = true;
    expectBits(l);
    l.kernelRows = l.kernelColumns = 1;
    l.padRows = l.padColumns = 0;
    expectBits(l);
  }
}

TEST(Depthwise, RunTimeExtents) {
  Layer l = perChannel(32, 9, 9, 3);
  l.dynamic = true;
  std::vector<Layer> sizes;
  for (auto [batch, rows, columns] : {std::array<int64_t, 3>{1, 9, 9}, {2, 4, 31}, {1, 3, 3}}) {
    sizes.push_back(l);
    sizes.back().batch = batch;
    sizes.back().rows = rows;
    sizes.back().columns = columns;
  }
  for (const TargetDescription &target : targetsHere())
    expectBits(l, target, sizes);
}

TEST(Depthwise, ManyTasksCoverAllRows) {
  expectBits(perChannel(48, 60, 60, 3));
  Layer l = perChannel(16, 7, 7, 7); // the whole image in one window
  l.padRows = l.padColumns = 0;
  expectBits(l);
}
