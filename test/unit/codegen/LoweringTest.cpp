// LoweringTest.cpp: elementwise chains, copies and fills over random strided
// views, against plain loops.
#include "ProgramRunner.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace symc::test;

namespace {

struct ElementType {
  const char *name;
  int bytes;
  double (*get)(const void *);
  void (*set)(void *, double);
};

template <typename T> ElementType elementType(const char *name) {
  return {name, sizeof(T),
          [](const void *p) {
            T value;
            std::memcpy(&value, p, sizeof(T));
            return (double)value;
          },
          [](void *p, double number) {
            T value = (T)number;
            std::memcpy(p, &value, sizeof(T));
          }};
}

const ElementType f32 = elementType<float>("f32"), f64 = elementType<double>("f64"),
                  i8 = elementType<int8_t>("i8"), i16 = elementType<int16_t>("i16"),
                  i32 = elementType<int32_t>("i32"), i64 = elementType<int64_t>("i64"),
                  i1 = elementType<bool>("i1");

class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  int64_t operator()(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  }

  std::vector<int64_t> shape(int64_t maxRank, int64_t maxExtent) {
    std::vector<int64_t> sizes((*this)(0, maxRank));
    for (int64_t &size : sizes)
      size = (*this)(0, 3) == 0 ? 1 : (*this)(1, maxExtent);
    return sizes;
  }

  /// A view of these sizes with dimensions in random order and gaps between rows;
  /// with `broadcast`, some dimensions have stride 0.
  ViewText view(const std::vector<int64_t> &sizes, bool broadcast) {
    ViewText result;
    result.sizes = sizes;
    result.strides.resize(sizes.size());
    result.offset = (*this)(0, 1) ? (*this)(0, 9) : 0;
    std::vector<size_t> order(sizes.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = order.size() - 1 - i;
    if ((*this)(0, 1))
      std::shuffle(order.begin(), order.end(), engine);
    int64_t stride = (*this)(0, 4) == 0 ? 2 : 1;
    for (size_t d : order) {
      if (broadcast && (*this)(0, 2) == 0)
        continue;
      result.strides[d] = stride;
      stride *= sizes[d];
      if ((*this)(0, 3) == 0)
        stride += (*this)(1, 5);
    }
    return result;
  }

private:
  std::mt19937_64 engine;
};

struct Argument {
  ViewText view;
  ElementType type;
  GuardedBytes bytes;
  Argument(ViewText view, ElementType type)
      : view(view), type(type), bytes(view.flatSize() * type.bytes) {}
  void *at(const std::vector<int64_t> &index) { return bytes.data() + view.at(index) * type.bytes; }
  double get(const std::vector<int64_t> &index) { return type.get(at(index)); }
  std::string flat() const {
    return "memref<" + std::to_string(view.flatSize()) + "x" + type.name + ">";
  }
};

std::string join(const std::vector<std::string> &parts) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i)
    text += (i ? ", " : "") + parts[i];
  return text;
}

/// A program of one step over the arguments; the last `outputs` are written.
/// `step(names, types)` is the step's text.
std::string programOf(
    std::vector<Argument> &arguments, size_t outputs,
    const std::function<std::string(std::vector<std::string>, std::vector<std::string>)> &step) {
  std::vector<std::string> blockArguments, names, types;
  std::string views;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string raw = "%a" + std::to_string(i), name = "%v" + std::to_string(i);
    blockArguments.push_back(raw + ": " + arguments[i].flat());
    views +=
        arguments[i].view.define(name, raw, arguments[i].view.flatSize(), arguments[i].type.name);
    names.push_back(name);
    types.push_back(arguments[i].view.type(arguments[i].type.name));
  }
  return "kernel.program @main attributes {num_inputs = " +
         std::to_string(arguments.size() - outputs) + ", num_outputs = " + std::to_string(outputs) +
         "} {\n^bb0(" + join(blockArguments) + "):\n" + views + step(names, types) +
         "\n  kernel.end\n}\n";
}

void fillInputs(std::vector<Argument> &arguments, size_t inputs, Random &random, double limit) {
  for (size_t a = 0; a < arguments.size(); ++a) {
    std::memset(arguments[a].bytes.data(), 0x5A, arguments[a].bytes.size());
    if (a < inputs)
      for (size_t i = 0; i < arguments[a].bytes.size(); i += arguments[a].type.bytes)
        arguments[a].type.set(arguments[a].bytes.data() + i,
                              arguments[a].type.name == std::string("i1") ? random(0, 1)
                                                                          : random(-limit, limit));
  }
}

std::vector<void *> pointers(std::vector<Argument> &arguments) {
  std::vector<void *> result;
  for (Argument &argument : arguments)
    result.push_back(argument.bytes.data());
  return result;
}

/// Bytes of an output outside of its view must be as they were.
void expectGapsUntouched(Argument &output) {
  std::vector<bool> inside(output.view.flatSize(), false);
  forIndices(output.view.sizes, [&](const auto &index) { inside[output.view.at(index)] = true; });
  for (size_t i = 0; i < inside.size(); ++i)
    for (int b = 0; !inside[i] && b < output.type.bytes; ++b)
      ASSERT_EQ(output.bytes.data()[i * output.type.bytes + b], 0x5A) << "gap " << i;
}

using Loops = TargetTest;
using Halves = TargetTest;
using Copy = TargetTest;
using Fill = TargetTest;

/// Integer-valued arithmetic in every type: exact, so compared exactly.
void checkLoops(const char *target, uint64_t seed, const ElementType &type, int64_t maxExtent) {
  SCOPED_TRACE("seed " + std::to_string(seed) + " " + type.name);
  Random random(seed);
  std::vector<int64_t> sizes = random.shape(4, maxExtent);
  std::vector<Argument> arguments;
  arguments.emplace_back(random.view(sizes, true), type);
  arguments.emplace_back(random.view(sizes, true), type);
  arguments.emplace_back(random.view(sizes, true), i1);
  arguments.emplace_back(random.view(sizes, false), type);
  arguments.emplace_back(random.view(sizes, false), i1);
  bool real = type.name[0] == 'f';
  std::string t = type.name;
  std::string text = programOf(arguments, 2, [&](auto names, auto types) {
    return "  kernel.loops ins(" + join({names[0], names[1], names[2]}) + " : " +
           join({types[0], types[1], types[2]}) + ") outs(" + join({names[3], names[4]}) + " : " +
           join({types[3], types[4]}) + ") body {\n  ^bb0(%x: " + t + ", %y: " + t +
           ", %c: i1):\n    %s = arith." + (real ? "addf" : "addi") + " %x, %y : " + t +
           "\n    %m = arith." + (real ? "mulf" : "muli") + " %s, %y : " + t +
           "\n    %r = arith.select %c, %m, %x : " + t + "\n    %l = arith." +
           (real ? "cmpf olt" : "cmpi slt") + ", %x, %y : " + t +
           "\n    kernel.yield %r, %l : " + t + ", i1\n  }";
  });
  auto program = CompiledProgram::compile(text, target);
  ASSERT_TRUE(program) << text;
  fillInputs(arguments, 3, random, 5);
  ASSERT_EQ(program->run(pointers(arguments)), 0);
  forIndices(sizes, [&](const auto &index) {
    double x = arguments[0].get(index), y = arguments[1].get(index), c = arguments[2].get(index);
    ASSERT_EQ(arguments[3].get(index), c != 0 ? (x + y) * y : x) << text;
    ASSERT_EQ(arguments[4].get(index), x < y ? 1 : 0) << text;
  });
  expectGapsUntouched(arguments[3]);
  expectGapsUntouched(arguments[4]);
}

TEST_P(Loops, randomViewsOfEveryType) {
  const ElementType types[] = {f32, f64, i8, i16, i32, i64};
  for (uint64_t seed = 0; seed < 30; ++seed)
    checkLoops(GetParam(), seed, types[seed % 6], seed % 5 == 0 ? 40 : 9);
}

float halfToFloat(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float sign = bits >> 15 ? -1.0f : 1.0f;
  if (exponent == 31)
    return fraction ? NAN : sign * INFINITY;
  return sign * (exponent ? std::ldexp(1024.0f + fraction, exponent - 25)
                          : std::ldexp((float)fraction, -24));
}

float bfloatToFloat(uint16_t bits) {
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  std::memcpy(&value, &wide, 4);
  return value;
}

/// The nearest of all 65536 values, ties to even; slow and obvious.
uint16_t roundTo16(float value, float (*widen)(uint16_t)) {
  uint16_t low = 0, high = widen == bfloatToFloat ? 0x7F80 : 0x7C00; // |value| in [low, high]
  float magnitude = std::fabs(value);
  while (high - low > 1) {
    uint16_t middle = low + (high - low) / 2;
    (widen(middle) <= magnitude ? low : high) = middle;
  }
  double below = magnitude - (double)widen(low), above = (double)widen(high) - magnitude;
  uint16_t nearest = below < above || (below == above && low % 2 == 0) ? low : high;
  return nearest | (std::signbit(value) ? 0x8000 : 0);
}

void checkHalves(const char *target, const std::string &type, float (*widen)(uint16_t)) {
  const int64_t count = 1029;
  std::string t = "memref<1029x" + type + ">";
  std::string text =
      "kernel.program @main attributes {num_inputs = 2, num_outputs = 2} {\n^bb0(%a: " + t +
      ", %b: " + t + ", %o: " + t + ", %e: " + t + "):\n  kernel.loops ins(%a, %b : " + t + ", " +
      t + ") outs(%o, %e : " + t + ", " + t + ") body {\n  ^bb0(%x: " + type + ", %y: " + type +
      "):\n    %p = arith.mulf %x, %y : " + type + "\n    %s = arith.addf %p, %x : " + type +
      "\n    %f = math.exp %y : " + type + "\n    kernel.yield %s, %f : " + type + ", " + type +
      "\n  }\n  kernel.end\n}\n";
  auto program = CompiledProgram::compile(text, target);
  ASSERT_TRUE(program);
  GuardedBytes a(count * 2), b(count * 2), sums(count * 2), exponentials(count * 2);
  for (int64_t i = 0; i < count; ++i) {
    a.as<uint16_t>()[i] = roundTo16(std::sin(i) * 3, widen);
    b.as<uint16_t>()[i] = roundTo16(std::cos(i * 1.5f) * 2, widen);
  }
  ASSERT_EQ(program->run({a.data(), b.data(), sums.data(), exponentials.data()}), 0);
  for (int64_t i = 0; i < count; ++i) {
    float x = widen(a.as<uint16_t>()[i]), y = widen(b.as<uint16_t>()[i]);
    float product = widen(roundTo16(x * y, widen));
    ASSERT_EQ(sums.as<uint16_t>()[i], roundTo16(product + x, widen)) << x << " " << y;
    float exact = std::exp((double)y), got = widen(exponentials.as<uint16_t>()[i]);
    ASSERT_NEAR(got, widen(roundTo16(exact, widen)), exact * (type == "f16" ? 0.001 : 0.008));
  }
}

// Every operation rounds its result to the type, as the framework's does.
TEST_P(Halves, everyOperationRounds) {
  checkHalves(GetParam(), "bf16", bfloatToFloat);
  if (GetParam() != std::string("x86-64-v2")) // needs conversions of compiler-rt there
    checkHalves(GetParam(), "f16", halfToFloat);
}

void checkCopy(const char *target, uint64_t seed, const ElementType &type,
               std::vector<int64_t> sizes, ViewText from, ViewText to, Random &random) {
  SCOPED_TRACE("seed " + std::to_string(seed) + " " + type.name);
  std::vector<Argument> arguments;
  arguments.emplace_back(from, type);
  arguments.emplace_back(to, type);
  std::string text = programOf(arguments, 1, [&](auto names, auto types) {
    return "  kernel.copy " + names[0] + " to " + names[1] + " : " + types[0] + " to " + types[1];
  });
  auto program = CompiledProgram::compile(text, target);
  ASSERT_TRUE(program) << text;
  fillInputs(arguments, 1, random, 100);
  ASSERT_EQ(program->run(pointers(arguments)), 0);
  forIndices(sizes, [&](const auto &index) {
    ASSERT_EQ(arguments[0].get(index), arguments[1].get(index)) << text;
  });
  expectGapsUntouched(arguments[1]);
}

TEST_P(Copy, randomViewsOfEveryType) {
  const ElementType types[] = {f32, f64, i8, i16, i1, i64};
  for (uint64_t seed = 100; seed < 130; ++seed) {
    Random random(seed);
    std::vector<int64_t> sizes = random.shape(5, seed % 5 == 0 ? 23 : 9);
    ViewText from = random.view(sizes, seed % 3 == 0), to = random.view(sizes, false);
    checkCopy(GetParam(), seed, types[seed % 6], sizes, from, to, random);
  }
}

// Planar [N, C, H, W] to blocks of 16 channels inside a halo, and back; channel
// counts that fill the last block and that do not.
TEST_P(Copy, planarToBlockedAndBack) {
  struct Shape {
    int64_t n, c, h, w, halo;
  };
  for (Shape s : {Shape{1, 16, 5, 7, 0}, {2, 32, 9, 8, 1}, {1, 48, 64, 65, 1}, {1, 16, 1, 1, 0}}) {
    Random random(s.c + s.w);
    int64_t blocks = s.c / 16, hh = s.h + 2 * s.halo, ww = s.w + 2 * s.halo;
    std::vector<int64_t> sizes{s.n, blocks, s.h, s.w, 16};
    ViewText planar{sizes, {s.c * s.h * s.w, 16 * s.h * s.w, s.w, 1, s.h * s.w}, 0};
    ViewText blocked{
        sizes, {blocks * hh * ww * 16, hh * ww * 16, ww * 16, 16, 1}, s.halo * (ww + 1) * 16};
    checkCopy(GetParam(), 0, f32, sizes, planar, blocked, random);
    checkCopy(GetParam(), 1, f32, sizes, blocked, planar, random);
    checkCopy(GetParam(), 2, i8, sizes, planar, blocked, random);
  }
  // The last, partial block: 5 lanes.
  Random random(5);
  std::vector<int64_t> sizes{1, 6, 7, 5};
  checkCopy(GetParam(), 3, f32, sizes, {sizes, {210, 7, 1, 42}, 0}, {sizes, {900, 112, 16, 1}, 3},
            random);
}

TEST_P(Copy, largeCopiesAreCutIntoTasks) {
  Random random(1);
  std::vector<int64_t> sizes{3, 200, 300};
  int64_t before = parallelTasks();
  checkCopy(GetParam(), 0, f32, sizes, {sizes, {60000, 300, 1}, 0}, {sizes, {60000, 300, 1}, 0},
            random);
  EXPECT_EQ(parallelTasks() - before, 8); // 11 would hold 16384 elements, 8 end together
  before = parallelTasks();
  checkCopy(GetParam(), 1, f32, sizes, {sizes, {60000, 1, 200}, 0}, {sizes, {60000, 300, 1}, 0},
            random);
  EXPECT_GT(parallelTasks() - before, 3);
}

TEST_P(Fill, randomViewsOfEveryType) {
  struct Case {
    ElementType type;
    const char *literal;
    double value;
  };
  const Case cases[] = {{f32, "1.5 : f32", 1.5},
                        {i8, "-3 : i8", -3},
                        {i64, "77 : i64", 77},
                        {i1, "true", 1},
                        {f64, "0.25 : f64", 0.25}};
  for (uint64_t seed = 200; seed < 220; ++seed) {
    Random random(seed);
    const Case &now = cases[seed % 5];
    std::vector<int64_t> sizes = random.shape(4, 20);
    std::vector<Argument> arguments;
    arguments.emplace_back(random.view(sizes, false), now.type);
    std::string text = programOf(arguments, 1, [&](auto names, auto types) {
      return "  kernel.fill " + names[0] + " with " + now.literal + " : " + types[0];
    });
    auto program = CompiledProgram::compile(text, GetParam());
    ASSERT_TRUE(program) << text;
    fillInputs(arguments, 0, random, 0);
    ASSERT_EQ(program->run(pointers(arguments)), 0);
    forIndices(sizes,
               [&](const auto &index) { ASSERT_EQ(arguments[0].get(index), now.value) << text; });
    expectGapsUntouched(arguments[0]);
  }
}

const auto targets = testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4");
auto nameOf(const testing::TestParamInfo<const char *> &info) {
  std::string name = info.param;
  for (char &letter : name)
    letter = letter == '-' ? '_' : letter;
  return name;
}
INSTANTIATE_TEST_SUITE_P(Targets, Loops, targets, nameOf);
INSTANTIATE_TEST_SUITE_P(Targets, Halves, targets, nameOf);
INSTANTIATE_TEST_SUITE_P(Targets, Copy, targets, nameOf);
INSTANTIATE_TEST_SUITE_P(Targets, Fill, targets, nameOf);

} // namespace
