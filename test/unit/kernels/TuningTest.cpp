// TuningTest.cpp: choices survive a round through a tuning file, and every order and
// tile that a file can name gives the bits of the model's choice.
#include "codegen/conv/Tuning.h"
#include "codegen/conv/ConvChoice.h"
#include "codegen/cpu/TargetDescription.h"
#include "codegen/cpu/TileChoice.h"

#include "gtest/gtest.h"

using namespace symc::codegen;

TEST(Tuning, RoundTrip) {
  TargetDescription v3 = *TargetDescription::get("x86-64-v3");
  TargetDescription v4 = *TargetDescription::get("x86-64-v4");
  Tuning one;
  one.set(v4, "conv/b", {{2, 1, 14}, true, 3.5});
  one.set(v3, "conv/b", {{1, 2, 3}, false, 0});
  one.set(v3, "conv/a", {{1, 1, 6}, false, 12, convAlgorithmNamed("winograd-f4")});
  std::string text = one.print();
  EXPECT_EQ(text, "symc tuning 1\n"
                  "x86-64-v3 conv/a winograd-f4 tile=1x1x6 us=12.00\n"
                  "x86-64-v3 conv/b direct tile=1x2x3 order=groups\n"
                  "x86-64-v4 conv/b direct tile=2x1x14 order=pixels us=3.50\n");
  Tuning two;
  EXPECT_FALSE(two.parse(text));
  EXPECT_EQ(two.print(), text);
  ASSERT_TRUE(two.find(v4, "conv/b"));
  EXPECT_TRUE(two.find(v4, "conv/b")->pixelsOutside);
  EXPECT_FALSE(two.find(v4, "conv/a")) << "a choice of another instruction set";
}

// A layer that the model computes directly, computed otherwise because the file says
// so; never beyond the error that --math allows.
TEST(Tuning, KernelComesFromTheFile) {
  TargetDescription v4 = *TargetDescription::get("x86-64-v4");
  KernelPolicy policy{&v4, errorLimitOf(MathMode::Default), {}, {}};
  ConvLayer layer{1, 4, 4, 16, 16, {3, 3}, {1, 1}, {1, 1}, true, 1};
  ASSERT_EQ(chooseConvAlgorithm(layer, policy).algorithm, convAlgorithmNamed("direct"));
  Tuning tuning;
  tuning.set(*policy.target, keyOfLayer(layer),
             {{1, 1, 1}, false, 0, convAlgorithmNamed("winograd-f4")});
  policy.measured = &tuning;
  EXPECT_EQ(chooseConvAlgorithm(layer, policy).algorithm, convAlgorithmNamed("winograd-f4"));
  EXPECT_EQ(chooseConvAlgorithm(layer, policy).reason, "measured as the fastest");
  policy.errorLimit = 1e-7;
  EXPECT_EQ(chooseConvAlgorithm(layer, policy).algorithm, convAlgorithmNamed("direct"));
}

TEST(Tuning, NativeChoicesBelongToTheCore) {
  TargetDescription native = *TargetDescription::get("native");
  EXPECT_EQ(Tuning::targetName(native), "native:" + native.llvmCpu);
}

TEST(Tuning, RankedTilesBeginWithTheModelsChoice) {
  TargetDescription v4 = *TargetDescription::get("x86-64-v4");
  ConvExtents extents{1, 56, 56, 64, 64, 9};
  std::vector<ConvTile> tiles = rankConvTiles(extents, v4, 5);
  ASSERT_EQ(tiles.size(), 5u);
  ConvTile chosen = chooseConvTile(extents, v4);
  EXPECT_EQ(tiles[0].blocks * 1000 + tiles[0].rows * 100 + tiles[0].columns,
            chosen.blocks * 1000 + chosen.rows * 100 + chosen.columns);
}
