// RowBandsTest.cpp: chains of layers of random kinds and extents, computed band by band,
// have the bits of the same chains computed layer by layer. If this fails, a band reads
// rows that are not written yet, pads a window where the image goes on, or leaves out
// products with rows that are no padding.
#include "ProgramRunner.h"

#include <gtest/gtest.h>
#include <random>

using namespace symc::test;

namespace {

using RowBands = TargetTest;

struct Image {
  std::string name;
  int64_t n, blocks, rows, columns, halo;

  int64_t wide() const { return columns + 2 * halo; }
  int64_t high() const { return rows + 2 * halo; }
  int64_t elements() const { return n * blocks * high() * wide() * 16; }
  ViewText part(int64_t pad) const {
    int64_t plane = high() * wide() * 16;
    return {{n, blocks, rows + 2 * pad, columns + 2 * pad, 16},
            {blocks * plane, plane, wide() * 16, 16, 1},
            (halo - pad) * (wide() + 1) * 16};
  }
};

// Halos are one pixel of zeros: convolutions may leave their products out.
const char *zeroRows = ", zeros = #kernel.padding<top = 1, bottom = 1>";

/// The text of a program of some layers, one behind the other; weights are arguments.
class ChainText {
public:
  ChainText(uint64_t seed) : engine(seed) {
    Image image{"%x", draw(1, 2), draw(1, 2), draw(9, 24), draw(3, 9), 0};
    argument(image.name, image.elements());
    int64_t layers = draw(2, 4);
    for (int64_t i = 0; i < layers; ++i)
      image = layer(image, i, i + 1 == layers);
    text = "kernel.program @main attributes {num_inputs = " + std::to_string(sizes.size() - 1) +
           ", num_outputs = 1} {\n^bb0(" + arguments + "):\n" + text + "  kernel.end\n}\n";
  }
  std::string text, arguments;
  std::vector<int64_t> sizes; // elements of the arguments; the last one is the output

private:
  int64_t draw(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  }
  void argument(const std::string &name, int64_t elements) {
    arguments +=
        (sizes.empty() ? "" : ", ") + name + ": memref<" + std::to_string(elements) + "xf32>";
    sizes.push_back(elements);
  }
  std::string view(const std::string &name, const std::string &from, const ViewText &view,
                   int64_t elements) {
    text += view.define(name, from, elements, "f32");
    return name + " : " + view.type("f32");
  }
  static std::string pair(int64_t x) {
    return "array<i64: " + std::to_string(x) + ", " + std::to_string(x) + ">";
  }

  Image layer(const Image &in, int64_t number, bool last) {
    std::string id = std::to_string(number);
    int64_t kind = draw(0, 2), kernel = draw(0, 1) ? 3 : 1, stride = draw(1, 2);
    bool pool = kind == 2;
    if (std::min(in.rows, in.columns) < 3)
      kernel = 1;
    int64_t pad = pool ? kernel / 2 : in.halo;
    auto extent = [&](int64_t x) { return (x + 2 * pad - kernel) / stride + 1; };
    Image out{last ? "%out" : "%a" + id,
              in.n,
              kind == 0 ? draw(1, 2) : in.blocks,
              extent(in.rows),
              extent(in.columns),
              last ? 0 : draw(0, 1)};
    std::string type = "memref<" + std::to_string(out.elements()) + "xf32>";
    std::string weights;
    if (!pool) {
      ViewText panels = kind == 0 ? ViewText{{out.blocks, in.blocks, kernel, kernel, 16, 16}, {}, 0}
                                  : ViewText{{in.blocks, kernel, kernel, 16}, {}, 0};
      int64_t step = 1;
      for (size_t d = panels.sizes.size(); d-- > 0; step *= panels.sizes[d])
        panels.strides.insert(panels.strides.begin(), step);
      argument("%w" + id, step);
      weights = view("%p" + id, "%w" + id, panels, step);
    }
    if (last)
      argument("%out", out.elements());
    else
      text += "  " + out.name + " = kernel.buffer() : " + type + "\n";
    if (out.halo)
      text += "  kernel.fill " + out.name + " with 0.0 : f32 : " + type + "\n";
    std::string data = view("%d" + id, in.name, in.part(pool ? 0 : in.halo), in.elements());
    std::string target = view("%o" + id, out.name, out.part(0), out.elements());
    std::string common =
        " out(" + target + ") {kernel = " + pair(kernel) + ", strides = " + pair(stride);
    static const char *const kinds[] = {"conv", "depthwise", "pool"};
    text += std::string("  kernel.") + kinds[kind];
    if (pool)
      text += draw(0, 1) ? " \"avg\"" : " \"max\"";
    text +=
        " data(" + data + ")" + (pool ? "" : " weights(" + weights + ")") + " extras()" + common;
    if (pool)
      text += ", pad = " + padding(pad, pad, pad, pad) +
              ", count_include_pad = " + (draw(0, 1) ? "true" : "false");
    else
      text += ", dilations = " + pair(1);
    if (kind == 0)
      text += ", in_channels = " + std::to_string(in.blocks * 16) +
              " : i64, out_channels = " + std::to_string(out.blocks * 16 - draw(0, 3)) + " : i64" +
              (in.halo ? zeroRows : "");
    text += "} body {\n  ^bb0(%acc: f32):\n    kernel.yield %acc : f32\n  }\n";
    return out;
  }

  std::mt19937_64 engine;
};

std::string without(std::string text, const std::string &part) {
  for (size_t at; (at = text.find(part)) != std::string::npos;)
    text.erase(at, part.size());
  return text;
}

std::vector<float> run(CompiledProgram &program, const std::vector<int64_t> &sizes) {
  std::vector<GuardedBytes> memory;
  std::vector<void *> io;
  std::mt19937 engine(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (int64_t size : sizes) {
    memory.emplace_back(size * 4);
    for (int64_t i = 0; i < size; ++i)
      memory.back().as<float>()[i] = uniform(engine);
    io.push_back(memory.back().data());
  }
  EXPECT_EQ(program.run(io), 0);
  float *out = memory.back().as<float>();
  return std::vector<float>(out, out + sizes.back());
}

TEST_P(RowBands, haveTheBitsOfWholeLayers) {
  int cut = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    ChainText chain(seed);
    auto whole = CompiledProgram::compile(chain.text, GetParam());
    auto banded = CompiledProgram::compile(chain.text, GetParam(), false,
                                           symc::codegen::BandLimits{1, 12000});
    auto plain = CompiledProgram::compile(without(chain.text, zeroRows), GetParam());
    ASSERT_TRUE(whole && banded && plain) << chain.text;
    cut += banded->steps > whole->steps;
    std::vector<float> a = run(*whole, chain.sizes), b = run(*banded, chain.sizes),
                       c = run(*plain, chain.sizes);
    ASSERT_EQ(0, memcmp(a.data(), b.data(), a.size() * 4)) << chain.text;
    ASSERT_EQ(0, memcmp(a.data(), c.data(), a.size() * 4)) << chain.text;
  }
  EXPECT_GE(cut, 10);
}

INSTANTIATE_TEST_SUITE_P(Targets, RowBands, testing::Values("x86-64-v2", "x86-64-v4"));

} // namespace
