// SpillTest.cpp: in the reduction loops of every tile of any target's table no vector is
// saved or restored, all multiply-adds take the widest registers, and each loaded value
// serves as many of them as the tile promises. A tile that doesn't fit the registers
// costs half of the speed and nothing else shows it.
#include "tools/bench/KernelJit.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace symc::bench;
using symc::codegen::TargetDescription;

namespace {
/// What one loop that multiplies holds.
struct Reduction {
  int spills = 0;
  int multiplies = 0;
  int narrow = 0; // multiplies in registers below the widest
  int loads = 0;  // vectors and broadcast values
};
} // namespace

/// How an architecture writes what the scan looks for.
struct Syntax {
  char comment;
  std::vector<llvm::StringRef> multiplies, jumps;
  llvm::StringRef widest, stack;

  static Syntax of(const TargetDescription &target) {
    if (target.architecture() == "aarch64")
      return {'/', {"fmla"}, {"b.", "cbz", "cbnz", "tbz", "tbnz"}, ".4s", "[sp"};
    llvm::StringRef widest = target.vectorBytes == 64   ? "%zmm"
                             : target.vectorBytes == 32 ? "%ymm"
                                                        : "%xmm";
    return {'#', {"fmadd", "mulps", "dpbf16ps"}, {"j"}, widest, "(%rsp"};
  }

  bool isJump(llvm::StringRef line) const {
    return llvm::any_of(jumps, [&](llvm::StringRef name) { return line.starts_with(name); });
  }
  bool isMultiply(llvm::StringRef code) const {
    return llvm::any_of(multiplies, [&](llvm::StringRef name) { return code.contains(name); });
  }
  /// Values that an instruction moves between memory and vector registers.
  int vectorsMoved(llvm::StringRef code) const {
    if (comment == '#')
      return code.contains("mm") && code.contains('(');
    code = code.ltrim();
    bool vector = code.contains("\tq") || code.contains("\ts") || code.contains("\td") ||
                  code.contains(".4s");
    if (!(code.contains("[x") || code.contains("[sp")) || !vector)
      return 0;
    return code.starts_with("ldp") || code.starts_with("stp") ? 2 : 1;
  }
  bool isStore(llvm::StringRef code) const {
    return comment == '#' ? code.ends_with(")") : code.ltrim().starts_with("st");
  }
};

// Innermost loops that multiply. A loop reaches from a label to a jump back to it.
static std::vector<Reduction> reductionsIn(const std::string &assembly, const Syntax &syntax) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(assembly).split(lines, '\n');
  llvm::StringMap<size_t> labels;
  std::vector<Reduction> reductions;
  size_t innermostAfter = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    llvm::StringRef line = lines[i].trim();
    if (line.starts_with(".L") && line.contains(':')) {
      labels[line.take_until([](char c) { return c == ':'; })] = i;
      continue;
    }
    if (!syntax.isJump(line))
      continue;
    llvm::StringRef label = line.substr(std::min(line.size(), line.find(".L")));
    auto found = labels.find(label.take_until([](char c) { return llvm::isSpace(c); }));
    if (found == labels.end() || found->second < innermostAfter)
      continue; // a jump forward, or a loop around another
    innermostAfter = i;
    Reduction loop;
    for (size_t k = found->second; k < i; ++k) {
      llvm::StringRef code = lines[k].split(syntax.comment).first.rtrim();
      bool multiplies = syntax.isMultiply(code);
      loop.multiplies += multiplies;
      loop.narrow += multiplies && !code.contains(syntax.widest) && !code.contains("%tmm");
      int moved = syntax.vectorsMoved(code);
      bool stack =
          code.contains(syntax.stack) || lines[k].contains("Spill") || lines[k].contains("Reload");
      loop.spills += stack ? moved : 0;
      loop.loads += stack || syntax.isStore(code) ? 0 : moved;
    }
    if (loop.multiplies)
      reductions.push_back(loop);
  }
  return reductions;
}

static int spillsIn(const std::vector<Reduction> &reductions) {
  int spills = 0;
  for (const Reduction &loop : reductions)
    spills += loop.spills;
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

class Tiles : public testing::TestWithParam<const char *> {};

TEST_P(Tiles, StayInRegistersAndReuseThem) {
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
        SCOPED_TRACE(testing::Message()
                     << target->name << " tile " << row.vectors << "x" << row.pixels << " in "
                     << rows << " rows, kernel " << kernel);
        std::vector<Reduction> reductions = reductionsIn(code->assembly(), Syntax::of(*target));
        EXPECT_EQ(spillsIn(reductions), 0);
        // Whole tiles; the rests at the edges are smaller and load more for each sum.
        int vectors = row.vectors, pixels = rows * (row.pixels / rows);
        bool whole = false;
        for (const Reduction &loop : reductions) {
          EXPECT_EQ(loop.narrow, 0) << "multiply-adds in narrow registers";
          int steps = loop.multiplies / (vectors * pixels);
          whole |= loop.multiplies % (vectors * pixels) == 0 && steps > 0 &&
                   loop.loads <= steps * (vectors + pixels);
        }
        EXPECT_TRUE(whole) << "no loop with " << vectors * pixels << " multiply-adds for each "
                           << vectors + pixels << " loads";
      }
}
// All tiles of the rows whose factors have 16 bits.
TEST_P(Tiles, OfHalfFloatsStayInRegisters) {
  auto target = TargetDescription::get(GetParam());
  ASSERT_TRUE(target);
  mlir::MLIRContext context;
  int64_t perBlock = 16 / target->lanes(4);
  for (const symc::codegen::ProductRow &product : symc::codegen::productRows()) {
    mlir::Type lhs = product.lhs(&context), rhs = product.rhs(&context);
    if (!rhs.isBF16() && !rhs.isF16())
      continue;
    if (productRowOf(*target, lhs, rhs, layerFor(1, false).columns) != &product)
      continue; // not of this instruction set, or of fewer pixels
    for (const auto &row : product.tiles(*target))
      for (auto [kernel, planar] : {std::pair<int64_t, bool>{1, false}, {3, false}}) {
        if (row.vectors < perBlock)
          continue;
        Layer l = layerFor(kernel, planar);
        l.product = product.name;
        l.columns = std::max<int64_t>(l.columns, row.pixels);
        l.tile = {row.vectors / perBlock, 1, row.pixels};
        auto code = CompiledLayer::compile(l, *target);
        ASSERT_TRUE(code);
        SCOPED_TRACE(testing::Message()
                     << target->name << " " << product.name.str() << " tile " << row.vectors << "x"
                     << row.pixels << ", kernel " << kernel);
        std::vector<Reduction> reductions = reductionsIn(code->assembly(), Syntax::of(*target));
        EXPECT_EQ(spillsIn(reductions), 0);
        bool whole = false;
        int products = row.vectors * row.pixels / std::max(product.matrixPixels, 1);
        for (const Reduction &loop : reductions) {
          EXPECT_EQ(loop.narrow, 0) << "products in narrow registers";
          whole |= loop.multiplies > 0 && loop.multiplies % products == 0;
        }
        EXPECT_TRUE(whole) << "no loop with the tile's products";
      }
  }
}

// Seven reductions in one function, and what they keep for each other lies in scratch.
TEST_P(Tiles, OfStrassensProductStayInRegisters) {
  auto target = TargetDescription::get(GetParam());
  ASSERT_TRUE(target);
  int64_t perBlock = 16 / target->lanes(4);
  for (const auto &row : target->tiles) {
    if (row.vectors < perBlock)
      continue;
    Layer l = layerFor(1, false);
    l.strassen = true;
    l.in = 128;
    l.columns = 2 * row.pixels; // whole tiles only
    l.out = 64 * row.vectors / perBlock;
    l.tile = {row.vectors / perBlock, 1, row.pixels};
    auto code = CompiledLayer::compile(l, *target);
    ASSERT_TRUE(code);
    SCOPED_TRACE(testing::Message()
                 << target->name << " tile " << row.vectors << "x" << row.pixels);
    std::vector<Reduction> reductions = reductionsIn(code->assembly(), Syntax::of(*target));
    EXPECT_EQ(spillsIn(reductions), 0);
    EXPECT_GE(reductions.size(), 7u); // what scales data and results multiplies, too
    for (const Reduction &loop : reductions)
      EXPECT_EQ(loop.narrow, 0) << "multiply-adds in narrow registers";
  }
}

// Of sums over pixels the tiles that are chosen, by channels and by taps, and all of the table.
TEST_P(Tiles, OfSumsOverPixelsStayInRegisters) {
  auto target = TargetDescription::get(GetParam());
  ASSERT_TRUE(target);
  auto check = [&](const Layer &l) {
    auto code = CompiledLayer::compile(l, *target);
    ASSERT_TRUE(code);
    SCOPED_TRACE(testing::Message()
                 << target->name << ": " << l.in << " by " << l.out << " channels, window "
                 << l.kernelRows << ", tile " << (l.tile.empty() ? 0 : l.tile[0]));
    std::vector<Reduction> reductions = reductionsIn(code->assembly(), Syntax::of(*target));
    EXPECT_EQ(spillsIn(reductions), 0);
    EXPECT_FALSE(reductions.empty()) << "no reduction loop recognised";
    for (const Reduction &loop : reductions)
      EXPECT_EQ(loop.narrow, 0) << "multiply-adds in narrow registers";
  };
  for (int64_t kernel : {1, 3, 7})
    for (int64_t in : {3, 20, 64})
      for (int64_t out : {16, 50, 256}) {
        Layer l = layerFor(kernel, in == 3);
        l.weightSums = true;
        l.in = in;
        l.out = out;
        check(l);
      }
  // Winograd's, in one group of tiles and in several: windows, lines, dilated ones.
  struct Window {
    int64_t rows, columns, dilation;
  };
  for (Window window : {Window{3, 3, 1}, {2, 2, 1}, {4, 4, 1}, {1, 3, 1}, {4, 1, 1}, {3, 3, 2}})
    for (int64_t extent : {7, 56})
      for (int64_t out : {16, 50, 256}) {
        if (window.columns != 3 && out == 50)
          continue;
        Layer l = layerFor(3, false);
        l.weightSums = true;
        l.winograd = 4;
        l.kernelRows = window.rows;
        l.kernelColumns = window.columns;
        l.dilation = window.dilation;
        l.rows = l.columns = extent;
        l.out = out;
        check(l);
      }
  int64_t perBlock = 16 / target->lanes(4);
  for (const auto &row : target->tiles) {
    if (row.vectors % perBlock && perBlock % row.vectors)
      continue;
    Layer l = layerFor(3, false);
    l.weightSums = true;
    l.tile = {row.pixels, row.vectors};
    check(l);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Tiles,
                         testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4+bf16",
                                         "x86-64-v4+amx", "armv8-a", "native"));

// The scan sees spills and loads where there must be some.
TEST(Tiles, SpillsAreSeenInATileTooLarge) {
  auto target = TargetDescription::get("x86-64-v3");
  Layer l = layerFor(3, false);
  l.tile = {2, 1, 8}; // 32 accumulators in 16 registers
  auto code = CompiledLayer::compile(l, *target);
  ASSERT_TRUE(code);
  EXPECT_GT(spillsIn(reductionsIn(code->assembly(), Syntax::of(*target))), 0);
}

TEST(Tiles, NarrowRegistersAndLoadsAreSeen) {
  std::vector<Reduction> found = reductionsIn(".LBB0_1:\n"
                                              "\tvbroadcastss\t(%rax), %ymm0\n"
                                              "\tvfmadd231ps\t(%rcx), %ymm0, %ymm1\n"
                                              "\tvmovups\t%ymm2, (%rdx)\n"
                                              "\tjne\t.LBB0_1\n",
                                              Syntax::of(*TargetDescription::get("x86-64-v4")));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].narrow, 1);
  EXPECT_EQ(found[0].loads, 2);
  EXPECT_EQ(found[0].spills, 0);
}

// Winograd's products of whole rows of positions: all tiles, those that lack the last row
// or column, and rests. With 16 registers the factors of the weights' transform may be read
// again for each channel; sums never are.
TEST(Tiles, RowsOfPositionsStayInRegisters) {
  constexpr int transformLoads = 8; // loops that load no more are transforms
  for (const char *name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    for (int64_t extent : {5, 7, 14})
      for (bool onTheFly : {true, false}) {
        auto target = TargetDescription::get(name);
        if (!onTheFly && target->vectorRegisters < 32)
          continue; // tiles of pixels as everywhere
        int factors = onTheFly && target->vectorRegisters < 32 ? 2 : 0;
        Layer l = layerFor(onTheFly ? 3 : 4, false);
        l.padRows = l.padColumns = 1;
        l.rows = l.columns = onTheFly ? extent : extent + 1;
        l.out = 32;
        l.winograd = onTheFly ? 4 : 3;
        l.onTheFly = onTheFly;
        auto code = CompiledLayer::compile(l, *target);
        ASSERT_TRUE(code);
        int products = 0;
        for (const Reduction &loop : reductionsIn(code->assembly(), Syntax::of(*target))) {
          if (loop.loads <= transformLoads)
            continue;
          ++products;
          EXPECT_LE(loop.spills, factors)
              << name << " " << extent << (onTheFly ? " on the fly" : " space-to-depth");
          EXPECT_EQ(loop.narrow, 0)
              << name << " " << extent << (onTheFly ? " on the fly" : " space-to-depth");
        }
        EXPECT_GT(products, 0) << name << " " << extent
                               << (onTheFly ? " on the fly" : " space-to-depth");
      }
}

TEST(Tiles, DepthwiseStaysInRegisters) {
  for (const char *name : {"x86-64-v2", "x86-64-v3", "x86-64-v4", "armv8-a"})
    for (auto [kernel, group] : {std::pair<int64_t, int64_t>{3, 1}, {5, 1}, {3, 4}, {3, 8}})
      for (int64_t stride : {1, 2}) {
        auto target = TargetDescription::get(name);
        Layer l = layerFor(kernel, false);
        l.out = l.in;
        l.depthwise = true;
        l.group = group;
        l.residual = false;
        l.stride = stride;
        auto code = CompiledLayer::compile(l, *target);
        ASSERT_TRUE(code);
        std::vector<Reduction> reductions = reductionsIn(code->assembly(), Syntax::of(*target));
        EXPECT_EQ(spillsIn(reductions), 0)
            << name << " window " << kernel << " group " << group << " stride " << stride;
        EXPECT_FALSE(reductions.empty()) << "no reduction loop recognised";
        for (const Reduction &loop : reductions)
          EXPECT_EQ(loop.narrow, 0)
              << name << " window " << kernel << " group " << group << " stride " << stride;
      }
}
