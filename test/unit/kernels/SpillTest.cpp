// SpillTest.cpp: no tile of any target's table saves or restores a vector inside
// a reduction loop. A tile that doesn't fit the registers costs half of the
// speed and nothing else shows it.
#include "tools/bench/KernelJit.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace symc::bench;
using symc::codegen::TargetDescription;

// Vector spills and reloads inside loops that multiply. A loop reaches from a
// label to a jump back to it; innermost ones are those that hold no other.
static int spillsInReductions(const std::string &assembly, int *reductions) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(assembly).split(lines, '\n');
  llvm::StringMap<size_t> labels;
  int spills = 0;
  size_t innermostAfter = 0;
  *reductions = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    llvm::StringRef line = lines[i].trim();
    if (line.starts_with(".L") && line.contains(':')) {
      labels[line.take_until([](char c) { return c == ':'; })] = i;
      continue;
    }
    if (!line.starts_with("j"))
      continue;
    llvm::StringRef label = line.drop_while([](char c) { return c != '.'; });
    auto found = labels.find(label.take_until([](char c) { return llvm::isSpace(c); }));
    if (found == labels.end() || found->second < innermostAfter)
      continue; // a jump forward, or a loop around another
    innermostAfter = i;
    bool multiplies = false;
    int count = 0;
    for (size_t k = found->second; k < i; ++k) {
      multiplies |= lines[k].contains("fmadd") || lines[k].contains("mulps");
      bool vector = lines[k].contains("%xmm") || lines[k].contains("%ymm") ||
                    lines[k].contains("%zmm");
      count += vector && (lines[k].contains("(%rsp") || lines[k].contains("Spill") ||
                          lines[k].contains("Reload"));
    }
    if (multiplies) {
      ++*reductions;
      spills += count;
    }
  }
  return spills;
}

static Layer layerFor(int64_t kernel, bool planar) {
  Layer l;
  l.in = planar ? 3 : 64;
  l.planar = planar;
  l.rows = l.columns = 28;
  l.out = 256;
  l.kernelRows = l.kernelColumns = kernel;
  l.padRows = l.padColumns = kernel / 2;
  l.residual = true;
  return l;
}

class Spills : public testing::TestWithParam<const char *> {};

TEST_P(Spills, NoneInAnyTileOfTheTable) {
  auto target = TargetDescription::get(GetParam());
  ASSERT_TRUE(target);
  int64_t perBlock = 16 / target->lanes(4);
  for (const auto &row : target->tiles)
    for (auto [kernel, planar] : {std::pair<int64_t, bool>{1, false}, {3, false}, {7, true}})
      for (int64_t rows : {1, 2}) {
        if (row.pixels < rows || row.vectors < perBlock)
          continue;
        Layer l = layerFor(kernel, planar);
        l.outHalo = rows == 2; // keeps pixels in rows
        l.tile = {row.vectors / perBlock, rows, row.pixels / rows};
        auto code = CompiledLayer::compile(l, *target);
        ASSERT_TRUE(code);
        int reductions = 0;
        EXPECT_EQ(spillsInReductions(code->assembly(), &reductions), 0)
            << target->name << " tile " << row.vectors << "x" << row.pixels << " in " << rows
            << " rows, kernel " << kernel;
        EXPECT_GT(reductions, 0) << "no reduction loop recognised";
      }
}
INSTANTIATE_TEST_SUITE_P(Targets, Spills,
                         testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4", "native"));

// The scan sees spills where there must be some.
TEST(Spills, AreSeenInATileTooLarge) {
  auto target = TargetDescription::get("x86-64-v3");
  Layer l = layerFor(3, false);
  l.tile = {2, 1, 8}; // 32 accumulators in 16 registers
  auto code = CompiledLayer::compile(l, *target);
  ASSERT_TRUE(code);
  int reductions = 0;
  EXPECT_GT(spillsInReductions(code->assembly(), &reductions), 0);
}

TEST(Spills, NoneInDepthwise) {
  for (const char *name : {"x86-64-v3", "x86-64-v4"})
    for (int64_t kernel : {3, 5})
      for (int64_t stride : {1, 2}) {
        auto target = TargetDescription::get(name);
        Layer l = layerFor(kernel, false);
        l.out = l.in;
        l.depthwise = true;
        l.residual = false;
        l.stride = stride;
        auto code = CompiledLayer::compile(l, *target);
        ASSERT_TRUE(code);
        int reductions = 0;
        EXPECT_EQ(spillsInReductions(code->assembly(), &reductions), 0)
            << name << " window " << kernel << " stride " << stride;
        EXPECT_GT(reductions, 0) << "no reduction loop recognised";
      }
}
