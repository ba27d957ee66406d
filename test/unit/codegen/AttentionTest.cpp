// AttentionTest.cpp: kernel.attention beside float64, for heads and counts of rows and keys around
// the blocks that it works in; masks and lengths, infinities; the same bits for each instruction
// set that multiplies and adds in one step.
#include "ProgramRunner.h"

#include <cmath>
#include <limits>
#include <random>

using namespace symc;
using namespace symc::test;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Shape {
  int64_t outer, heads, queries, keys, width, valueWidth;
  bool interleaved; // [length, outer, heads, width], else [outer, heads, length, width]

  ViewText view(int64_t length, int64_t width) const {
    if (interleaved)
      return {{outer, heads, length, width}, {heads * width, width, outer * heads * width, 1}};
    return {{outer, heads, length, width}, {heads * length * width, length * width, width, 1}};
  }
};

// Rows of less than a vector, of broken and of several blocks; keys of broken tiles and of several
// blocks of 64; heads that are no multiple of a vector; rows of many heads, so far apart that
// values are copied, and too few of them; single rows.
const Shape shapes[] = {{1, 1, 1, 1, 1, 1, false},      {2, 3, 5, 7, 8, 8, false},
                        {1, 2, 33, 64, 16, 24, true},   {2, 2, 70, 65, 20, 5, true},
                        {1, 1, 16, 200, 64, 64, false}, {1, 3, 40, 129, 7, 100, false},
                        {4, 16, 40, 70, 16, 24, true},  {4, 16, 3, 70, 16, 24, true},
                        {1, 2, 1, 75, 72, 40, false},   {2, 1, 1, 18, 6, 150, true}};

enum class Mask { None, Keys, Rows, Lengths };

// `first`: of queries, `element`: of keys and values.
std::string text(const Shape &s, Mask mask, const char *element = "f32",
                 const char *first = "f32") {
  ViewText q = s.view(s.queries, s.width), k = s.view(s.keys, s.width),
           v = s.view(s.keys, s.valueWidth), out = s.view(s.queries, s.valueWidth);
  auto flat = [](int64_t count, const char *type) {
    return "memref<" + std::to_string(count) + "x" + type + ">";
  };
  ViewText more{{s.outer, s.heads, s.queries, s.keys}, {0, 0, mask == Mask::Rows ? s.keys : 0, 1}};
  ViewText lengths{{s.outer, s.heads, s.queries}, {0, 0, 1}};
  bool hasExtra = mask == Mask::Keys || mask == Mask::Rows;
  std::string arguments = hasExtra ? "%s: f32, %m: f32" : "%s: f32";
  std::string scaled = "    %f = arith.constant 0.5 : f32\n    %t = arith.mulf %s, %f : f32\n";
  std::string program =
      "kernel.program @main attributes {num_inputs = 5, num_outputs = 1} {\n^bb0(%a: " +
      flat(q.elements(), first) + ", %b: " + flat(k.elements(), element) +
      ", %c: " + flat(v.elements(), element) + ", %d: " + flat(s.queries * s.keys, "f32") +
      ", %e: " + flat(s.queries, "i32") + ", %o: " + flat(out.elements(), "f32") + "):\n" +
      q.define("%q", "%a", q.elements(), first) + k.define("%k", "%b", k.elements(), element) +
      v.define("%v", "%c", v.elements(), element) +
      more.define("%x", "%d", s.queries * s.keys, "f32") +
      lengths.define("%n", "%e", s.queries, "i32") + out.define("%w", "%o", out.elements(), "f32") +
      "  kernel.attention queries(%q : " + q.type(first) + ") keys(%k : " + k.type(element) +
      ") values(%v : " + v.type(element) + ") ";
  if (mask == Mask::Lengths)
    program += "lengths(%n : " + lengths.type("i32") + ") ";
  program += hasExtra ? "extras(%x : " + more.type("f32") + ")" : "extras()";
  program += " out(%w : " + out.type("f32") + ")";
  if (std::string(element) != "f32")
    program += " {kernel.narrow}";
  program += " scores {\n  ^bb0(" + arguments + "):\n" + scaled;
  program += hasExtra ? "    %u = arith.addf %t, %m : f32\n    kernel.yield %u : f32\n"
                      : "    kernel.yield %t : f32\n";
  return program + "  } weights {\n  ^bb0(" + arguments +
         "):\n    kernel.yield %s : f32\n  }\n  kernel.end\n}\n";
}

struct Data {
  GuardedBytes queries, keys, values, mask, lengths, out;
};

Data draw(const Shape &s, Mask mask) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> range(-2, 2);
  auto floats = [&](int64_t count) {
    GuardedBytes bytes(count * 4);
    for (int64_t i = 0; i < count; ++i)
      bytes.as<float>()[i] = range(random);
    return bytes;
  };
  int64_t heads = s.outer * s.heads;
  Data data{
      floats(heads * s.queries * s.width),   floats(heads * s.keys * s.width),
      floats(heads * s.keys * s.valueWidth), floats(s.queries * s.keys),
      GuardedBytes(s.queries * 4),           GuardedBytes(heads * s.queries * s.valueWidth * 4)};
  // Some keys are left out, in a row whole blocks of them.
  for (int64_t q = 0; q < s.queries; ++q)
    for (int64_t k = 0; k + 1 < s.keys; ++k)
      if (random() % 4 == 0 || (q == 2 && k < 70))
        data.mask.as<float>()[q * s.keys + k] = -infinity;
  for (int64_t q = 0; q < s.queries; ++q)
    data.lengths.as<int32_t>()[q] = int32_t(random() % (s.keys + 3));
  if (mask == Mask::Lengths && s.queries > 1)
    data.lengths.as<int32_t>()[1] = 0;
  return data;
}

void expectAttention(const Shape &s, Mask mask, const Data &data, double most = 4e-6) {
  ViewText q = s.view(s.queries, s.width), k = s.view(s.keys, s.width),
           v = s.view(s.keys, s.valueWidth), out = s.view(s.queries, s.valueWidth);
  auto floats = [](const GuardedBytes &bytes) {
    return reinterpret_cast<const float *>(bytes.data());
  };
  forIndices({s.outer, s.heads, s.queries}, [&](const std::vector<int64_t> &at) {
    int64_t row = at[2], count = s.keys;
    if (mask == Mask::Lengths)
      count = std::min<int64_t>(count, reinterpret_cast<const int32_t *>(data.lengths.data())[row]);
    std::vector<double> scores;
    double highest = -infinity, total = 0;
    for (int64_t key = 0; key < count; ++key) {
      double sum = 0;
      for (int64_t d = 0; d < s.width; ++d)
        sum += double(floats(data.queries)[q.at({at[0], at[1], row, d})]) *
               floats(data.keys)[k.at({at[0], at[1], key, d})];
      sum *= 0.5;
      if (mask == Mask::Keys || mask == Mask::Rows)
        sum += floats(data.mask)[(mask == Mask::Rows ? row * s.keys : 0) + key];
      scores.push_back(sum);
      highest = std::max(highest, sum);
    }
    for (double &score : scores)
      total += score = std::exp(score - highest);
    for (int64_t e = 0; e < s.valueWidth; ++e) {
      double sum = 0;
      for (int64_t key = 0; key < count; ++key)
        sum += scores[key] / total * floats(data.values)[v.at({at[0], at[1], key, e})];
      float got = floats(data.out)[out.at({at[0], at[1], row, e})];
      EXPECT_NEAR(got, sum, most) << "row " << row << ", element " << e << " of " << s.queries
                                  << " x " << s.keys << " x " << s.width;
      if (count == 0)
        EXPECT_EQ(got, 0);
    }
  });
}

int32_t run(CompiledProgram &program, Data &data) {
  return program.run({data.queries.data(), data.keys.data(), data.values.data(), data.mask.data(),
                      data.lengths.data(), data.out.data()});
}

// The floats, which lose their lower halves, as bfloat16.
GuardedBytes narrowed(GuardedBytes &floats, int64_t count) {
  GuardedBytes halves(count * 2);
  for (int64_t i = 0; i < count; ++i) {
    uint32_t &bits = floats.as<uint32_t>()[i];
    bits &= 0xffff0000;
    halves.as<uint16_t>()[i] = bits >> 16;
  }
  return halves;
}

class Attention : public TargetTest {};
class AttentionOfPairs : public TargetTest {};
class AttentionOfCaches : public TargetTest {};

void expectAttentionOfHalves(const std::string &target, bool areQueries) {
  for (const Shape &shape : shapes)
    for (Mask mask : {Mask::None, Mask::Keys, Mask::Rows, Mask::Lengths}) {
      if (areQueries && shape.width % 2)
        continue;
      auto program =
          CompiledProgram::compile(text(shape, mask, "bf16", areQueries ? "bf16" : "f32"), target);
      ASSERT_TRUE(program);
      Data data = draw(shape, mask);
      int64_t heads = shape.outer * shape.heads;
      GuardedBytes queries = narrowed(data.queries, heads * shape.queries * shape.width),
                   keys = narrowed(data.keys, heads * shape.keys * shape.width),
                   values = narrowed(data.values, heads * shape.keys * shape.valueWidth);
      GuardedBytes &first = areQueries ? queries : data.queries;
      ASSERT_EQ(program->run({first.data(), keys.data(), values.data(), data.mask.data(),
                              data.lengths.data(), data.out.data()}),
                0);
      constexpr double largest = 2, unit = 0x1p-9; // of values, of roundings of shares
      expectAttention(shape, mask, data, (areQueries ? largest * unit : 0) + 1e-5);
    }
}
} // namespace

INSTANTIATE_TEST_SUITE_P(Targets, Attention,
                         testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4"));
INSTANTIATE_TEST_SUITE_P(Targets, AttentionOfPairs, testing::Values("x86-64-v4+bf16"));
INSTANTIATE_TEST_SUITE_P(Targets, AttentionOfCaches,
                         testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4"));

// If this fails, a row of attention takes keys of others, leaves some out, or loses what it had
// before a block with larger scores.
TEST_P(Attention, isThatOfFloat64) {
  for (const Shape &shape : shapes)
    for (Mask mask : {Mask::None, Mask::Keys, Mask::Rows, Mask::Lengths}) {
      auto program = CompiledProgram::compile(text(shape, mask), GetParam());
      ASSERT_TRUE(program);
      Data data = draw(shape, mask);
      ASSERT_EQ(run(*program, data), 0);
      expectAttention(shape, mask, data);
    }
}

// If this fails, attention over bfloat16 pairs other elements than those that lie side by side,
// takes a key behind an odd last one, or errs by more than shares of 16 bits explain.
TEST_P(AttentionOfPairs, isThatOfFloat64) { expectAttentionOfHalves(GetParam(), true); }

// If this fails, keys and values of bfloat16 beside queries of float32 are widened to others.
TEST_P(AttentionOfCaches, isThatOfFloat64) { expectAttentionOfHalves(GetParam(), false); }

// If this fails, a row that a mask leaves nothing of is a number, unlike softmax's.
TEST_P(Attention, ofNothingIsNoNumber) {
  Shape shape{1, 1, 3, 70, 4, 4, false};
  auto program = CompiledProgram::compile(text(shape, Mask::Rows), GetParam());
  ASSERT_TRUE(program);
  Data data = draw(shape, Mask::Rows);
  std::fill_n(data.mask.as<float>() + shape.keys, shape.keys, -infinity);
  ASSERT_EQ(run(*program, data), 0);
  for (int64_t i = 0; i < 12; ++i)
    EXPECT_EQ(std::isnan(data.out.as<float>()[i]), i / 4 == 1) << i;
}
