// WinogradWeightsTest.cpp: kernel.winograd_weights beside sums in f64: windows of 2 to 4 taps along
// both axes and along one, dilations, edges, channels that fill no block, chunks of images and of
// rows, slots of several chunks, and lanes and pixels beyond the layer that hold NaN. However a
// step is cut, and by whichever tile, its bits are the same.
#include "ProgramRunner.h"

#include "codegen/conv/winograd/WinogradWeights.h"
#include <cmath>
#include <random>

using namespace symc::test;
using namespace symc::codegen;
using symc::kernel::WinogradWeightsShape;

namespace {

struct Case {
  int64_t images, inputs, rows, columns, outputs;
  int64_t mostSlots = 16;
  int64_t kh = 3, kw = 3, dh = 1, dw = 1;

  int64_t dataRows() const { return rows + (kh - 1) * dh; }
  int64_t dataColumns() const { return columns + (kw - 1) * dw; }
  int64_t taps() const { return kh * kw; }
};

/// How the step is cut; 0: as the model does.
struct Cut {
  int64_t tiles = 0, in = 1, out = 1, slots = 1;
  const char *tile = "";
};

std::string list(std::vector<int64_t> values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return "array<i64: " + text + ">";
}

struct Problem {
  const Case &c;
  ViewText data, slope;
  WinogradWeightsShape shape;

  explicit Problem(const Case &c) : c(c) {
    int64_t ib = (c.inputs + 15) / 16, ob = (c.outputs + 15) / 16;
    int64_t h = c.dataRows() + 1, w = c.dataColumns() + 2; // a border that nothing reads
    data = {{c.images, ib, c.dataRows(), c.dataColumns(), 16},
            {ib * h * w * 16, h * w * 16, w * 16, 16, 1},
            0};
    int64_t hh = c.rows + 2, ww = c.columns + 2;
    slope = {{c.images, ob, c.rows, c.columns, 16},
             {ob * hh * ww * 16, hh * ww * 16, ww * 16, 16, 1},
             (ww + 1) * 16};
    shape.window[0] = c.kh;
    shape.window[1] = c.kw;
    shape.dilations[0] = c.dh;
    shape.dilations[1] = c.dw;
    shape.blockWidth = 16;
    shape.images = c.images;
    shape.rows = c.rows;
    shape.columns = c.columns;
    shape.inChannels = c.inputs;
    shape.outChannels = c.outputs;
    shape.perSlot = shape.chunks().perSlot(c.mostSlots);
  }

  int64_t dataFlat() const { return c.images * data.strides[0]; }
  int64_t slopeFlat() const { return c.images * slope.strides[0]; }
  std::vector<int64_t> sums() const {
    return {shape.slots(),
            1 + int64_t(llvm::Log2_64(shape.perSlot)),
            shape.outBlocks(),
            c.inputs,
            c.kh,
            c.kw,
            16};
  }
  int64_t sumElements() const {
    int64_t count = 1;
    for (int64_t extent : sums())
      count *= extent;
    return count;
  }

  std::string program(const Cut &cut, const std::string &isa) {
    WinogradWeightsShape s = shape;
    if (cut.tiles == 0) {
      s = cutWinogradWeights(shape, *TargetDescription::get(isa));
    } else {
      s.tilesAtOnce = cut.tiles;
      s.inBlocksOfTask = s.inBlocksSummed = cut.in;
      s.outBlocksOfTask = s.outBlocksSummed = cut.out;
      s.slotsOfTask = cut.slots;
      if (s.isOneGroup())
        s.inBlocksSummed = 1;
    }
    std::string type = "memref<";
    for (int64_t extent : sums())
      type += std::to_string(extent) + "x";
    type += "f32>";
    std::string rows = std::to_string(s.tasks()),
                scratch = "memref<" + rows + "x" + std::to_string(s.scratchElements()) + "xf32>";
    // What marks rows as taken is shared by all steps, and zero between them.
    return "kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {\n^bb0(%a: memref<" +
           std::to_string(dataFlat()) + "xf32>, %b: memref<" + std::to_string(slopeFlat()) +
           "xf32>, %n: memref<16x16xi32>, %s: " + type + "):\n" +
           data.define("%x", "%a", dataFlat(), "f32") +
           slope.define("%g", "%b", slopeFlat(), "f32") + "  %m = kernel.buffer() : " + scratch +
           "\n  kernel.winograd_weights data(%x : " + data.type("f32") +
           ") slope(%g : " + slope.type("f32") + ") sums(%s : " + type +
           ") scratch(%m : " + scratch +
           ", %n : memref<16x16xi32>) {in_channels = " + std::to_string(c.inputs) +
           " : i64, out_channels = " + std::to_string(c.outputs) +
           " : i64, per_slot = " + std::to_string(s.perSlot) +
           " : i64, block = " + list({s.tilesAtOnce, s.inBlocksOfTask, s.outBlocksOfTask}) +
           ", together = " + list({s.inBlocksSummed, s.outBlocksSummed}) +
           ", slots_of_task = " + std::to_string(s.slotsOfTask) + " : i64" + cut.tile +
           "}\n  kernel.end\n}\n";
  }

  /// The gradient of each weight, row-major; nothing after a failed expectation.
  std::vector<float> run(const Cut &cut, const std::string &isa, GuardedBytes &x, GuardedBytes &g) {
    std::string text = program(cut, isa);
    auto compiled = CompiledProgram::compile(text, isa);
    EXPECT_TRUE(compiled) << text;
    if (!compiled)
      return {};
    GuardedBytes words(16 * 16 * 4), out(sumElements() * 4);
    std::fill_n(words.as<int32_t>(), 16 * 16, 0);
    std::fill_n(out.as<float>(), sumElements(), NAN);
    EXPECT_EQ(compiled->run({x.data(), g.data(), words.data(), out.data()}), 0);
    for (int i = 0; i < 16 * 16; ++i)
      EXPECT_EQ(words.as<int32_t>()[i], 0) << "a row of scratch stays taken";
    std::vector<float> result;
    int64_t slot = sumElements() / shape.slots();
    forIndices({c.outputs, c.inputs, c.taps()}, [&](const auto &i) {
      double sum = 0;
      for (int64_t s = 0; s < shape.slots(); ++s)
        sum += out.as<float>()[s * slot + (((i[0] / 16) * c.inputs + i[1]) * c.taps() + i[2]) * 16 +
                               i[0] % 16];
      result.push_back(sum);
    });
    return result;
  }

  void draw(GuardedBytes &x, GuardedBytes &g, bool positive) const {
    std::mt19937 random(c.inputs * 31 + c.rows);
    std::normal_distribution<float> normal;
    auto next = [&] {
      float value = normal(random);
      return positive ? std::abs(value) : value;
    };
    std::fill_n(x.as<float>(), dataFlat(), NAN);
    std::fill_n(g.as<float>(), slopeFlat(), NAN);
    forIndices(data.sizes, [&](const auto &i) {
      if (i[1] * 16 + i[4] < c.inputs)
        x.as<float>()[data.at(i)] = next();
    });
    forIndices(slope.sizes, [&](const auto &i) {
      if (i[1] * 16 + i[4] < c.outputs)
        g.as<float>()[slope.at(i)] = next();
    });
  }

  std::vector<double> exact(GuardedBytes &x, GuardedBytes &g) const {
    std::vector<double> sums(c.outputs * c.inputs * c.taps());
    forIndices({c.images, c.rows, c.columns}, [&](const auto &p) {
      for (int64_t o = 0; o < c.outputs; ++o) {
        double s = g.as<float>()[slope.at({p[0], o / 16, p[1], p[2], o % 16})];
        for (int64_t i = 0; i < c.inputs; ++i)
          for (int64_t tap = 0; tap < c.taps(); ++tap)
            sums[(o * c.inputs + i) * c.taps() + tap] +=
                s * x.as<float>()[data.at({p[0], i / 16, p[1] + tap / c.kw * c.dh,
                                           p[2] + tap % c.kw * c.dw, i % 16})];
      }
    });
    return sums;
  }
};

const Case cases[] = {
    {2, 20, 8, 8, 50},
    {3, 17, 5, 7, 33},
    {1, 1, 1, 1, 1},
    {2, 33, 6, 13, 17},
    {16, 16, 7, 7, 40},
    {5, 3, 1, 9, 16},
    {3, 40, 14, 2, 70},
    // Chunks of 15 images; of 60 and 5 rows; slots of 4 and 2 chunks, the last one less full.
    {70, 4, 16, 16, 5},
    {3, 2, 65, 65, 18},
    {11, 1, 65, 65, 3, 8},
    {7, 2, 65, 64, 2, 4},
    // Two and four taps along both axes.
    {2, 20, 11, 9, 50, 16, 2, 2},
    {5, 17, 10, 15, 33, 16, 2, 2},
    {2, 20, 9, 7, 50, 16, 4, 4},
    {3, 33, 12, 6, 17, 16, 4, 4},
    // Lines.
    {3, 20, 1, 50, 33, 16, 1, 3},
    {2, 17, 13, 5, 16, 16, 3, 1},
    {2, 33, 3, 21, 40, 16, 1, 2},
    {2, 5, 8, 4, 20, 16, 4, 1},
    {3, 2, 1, 5000, 18, 2, 1, 3},
    // Dilations that divide the image, do not, and leave places modulo them without pixels in a
    // chunk.
    {2, 20, 8, 12, 33, 16, 3, 3, 2, 2},
    {3, 17, 7, 9, 20, 16, 3, 3, 2, 4},
    {2, 3, 5, 5, 16, 16, 3, 3, 4, 5},
    {2, 2, 67, 64, 3, 16, 3, 3, 2, 3},
    {2, 1, 9, 4000, 2, 16, 3, 3, 3, 2},
    {2, 20, 7, 11, 17, 16, 2, 2, 3, 2},
    {2, 20, 5, 23, 17, 16, 1, 3, 1, 4},
    {2, 20, 9, 5, 17, 16, 4, 1, 2, 1},
};

class WinogradWeights : public testing::TestWithParam<std::tuple<Case, const char *>> {};

TEST_P(WinogradWeights, IsWithinItsBound) {
  auto [c, isa] = GetParam();
  if (!runsHere(isa))
    GTEST_SKIP() << "this machine cannot run " << isa;
  Problem p(c);
  const double bound = winogradWeightsError(TargetDescription::get(isa)->fma);
  for (bool positive : {false, true}) {
    GuardedBytes x(p.dataFlat() * 4), g(p.slopeFlat() * 4);
    p.draw(x, g, positive);
    std::vector<float> got = p.run({}, isa, x, g);
    std::vector<double> wanted = p.exact(x, g);
    ASSERT_EQ(got.size(), wanted.size());
    int64_t each = c.inputs * c.taps();
    for (int64_t o = 0; o < c.outputs; ++o) {
      double largest = 0, error = 0;
      for (int64_t k = o * each; k < (o + 1) * each; ++k) {
        largest = std::max(largest, std::abs(wanted[k]));
        error = std::isnan(got[k]) ? INFINITY : std::max(error, std::abs(got[k] - wanted[k]));
      }
      ASSERT_LE(error, bound / 2 * largest) << "output " << o;
    }
  }
}

TEST_P(WinogradWeights, HasTheBitsOfEveryCut) {
  auto [c, isa] = GetParam();
  if (!runsHere(isa))
    GTEST_SKIP() << "this machine cannot run " << isa;
  Problem p(c);
  GuardedBytes x(p.dataFlat() * 4), g(p.slopeFlat() * 4);
  p.draw(x, g, false);
  std::vector<float> first = p.run({}, isa, x, g);
  int64_t tiles = p.shape.tilesOfChunk(), ins = p.shape.inBlocks(), outs = p.shape.outBlocks();
  const Cut cuts[] = {{tiles, ins, outs, 1, ""},
                      {tiles, 1, outs, 2, ", tile = array<i64: 5, 1>"},
                      {std::max<int64_t>(1, tiles / 3), ins, 1, 1, ", tile = array<i64: 16, 1>"},
                      {3, 1, outs, 16, ", tile = array<i64: 4, 2>"}};
  for (const Cut &cut : cuts) {
    WinogradWeightsShape s = p.shape;
    s.inBlocksOfTask = cut.in;
    s.outBlocksOfTask = cut.out;
    s.slotsOfTask = cut.slots;
    if (s.tasks() <= 16)
      ASSERT_EQ(p.run(cut, isa, x, g), first) << cut.tiles << " tiles, " << cut.in << " blocks";
  }
}

INSTANTIATE_TEST_SUITE_P(Layers, WinogradWeights,
                         testing::Combine(testing::ValuesIn(cases),
                                          testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4")),
                         [](const auto &info) {
                           return "case" + std::to_string(info.index / 3) + "_v" +
                                  std::string(std::get<1>(info.param)).back();
                         });

} // namespace
