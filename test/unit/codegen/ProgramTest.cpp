// ProgramTest.cpp: whole programs: shared kernels, buffers over one another,
// symbolic sizes, called kernels, probes, and what functions of f32 give at the
// edges of their range.
#include "ProgramRunner.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace symc::test;

namespace {

const char *target = "x86-64-v3";

class Program : public testing::Test {
protected:
  void SetUp() override {
    if (!runsHere(target))
      GTEST_SKIP() << "this machine cannot run " << target;
  }
};

std::string unaryLoops(const std::string &in, const std::string &out, const std::string &type,
                       const std::string &op) {
  return "  kernel.loops ins(" + in + " : " + type + ") outs(" + out + " : " + type +
         ") body {\n  ^bb0(%x: f32):\n    %y = " + op + " : f32\n    kernel.yield %y : f32\n  }\n";
}

// a = in + in; b = a + a; c = b + a; out = c + c. b cannot write over a.
TEST_F(Program, stepsShareKernelsAndMemory) {
  std::string
      t = "memref<1000xf32>",
      text = "kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {\n^bb0(%in: " + t +
             ", %out: " + t + "):\n";
  for (const char *name : {"%a", "%b", "%c"})
    text += std::string("  ") + name + " = kernel.buffer() : " + t + "\n";
  text += unaryLoops("%in", "%a", t, "arith.addf %x, %x");
  text += unaryLoops("%a", "%b", t, "arith.addf %x, %x");
  text += "  kernel.loops ins(%b, %a : " + t + ", " + t + ") outs(%c : " + t +
          ") body {\n  ^bb0(%x: f32, %y: f32):\n    %z = arith.addf %x, %y : f32\n"
          "    kernel.yield %z : f32\n  }\n";
  text += unaryLoops("%c", "%out", t, "arith.addf %x, %x") + "  kernel.end\n}\n";
  auto program = CompiledProgram::compile(text, target);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->arenaBytes, 2 * 4032); // c lies over b or a
  EXPECT_LE(program->kernels, 4);
  GuardedBytes in(4000), out(4000);
  for (int i = 0; i < 1000; ++i)
    in.as<float>()[i] = i;
  ASSERT_EQ(program->run({in.data(), out.data()}), 0);
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(out.as<float>()[i], 12.0f * i);
}

// The same steps over different arguments and offsets use one function.
TEST_F(Program, identicalStepsAreCompiledOnce) {
  std::string t = "memref<64xf32>",
              text =
                  "kernel.program @main attributes {num_inputs = 2, num_outputs = 2} {\n^bb0(%a: " +
                  t + ", %b: " + t + ", %c: " + t + ", %d: " + t + "):\n";
  text += unaryLoops("%a", "%c", t, "arith.negf %x") + unaryLoops("%b", "%d", t, "arith.negf %x");
  auto program = CompiledProgram::compile(text + "  kernel.end\n}\n", target);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->kernels, 1);
}

// exp(x + bias) over [n, 3, h, w] with a halo in between, any n, h, w.
std::string dynamicProgram(bool dynamic, int64_t n, int64_t h, int64_t w) {
  auto s = [&](const char *name, int64_t value) {
    return dynamic ? std::string(name) : std::to_string(value);
  };
  std::string N = s("%n", n), H = s("%h", h), W = s("%w", w);
  std::string plane = s("%hw", h * w), image = s("%chw", 3 * h * w), W2 = s("%w2", w + 2);
  std::string plane2 = s("%hw2", (h + 2) * (w + 2)), image2 = s("%chw2", 3 * (h + 2) * (w + 2));
  std::string origin = s("%w3", w + 3);
  std::string q = dynamic ? "?" : std::to_string(n);
  auto type = [&](bool halo) {
    std::string sizes =
        dynamic ? "?x3x?x?"
                : std::to_string(n) + "x3x" + std::to_string(h) + "x" + std::to_string(w);
    auto d = [&](int64_t value) { return dynamic ? "?" : std::to_string(value); };
    int64_t hh = halo ? h + 2 : h, ww = halo ? w + 2 : w;
    return "memref<" + sizes + "xf32, strided<[" + d(3 * hh * ww) + ", " + d(hh * ww) + ", " +
           d(ww) + ", 1], offset: " + (halo ? d(ww + 1) : "0") + ">>";
  };
  std::string flat =
      dynamic ? "memref<?xf32>" : "memref<" + std::to_string(3 * n * h * w) + "xf32>";
  std::string buffer = dynamic ? "memref<?x3x?x?xf32>"
                               : "memref<" + std::to_string(n) + "x3x" + std::to_string(h + 2) +
                                     "x" + std::to_string(w + 2) + "xf32>";
  std::string text = "kernel.program @main attributes {num_inputs = 1, num_outputs = 1";
  if (dynamic)
    text += ", dim_min = array<i64: 1, 1, 1>, dim_max = array<i64: 4, 40, 50>, output_shapes = "
            "[affine_map<()[s0, s1, s2] -> (s0 * 3 * s1 * s2)>]";
  text += "} {\n^bb0(%in: " + flat + ", %out: " + flat;
  if (dynamic)
    text += ", %n: index, %h: index, %w: index):\n"
            "  %hw = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%h, %w]\n"
            "  %chw = affine.apply affine_map<()[s0, s1] -> (s0 * s1 * 3)>()[%h, %w]\n"
            "  %h2 = affine.apply affine_map<()[s0] -> (s0 + 2)>()[%h]\n"
            "  %w2 = affine.apply affine_map<()[s0] -> (s0 + 2)>()[%w]\n"
            "  %w3 = affine.apply affine_map<()[s0] -> (s0 + 3)>()[%w]\n"
            "  %hw2 = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%h2, %w2]\n"
            "  %chw2 = affine.apply affine_map<()[s0, s1] -> (s0 * s1 * 3)>()[%h2, %w2]\n";
  else
    text += "):\n";
  auto view = [&](const char *name, const char *from, const std::string &fromType, bool halo) {
    return std::string("  ") + name + " = memref.reinterpret_cast " + from + " to offset: [" +
           (halo ? origin : "0") + "], sizes: [" + N + ", 3, " + H + ", " + W + "], strides: [" +
           (halo ? image2 : image) + ", " + (halo ? plane2 : plane) + ", " + (halo ? W2 : W) +
           ", 1] : " + fromType + " to " + type(halo) + "\n";
  };
  text +=
      "  %b = kernel.buffer(" + std::string(dynamic ? "%n, %h2, %w2" : "") + ") : " + buffer + "\n";
  text += view("%x", "%in", flat, false) + view("%y", "%b", buffer, true) +
          view("%z", "%out", flat, false);
  text += "  kernel.fill %b with 0.0 : f32 : " + buffer + "\n";
  text += "  kernel.copy %x to %y : " + type(false) + " to " + type(true) + "\n";
  text += "  kernel.loops ins(%y : " + type(true) + ") outs(%z : " + type(false) +
          ") body {\n  ^bb0(%p: f32):\n    %e = math.exp %p : f32\n    kernel.yield %e : f32\n"
          "  }\n  kernel.end\n}\n";
  return text;
}

TEST_F(Program, symbolicSizesGiveTheBitsOfFixedOnes) {
  auto dynamic = CompiledProgram::compile(dynamicProgram(true, 0, 0, 0), target);
  ASSERT_TRUE(dynamic) << dynamicProgram(true, 0, 0, 0);
  EXPECT_EQ(dynamic->arenaBytes, 4 * 3 * 42 * 52 * 4);
  auto shapes = (void (*)(const int64_t *, int64_t *))dynamic->find("model_output_shapes");
  ASSERT_TRUE(shapes);
  for (auto [n, h, w] : {std::tuple(1, 1, 1), {2, 7, 9}, {4, 40, 50}, {1, 33, 16}}) {
    auto fixed = CompiledProgram::compile(dynamicProgram(false, n, h, w), target);
    ASSERT_TRUE(fixed);
    int64_t count = 3 * n * h * w;
    GuardedBytes in(count * 4), a(count * 4), b(count * 4);
    for (int64_t i = 0; i < count; ++i)
      in.as<float>()[i] = std::sin(i) * 3;
    int64_t dims[] = {n, h, w}, extent = 0;
    shapes(dims, &extent);
    EXPECT_EQ(extent, count);
    ASSERT_EQ(dynamic->run({in.data(), a.data()}, nullptr, {n, h, w}), 0);
    ASSERT_EQ(fixed->run({in.data(), b.data()}), 0);
    ASSERT_EQ(std::memcmp(a.data(), b.data(), count * 4), 0) << n << " " << h << " " << w;
    ASSERT_NEAR(a.as<float>()[0], std::exp(in.as<float>()[0]), 1e-5);
  }
}

// max 3x3/2 with padding, then avg 2x2/1 over blocks of an image of any size.
std::string poolProgram(bool dynamic, int64_t h, int64_t w) {
  auto half = [](int64_t x) { return (x - 1) / 2 + 1; };
  int64_t extents[3][2] = {{h, w}, {half(h), half(w)}, {half(h) - 1, half(w) - 1}};
  auto sizes = [&](int i) {
    return dynamic ? std::string("?x?")
                   : std::to_string(extents[i][0]) + "x" + std::to_string(extents[i][1]);
  };
  auto flat = [&](int i) {
    return dynamic ? std::string("memref<?xf32>")
                   : "memref<" + std::to_string(extents[i][0] * extents[i][1] * 32) + "xf32>";
  };
  auto plain = [&](int i) { return "memref<1x2x" + sizes(i) + "x16xf32>"; };
  auto strided = [&](int i) {
    auto d = [&](int64_t value) { return dynamic ? "?" : std::to_string(value); };
    int64_t plane = extents[i][0] * extents[i][1] * 16;
    return "memref<1x2x" + sizes(i) + "x16xf32, strided<[" + d(2 * plane) + ", " + d(plane) + ", " +
           d(extents[i][1] * 16) + ", 16, 1]>>";
  };
  auto view = [&](const std::string &name, const std::string &from, int i) {
    auto value = [&](const char *symbol, int64_t number) {
      return dynamic ? symbol + std::to_string(i) : std::to_string(number);
    };
    int64_t plane = extents[i][0] * extents[i][1] * 16;
    return "  " + name + " = memref.reinterpret_cast " + from + " to offset: [0], sizes: [1, 2, " +
           value("%h", extents[i][0]) + ", " + value("%w", extents[i][1]) + ", 16], strides: [" +
           value("%image", 2 * plane) + ", " + value("%plane", plane) + ", " +
           value("%row", extents[i][1] * 16) + ", 16, 1] : " + flat(i) + " to " + strided(i) + "\n";
  };
  std::string text = "kernel.program @main attributes {num_inputs = 1, num_outputs = 1";
  if (dynamic)
    text += ", dim_min = array<i64: 3, 3>, dim_max = array<i64: 100, 90>";
  text += "} {\n^bb0(%in: " + flat(0) + ", %out: " + flat(2);
  text += dynamic ? ", %h0: index, %w0: index):\n" : "):\n";
  const char *maps[] = {"s0", "((s0 - 1) floordiv 2) + 1", "(s0 - 1) floordiv 2"};
  for (int i = 0; dynamic && i < 3; ++i) {
    std::string n = std::to_string(i);
    for (std::string side : {"h", "w"})
      if (i)
        text += "  %" + side + n + " = affine.apply affine_map<()[s0] -> (" + maps[i] + ")>()[%" +
                side + "0]\n";
    text += "  %row" + n + " = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%w" + n + "]\n" +
            "  %plane" + n + " = affine.apply affine_map<()[s0, s1] -> (s0 * s1 * 16)>()[%h" + n +
            ", %w" + n + "]\n  %image" + n +
            " = affine.apply affine_map<()[s0, s1] -> (s0 * s1 * 32)>()[%h" + n + ", %w" + n +
            "]\n";
  }
  text += "  %b = kernel.buffer(" + std::string(dynamic ? "%h1, %w1" : "") + ") : " + plain(1) +
          "\n" + view("%x", "%in", 0) + view("%y", "%out", 2);
  auto pool = [&](const std::string &kind, const std::string &from, const std::string &fromType,
                  const std::string &to, const std::string &toType, int kernel, int stride,
                  int pad) {
    auto two = [](int v) {
      return "array<i64: " + std::to_string(v) + ", " + std::to_string(v) + ">";
    };
    return "  kernel.pool \"" + kind + "\" data(" + from + " : " + fromType + ") extras() out(" +
           to + " : " + toType + ") {kernel = " + two(kernel) + ", strides = " + two(stride) +
           ", pad = " + padding(pad, pad, pad, pad) +
           ", count_include_pad = true} body {\n  ^bb0(%v: f32):\n    kernel.yield %v : f32\n  }\n";
  };
  return text + pool("max", "%x", strided(0), "%b", plain(1), 3, 2, 1) +
         pool("avg", "%b", plain(1), "%y", strided(2), 2, 1, 0) + "  kernel.end\n}\n";
}

TEST_F(Program, poolsOfSymbolicSizesGiveTheBitsOfFixedOnes) {
  auto dynamic = CompiledProgram::compile(poolProgram(true, 3, 3), target);
  ASSERT_TRUE(dynamic) << poolProgram(true, 3, 3);
  for (auto [h, w] : {std::pair(3, 3), {7, 20}, {100, 90}, {31, 4}}) {
    auto fixed = CompiledProgram::compile(poolProgram(false, h, w), target);
    ASSERT_TRUE(fixed) << poolProgram(false, h, w);
    int64_t inputs = h * w * 32, outputs = ((h - 1) / 2) * ((w - 1) / 2) * 32;
    GuardedBytes in(inputs * 4), a(outputs * 4), b(outputs * 4);
    for (int64_t i = 0; i < inputs; ++i)
      in.as<float>()[i] = std::sin(i) * 3;
    ASSERT_EQ(dynamic->run({in.data(), a.data()}, nullptr, {h, w}), 0);
    ASSERT_EQ(fixed->run({in.data(), b.data()}), 0);
    ASSERT_EQ(std::memcmp(a.data(), b.data(), outputs * 4), 0) << h << " " << w;
    float largest[4];
    for (int i = 0; i < 4; ++i) {
      largest[i] = -1e9;
      for (int y = 2 * (i / 2) - 1; y <= 2 * (i / 2) + 1; ++y)
        for (int x = 2 * (i % 2) - 1; x <= 2 * (i % 2) + 1; ++x)
          if (y >= 0 && x >= 0 && y < h && x < w)
            largest[i] = std::max(largest[i], in.as<float>()[(y * w + x) * 16]);
    }
    ASSERT_EQ(a.as<float>()[0], (largest[0] + largest[1] + largest[2] + largest[3]) / 4);
  }
}

std::string callProgram(const std::string &word, int64_t scratch) {
  std::string t = "memref<2x5xf32>";
  return "kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {\n^bb0(%in: " + t +
         ", %out: " + t + "):\n  %b = kernel.buffer() : " + t +
         "\n  kernel.call \"test_scale\" \"scale\" ins(%in : " + t + ") outs(%b : " + t +
         ") {params = [3 : i64, 0.5 : f64, array<i64: 10, 20>, \"" + word +
         "\"], dtypes = array<i64: 0, 0>, scratch_bytes = " + std::to_string(scratch) +
         " : i64}\n" + unaryLoops("%b", "%out", t, "arith.negf %x") + "  kernel.end\n}\n";
}

TEST_F(Program, callsGetTensorsAndParameters) {
  auto program = CompiledProgram::compile(callProgram("right", 100), target, /*probes=*/true);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->arenaBytes, 64 + 128);
  GuardedBytes in(40), out(40);
  for (int i = 0; i < 10; ++i)
    in.as<float>()[i] = i;
  ASSERT_EQ(program->run({in.data(), out.data()}), 0);
  for (int i = 0; i < 10; ++i)
    ASSERT_EQ(out.as<float>()[i], -(3.0f * i + 30.5f));
}

TEST_F(Program, aFailingCallEndsTheRun) {
  auto program = CompiledProgram::compile(callProgram("wrong", 0), target);
  ASSERT_TRUE(program);
  GuardedBytes in(40), out(40);
  std::memset(out.data(), 0x5A, 40);
  EXPECT_EQ(program->run({in.data(), out.data()}), 7);
  EXPECT_EQ(out.data()[0], 0x5A); // the step after it has not run
}

/// The body of one argument over special values and a sweep, in double and f32.
void checkFunction(const std::string &op, double (*reference)(double), double low, double high,
                   double ulps) {
  SCOPED_TRACE(op);
  const int64_t count = 1003; // a tail of 3
  std::string t = "memref<" + std::to_string(count) + "xf32>";
  std::string text = "kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {\n^bb0("
                     "%in: " +
                     t + ", %out: " + t + "):\n" + unaryLoops("%in", "%out", t, op + " %x") +
                     "  kernel.end\n}\n";
  auto program = CompiledProgram::compile(text, target);
  ASSERT_TRUE(program);
  GuardedBytes in(count * 4), out(count * 4);
  float *x = in.as<float>();
  const float inf = std::numeric_limits<float>::infinity();
  const float special[] = {NAN, inf, -inf, 0.0f, -0.0f, 1.0f, -1.0f, 100.0f, -100.0f, 1e-30f};
  for (int64_t i = 0; i < count; ++i)
    x[i] = low + (high - low) * i / (count - 1);
  std::copy(std::begin(special), std::end(special), x + 8);
  std::copy(std::begin(special), std::begin(special) + 3, x + count - 3);
  ASSERT_EQ(program->run({in.data(), out.data()}), 0);
  for (int64_t i = 0; i < count; ++i) {
    float expected = reference(x[i]), got = out.as<float>()[i];
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(got)) << x[i] << " gives " << got;
    } else if (std::isinf(expected)) {
      ASSERT_EQ(got, expected) << x[i];
    } else {
      double unit = std::fabs(std::nextafter(expected, inf) - expected);
      ASSERT_LE(std::fabs(got - reference(x[i])), ulps * unit + 1e-38) << x[i];
    }
  }
}

TEST_F(Program, functionsOfFloat) {
  checkFunction("math.exp", std::exp, -87, 88.7, 2);
  checkFunction("math.log", std::log, 0.001, 50, 2);
  checkFunction("math.log1p", std::log1p, -0.9, 50, 4);
  checkFunction("math.tanh", std::tanh, -10, 10, 8);
  checkFunction("math.erf", std::erf, -5, 5, 8);
  checkFunction("math.sqrt", std::sqrt, 0, 50, 1);
  checkFunction("math.sin", std::sin, -50, 50, 2);
  checkFunction("math.atan", std::atan, -50, 50, 4);
  checkFunction("math.floor", std::floor, -50, 50, 0);
  checkFunction("math.expm1", std::expm1, -20, 20, 4);
}

} // namespace
