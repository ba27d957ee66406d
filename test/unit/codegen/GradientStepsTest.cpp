// GradientStepsTest.cpp: kernel.pool_gradient, kernel.pool_places and kernel.depthwise_weights
// beside plain loops, bit for bit, on images in blocks of channels: windows that overlap, leave
// gaps, reach beyond the image, hold equal maxima and NaN; chunks of pixels and slots of several.
#include "ProgramRunner.h"

#include "codegen/kernel/PixelChunks.h"
#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace symc::test;
using symc::kernel::PixelChunks;

namespace {

std::string list(std::vector<int64_t> values) {
  std::string text = "array<i64: ";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + ">";
}

// Images in blocks inside of a border.
ViewText blocked(int64_t n, int64_t blocks, int64_t h, int64_t w, int64_t border) {
  int64_t hh = h + 2 * border, ww = w + 2 * border;
  return {{n, blocks, h, w, 16},
          {blocks * hh * ww * 16, hh * ww * 16, ww * 16, 16, 1},
          border * (ww + 1) * 16};
}
int64_t flatOf(int64_t n, int64_t blocks, int64_t h, int64_t w, int64_t border) {
  return n * blocks * (h + 2 * border) * (w + 2 * border) * 16;
}
std::string flat(int64_t elements) { return "memref<" + std::to_string(elements) + "xf32>"; }

struct PoolCase {
  const char *kind;
  int64_t n, blocks, h, w, oh, ow, kh, kw, sh, sw, pt, pl, pb, pr;
  bool includePad;
  int64_t border; // of out
  bool byPlaces = false;
};

class PoolGradient : public testing::TestWithParam<std::tuple<PoolCase, const char *>> {};

TEST_P(PoolGradient, EqualsPlainLoops) {
  auto [c, isa] = GetParam();
  if (!runsHere(isa))
    GTEST_SKIP() << "this machine cannot run " << isa;
  bool max = c.kind == std::string("max");
  ViewText data = blocked(c.n, c.blocks, c.h, c.w, 0),
           slope = blocked(c.n, c.blocks, c.oh, c.ow, 0),
           out = blocked(c.n, c.blocks, c.h, c.w, c.border);
  int64_t dataFlat = flatOf(c.n, c.blocks, c.h, c.w, 0),
          slopeFlat = flatOf(c.n, c.blocks, c.oh, c.ow, 0),
          outFlat = flatOf(c.n, c.blocks, c.h, c.w, c.border);
  std::string bytes = "memref<" + std::to_string(c.n) + "x" + std::to_string(c.blocks) + "x" +
                      std::to_string(c.oh) + "x" + std::to_string(c.ow) + "x16xi8>";
  std::string ins = c.byPlaces ? "%p : " + bytes
                    : max      ? "%x, %r : " + data.type("f32") + ", " + slope.type("f32")
                               : "";
  std::string window = "{kernel = " + list({c.kh, c.kw}) + ", strides = " + list({c.sh, c.sw}) +
                       ", pad = " + padding(c.pt, c.pb, c.pl, c.pr);
  std::string find = c.byPlaces ? "  %p = kernel.buffer() : " + bytes +
                                      "\n  kernel.pool_places data(%x : " + data.type("f32") +
                                      ") result(%r : " + slope.type("f32") +
                                      ") places(%p : " + bytes + ") " + window + "}\n"
                                : "";
  std::string text =
      "kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {\n^bb0(%a: " +
      flat(dataFlat) + ", %b: " + flat(slopeFlat) + ", %c: " + flat(slopeFlat) +
      ", %o: " + flat(outFlat) + "):\n" + data.define("%x", "%a", dataFlat, "f32") +
      slope.define("%r", "%b", slopeFlat, "f32") + slope.define("%g", "%c", slopeFlat, "f32") +
      out.define("%y", "%o", outFlat, "f32") + find + "  kernel.pool_gradient \"" + c.kind +
      "\" slope(%g : " + slope.type("f32") + ") ins(" + ins + ") out(%y : " + out.type("f32") +
      ") " + window + ", count_include_pad = " + (c.includePad ? "true" : "false") +
      "}\n  kernel.end\n}\n";
  auto program = CompiledProgram::compile(text, isa);
  ASSERT_TRUE(program) << text;
  GuardedBytes x(dataFlat * 4), r(slopeFlat * 4), g(slopeFlat * 4), y(outFlat * 4);
  std::mt19937 random(c.h);
  for (int64_t i = 0; i < dataFlat; ++i)
    x.as<float>()[i] = float(random() % 7) - 3; // equal ones
  x.as<float>()[5] = NAN;
  for (int64_t i = 0; i < slopeFlat; ++i)
    g.as<float>()[i] = i % 11 ? float(random() % 1000) / 7 - 60 : -0.0f;
  std::fill_n(y.as<float>(), outFlat, -777.0f);
  std::vector<float> expected(dataFlat, 0.0f);
  forIndices(slope.sizes, [&](const auto &i) {
    int64_t top = i[2] * c.sh - c.pt, left = i[3] * c.sw - c.pl;
    int64_t y0 = std::max<int64_t>(top, 0), y1 = std::min(top + c.kh, c.h),
            x0 = std::max<int64_t>(left, 0), x1 = std::min(left + c.kw, c.w);
    auto at = [&](int64_t row, int64_t column) { return data.at({i[0], i[1], row, column, i[4]}); };
    float &result = r.as<float>()[slope.at(i)];
    result = -FLT_MAX;
    for (int64_t row = y0; row < y1; ++row)
      for (int64_t column = x0; column < x1; ++column)
        result = x.as<float>()[at(row, column)] > result ? x.as<float>()[at(row, column)] : result;
    int64_t count = (y1 - y0) * (x1 - x0);
    if (c.includePad)
      count = (std::min(top + c.kh, c.h + c.pb) - top) * (std::min(left + c.kw, c.w + c.pr) - left);
    float given = g.as<float>()[slope.at(i)];
    if (c.kind == std::string("avg"))
      given /= float(count);
    bool done = false;
    for (int64_t row = y0; row < y1; ++row)
      for (int64_t column = x0; column < x1; ++column) {
        if (max && (done || x.as<float>()[at(row, column)] != result))
          continue;
        expected[at(row, column)] += given;
        done = true;
      }
  });
  ASSERT_EQ(program->run({x.data(), r.data(), g.data(), y.data()}), 0);
  std::vector<bool> written(outFlat, false);
  forIndices(data.sizes, [&](const auto &i) {
    float got = y.as<float>()[out.at(i)], wanted = expected[data.at(i)];
    written[out.at(i)] = true;
    ASSERT_EQ(std::memcmp(&got, &wanted, 4), 0)
        << got << " for " << wanted << " at " << i[2] << ", " << i[3] << " of\n"
        << text;
  });
  for (int64_t i = 0; i < outFlat; ++i)
    if (!written[i])
      ASSERT_EQ(y.as<float>()[i], -777.0f) << "outside of the view: " << i;
}

const PoolCase pools[] = {
    {"max", 2, 2, 8, 6, 4, 3, 2, 2, 2, 2, 0, 0, 0, 0, false, 1},
    {"max", 1, 2, 13, 12, 7, 6, 3, 3, 2, 2, 1, 1, 1, 1, false, 0},
    {"max", 1, 1, 7, 9, 3, 4, 2, 2, 2, 2, 0, 0, 0, 0, false, 2}, // rows and columns of no window
    {"max", 1, 1, 9, 9, 4, 4, 2, 1, 3, 2, 0, 0, 3, 0, false, 0}, // gaps
    {"max", 1, 1, 3, 3, 3, 3, 5, 5, 1, 1, 2, 2, 2, 2, false, 0}, // windows larger than the image
    {"max", 1, 1, 5, 5, 3, 3, 2, 2, 2, 2, 0, 0, 1, 1, false, 0}, // the last ones reach beyond it
    {"max", 1, 1, 10, 11, 1, 1, 10, 11, 1, 1, 0, 0, 0, 0, false, 0},
    {"max", 2, 2, 8, 6, 4, 3, 2, 2, 2, 2, 0, 0, 0, 0, false, 1, true},
    {"max", 1, 2, 13, 12, 7, 6, 3, 3, 2, 2, 1, 1, 1, 1, false, 0, true},
    {"max", 1, 1, 3, 3, 3, 3, 5, 5, 1, 1, 2, 2, 2, 2, false, 0, true},
    {"max", 1, 1, 5, 5, 3, 3, 2, 2, 2, 2, 0, 0, 1, 1, false, 0, true},
    {"max", 1, 1, 15, 17, 1, 1, 15, 17, 1, 1, 0, 0, 0, 0, false, 0, true}, // the largest window
    {"avg", 2, 3, 7, 7, 1, 1, 7, 7, 1, 1, 0, 0, 0, 0, true, 1},
    {"avg", 1, 2, 9, 8, 9, 8, 3, 3, 1, 1, 1, 1, 1, 1, true, 0},
    {"avg", 1, 1, 9, 8, 9, 8, 3, 3, 1, 1, 1, 1, 1, 1, false, 0},
    {"avg", 1, 1, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 0, 0, false, 0},
    {"sum", 1, 1, 6, 11, 2, 5, 2, 5, 3, 2, 0, 2, 1, 2, false, 0},
};
INSTANTIATE_TEST_SUITE_P(Windows, PoolGradient,
                         testing::Combine(testing::ValuesIn(pools),
                                          testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4")),
                         [](const auto &info) {
                           return "case" + std::to_string(info.index / 3) + "_v" +
                                  std::string(std::get<1>(info.param)).back();
                         });

struct SumsCase {
  int64_t n, blocks, rows, columns, kh, kw, sh, sw, dh, dw, mostSlots, group;
};

class DepthwiseWeights : public testing::TestWithParam<std::tuple<SumsCase, const char *>> {};

TEST_P(DepthwiseWeights, EqualsChainsOverChunks) {
  auto [c, isa] = GetParam();
  if (!runsHere(isa))
    GTEST_SKIP() << "this machine cannot run " << isa;
  int64_t h = (c.rows - 1) * c.sh + (c.kh - 1) * c.dh + 1,
          w = (c.columns - 1) * c.sw + (c.kw - 1) * c.dw + 1;
  ViewText data = blocked(c.n, c.blocks, h, w, 0),
           slope = blocked(c.n, c.blocks, c.rows, c.columns, 1);
  int64_t dataFlat = flatOf(c.n, c.blocks, h, w, 0),
          slopeFlat = flatOf(c.n, c.blocks, c.rows, c.columns, 1);
  auto chunks = PixelChunks::of(c.n, c.rows, c.columns);
  int64_t perSlot = chunks.perSlot(c.mostSlots), slots = (chunks.count + perSlot - 1) / perSlot,
          levels = 1 + llvm::Log2_64(perSlot), taps = c.group * c.kh * c.kw;
  std::string sums = "memref<" + std::to_string(slots) + "x" + std::to_string(levels) + "x" +
                     std::to_string(c.blocks) + "x" + std::to_string(c.group) + "x" +
                     std::to_string(c.kh) + "x" + std::to_string(c.kw) + "x16xf32>";
  ViewText joined{
      {slots, c.blocks, taps, 16}, {levels * c.blocks * taps * 16, taps * 16, 16, 1}, 0};
  std::string out =
      "memref<" + std::to_string(c.blocks * 16) + "x" + std::to_string(taps) + "xf32>";
  std::string sizes, strides;
  for (int i = 0; i < 4; ++i) {
    sizes += (i ? ", " : "") + std::to_string(joined.sizes[i]);
    strides += (i ? ", " : "") + std::to_string(joined.strides[i]);
  }
  std::string text =
      "kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {\n^bb0(%a: " +
      flat(dataFlat) + ", %b: " + flat(slopeFlat) + ", %o: " + out + "):\n" +
      data.define("%x", "%a", dataFlat, "f32") + slope.define("%g", "%b", slopeFlat, "f32") +
      "  %s = kernel.buffer() : " + sums +
      "\n  kernel.depthwise_weights data(%x : " + data.type("f32") +
      ") slope(%g : " + slope.type("f32") + ") sums(%s : " + sums +
      ") {kernel = " + list({c.kh, c.kw}) + ", strides = " + list({c.sh, c.sw}) +
      ", dilations = " + list({c.dh, c.dw}) + ", per_slot = " + std::to_string(perSlot) +
      " : i64}\n  %j = memref.reinterpret_cast %s to offset: [0], sizes: [" + sizes +
      "], strides: [" + strides + "] : " + sums + " to " + joined.type("f32") +
      "\n  kernel.join_sums %j to %o : " + joined.type("f32") + " to " + out +
      "\n  kernel.end\n}\n";
  auto program = CompiledProgram::compile(text, isa);
  ASSERT_TRUE(program) << text;
  GuardedBytes x(dataFlat * 4), g(slopeFlat * 4), y(c.blocks * 16 * taps * 4);
  std::mt19937 random(c.rows);
  std::normal_distribution<float> normal;
  for (int64_t i = 0; i < dataFlat; ++i)
    x.as<float>()[i] = normal(random);
  std::fill_n(g.as<float>(), slopeFlat, NAN);
  forIndices(slope.sizes, [&](const auto &i) { g.as<float>()[slope.at(i)] = normal(random); });
  ASSERT_EQ(program->run({x.data(), g.data(), y.data()}), 0);
  bool fused = symc::codegen::TargetDescription::get(isa)->fma;
  forIndices({c.blocks * 16, c.kh, c.kw, c.group}, [&](const auto &i) {
    if (chunks.count > 2 && i[0] % 5)
      return;
    std::vector<float> values;
    for (int64_t chunk = 0; chunk < chunks.count; ++chunk) {
      int64_t image = chunks.perImage == 1 ? chunk * chunks.images : chunk / chunks.perImage;
      int64_t last = chunks.perImage == 1 ? std::min(image + chunks.images, c.n) : image + 1;
      int64_t first = chunks.perImage == 1 ? 0 : chunk % chunks.perImage * chunks.rows;
      int64_t end = std::min(first + chunks.rows, c.rows);
      float sum = 0;
      for (; image < last; ++image)
        for (int64_t row = first; row < end; ++row)
          for (int64_t column = 0; column < c.columns; ++column) {
            float a = x.as<float>()[data.at({image, i[0] / 16, row * c.sh + i[1] * c.dh,
                                             column * c.sw + i[2] * c.dw,
                                             i[0] % 16 / c.group * c.group + i[3]})];
            float b = g.as<float>()[slope.at({image, i[0] / 16, row, column, i[0] % 16})];
            volatile float product = a * b;
            sum = fused ? std::fma(a, b, sum) : sum + product;
          }
      values.push_back(sum);
    }
    while (values.size() > 1) {
      std::vector<float> next;
      for (size_t k = 0; k < values.size(); k += 2)
        next.push_back(k + 1 < values.size() ? values[k] + values[k + 1] : values[k]);
      values = next;
    }
    ASSERT_EQ(y.as<float>()[i[0] * taps + (i[3] * c.kh + i[1]) * c.kw + i[2]], values[0])
        << i[0] << ", " << i[1] << ", " << i[2];
  });
}

const SumsCase layers[] = {
    {2, 2, 7, 6, 3, 3, 1, 1, 1, 1, 16, 1},    {3, 1, 5, 9, 5, 5, 2, 2, 1, 1, 16, 1},
    {1, 3, 6, 6, 3, 2, 1, 2, 2, 1, 16, 1},    {1, 1, 4, 30, 1, 31, 1, 1, 1, 1, 16, 1},
    {70, 1, 16, 16, 3, 3, 1, 1, 1, 1, 16, 1}, {11, 1, 65, 65, 1, 2, 1, 1, 1, 1, 8, 1},
    {2, 2, 7, 6, 3, 3, 1, 1, 1, 1, 16, 2},    {2, 2, 7, 6, 3, 3, 2, 1, 1, 1, 16, 4},
    {1, 3, 5, 8, 2, 3, 1, 1, 1, 2, 16, 8},
};
INSTANTIATE_TEST_SUITE_P(Layers, DepthwiseWeights,
                         testing::Combine(testing::ValuesIn(layers),
                                          testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4")),
                         [](const auto &info) {
                           return "case" + std::to_string(info.index / 3) + "_v" +
                                  std::string(std::get<1>(info.param)).back();
                         });

// Numbers beyond the table, between two rows, repeated, NaN; rows of whole vectors and of rests; in
// tasks of some rows each.
class Rows : public testing::TestWithParam<std::tuple<int64_t, const char *>> {};

TEST_P(Rows, EqualPlainLoops) {
  auto [width, isa] = GetParam();
  if (!runsHere(isa))
    GTEST_SKIP() << "this machine cannot run " << isa;
  constexpr int64_t table = 300, count = 40;
  auto matrix = [&](int64_t rows) {
    return "memref<" + std::to_string(rows) + "x" + std::to_string(width) + "xf32>";
  };
  std::string numbers = "memref<" + std::to_string(count) + "xf32>";
  std::string text =
      "kernel.program @main attributes {num_inputs = 2, num_outputs = 2} {\n^bb0(%t: " +
      matrix(table) + ", %n: " + numbers + ", %y: " + matrix(count) + ", %s: " + matrix(table) +
      "):\n  kernel.take_rows %t at %n to %y {cut = #kernel.cut<axis = 0, indices = 7>} : " +
      matrix(table) + " at " + numbers + " to " + matrix(count) +
      "\n  kernel.add_rows %y at %n to %s {cut = #kernel.cut<axis = 0, indices = 50>} : " +
      matrix(count) + " at " + numbers + " to " + matrix(table) + "\n  kernel.end\n}\n";
  auto program = CompiledProgram::compile(text, isa);
  ASSERT_TRUE(program) << text;
  GuardedBytes t(table * width * 4), n(count * 4), y(count * width * 4), s(table * width * 4);
  std::mt19937 random(width);
  for (int64_t i = 0; i < table * width; ++i)
    t.as<float>()[i] = float(random() % 1000) / 7 - 60;
  for (int64_t i = 0; i < count; ++i)
    n.as<float>()[i] = i % 3 ? float(random() % 600) / 2 : float(random() % 4);
  float special[] = {-3, -0.5f, 299.5f, 1e9f, NAN, INFINITY};
  std::copy(std::begin(special), std::end(special), n.as<float>() + 5);
  std::fill_n(s.as<float>(), table * width, -777.0f);
  std::vector<float> sums(table * width, 0.0f);
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < count; ++i) {
    float number = n.as<float>()[i];
    rows.push_back(!(number > 0) ? 0 : number >= table ? table - 1 : int64_t(number));
    for (int64_t k = 0; k < width; ++k)
      sums[rows[i] * width + k] += t.as<float>()[rows[i] * width + k];
  }
  ASSERT_EQ(program->run({t.data(), n.data(), y.data(), s.data()}), 0);
  for (int64_t i = 0; i < count; ++i)
    ASSERT_EQ(std::memcmp(y.as<float>() + i * width, t.as<float>() + rows[i] * width, width * 4), 0)
        << "row " << i;
  for (int64_t i = 0; i < table * width; ++i)
    ASSERT_EQ(s.as<float>()[i], sums[i]) << i;
}

INSTANTIATE_TEST_SUITE_P(Widths, Rows,
                         testing::Combine(testing::Values(1, 7, 16, 50),
                                          testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4")),
                         [](const auto &info) {
                           return "width" + std::to_string(std::get<0>(info.param)) + "_v" +
                                  std::string(std::get<1>(info.param)).back();
                         });

} // namespace
