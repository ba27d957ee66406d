// RecurrentTest.cpp: kernel.recurrent whose states are multiplied by Strassen's product,
// against sums in f64. Two steps of a layer that adds the sums of all its gates. The order of the
// tasks of a plain one.
#include "ProgramRunner.h"
#include "codegen/conv/strassen/StrassenCost.h"
#include "codegen/conv/strassen/kernel/StrassenRecurrent.h"

#include "llvm/Support/FormatVariadic.h"
#include <array>
#include <cmath>
#include <random>

using namespace symc;
using namespace symc::test;

namespace {

struct Sizes {
  int64_t batch, units, gates;
  kernel::RecurrentHalves halves() const { return {batch, units, gates, 16}; }
  int64_t groups() const { return halves().groups(); }
};

// Sums of a state are kept from one time step for the next, in two places alternately.
constexpr int64_t steps = 3;

std::string textOf(const Sizes &s) {
  auto type = [](std::initializer_list<int64_t> extents) {
    std::string text = "memref<";
    for (int64_t extent : extents)
      text += std::to_string(extent) + "x";
    return text + "f32>";
  };
  std::string g = type({steps, s.batch, s.gates, s.units}), h = type({s.batch, s.units});
  std::string w = type({s.units / 32, s.groups(), 7, s.units / 2, s.gates / s.groups(), 16});
  std::string out = type({steps, s.batch, s.units});
  std::string c = type({s.units / 32 + 2, s.halves().scratch()[1]});
  std::string text =
      "kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {\n^bb0(%g: " + g +
      ", %w: " + w + ", %h: " + h + ", %out: " + out + "):\n  %s = kernel.buffer() : " + c +
      "\n  %t = kernel.buffer() : memref<8xi64>\n  kernel.recurrent gates(%g : " + g +
      ") weights(%w : " + w + ") state(%h : " + h + ") out(%out : " + out + ") scratch(%s : " + c +
      ") step(%t : memref<8xi64>) {reverse = false} body {\n  ^bb0(";
  for (int64_t i = 0; i < s.gates; ++i)
    text += llvm::formatv("%sum{0}: f32, ", i);
  for (int64_t i = 0; i < s.gates; ++i)
    text += llvm::formatv("%gate{0}: f32, ", i);
  text += "%before: f32):\n";
  std::string last = "%gate0";
  for (int64_t i = 0; i < s.gates; ++i) {
    text += llvm::formatv("    %y{0} = arith.addf {1}, %sum{0} : f32\n", i, last);
    last = llvm::formatv("%y{0}", i);
  }
  return text + "    kernel.yield " + last + " : f32\n  }\n  kernel.end\n}\n";
}

// The sums of the quarters of weights [gates][units][units], as @prepare writes them.
void pack(const float *w, const Sizes &s, float *to) {
  int64_t half = s.units / 2, perGroup = s.gates / s.groups();
  forIndices({s.units / 32, s.groups(), 7, half, perGroup, 16}, [&](const std::vector<int64_t> &i) {
    double sum = 0;
    for (int q = 0; q < 4; ++q) {
      int64_t gate = i[1] * perGroup + i[4], unit = q / 2 * half + i[0] * 16 + i[5];
      sum += kernel::strassenProducts[i[2]].weights[q] *
             double(w[(gate * s.units + unit) * s.units + q % 2 * half + i[3]]);
    }
    *to++ = static_cast<float>(sum);
  });
}

GuardedBytes draw(int64_t count, uint32_t seed) {
  GuardedBytes bytes(count * 4);
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> range(-1, 1);
  for (int64_t i = 0; i < count; ++i)
    bytes.as<float>()[i] = range(random);
  return bytes;
}

class Recurrent : public TargetTest {};
} // namespace

INSTANTIATE_TEST_SUITE_P(Targets, Recurrent,
                         testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4"));

// If this fails, recurrent layers of large batches are wrong, or less exact than
// --math=fast promises.
TEST_P(Recurrent, statesByStrassenKeepTheirBound) {
  for (Sizes s : {Sizes{16, 128, 4}, Sizes{22, 32, 3}, Sizes{16, 256, 1}, Sizes{18, 1024, 1}}) {
    auto program = CompiledProgram::compile(textOf(s), GetParam());
    ASSERT_TRUE(program);
    int64_t cells = s.batch * s.units;
    GuardedBytes gates = draw(steps * cells * s.gates, 1), state = draw(cells, 2);
    GuardedBytes weights = draw(s.units * s.units * s.gates, 3), out(steps * cells * 4);
    GuardedBytes packed(s.units * s.units * s.gates * 7);
    pack(weights.as<float>(), s, packed.as<float>());
    ASSERT_EQ(program->run({gates.data(), packed.data(), state.data(), out.data()}), 0);
    for (int64_t step = 0; step < steps; ++step) {
      const float *before = step ? out.as<float>() + (step - 1) * cells : state.as<float>();
      double worst = 0, largest = 0;
      forIndices({s.batch, s.units}, [&](const std::vector<int64_t> &i) {
        double sum = gates.as<float>()[(step * s.batch + i[0]) * s.gates * s.units + i[1]];
        for (int64_t g = 0; g < s.gates; ++g)
          for (int64_t k = 0; k < s.units; ++k)
            sum += double(weights.as<float>()[(g * s.units + i[1]) * s.units + k]) *
                   before[i[0] * s.units + k];
        float found = out.as<float>()[step * cells + i[0] * s.units + i[1]];
        worst = std::max(worst, std::abs(sum - found));
        largest = std::max(largest, std::abs(sum));
      });
      EXPECT_LE(worst / largest, codegen::strassenErrorBound(s.units))
          << s.batch << " rows of " << s.units << " units, " << s.gates << " gates, step " << step;
    }
  }
}

// If this fails, time steps go through the weights in one direction, so that caches never hold
// what comes next, or a thread takes the share of another one.
TEST_P(Recurrent, threadsReverseTheirShareInOddSteps) {
  const char *text = R"(kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%g: memref<3x1x1x64xf32>, %w: memref<4x64x1x1x1x16xf32>, %h: memref<1x64xf32>, %out: memref<3x1x64xf32>):
  %t = kernel.buffer() : memref<8xi64>
  kernel.recurrent gates(%g : memref<3x1x1x64xf32>) weights(%w : memref<4x64x1x1x1x16xf32>) state(%h : memref<1x64xf32>) out(%out : memref<3x1x64xf32>) step(%t : memref<8xi64>) {reverse = false, tile = array<i64: 1, 1, 1>, per_task = 1 : i64} body {
  ^bb0(%sum: f32, %gate: f32, %before: f32):
    kernel.yield %gate : f32
  }
  kernel.end
})";
  auto program = CompiledProgram::compile(text, GetParam());
  ASSERT_TRUE(program);
  GuardedBytes gates = draw(3 * 64, 1), weights = draw(64 * 64, 2), state = draw(64, 3);
  struct {
    int64_t task;
    int32_t threads;
    std::array<int64_t, 3> blocks; // of 16 units, in each step
  } cases[] = {{0, 1, {0, 3, 0}}, {1, 1, {1, 2, 1}}, {0, 2, {0, 1, 0}}, {3, 2, {3, 2, 3}},
               {2, 3, {2, 3, 2}}, {1, 3, {1, 1, 1}}, {2, 9, {2, 2, 2}}};
  for (auto &[task, threads, blocks] : cases) {
    GuardedBytes out(3 * 64 * 4);
    std::fill_n(out.as<float>(), 3 * 64, -7.0f);
    OnlyTask only(task, threads);
    ASSERT_EQ(program->run({gates.data(), weights.data(), state.data(), out.data()}), 0);
    for (int64_t i = 0; i < 3 * 64; ++i)
      EXPECT_EQ(out.as<float>()[i] != -7, i % 64 / 16 == blocks[i / 64])
          << "unit " << i % 64 << " in step " << i / 64 << ", task " << task << " of " << threads;
  }
}
