// TileChoiceTest.cpp: the cost model picks tiles that fit the registers, waste
// little at the edges and widen where pixels are few.
#include "codegen/cpu/TileChoice.h"

#include "mlir/IR/BuiltinTypes.h"
#include "gtest/gtest.h"

using namespace symc::codegen;

static TargetDescription target(const char *name) { return *TargetDescription::get(name); }

TEST(TileChoice, RowsOfTheImageAreDividedEvenly) {
  // 3x3 over 56 columns in rows: 14 divides them.
  ConvTile tile = chooseConvTile({1, 56, 56, 64, 64, 9}, target("x86-64-v4"));
  EXPECT_EQ(tile.columns * tile.rows, 14);
  EXPECT_EQ(56 % tile.columns, 0);
}

TEST(TileChoice, SevenBySevenTakesTwoRows) {
  ConvTile tile = chooseConvTile({1, 7, 7, 512, 512, 9}, target("x86-64-v4"));
  EXPECT_EQ(tile.rows, 2);
  EXPECT_EQ(tile.columns, 7);
}

TEST(TileChoice, OnePixelTakesManyChannels) {
  for (const char *name : {"x86-64-v3", "x86-64-v4"}) {
    TargetDescription cpu = target(name);
    ConvTile tile = chooseConvTile({1, 1, 1, 1000, 2048, 1}, cpu);
    EXPECT_EQ(tile.blocks, 4) << name; // four panels stream side by side
    EXPECT_EQ(tile.columns, 1);
  }
}

TEST(TileChoice, RunTimePixelsStayInOneRow) {
  int64_t unknown = mlir::ShapedType::kDynamic;
  ConvTile tile = chooseConvTile({unknown, unknown, unknown, 64, 64, 9}, target("x86-64-v4"));
  EXPECT_EQ(tile.rows, 1);
  EXPECT_GE(tile.columns, 6);
}

TEST(TileChoice, TilesFitTheRegisters) {
  for (const std::string &name : TargetDescription::names()) {
    TargetDescription cpu = target(name.c_str());
    for (int64_t columns = 1; columns < 70; columns += 3)
      for (int64_t out : {8, 16, 48, 64, 512}) {
        ConvTile tile = chooseConvTile({1, columns, columns, out, 64, 9}, cpu);
        int64_t vectors = tile.blocks * 16 / cpu.lanes(4), pixels = tile.rows * tile.columns;
        EXPECT_LT(vectors * pixels + std::min(vectors, pixels), cpu.vectorRegisters)
            << name << " " << columns << " " << out;
      }
  }
}

TEST(TileChoice, NeverWorseThanTheFirstTileOfTheTable) {
  TargetDescription cpu = target("x86-64-v4");
  for (int64_t columns : {5, 17, 35, 49, 147, 196}) {
    ConvExtents extents{1, 1, columns, 96, 64, 1};
    double chosen = estimateConvCycles(extents, chooseConvTile(extents, cpu), cpu);
    EXPECT_LE(chosen, estimateConvCycles(extents, {2, 1, 14}, cpu)) << columns;
  }
}

TEST(TileChoice, FlatNeedsEqualDistances) {
  EXPECT_TRUE(isFlat(14, {1, 1}, {1, 1}, {{14 * 16, 16}, {0, 0}}));
  EXPECT_FALSE(isFlat(14, {1, 1}, {1, 1}, {{16 * 16, 16}})); // a halo
  EXPECT_FALSE(isFlat(14, {1, 1}, {2, 2}, {{14 * 16, 16}}));
  EXPECT_FALSE(isFlat(14, {3, 3}, {1, 1}, {{14 * 16, 16}}));
}
