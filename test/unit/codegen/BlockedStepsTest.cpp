// BlockedStepsTest.cpp: pooling and weight packing, the steps that know blocks of
// 16 channels, against plain loops.
#include "ProgramRunner.h"

#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace symc::test;

namespace {

using Pool = TargetTest;
using Pack = TargetTest;

GuardedBytes randomFloats(int64_t count, uint64_t seed) {
  GuardedBytes bytes(count * 4);
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-2, 2);
  for (int64_t i = 0; i < count; ++i)
    bytes.as<float>()[i] = uniform(engine);
  return bytes;
}

struct PoolCase {
  const char *kind;
  int64_t n, blocks, h, w, kh, kw, sh, sw, pt, pl, pb, pr;
  bool includePad;
  int64_t outHalo;
  bool extra;

  static int64_t extent(int64_t x, int64_t k, int64_t s, int64_t begin, int64_t end) {
    return (x + begin + end - k) / s + 1;
  }
  int64_t oh() const { return extent(h, kh, sh, pt, pb); }
  int64_t ow() const { return extent(w, kw, sw, pl, pr); }
};

std::string list(std::vector<int64_t> values) {
  std::string text = "array<i64: ";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + ">";
}

// In plain loops; rows, then columns, in float, as the step promises.
float poolOf(const PoolCase &c, const float *image, int64_t y, int64_t x, int64_t lane) {
  int64_t top = y * c.sh - c.pt, left = x * c.sw - c.pl;
  bool max = c.kind == std::string("max");
  float sum = max ? -FLT_MAX : 0;
  int64_t count = 0;
  for (int64_t iy = top; iy < top + c.kh; ++iy)
    for (int64_t ix = left; ix < left + c.kw; ++ix) {
      if (iy < 0 || iy >= c.h || ix < 0 || ix >= c.w)
        continue;
      float value = image[(iy * c.w + ix) * 16 + lane];
      sum = max ? (value > sum ? value : sum) : sum + value;
      ++count;
    }
  if (c.includePad)
    count = (std::min(top + c.kh, c.h + c.pb) - top) * (std::min(left + c.kw, c.w + c.pr) - left);
  return c.kind == std::string("avg") ? sum / (float)count : sum;
}

void checkPool(const char *target, const PoolCase &c) {
  int64_t oh = c.oh(), ow = c.ow(), hh = oh + 2 * c.outHalo, ww = ow + 2 * c.outHalo;
  ViewText data{{c.n, c.blocks, c.h, c.w, 16},
                {c.blocks * c.h * c.w * 16, c.h * c.w * 16, c.w * 16, 16, 1},
                0};
  ViewText out{{c.n, c.blocks, oh, ow, 16},
               {c.blocks * hh * ww * 16, hh * ww * 16, ww * 16, 16, 1},
               c.outHalo * (ww + 1) * 16};
  ViewText bias{out.sizes, {0, 16, 0, 0, 1}, 0};
  int64_t outFlat = c.n * c.blocks * hh * ww * 16, biasFlat = c.blocks * 16;
  std::string extraType = bias.type("f32");
  std::string text =
      "kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {\n^bb0(%a: memref<" +
      std::to_string(data.flatSize()) + "xf32>, %b: memref<" + std::to_string(biasFlat) +
      "xf32>, %o: memref<" + std::to_string(outFlat) + "xf32>):\n" +
      data.define("%data", "%a", data.flatSize(), "f32") +
      bias.define("%bias", "%b", biasFlat, "f32") + out.define("%out", "%o", outFlat, "f32") +
      "  kernel.pool \"" + c.kind + "\" data(%data : " + data.type("f32") + ") extras(" +
      (c.extra ? "%bias : " + extraType : "") + ") out(%out : " + out.type("f32") +
      ") {kernel = " + list({c.kh, c.kw}) + ", strides = " + list({c.sh, c.sw}) +
      ", pad = " + padding(c.pt, c.pb, c.pl, c.pr) +
      ", count_include_pad = " + (c.includePad ? "true" : "false") + "} body {\n  ^bb0(%x: f32" +
      (c.extra ? ", %y: f32):\n    %s = arith.addf %x, %y : f32\n    kernel.yield %s : f32\n"
               : "):\n    kernel.yield %x : f32\n") +
      "  }\n  kernel.end\n}\n";
  auto program = CompiledProgram::compile(text, target);
  ASSERT_TRUE(program) << text;
  GuardedBytes input = randomFloats(data.flatSize(), c.h * 100 + c.w);
  input.as<float>()[3] = NAN;
  GuardedBytes biases = randomFloats(biasFlat, 1);
  GuardedBytes output(outFlat * 4);
  std::fill_n(output.as<float>(), outFlat, -777.0f);
  ASSERT_EQ(program->run({input.data(), biases.data(), output.data()}), 0);
  std::vector<bool> written(outFlat, false);
  forIndices(out.sizes, [&](const auto &i) {
    const float *image = input.as<float>() + data.at({i[0], i[1], 0, 0, 0});
    float expected = poolOf(c, image, i[2], i[3], i[4]);
    if (c.extra)
      expected += biases.as<float>()[i[1] * 16 + i[4]];
    float got = output.as<float>()[out.at(i)];
    written[out.at(i)] = true;
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(got)) << text;
    else
      ASSERT_EQ(got, expected) << "at " << i[2] << ", " << i[3] << " of\n" << text;
  });
  for (int64_t i = 0; i < outFlat; ++i)
    if (!written[i])
      ASSERT_EQ(output.as<float>()[i], -777.0f) << "outside of the view: " << i;
}

TEST_P(Pool, windowsOfManyForms) {
  const PoolCase cases[] = {
      {"max", 1, 1, 12, 13, 3, 3, 2, 2, 1, 1, 1, 1, false, 0, false},
      {"max", 2, 2, 7, 7, 2, 2, 2, 2, 0, 0, 0, 0, false, 1, true},
      {"max", 1, 1, 5, 6, 3, 2, 2, 1, 0, 0, 1, 1, false, 0, false},
      {"avg", 1, 2, 9, 8, 3, 3, 1, 1, 1, 1, 1, 1, true, 1, false},
      {"avg", 1, 1, 9, 8, 3, 3, 2, 2, 1, 1, 2, 2, true, 0, false},
      {"avg", 1, 1, 9, 8, 3, 3, 1, 1, 1, 1, 1, 1, false, 0, true},
      {"avg", 1, 3, 7, 7, 7, 7, 1, 1, 0, 0, 0, 0, true, 0, false},
      {"sum", 1, 1, 6, 11, 2, 5, 3, 2, 0, 2, 1, 2, false, 0, false},
      {"max", 1, 1, 3, 3, 5, 5, 1, 1, 2, 2, 2, 2, false, 0, false},
      {"max", 1, 1, 1, 40, 1, 4, 1, 3, 0, 0, 0, 2, false, 0, false},
      {"avg", 3, 8, 30, 30, 3, 3, 2, 2, 0, 0, 1, 1, true, 0, false},
  };
  for (const PoolCase &c : cases)
    checkPool(GetParam(), c);
}

void checkPack(const char *target, int64_t outputs, int64_t inputs, int64_t kh, int64_t kw,
               int64_t rows, bool depthwise, bool channelsLast) {
  SCOPED_TRACE(std::to_string(outputs) + " x " + std::to_string(inputs));
  std::vector<int64_t> sizes{outputs, inputs, kh, kw};
  ViewText source{sizes, {inputs * kh * kw, kh * kw, kw, 1}, 0};
  if (channelsLast)
    source.strides = {inputs * kh * kw, 1, kw * inputs, inputs};
  int64_t ob = (outputs + 15) / 16, ib = (inputs + rows - 1) / rows;
  std::vector<int64_t> panel{ob, ib, kh, kw, rows, 16};
  if (depthwise)
    panel = {ob, kh, kw, 16};
  ViewText target_view{panel, std::vector<int64_t>(panel.size()), 0};
  int64_t flat = 1;
  for (size_t d = panel.size(); d-- > 0; flat *= panel[d])
    target_view.strides[d] = flat;
  std::string text =
      "kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {\n^bb0(%a: memref<" +
      std::to_string(source.flatSize()) + "xf32>, %o: memref<" + std::to_string(flat) +
      "xf32>):\n" + source.define("%s", "%a", source.flatSize(), "f32") +
      target_view.define("%t", "%o", flat, "f32") + "  kernel.pack_" +
      (depthwise ? "depthwise" : "panels") + " %s to %t : " + source.type("f32") + " to " +
      target_view.type("f32") + "\n  kernel.end\n}\n";
  auto program = CompiledProgram::compile(text, target);
  ASSERT_TRUE(program) << text;
  GuardedBytes input = randomFloats(source.flatSize(), outputs), output(flat * 4);
  std::memset(output.data(), 0x5A, output.size());
  ASSERT_EQ(program->run({input.data(), output.data()}), 0);
  forIndices(panel, [&](const auto &i) {
    int64_t o = i[0] * 16 + i.back(), in = depthwise ? 0 : i[1] * rows + i[4];
    int64_t y = depthwise ? i[1] : i[2], x = depthwise ? i[2] : i[3];
    float expected =
        o < outputs && in < inputs ? input.as<float>()[source.at({o, in, y, x})] : 0.0f;
    ASSERT_EQ(output.as<float>()[target_view.at(i)], expected);
  });
}

TEST_P(Pack, panelsAndDepthwise) {
  const char *t = GetParam();
  checkPack(t, 32, 32, 1, 1, 16, false, false);
  checkPack(t, 40, 24, 1, 1, 16, false, false);
  checkPack(t, 16, 16, 3, 3, 16, false, false);
  checkPack(t, 10, 20, 3, 2, 16, false, false);
  checkPack(t, 48, 3, 7, 7, 3, false, false);
  checkPack(t, 33, 1, 5, 5, 1, false, false);
  checkPack(t, 64, 48, 3, 3, 16, false, true);
  checkPack(t, 16, 1, 3, 3, 0 + 1, true, false);
  checkPack(t, 37, 1, 3, 3, 1, true, false);
  checkPack(t, 256, 100, 1, 1, 16, false, false);
}

const auto targets = testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4");
auto nameOf(const testing::TestParamInfo<const char *> &info) {
  std::string name = info.param;
  for (char &letter : name)
    letter = letter == '-' ? '_' : letter;
  return name;
}
INSTANTIATE_TEST_SUITE_P(Targets, Pool, targets, nameOf);
INSTANTIATE_TEST_SUITE_P(Targets, Pack, targets, nameOf);

} // namespace
