// DoubleFunctionsTest.cpp: functions of f32 that are computed in doubles: beside libm's of doubles
// over arguments of all sizes, and what C says of infinities, zeros and NaN. If it fails, a
// function's coefficients, its ranges or one of its special values are wrong.
#include "ProgramRunner.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace symc::test;

namespace {

struct Function {
  const char *op;
  double (*one)(double);
  double (*two)(double, double);
};

std::vector<float> arguments(uint32_t seed) {
  const float special[] = {0,    -0.0f,   1,       -1,     0.5f,     -0.5f,    2,       -2,
                           3,    -3,      1e-45f,  1e-38f, 1e20f,    -1e20f,   3.4e38f, 100,
                           -100, 1048576, 1048577, NAN,    INFINITY, -INFINITY};
  constexpr size_t n = std::size(special);
  std::vector<float> values(40003); // a tail of 3
  std::mt19937 random(seed);
  for (size_t i = 0; i < values.size(); ++i) {
    uint32_t bits = random();
    std::memcpy(&values[i], &bits, 4);
    if (i % 2) // of a network's size
      values[i] = std::ldexp(float(bits) / 0x1p31f - 1, bits % 16 - 8);
    if (i < n * n) // each beside each
      values[i] = special[seed == 1 ? i / n : i % n];
  }
  return values;
}

class DoubleFunctions : public testing::TestWithParam<std::tuple<Function, const char *>> {};

TEST_P(DoubleFunctions, RoundOnce) {
  auto [function, isa] = GetParam();
  if (!runsHere(isa))
    GTEST_SKIP() << "this machine cannot run " << isa;
  std::vector<float> a = arguments(1), b = arguments(2);
  const std::string t = "memref<" + std::to_string(a.size()) + "xf32>";
  const char *operands = function.two ? " %a, %b" : " %a";
  auto program = CompiledProgram::compile(
      "kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {\n^bb0(%x: " + t +
          ", %y: " + t + ", %z: " + t + "):\n  kernel.loops ins(%x, %y : " + t + ", " + t +
          ") outs(%z : " + t + ") body {\n  ^bb0(%a: f32, %b: f32):\n    %r = " + function.op +
          operands + " : f32\n    kernel.yield %r : f32\n  }\n  kernel.end\n}\n",
      isa);
  ASSERT_TRUE(program);
  GuardedBytes x(a.size() * 4), y(a.size() * 4), z(a.size() * 4);
  std::memcpy(x.data(), a.data(), a.size() * 4);
  std::memcpy(y.data(), b.data(), a.size() * 4);
  ASSERT_EQ(program->run({x.data(), y.data(), z.data()}), 0);
  for (size_t i = 0; i < a.size(); ++i) {
    double exact = function.two ? function.two(a[i], b[i]) : function.one(a[i]);
    float expected = exact, got = z.as<float>()[i];
    ASSERT_EQ(std::isnan(got), std::isnan(expected)) << a[i] << ", " << b[i] << " gives " << got;
    if (std::isnan(expected))
      continue;
    ASSERT_EQ(std::signbit(got), std::signbit(expected)) << a[i] << ", " << b[i];
    if (std::isinf(expected) || std::isinf(got)) {
      ASSERT_EQ(got, expected) << a[i] << ", " << b[i];
      continue;
    }
    double unit =
        std::ldexp(1.0, std::max(std::ilogb(expected == 0 ? 1e-30f : expected), -126) - 23);
    ASSERT_LE(std::fabs(got - exact), 0.51 * unit) << a[i] << ", " << b[i] << " gives " << got;
  }
}

const Function functions[] = {
    {"math.sin", std::sin, nullptr},     {"math.cos", std::cos, nullptr},
    {"math.tan", std::tan, nullptr},     {"math.asin", std::asin, nullptr},
    {"math.acos", std::acos, nullptr},   {"math.atan", std::atan, nullptr},
    {"math.sinh", std::sinh, nullptr},   {"math.cosh", std::cosh, nullptr},
    {"math.asinh", std::asinh, nullptr}, {"math.acosh", std::acosh, nullptr},
    {"math.atanh", std::atanh, nullptr}, {"math.log10", std::log10, nullptr},
    {"math.cbrt", std::cbrt, nullptr},   {"math.atan2", nullptr, std::atan2},
    {"math.powf", nullptr, std::pow},    {"arith.remf", nullptr, std::fmod}};

INSTANTIATE_TEST_SUITE_P(All, DoubleFunctions,
                         testing::Combine(testing::ValuesIn(functions),
                                          testing::Values("x86-64-v2", "x86-64-v3")),
                         [](const auto &info) {
                           std::string isa = std::get<1>(info.param);
                           return std::string(std::strchr(std::get<0>(info.param).op, '.') + 1) +
                                  "_v" + isa.back();
                         });

} // namespace
