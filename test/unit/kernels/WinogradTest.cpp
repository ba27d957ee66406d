// WinogradTest.cpp: kernel.winograd against the same convolution in f64, on every
// instruction set: edges, channels that fill no block, several images, halos,
// residuals. Memory that no task has written is NaN, memory that must stay a canary.
#include "codegen/conv/ConvChoice.h"
#include "tools/bench/KernelJit.h"

#include "gtest/gtest.h"
#include <random>

using namespace symc::bench;
using symc::codegen::ConvAlgorithm;
using symc::codegen::convAlgorithmNamed;
using symc::codegen::TargetDescription;

// The kernels: 2 and 4, 3 with kernels of 4x4, 5 of 2x2, and 4 with weights that the step
// transforms.
static constexpr int64_t onTheFlyF4 = -4;

static const ConvAlgorithm *kernelOf(const Layer &l) {
  if (l.onTheFly)
    return convAlgorithmNamed("winograd-f4-on-the-fly");
  if (l.winograd == 3)
    return convAlgorithmNamed("winograd-space-to-depth");
  if (l.winograd == 5)
    return convAlgorithmNamed("winograd-f5");
  return l.winograd == 4 ? convAlgorithmNamed("winograd-f4") : convAlgorithmNamed("winograd-f2");
}

static Layer image(int64_t in, int64_t rows, int64_t columns, int64_t out, int64_t m) {
  Layer l;
  l.in = in;
  l.rows = rows + (m == 3); // as many outputs as inputs are asked for
  l.columns = columns + (m == 3);
  l.out = out;
  l.kernelRows = l.kernelColumns = m == 3 ? 4 : m == 5 ? 2 : 3;
  l.padRows = l.padColumns = 1;
  l.winograd = std::abs(m);
  l.onTheFly = m == onTheFlyF4;
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
  EXPECT_LE(operands.error(operands.exact(l)), kernelOf(l)->errorBound(l.in))
      << target.name << " f" << l.winograd << " " << l.in << ">" << l.out << " @" << l.rows << "x"
      << l.columns << " x" << l.batch << " pad " << l.padRows << " halo " << l.outHalo;
  if (l.outHalo)
    return {};
  return {operands.outAt, operands.outAt + operands.out.size() - 16}; // without alignment
}

static void expectClose(const Layer &l) {
  for (const TargetDescription &target : targetsFor(l))
    expectClose(l, target);
}

class Winograd : public testing::TestWithParam<int64_t> {};

TEST_P(Winograd, WholeTiles) { expectClose(image(32, 8, 8, 32, GetParam())); }

TEST_P(Winograd, RaggedEdges) {
  for (auto [rows, columns] :
       {std::pair<int64_t, int64_t>{1, 1}, {1, 9}, {7, 7}, {9, 2}, {5, 13}, {14, 14}, {13, 6}})
    expectClose(image(16, rows, columns, 32, GetParam()));
}

TEST_P(Winograd, ChannelsThatFillNoBlock) {
  for (auto [in, out] : {std::pair<int64_t, int64_t>{17, 33}, {24, 40}, {40, 7}, {3, 16}, {40, 70}})
    expectClose(image(in, 6, 7, out, GetParam()));
}

TEST_P(Winograd, WithoutPadding) {
  Layer l = image(16, 12, 9, 16, GetParam());
  l.padRows = l.padColumns = 0;
  expectClose(l);
  l.padColumns = 2;
  expectClose(l);
}

// The epilogue reads and writes real pixels and channels only.
TEST_P(Winograd, BiasResidualActivationAndHalo) {
  Layer l = image(20, 10, 11, 24, GetParam());
  l.residual = true;
  l.outHalo = 2;
  expectClose(l);
  l.relu = l.bias = false;
  expectClose(l);
}

// The pixels at one place modulo the dilation are tiles of their own.
TEST_P(Winograd, DilatedKernels) {
  if (GetParam() == 3)
    GTEST_SKIP() << "strided layers have no dilation";
  for (auto [dilation, rows, columns] :
       {std::tuple<int64_t, int64_t, int64_t>{2, 8, 12}, {3, 15, 9}, {4, 20, 4}, {6, 6, 18}}) {
    Layer l = image(20, rows, columns, 24, GetParam());
    l.dilation = l.padRows = l.padColumns = dilation;
    l.batch = 2;
    l.residual = true;
    l.outHalo = 1;
    expectClose(l);
  }
}

TEST_P(Winograd, TilesOfSeveralImages) {
  Layer l = image(16, 7, 9, 48, GetParam());
  l.batch = 3;
  expectClose(l);
}

// However tiles and blocks are cut, tiled and shared by threads: the same bits.
TEST_P(Winograd, BitsDoNotDependOnCutTileOrThreads) {
  Layer l = image(24, 9, 11, 100, GetParam());
  l.batch = 2;
  for (const TargetDescription &target : targetsHere()) {
    std::vector<float> first = expectClose(l, target);
    for (std::vector<int64_t> cut : {std::vector<int64_t>{5, 1, 1, 7}, {3, 2, 4, 4}}) {
      Layer other = l;
      other.cut = cut;
      if (cut[0] == 5)
        other.tile = {1, 1, 4};
      EXPECT_EQ(expectClose(other, target, 3), first) << target.name;
    }
  }
}

TEST_P(Winograd, RandomShapes) {
  std::mt19937 engine(11);
  auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  };
  for (int i = 0; i < 5; ++i) {
    Layer l = image(draw(8, 70), draw(3, 20), draw(3, 20), draw(1, 70), GetParam());
    l.batch = draw(1, 3);
    l.padRows = draw(0, 2);
    l.padColumns = draw(0, 2);
    l.outHalo = draw(0, 1);
    l.residual = draw(0, 1);
    l.bias = draw(0, 1);
    l.relu = draw(0, 1);
    expectClose(l);
  }
}

// The table of bounds, by channel, which --report prints and --math obeys: inputs of
// either sign, and such as follow a rectifier. measure_errors.py of tools/scripts has more kinds.
TEST_P(Winograd, ErrorsStayBelowTheTable) {
  auto target = TargetDescription::get("x86-64-v3");
  if (!runsHere(*target))
    GTEST_SKIP() << "this machine cannot run x86-64-v3";
  for (int64_t in : {16, 64, 256, 512, 1024})
    for (bool positive : {false, true}) {
      Layer l = image(in, 8, 8, 16, GetParam());
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
      double bound = kernelOf(l)->errorBound(in);
      printf("%s %4d channels%s: error %.2e, bound %.1e\n", kernelOf(l)->name.data(), int(in),
             positive ? ", inputs >= 0" : "", worst, bound);
      EXPECT_LE(worst, bound);
    }
}

INSTANTIATE_TEST_SUITE_P(Tiles, Winograd, testing::Values(2, 3, 4, 5, onTheFlyF4),
                         [](const auto &info) {
                           return "F" + std::to_string(std::abs(info.param)) +
                                  (info.param == onTheFlyF4 ? "OnTheFly" : "");
                         });

// Small layers and those that Winograd can't compute are direct; the large ones of
// common nets are not.
TEST(KernelChoice, TakesWinogradWhereItPays) {
  using namespace symc::codegen;
  TargetDescription v4 = *TargetDescription::get("x86-64-v4");
  KernelPolicy policy{&v4, errorLimitOf(MathMode::Default)};
  auto chosen = [&](int64_t channels, int64_t extent, int64_t stride, int64_t window) {
    ConvLayer layer{1,      extent, extent, channels, channels, {window, window}, {stride, stride},
                    {1, 1}, true};
    return chooseConvAlgorithm(layer, policy).algorithm;
  };
  EXPECT_EQ(chosen(128, 28, 1, 3), convAlgorithmNamed("winograd-f4"));
  EXPECT_EQ(chosen(256, 56, 1, 3), convAlgorithmNamed("winograd-f4"));
  EXPECT_EQ(chosen(512, 7, 1, 3), convAlgorithmNamed("winograd-f4-on-the-fly")); // four tiles
  EXPECT_EQ(chosen(128, 28, 2, 3), convAlgorithmNamed("direct"));
  ConvLayer stem{1, 112, 112, 3, 64, {7, 7}, {2, 2}, {1, 1}, false};
  EXPECT_EQ(chooseConvAlgorithm(stem, policy).algorithm,
            convAlgorithmNamed("winograd-space-to-depth"));
  EXPECT_EQ(chosen(128, 28, 1, 2), convAlgorithmNamed("winograd-f5"));     // remainders of a stride
  EXPECT_EQ(chosen(512, 28, 1, 2), convAlgorithmNamed("winograd-pieces")); // whose error is less
  EXPECT_EQ(chosen(24, 28, 1, 1), convAlgorithmNamed("direct"));
  EXPECT_EQ(chosen(16, 4, 1, 3), convAlgorithmNamed("direct"));
  EXPECT_EQ(chosen(128, mlir::ShapedType::kDynamic, 1, 3), convAlgorithmNamed("direct"));
  policy.errorLimit = errorLimitOf(MathMode::Strict);
  EXPECT_EQ(chosen(128, 28, 1, 3), convAlgorithmNamed("direct"));
}

// Batch sizes that would choose differently get one kernel, and what that costs is counted.
TEST(KernelChoice, IsOneForAllBatchSizes) {
  using namespace symc::codegen;
  const int64_t sizes[] = {16, 4, 1};
  int differing = 0;
  for (int64_t channels : {64, 128, 256, 512})
    for (int64_t extent : {4, 7, 14, 28}) {
      TargetDescription v4 = *TargetDescription::get("x86-64-v4");
      KernelPolicy policy{&v4, errorLimitOf(MathMode::Default)};
      KernelCost cost;
      std::vector<const ConvAlgorithm *> own, shared;
      for (int64_t batch : sizes) {
        ConvLayer layer{batch, extent, extent, channels, channels, {3, 3}, {1, 1}, {1, 1}, true};
        policy.batches = {};
        own.push_back(chooseConvAlgorithm(layer, policy).algorithm);
        policy.batches = sizes;
        policy.batch = batch;
        policy.cost = &cost;
        ConvChoice choice = chooseConvAlgorithm(layer, policy);
        shared.push_back(choice.algorithm);
        if (choice.algorithm != convAlgorithmNamed("direct"))
          EXPECT_TRUE(choice.cut);
      }
      bool same = own[0] == own[1] && own[1] == own[2];
      differing += !same;
      EXPECT_EQ(shared[0], shared[1]) << channels << " " << extent;
      EXPECT_EQ(shared[1], shared[2]) << channels << " " << extent;
      EXPECT_EQ(cost.taken == cost.own, same) << channels << " " << extent;
      if (same)
        EXPECT_EQ(shared[0], own[0]);
    }
  EXPECT_GT(differing, 0);
}

// Each reason that a remark gives, whole.
TEST(KernelChoice, TellsWhy) {
  using namespace symc::codegen;
  TargetDescription v4 = *TargetDescription::get("x86-64-v4");
  KernelPolicy policy{&v4, errorLimitOf(MathMode::Default)};
  ConvLayer layer{1, 56, 56, 128, 128, {3, 3}, {1, 1}, {1, 1}, true};
  ConvLayer planar = layer, dynamic = layer, wide = layer;
  planar.blocked = false;
  dynamic.rows = mlir::ShapedType::kDynamic;
  wide.inChannels = 1 << 20;
  EXPECT_EQ(chooseConvAlgorithm(planar, policy).reason,
            "its image is read as it lies, Winograd takes blocks of 16 channels");
  EXPECT_EQ(chooseConvAlgorithm(dynamic, policy).reason, "its extents are chosen at run time");
  EXPECT_EQ(chooseConvAlgorithm(wide, policy).reason,
            "the error bound of Winograd, 1.0E+00, is above the limit, 2.0E-05");
  ConvLayer stem{1, 112, 112, 3, 64, {7, 7}, {2, 2}, {1, 1}, false}, unknown = stem, large = stem;
  policy.forced = convAlgorithmNamed("winograd-space-to-depth");
  EXPECT_EQ(chooseConvAlgorithm(stem, policy).reason, "forced");
  stem.strides[1] = 3;
  EXPECT_EQ(
      chooseConvAlgorithm(stem, policy).reason,
      "it has strides 2x3 and dilations 1x1, space-to-depth needs strides of 2 or 4 both ways");
  large.kernel[1] = 9;
  EXPECT_EQ(chooseConvAlgorithm(large, policy).reason,
            "its kernel is 7x9, space-to-depth needs 3 or 4 strides both ways");
  unknown.columns = mlir::ShapedType::kDynamic;
  EXPECT_EQ(chooseConvAlgorithm(unknown, policy).reason, "its extents are chosen at run time");
  unknown.blocked = true;
  EXPECT_EQ(
      chooseConvAlgorithm(unknown, policy).reason,
      "its image comes in blocks of 16 channels, space-to-depth needs one that lies row by row");
  policy.forced = convAlgorithmNamed("winograd-f5");
  ConvLayer two = layer;
  EXPECT_EQ(chooseConvAlgorithm(two, policy).reason,
            "its kernel is 3x3, F(5x5, 2x2) takes two taps an axis, or one");
  two.kernel[0] = 2;
  two.kernel[1] = 1;
  EXPECT_EQ(chooseConvAlgorithm(two, policy).reason, "forced");
  policy.forced = convAlgorithmNamed("winograd-pieces");
  ConvLayer line{1, 17, 17, 32, 32, {1, 7}, {1, 1}, {1, 1}, true}, ten = line, long_ = line,
                                                                   partial = line, slow = line;
  EXPECT_EQ(chooseConvAlgorithm(line, policy).reason, "forced");
  ten.kernel[1] = 10;
  EXPECT_EQ(chooseConvAlgorithm(ten, policy).reason,
            "its kernel is 1x10, which is no multiple of 3 taps or one less");
  long_.kernel[1] = 13;
  EXPECT_EQ(chooseConvAlgorithm(long_, policy).reason,
            "its kernel is 1x13, pieces need up to 12 taps both ways, neither 1x1 nor 3x3");
  partial.inChannels = 40;
  EXPECT_EQ(chooseConvAlgorithm(partial, policy).reason,
            "its image is no whole blocks of 16 channels, which pieces need");
  slow.strides[1] = 2;
  EXPECT_EQ(chooseConvAlgorithm(slow, policy).reason, "it has stride 2, Winograd takes 1");
  slow.strides[1] = 1;
  slow.dilations[1] = 3;
  EXPECT_EQ(chooseConvAlgorithm(slow, policy).reason,
            "its dilation 3 is no divisor of 17 pixels, Winograd takes those");
  slow.columns = 18;
  EXPECT_EQ(chooseConvAlgorithm(slow, policy).reason, "forced");
  policy.forced = nullptr;
  EXPECT_EQ(chooseConvAlgorithm(line, policy).algorithm, convAlgorithmNamed("winograd-pieces"));
  layer.images = layer.rows = layer.columns = 1;
  std::string rated = chooseConvAlgorithm(layer, policy).reason;
  EXPECT_EQ(rated.find("the model gives Winograd "), 0u) << rated;
  EXPECT_NE(rated.find(" thousand cycles, direct "), std::string::npos) << rated;
  policy.target = nullptr;
  EXPECT_EQ(chooseConvAlgorithm(layer, policy).reason, "no instruction set is given");
}
