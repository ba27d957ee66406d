// InterpolateTest.cpp: kernel.interpolate beside plain loops, bit for bit: along each axis, to more
// and fewer elements, with and without corners, in several tasks, beside guard pages.
#include "ProgramRunner.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace symc::test;

namespace {

struct Case {
  int64_t outer, from, to, inner; // data is [outer, from, inner]
  bool corners;
};

float at(const float *data, const Case &c, int64_t block, int64_t i, int64_t j) {
  float scale = 0;
  if (c.to > 1)
    scale = c.corners ? float(c.from - 1) / float(c.to - 1) : float(c.from) / float(c.to);
  float source = c.corners ? scale * float(i) : float(double(scale) * (double(i) + 0.5) - 0.5);
  source = std::max(source, 0.0f);
  int64_t low = std::min<int64_t>(source, c.from - 1), high = std::min(low + 1, c.from - 1);
  float part = source - float(low), rest = 1 - part;
  float first = data[(block * c.from + low) * c.inner + j] * rest;
  float second = data[(block * c.from + high) * c.inner + j] * part;
  return first + second;
}

class Interpolate : public testing::TestWithParam<std::tuple<Case, const char *>> {};

TEST_P(Interpolate, EqualsPlainLoops) {
  auto [c, isa] = GetParam();
  if (!runsHere(isa))
    GTEST_SKIP() << "this machine cannot run " << isa;
  bool last = c.inner == 1;
  auto type = [&](int64_t extent) {
    std::string shape = std::to_string(c.outer) + "x" + std::to_string(extent);
    return "memref<" + shape + (last ? "" : "x" + std::to_string(c.inner)) + "xf32>";
  };
  std::string in = type(c.from), out = type(c.to);
  auto program = CompiledProgram::compile(
      "kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {\n^bb0(%x: " + in +
          ", %y: " + out + "):\n  kernel.interpolate %x to %y along 1 " +
          (c.corners ? "{corners} : " : ": ") + in + " to " + out + "\n  kernel.end\n}\n",
      isa);
  ASSERT_TRUE(program);
  GuardedBytes x(c.outer * c.from * c.inner * 4), y(c.outer * c.to * c.inner * 4);
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (int64_t i = 0; i < c.outer * c.from * c.inner; ++i)
    x.as<float>()[i] = normal(random);
  ASSERT_EQ(program->run({x.data(), y.data()}), 0);
  for (int64_t block = 0; block < c.outer; ++block)
    for (int64_t i = 0; i < c.to; ++i)
      for (int64_t j = 0; j < c.inner; ++j)
        ASSERT_EQ(y.as<float>()[(block * c.to + i) * c.inner + j],
                  at(x.as<float>(), c, block, i, j))
            << block << ", " << i << ", " << j;
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Interpolate,
    testing::Combine(testing::Values(Case{3, 8, 20, 37, true}, Case{3, 8, 20, 37, false},
                                     Case{2, 40, 320, 320, true}, Case{5, 30, 7, 16, false},
                                     Case{2, 1, 9, 5, true}, Case{2, 9, 1, 5, false},
                                     Case{4, 60, 1300, 1, true}, Case{300, 90, 41, 1, false},
                                     Case{3, 1, 6, 1, false}, Case{3, 6, 1, 1, true}),
                     testing::Values("x86-64-v2", "x86-64-v3")),
    [](const auto &info) {
      const Case &c = std::get<0>(info.param);
      return "from" + std::to_string(c.from) + "to" + std::to_string(c.to) + "beside" +
             std::to_string(c.inner) + (c.corners ? "corners" : "centres") + "_v" +
             std::string(std::get<1>(info.param)).back();
    });

} // namespace
