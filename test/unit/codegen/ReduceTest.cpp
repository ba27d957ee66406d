// ReduceTest.cpp: kernel.reduce in each of its shapes against float64: sums within the bound
// that KernelOps.td promises, places and extremes exactly, NaN and infinities included.
#include "ProgramRunner.h"

#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>
#include <random>

using namespace symc;
using namespace symc::test;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float none = std::numeric_limits<float>::quiet_NaN();

/// Data [kept..., reduced...] as views of row-major memory; `order` is memory's order of axes.
struct Shape {
  std::vector<int64_t> sizes;
  int64_t kept;
  std::vector<int64_t> order;

  ViewText view() const {
    ViewText view{sizes, std::vector<int64_t>(sizes.size())};
    int64_t stride = 1;
    for (size_t i = order.size(); i-- > 0;) {
      view.strides[order[i]] = stride;
      stride *= sizes[order[i]];
    }
    return view;
  }
  int64_t rows() const {
    int64_t count = 1;
    for (int64_t i = 0; i < kept; ++i)
      count *= sizes[i];
    return count;
  }
  int64_t length() const { return view().elements() / rows(); }
  std::vector<int64_t> keptSizes() const { return {sizes.begin(), sizes.begin() + kept}; }
  ViewText rowView() const {
    ViewText view{keptSizes(), std::vector<int64_t>(kept)};
    int64_t stride = 1;
    for (size_t i = kept; i-- > 0; stride *= sizes[i])
      view.strides[i] = stride;
    return view;
  }
  bool alongRows() const { return order.back() >= kept; }
  /// In units of the terms' absolute sum.
  double bound() const {
    double last = sizes.back(), runs = length() / last, width = 1;
    if (alongRows())
      while (width < 64 && width < last)
        width *= 2;
    double terms = std::min(std::ceil(last / width), 64.0) + runs * std::ceil(last / (64 * width));
    return (terms + std::log2(width)) * std::ldexp(1, -24);
  }
};

// Rows of less than a vector, of whole and broken steps, of several blocks and of several
// runs; columns of less than a vector, of several iterations with a rest, and of several runs.
const Shape shapes[] = {
    {{5, 3}, 1, {0, 1}},
    {{4, 16}, 1, {0, 1}},
    {{3, 67}, 1, {0, 1}},
    {{2, 9000}, 1, {0, 1}},
    {{1, 40001}, 1, {0, 1}},
    {{3, 20, 49}, 1, {1, 0, 2}},
    {{4, 2, 3, 130}, 2, {0, 2, 1, 3}},
    {{5, 40}, 1, {1, 0}},
    {{2, 83, 300}, 2, {0, 2, 1}},
    {{150, 7}, 1, {1, 0}},
    {{150, 3, 2}, 1, {1, 2, 0}},
    {{37, 4, 65}, 1, {1, 2, 0}},
    {{1, 1}, 1, {0, 1}},
    {{600, 1}, 1, {0, 1}},
};

std::string bodyHead(llvm::StringRef more) {
  return llvm::formatv(" {{\n  ^bb0(%p: i32, %n: i32, %x: f32{0}):\n", more).str();
}

/// `body` yields of %x, %p; `finish` of %s (and %i) what a row gets.
std::string reduceText(const Shape &shape, const std::string &combiner, const std::string &body,
                       const std::string &finish) {
  ViewText data = shape.view(), out = shape.rowView();
  std::string results = combiner.rfind("arg", 0) == 0 ? ", %s: f32, %i: i32" : ", %s: f32";
  std::string flat = llvm::formatv("memref<{0}xf32>", data.elements()).str();
  std::string flatOut = llvm::formatv("memref<{0}xf32>", shape.rows()).str();
  return "kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {\n^bb0(%a: " + flat +
         ", %b: " + flatOut + "):\n" + data.define("%v", "%a", data.elements(), "f32") +
         out.define("%w", "%b", shape.rows(), "f32") +
         "  kernel.reduce ins(%v : " + data.type("f32") + ") row_outs(%w : " + out.type("f32") +
         ") {kept = " + std::to_string(shape.kept) + " : i64, combiners = [\"" + combiner +
         "\"]} passes" + bodyHead("") + body + "  } rows" + bodyHead(results) + finish +
         "  } elements" + bodyHead(results) + "    kernel.yield\n  }\n  kernel.end\n}\n";
}

const std::string yieldsValue = "    kernel.yield %x : f32\n",
                  yieldsSum = "    kernel.yield %s : f32\n";

std::vector<double> rowOf(const Shape &shape, const float *data,
                          const std::vector<int64_t> &place) {
  std::vector<double> row;
  ViewText view = shape.view();
  forIndices({shape.sizes.begin() + shape.kept, shape.sizes.end()},
             [&](const std::vector<int64_t> &reduced) {
               std::vector<int64_t> index(place);
               index.insert(index.end(), reduced.begin(), reduced.end());
               row.push_back(data[view.at(index)]);
             });
  return row;
}

GuardedBytes draw(int64_t count, uint32_t seed, float low = -1, float high = 2) {
  GuardedBytes bytes(count * 4);
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> range(low, high);
  for (int64_t i = 0; i < count; ++i)
    bytes.as<float>()[i] = range(random);
  return bytes;
}

std::string name(const Shape &shape) {
  std::string text;
  for (int64_t size : shape.sizes)
    text += std::to_string(size) + " ";
  return text + (shape.alongRows() ? "in rows" : "in columns");
}

class Reduce : public TargetTest {};
} // namespace

INSTANTIATE_TEST_SUITE_P(Targets, Reduce, testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4"));

// If this fails, a sum leaves elements out, reads others, or is less exact than its order.
TEST_P(Reduce, sumsKeepTheirBound) {
  for (const Shape &shape : shapes) {
    auto program =
        CompiledProgram::compile(reduceText(shape, "sum", yieldsValue, yieldsSum), GetParam());
    ASSERT_TRUE(program);
    GuardedBytes data = draw(shape.view().elements(), 7), out(shape.rows() * 4);
    ASSERT_EQ(program->run({data.data(), out.data()}), 0);
    int64_t at = 0;
    forIndices(shape.keptSizes(), [&](const std::vector<int64_t> &place) {
      double sum = 0, sizes = 0;
      for (double value : rowOf(shape, data.as<float>(), place)) {
        sum += value;
        sizes += std::abs(value);
      }
      EXPECT_LE(std::abs(out.as<float>()[at++] - sum), shape.bound() * sizes) << name(shape);
    });
  }
}

// If this fails, results differ from one instruction set to another.
TEST(ReduceOrder, isTheSameForEachTarget) {
  for (const Shape &shape : shapes) {
    GuardedBytes data = draw(shape.view().elements(), 8);
    std::vector<std::vector<float>> results;
    for (const char *target : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) {
      if (!runsHere(target))
        continue;
      auto program =
          CompiledProgram::compile(reduceText(shape, "sum", yieldsValue, yieldsSum), target);
      GuardedBytes out(shape.rows() * 4);
      ASSERT_EQ(program->run({data.data(), out.data()}), 0);
      results.emplace_back(out.as<float>(), out.as<float>() + shape.rows());
      EXPECT_EQ(results.front(), results.back()) << name(shape) << " for " << target;
    }
  }
}

// If this fails, argmax takes a later one of equals, the NaN rule is broken, or a row of
// infinities has no place.
TEST_P(Reduce, placesAreThoseOfTheFirstBest) {
  for (const Shape &shape : shapes)
    for (bool largest : {true, false}) {
      std::string finish = "    %f = arith.sitofp %i : i32 to f32\n    kernel.yield %f : f32\n";
      auto program =
          CompiledProgram::compile(reduceText(shape, largest ? "argmax" : "argmin",
                                              "    kernel.yield %x, %p : f32, i32\n", finish),
                                   GetParam());
      ASSERT_TRUE(program);
      GuardedBytes data = draw(shape.view().elements(), 9), out(shape.rows() * 4);
      std::mt19937 random(3);
      for (int64_t i = 0; i < shape.view().elements(); ++i) { // ties; few NaN
        float &value = data.as<float>()[i];
        value = std::floor(value * 8);
        if (random() % 200 == 0)
          value = none;
        if (i < shape.view().elements() / shape.rows())
          value = largest ? -infinity : infinity;
      }
      ASSERT_EQ(program->run({data.data(), out.data()}), 0);
      int64_t at = 0;
      forIndices(shape.keptSizes(), [&](const std::vector<int64_t> &place) {
        std::vector<double> row = rowOf(shape, data.as<float>(), place);
        size_t best = 0;
        for (size_t i = 1; i < row.size(); ++i)
          if (!std::isnan(row[best]) &&
              (std::isnan(row[i]) || (largest ? row[i] > row[best] : row[i] < row[best])))
            best = i;
        EXPECT_EQ(out.as<float>()[at++], float(best)) << name(shape);
      });
    }
}

// If this fails, max or min loses a NaN that it met or makes one.
TEST_P(Reduce, extremesKeepNan) {
  for (const Shape &shape : shapes)
    for (const char *combiner : {"max", "min", "maxnum"}) {
      auto program =
          CompiledProgram::compile(reduceText(shape, combiner, yieldsValue, yieldsSum), GetParam());
      ASSERT_TRUE(program);
      int64_t count = shape.view().elements();
      GuardedBytes data = draw(count, 10), out(shape.rows() * 4);
      for (int64_t i = 0; i < count; i += 1 + count / 3)
        data.as<float>()[i] = none;
      ASSERT_EQ(program->run({data.data(), out.data()}), 0);
      int64_t at = 0;
      forIndices(shape.keptSizes(), [&](const std::vector<int64_t> &place) {
        bool least = llvm::StringRef(combiner) == "min", met = false;
        double best = least ? infinity : -infinity;
        for (double value : rowOf(shape, data.as<float>(), place)) {
          met |= std::isnan(value);
          if (least ? value < best : value > best)
            best = value;
        }
        float found = out.as<float>()[at++];
        if (met && llvm::StringRef(combiner) != "maxnum")
          EXPECT_TRUE(std::isnan(found)) << name(shape);
        else
          EXPECT_EQ(found, float(best)) << name(shape);
      });
    }
}

// If this fails, a masked softmax reads beyond a row's length or leaves something there.
TEST_P(Reduce, softmaxEndsAtLengths) {
  for (const Shape &shape : shapes) {
    if (int64_t(shape.sizes.size()) != shape.kept + 1)
      continue;
    ViewText data = shape.view(), rows = shape.rowView();
    int64_t count = data.elements();
    std::string flat = llvm::formatv("memref<{0}xf32>", count).str();
    std::string head = bodyHead(""), max = bodyHead(", %m: f32");
    std::string text =
        "kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {\n^bb0(%a: " + flat +
        ", %l: memref<" + std::to_string(shape.rows()) + "xi64>, %b: " + flat + "):\n" +
        data.define("%v", "%a", count, "f32") + data.define("%w", "%b", count, "f32") +
        rows.define("%k", "%l", shape.rows(), "i64") +
        "  kernel.reduce ins(%v : " + data.type("f32") + ") lengths(%k : " + rows.type("i64") +
        ") outs(%w : " + data.type("f32") + ") {kept = " + std::to_string(shape.kept) +
        " : i64, combiners = [\"maxnum\", \"sum\"], saves = 1 : i64, partials = 16 : i64} passes" +
        head + yieldsValue + "  }," + max +
        "    %d = arith.subf %x, %m : f32\n    %e = math.exp %d : f32\n    kernel.yield %e, %e : "
        "f32, f32\n  } rows" +
        bodyHead(", %m: f32, %s: f32") + "    kernel.yield\n  } elements" +
        bodyHead(", %e: f32, %m: f32, %s: f32") +
        "    %q = arith.divf %e, %s : f32\n    kernel.yield %q : f32\n  }\n  kernel.end\n}\n";
    auto program = CompiledProgram::compile(text, GetParam());
    ASSERT_TRUE(program);
    GuardedBytes in = draw(count, 11), lengths(shape.rows() * 8), out(count * 4);
    std::mt19937 random(5);
    int64_t row = 0;
    std::vector<int64_t> used;
    forIndices(shape.keptSizes(), [&](const std::vector<int64_t> &place) {
      int64_t length = int64_t(random() % (shape.length() + 3)) - 1;
      lengths.as<int64_t>()[row++] = row % 5 == 4 ? int64_t(1) << 40 : length;
      used.push_back(std::clamp<int64_t>(lengths.as<int64_t>()[row - 1], 0, shape.length()));
      for (int64_t i = used.back(); i < shape.length(); ++i) { // nobody may look there
        std::vector<int64_t> index(place);
        index.push_back(i);
        in.as<float>()[data.at(index)] = none;
      }
    });
    std::fill_n(out.as<float>(), count, none);
    ASSERT_EQ(program->run({in.data(), lengths.data(), out.data()}), 0);
    row = 0;
    forIndices(shape.keptSizes(), [&](const std::vector<int64_t> &place) {
      std::vector<double> values = rowOf(shape, in.as<float>(), place);
      double sum = 0;
      for (int64_t i = 0; i < used[row]; ++i)
        sum += std::exp(values[i]);
      std::vector<double> found = rowOf(shape, out.as<float>(), place);
      for (int64_t i = 0; i < shape.length(); ++i) {
        double expected = i < used[row] ? std::exp(values[i]) / sum : 0;
        EXPECT_NEAR(found[i], expected, 1e-6 * expected + (i < used[row] ? 1e-12 : 0))
            << name(shape) << " row " << row << " length " << used[row];
      }
      ++row;
    });
  }
}
