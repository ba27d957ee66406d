// ConvWeightsTest.cpp: kernel.conv_weights and kernel.join_sums beside plain loops, bit for bit, in
// the order that they promise: chains over chunks of pixels, which a tree of neighbours adds. Over
// blocks and planar images, with strides, dilations and borders, channels that fill no block,
// chunks of images and of rows, slots of several chunks, and lanes beyond the channels that hold
// NaN. Sums are within the bound that the step states.
#include "ProgramRunner.h"

#include "codegen/kernel/PixelChunks.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace symc::test;
using symc::kernel::PixelChunks;

namespace {

struct Case {
  int64_t images, inputs, rows, columns, outputs, kh, kw, sh, sw, dh, dw;
  bool planar;
  int64_t border; // of slope's buffer
  int64_t mostSlots;
  const char *attributes; // tile and strip; empty: chosen

  int64_t dataRows() const { return (rows - 1) * sh + (kh - 1) * dh + 1; }
  int64_t dataColumns() const { return (columns - 1) * sw + (kw - 1) * dw + 1; }
};

std::string list(std::vector<int64_t> values) {
  std::string text = "array<i64: ";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + ">";
}

std::string rowMajor(std::vector<int64_t> sizes) {
  std::string text = "memref<";
  for (int64_t size : sizes)
    text += std::to_string(size) + "x";
  return text + "f32>";
}

struct Problem {
  const Case &c;
  int64_t ib, ob, lanes;
  ViewText data, slope;
  PixelChunks chunks;
  int64_t perSlot;
  std::vector<int64_t> sums;

  explicit Problem(const Case &c) : c(c) {
    int64_t h = c.dataRows() + 1, w = c.dataColumns() + 2;
    lanes = c.planar ? c.inputs : 16;
    ib = c.planar ? 1 : (c.inputs + 15) / 16;
    ob = (c.outputs + 15) / 16;
    data.sizes = {c.images, ib, h, w, lanes};
    data.strides = c.planar ? std::vector<int64_t>{c.inputs * h * w, 1, w, 1, h * w}
                            : std::vector<int64_t>{ib * h * w * 16, h * w * 16, w * 16, 16, 1};
    int64_t hh = c.rows + 2 * c.border, ww = c.columns + 2 * c.border;
    slope = {{c.images, ob, c.rows, c.columns, 16},
             {ob * hh * ww * 16, hh * ww * 16, ww * 16, 16, 1},
             c.border * (ww + 1) * 16};
    chunks = PixelChunks::of(c.images, c.rows, c.columns);
    perSlot = chunks.perSlot(c.mostSlots);
    sums = {(chunks.count + perSlot - 1) / perSlot,
            1 + int64_t(llvm::Log2_64(perSlot)),
            ob,
            c.inputs,
            c.kh,
            c.kw,
            16};
  }

  int64_t slopeFlat() const {
    return c.images * ob * (c.rows + 2 * c.border) * (c.columns + 2 * c.border) * 16;
  }
  int64_t rowsOfOutput() const { return c.inputs * c.kh * c.kw; }

  std::string program() const {
    std::string sumsType = rowMajor(sums), out = rowMajor({c.outputs, rowsOfOutput()});
    int64_t block = rowsOfOutput() * 16;
    ViewText joined{{sums[0], ob, rowsOfOutput(), 16}, {sums[1] * ob * block, block, 16, 1}, 0};
    return "kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {\n^bb0(%a: memref<" +
           std::to_string(data.flatSize()) + "xf32>, %b: memref<" + std::to_string(slopeFlat()) +
           "xf32>, %o: " + out + "):\n" + data.define("%x", "%a", data.flatSize(), "f32") +
           slope.define("%g", "%b", slopeFlat(), "f32") + "  %s = kernel.buffer() : " + sumsType +
           "\n  kernel.conv_weights data(%x : " + data.type("f32") +
           ") slope(%g : " + slope.type("f32") + ") sums(%s : " + sumsType +
           ") {kernel = " + list({c.kh, c.kw}) + ", strides = " + list({c.sh, c.sw}) +
           ", dilations = " + list({c.dh, c.dw}) + ", in_channels = " + std::to_string(c.inputs) +
           " : i64, out_channels = " + std::to_string(c.outputs) +
           " : i64, per_slot = " + std::to_string(perSlot) + " : i64" + c.attributes + "}\n" +
           "  %j = memref.reinterpret_cast %s to offset: [0], sizes: [" + numbers(joined.sizes) +
           "], strides: [" + numbers(joined.strides) + "] : " + sumsType + " to " +
           joined.type("f32") + "\n  kernel.join_sums %j to %o : " + joined.type("f32") + " to " +
           out + "\n  kernel.end\n}\n";
  }

  static std::string numbers(const std::vector<int64_t> &values) {
    std::string text;
    for (int64_t value : values)
      text += (text.empty() ? "" : ", ") + std::to_string(value);
    return text;
  }

  // One chunk's chain, and the absolute sum of its terms.
  float chain(const float *x, const float *g, int64_t chunk, int64_t o, int64_t i, int64_t y,
              int64_t k, bool fused, double &absolute, double &exact) const {
    int64_t image = chunks.perImage == 1 ? chunk * chunks.images : chunk / chunks.perImage;
    int64_t last = chunks.perImage == 1 ? std::min(image + chunks.images, c.images) : image + 1;
    int64_t first = chunks.perImage == 1 ? 0 : chunk % chunks.perImage * chunks.rows;
    int64_t end = std::min(first + chunks.rows, c.rows);
    float sum = 0;
    for (; image < last; ++image)
      for (int64_t row = first; row < end; ++row)
        for (int64_t column = 0; column < c.columns; ++column) {
          float a = x[data.at(
              {image, i / lanes, row * c.sh + y * c.dh, column * c.sw + k * c.dw, i % lanes})];
          float b = g[slope.at({image, o / 16, row, column, o % 16})];
          volatile float product = a * b;
          sum = fused ? std::fma(a, b, sum) : sum + product;
          exact += double(a) * b;
          absolute += std::abs(double(a) * b);
        }
    return sum;
  }

  // Level by level: pairs of neighbours become one, an odd one stays.
  static float tree(std::vector<float> values) {
    while (values.size() > 1) {
      std::vector<float> next;
      for (size_t i = 0; i < values.size(); i += 2)
        next.push_back(i + 1 < values.size() ? values[i] + values[i + 1] : values[i]);
      values = next;
    }
    return values[0];
  }
};

class ConvWeights : public testing::TestWithParam<std::tuple<Case, const char *>> {};

TEST_P(ConvWeights, EqualsChainsOverChunks) {
  auto [c, isa] = GetParam();
  if (!runsHere(isa))
    GTEST_SKIP() << "this machine cannot run " << isa;
  Problem p(c);
  auto program = CompiledProgram::compile(p.program(), isa);
  ASSERT_TRUE(program) << p.program();
  std::mt19937 random(c.inputs * 31 + c.rows);
  std::normal_distribution<float> normal;
  GuardedBytes x(p.data.flatSize() * 4), g(p.slopeFlat() * 4),
      out(c.outputs * p.rowsOfOutput() * 4);
  std::fill_n(x.as<float>(), p.data.flatSize(), NAN);
  std::fill_n(g.as<float>(), p.slopeFlat(), NAN);
  forIndices(p.data.sizes, [&](const auto &i) {
    if (i[1] * p.lanes + i[4] < c.inputs && i[2] < c.dataRows() && i[3] < c.dataColumns())
      x.as<float>()[p.data.at(i)] = normal(random);
  });
  forIndices(p.slope.sizes, [&](const auto &i) {
    if (i[1] * 16 + i[4] < c.outputs)
      g.as<float>()[p.slope.at(i)] = normal(random);
  });
  ASSERT_EQ(program->run({x.data(), g.data(), out.data()}), 0);
  auto target = symc::codegen::TargetDescription::get(isa);
  int64_t pixels = c.images * c.rows * c.columns;
  double steps = std::min<int64_t>(pixels, 4096) + std::ceil(std::log2(p.chunks.count));
  forIndices({c.outputs, c.inputs, c.kh, c.kw}, [&](const auto &i) {
    // Every sum of small layers, some of large ones.
    if (pixels > 2000 && (i[0] * 7 + i[1] * 5 + i[2] * 3 + i[3]) % 11)
      return;
    double absolute = 0, exact = 0;
    std::vector<float> chains;
    for (int64_t chunk = 0; chunk < p.chunks.count; ++chunk)
      chains.push_back(p.chain(x.as<float>(), g.as<float>(), chunk, i[0], i[1], i[2], i[3],
                               target->fma, absolute, exact));
    float got = out.as<float>()[i[0] * p.rowsOfOutput() + (i[1] * c.kh + i[2]) * c.kw + i[3]];
    ASSERT_EQ(got, Problem::tree(chains)) << i[0] << ", " << i[1] << ", " << i[2] << ", " << i[3];
    ASSERT_LE(std::abs(got - exact), (target->fma ? 1 : 2) * steps * std::pow(2.0, -24) * absolute);
  });
}

const Case cases[] = {
    {2, 20, 8, 8, 50, 5, 5, 1, 1, 1, 1, false, 0, 16, ""},
    {3, 17, 5, 7, 33, 3, 3, 2, 2, 1, 1, false, 1, 16, ""},
    {2, 50, 6, 5, 17, 3, 2, 1, 2, 2, 1, false, 2, 16, ""},
    {1, 3, 9, 40, 20, 7, 7, 2, 2, 1, 1, true, 0, 16, ""},
    {4, 1, 24, 24, 20, 5, 5, 1, 1, 1, 1, true, 1, 16, ""},
    {2, 3, 11, 6, 9, 1, 1, 1, 1, 1, 1, true, 0, 16, ""},
    {1, 3, 1, 5, 3, 11, 11, 1, 1, 1, 1, false, 0, 16, ""},
    {150, 33, 1, 1, 65, 1, 1, 1, 1, 1, 1, false, 0, 16, ""},
    // Chunks of 15 images; of 60 and 5 rows; slots of 4 and 2 chunks, the last one of them less
    // full.
    {70, 4, 16, 16, 5, 2, 1, 1, 1, 1, 1, false, 0, 16, ""},
    {3, 2, 65, 65, 18, 1, 3, 1, 1, 1, 1, true, 0, 16, ""},
    {11, 1, 65, 65, 3, 1, 2, 1, 1, 1, 1, true, 0, 8, ""},
    {7, 2, 65, 64, 2, 2, 1, 1, 1, 1, 1, false, 0, 4, ""},
    {2, 1, 3, 5000, 2, 1, 1, 1, 1, 1, 1, true, 0, 3, ""},
    // Strips of an image, of some and of rows; tiles of channels where taps would be chosen.
    {5, 20, 9, 8, 24, 3, 3, 1, 1, 1, 1, false, 0, 16, ", strip = array<i64: 2, 9>"},
    {5, 20, 9, 8, 24, 3, 3, 1, 1, 1, 1, false, 0, 16, ", strip = array<i64: 1, 4>"},
    {20, 2, 65, 64, 20, 3, 1, 1, 1, 1, 1, false, 1, 4, ", strip = array<i64: 1, 7>"},
    {2, 19, 7, 6, 40, 3, 3, 1, 1, 1, 1, false, 0, 16, ", tile = array<i64: 4, 2>, taps"},
    {2, 19, 7, 6, 40, 3, 3, 1, 1, 1, 1, false, 0, 16, ", tile = array<i64: 5, 4>"},
};

INSTANTIATE_TEST_SUITE_P(Layers, ConvWeights,
                         testing::Combine(testing::ValuesIn(cases),
                                          testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4")),
                         [](const auto &info) {
                           return "case" + std::to_string(info.index / 3) + "_v" +
                                  std::string(std::get<1>(info.param)).back();
                         });

} // namespace
