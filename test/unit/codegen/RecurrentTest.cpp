// RecurrentTest.cpp: kernel.recurrent whose states are multiplied by Strassen's product, and with
// weights of 16 bits, against sums in f64. Steps of a layer that adds the sums of all its gates.
// The order of the tasks of a plain one.
#include "ProgramRunner.h"
#include "codegen/conv/strassen/StrassenCost.h"
#include "codegen/conv/strassen/kernel/StrassenRecurrent.h"
#include "codegen/cpu/ProductRow.h"
#include "codegen/cpu/TargetDescription.h"
#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/APFloat.h"
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

std::string memrefOf(std::initializer_list<int64_t> extents, const char *element = "f32") {
  std::string text = "memref<";
  for (int64_t extent : extents)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

// The program of a layer with such weights, and what its step has beside the usual operands.
std::string textOf(const Sizes &s, const std::string &w, const std::string &more,
                   const std::string &moreType) {
  std::string g = memrefOf({steps, s.batch, s.gates, s.units}), h = memrefOf({s.batch, s.units});
  std::string out = memrefOf({steps, s.batch, s.units});
  std::string text =
      "kernel.program @main attributes {num_inputs = 3, num_outputs = 1} {\n^bb0(%g: " + g +
      ", %w: " + w + ", %h: " + h + ", %out: " + out + "):\n" + moreType +
      "  %t = kernel.buffer() : memref<8xi64>\n  kernel.recurrent gates(%g : " + g +
      ") weights(%w : " + w + ") state(%h : " + h + ") out(%out : " + out + ") " + more +
      "step(%t : memref<8xi64>) {reverse = false} body {\n  ^bb0(";
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

std::string textOfHalves(const Sizes &s) {
  std::string w = memrefOf({s.units / 32, s.groups(), 7, s.units / 2, s.gates / s.groups(), 16});
  std::string c = memrefOf({s.units / 32 + 2, s.halves().scratch()[1]});
  return textOf(s, w, "scratch(%s : " + c + ") ", "  %s = kernel.buffer() : " + c + "\n");
}

// Weights of 16 bits, and states in them where `rounded`.
std::string textOfNarrow(const Sizes &s, bool pairs, bool rounded) {
  int64_t together = pairs ? 2 : 1, blocks = (s.units + 15) / 16;
  const char *element = pairs ? "bf16" : "f16";
  std::string w = memrefOf({blocks, s.units / together, s.gates, 1, together, 16}, element);
  std::string c = memrefOf({2, s.batch, s.units}, element), h = memrefOf({s.batch, s.units});
  if (!rounded)
    return textOf(s, w, "", "");
  std::string place = memrefOf({s.batch, s.units}, element);
  place.insert(place.size() - 1,
               llvm::formatv(", strided<[{0}, 1], offset: {1}>", s.units, s.batch * s.units));
  std::string before =
      "  %s = kernel.buffer() : " + c + "\n  %s1 = memref.reinterpret_cast %s to offset: [";
  before += llvm::formatv("{0}], sizes: [{1}, {2}], strides: [{2}, 1] : ", s.batch * s.units,
                          s.batch, s.units);
  before += c + " to " + place + "\n  kernel.loops ins(%h : " + h + ") outs(%s1 : " + place +
            ") {kernel.narrow} body {\n  ^bb0(%x: f32):\n    kernel.yield %x : f32\n  }\n";
  return textOf(s, w, "rounded(%s : " + c + ") ", before);
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
class NarrowRecurrent : public TargetTest {};
} // namespace

INSTANTIATE_TEST_SUITE_P(Targets, Recurrent,
                         testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4"));
INSTANTIATE_TEST_SUITE_P(Targets, NarrowRecurrent,
                         testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4+bf16"));

// If this fails, recurrent layers of large batches are wrong, or less exact than
// --math=fast promises.
TEST_P(Recurrent, statesByStrassenKeepTheirBound) {
  for (Sizes s : {Sizes{16, 128, 4}, Sizes{22, 32, 3}, Sizes{16, 256, 1}, Sizes{18, 1024, 1}}) {
    auto program = CompiledProgram::compile(textOfHalves(s), GetParam());
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

// As hardware rounds, to nearest.
static uint16_t bitsOf(float value, bool pairs) {
  llvm::APFloat number(value);
  bool loses;
  number.convert(pairs ? llvm::APFloat::BFloat() : llvm::APFloat::IEEEhalf(),
                 llvm::APFloat::rmNearestTiesToEven, &loses);
  return uint16_t(number.bitcastToAPInt().getZExtValue());
}
static double valueOf(uint16_t bits, bool pairs) {
  llvm::APFloat number(pairs ? llvm::APFloat::BFloat() : llvm::APFloat::IEEEhalf(),
                       llvm::APInt(16, bits));
  return number.convertToDouble();
}

// If this fails, recurrent layers read weights of 16 bits from a wrong place, or states that are
// not those of the time step before.
TEST_P(NarrowRecurrent, sumsAreThoseOfRoundedFactors) {
  auto target = codegen::TargetDescription::get(GetParam());
  mlir::MLIRContext context;
  mlir::Type halves[] = {mlir::Float16Type::get(&context), mlir::BFloat16Type::get(&context)};
  int64_t rows = 0;
  for (bool pairs : {false, true})
    for (bool rounded : {false, true})
      for (Sizes s : {Sizes{1, 48, 3}, Sizes{1, 20, 4}, Sizes{5, 20, 4}, Sizes{16, 34, 3},
                      Sizes{33, 16, 1}}) {
        mlir::Type half = halves[pairs];
        if (!productRowOf(*target, rounded ? half : mlir::Float32Type::get(&context), half))
          continue;
        ++rows;
        auto program = CompiledProgram::compile(textOfNarrow(s, pairs, rounded), GetParam());
        ASSERT_TRUE(program);
        int64_t cells = s.batch * s.units, blocks = (s.units + 15) / 16;
        GuardedBytes gates = draw(steps * cells * s.gates, 1), state = draw(cells, 2);
        GuardedBytes weights = draw(s.units * s.units * s.gates, 3), out(steps * cells * 4);
        GuardedBytes packed(blocks * 16 * s.units * s.gates * 2);
        std::fill_n(packed.as<uint16_t>(), packed.size() / 2, 0);
        forIndices({s.gates, s.units, s.units}, [&](const std::vector<int64_t> &i) {
          int64_t together = pairs ? 2 : 1, k = i[2];
          int64_t row = (i[1] / 16 * (s.units / together) + k / together) * s.gates + i[0];
          float &w = weights.as<float>()[(i[0] * s.units + i[1]) * s.units + k];
          w /= float(s.units);
          uint16_t bits = bitsOf(w, pairs);
          packed.as<uint16_t>()[(row * 16 + i[1] % 16) * together + k % together] = bits;
          w = float(valueOf(bits, pairs));
        });
        ASSERT_EQ(program->run({gates.data(), packed.data(), state.data(), out.data()}), 0);
        for (int64_t step = 0; step < steps; ++step) {
          const float *before = step ? out.as<float>() + (step - 1) * cells : state.as<float>();
          forIndices({s.batch, s.units}, [&](const std::vector<int64_t> &i) {
            double sum = gates.as<float>()[(step * s.batch + i[0]) * s.gates * s.units + i[1]];
            for (int64_t g = 0; g < s.gates; ++g)
              for (int64_t k = 0; k < s.units; ++k) {
                float x = before[i[0] * s.units + k];
                sum += double(weights.as<float>()[(g * s.units + i[1]) * s.units + k]) *
                       (rounded ? valueOf(bitsOf(x, pairs), pairs) : double(x));
              }
            EXPECT_NEAR(out.as<float>()[step * cells + i[0] * s.units + i[1]], sum, 2e-5)
                << s.batch << " rows of " << s.units << " units, step " << step
                << (pairs ? ", bf16" : ", f16") << (rounded ? ", rounded" : "");
          });
        }
      }
  EXPECT_GE(rows, 5);
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
