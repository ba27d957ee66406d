// MatricesTest.cpp: convolutions and products of bfloat16 by registers of matrices, under an
// emulator: extents that leave something over of every tile, known when compiled and at run time.
// Factors are small integers, so that results are exact in any order.
#include "test/unit/codegen/ProgramRunner.h"
#include "tools/amx-emulator/Emulator.h"

#include "llvm/Support/FormatVariadic.h"

using namespace symc::test;

static constexpr const char *target = "x86-64-v4+amx";

namespace {
/// A square window over an image with a halo, or rows of a matrix without one (window 1), each as
/// long as its channels are.
struct Layer {
  int64_t in, out, window, stride;
  bool isOpen; // rows and columns are run-time values
  int64_t rows, columns;

  bool isMatrix() const { return window == 1; }
  int64_t inBlocks() const { return (in + 15) / 16; }
  int64_t outBlocks() const { return (out + 15) / 16; }
  int64_t dataRows() const { return (rows - 1) * stride + window; }
  int64_t dataColumns() const { return (columns - 1) * stride + window; }
  std::string text() const;
};

class Matrices : public testing::Test {
protected:
  void SetUp() override {
    if (!symc::amx::installEmulator())
      GTEST_SKIP() << "this processor has no AVX512-BF16";
  }
};
} // namespace

std::string Layer::text() const {
  auto size = [&](const char *name, int64_t value) {
    return isOpen ? std::string(name) : std::to_string(value);
  };
  auto number = [&](int64_t value) { return isOpen ? "?" : std::to_string(value); };
  std::string text = "kernel.program @main attributes {num_inputs = 2, num_outputs = 1";
  if (isOpen)
    text +=
        llvm::formatv(", dim_min = array<i64: 1, 1>, dim_max = array<i64: 90, 90>, output_shapes "
                      "= [affine_map<()[s0, s1] -> (s0 * s1 * {0})>]",
                      isMatrix() ? out : outBlocks() * 16);
  int64_t pixel = isMatrix() ? in : 16, outPixel = isMatrix() ? out : 16;
  int64_t dataImage = dataRows() * dataColumns() * pixel, outImage = rows * columns * outPixel;
  std::string flatIn =
      "memref<" + number(isMatrix() ? dataImage : dataImage * inBlocks()) + "xbf16>";
  std::string flatOut =
      "memref<" + number(isMatrix() ? outImage : outImage * outBlocks()) + "xf32>";
  std::string panels =
      llvm::formatv("memref<{0}x{1}x{2}x{2}x16x16xbf16>", outBlocks(), inBlocks(), window);
  text += "} {\n^bb0(%in: " + flatIn + ", %w: " + panels + ", %out: " + flatOut;
  text += isOpen ? ", %h: index, %v: index):\n" : "):\n";
  if (isOpen)
    for (auto [name, from] : {std::pair("%hh", "%h"), {"%vv", "%v"}})
      text += llvm::formatv("  {0} = affine.apply affine_map<()[s0] -> (s0 * {1} + {2})>()[{3}]\n",
                            name, stride, window - stride, from);
  // Strides of a block and of a row.
  auto strides = [&](const char *prefix, const char *h, const char *w, int64_t height,
                     int64_t width, int64_t step) {
    std::string block = std::string(prefix) + "b", row = std::string(prefix) + "r";
    if (isOpen)
      text += llvm::formatv(
          "  {0} = affine.apply affine_map<()[s0, s1] -> (s0 * s1 * {2})>()[{3}, {4}]\n"
          "  {1} = affine.apply affine_map<()[s0] -> (s0 * {2})>()[{4}]\n",
          block, row, step, h, w);
    return std::pair(isMatrix() ? "16" : size(block.c_str(), height * width * step),
                     size(row.c_str(), width * step));
  };
  auto [dataBlock, dataRow] = strides("%x", "%hh", "%vv", dataRows(), dataColumns(), pixel);
  auto [outBlock, outRow] = strides("%y", "%h", "%v", rows, columns, outPixel);
  auto view = [&](const char *name, const char *from, const std::string &fromType,
                  const char *element, int64_t blocks, const std::string &h, const std::string &w,
                  int64_t height, int64_t width, const std::string &block, const std::string &row,
                  int64_t step) {
    auto known = [&](const std::string &text) { return text[0] == '%' ? "?" : text; };
    std::string type =
        llvm::formatv("memref<1x{0}x{1}x{2}x16x{3}, strided<[{4}, {4}, {5}, {6}, 1]>>", blocks,
                      number(height), number(width), element, known(block), known(row), step);
    text +=
        llvm::formatv("  {0} = memref.reinterpret_cast {1} to offset: [0], sizes: [1, {2}, {3}, "
                      "{4}, 16], strides: [{5}, {5}, {6}, {7}, 1] : {8} to {9}\n",
                      name, from, blocks, h, w, block, row, step, fromType, type);
    return type;
  };
  std::string x =
      view("%x", "%in", flatIn, "bf16", inBlocks(), size("%hh", dataRows()),
           size("%vv", dataColumns()), dataRows(), dataColumns(), dataBlock, dataRow, pixel);
  std::string y = view("%y", "%out", flatOut, "f32", outBlocks(), size("%h", rows),
                       size("%v", columns), rows, columns, outBlock, outRow, outPixel);
  text += llvm::formatv(
      "  kernel.conv data(%x : {0}) weights(%w : {1}) extras() out(%y : {2}) {{kernel = array<i64: "
      "{3}, {3}>, strides = array<i64: {4}, {4}>, dilations = array<i64: 1, 1>, in_channels = {5}, "
      "out_channels = {6}} body {{\n  ^bb0(%acc: f32):\n    kernel.yield %acc : f32\n  }\n"
      "  kernel.end\n}\n",
      x, panels, y, window, stride, in, out);
  return text;
}

static uint16_t bfloat(int64_t whole) {
  float value = whole;
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  return word >> 16;
}
static int64_t dataOf(int64_t row, int64_t column, int64_t channel) {
  return (row * 5 + column * 3 + channel * 7) % 8 - 3;
}
static int64_t weightOf(int64_t output, int64_t channel, int64_t i, int64_t j) {
  return (output * 3 + channel * 5 + i * 2 + j) % 6 - 2;
}

// One run of a program for the layer, or for any of its kind.
static void check(CompiledProgram &program, const Layer &l) {
  SCOPED_TRACE(testing::Message() << l.in << " by " << l.out << " channels, window " << l.window
                                  << ", stride " << l.stride << ", " << l.rows << " x " << l.columns
                                  << (l.isOpen ? ", open" : ""));
  int64_t pixels = l.dataRows() * l.dataColumns();
  GuardedBytes data(2 * (l.isMatrix() ? pixels * l.in : pixels * 16 * l.inBlocks()));
  GuardedBytes weights(2 * l.outBlocks() * l.inBlocks() * l.window * l.window * 256);
  GuardedBytes out(4 * l.rows * l.columns * (l.isMatrix() ? l.out : 16 * l.outBlocks()));
  std::memset(data.data(), 0xff, data.size()); // NaN where there is no channel
  std::memset(weights.data(), 0, weights.size());
  std::memset(out.data(), 0xff, out.size());
  forIndices({l.dataRows(), l.dataColumns(), l.in}, [&](const std::vector<int64_t> &i) {
    int64_t pixel = i[0] * l.dataColumns() + i[1], channel = i[2];
    int64_t at =
        l.isMatrix() ? pixel * l.in + channel : (channel / 16 * pixels + pixel) * 16 + channel % 16;
    data.as<uint16_t>()[at] = bfloat(dataOf(i[0], i[1], channel));
  });
  forIndices({l.out, l.in, l.window, l.window}, [&](const std::vector<int64_t> &i) {
    int64_t panel = ((i[0] / 16 * l.inBlocks() + i[1] / 16) * l.window + i[2]) * l.window + i[3];
    int64_t inPanel = i[1] % 16 / 2 * 32 + i[0] % 16 * 2 + i[1] % 2;
    weights.as<uint16_t>()[panel * 256 + inPanel] = bfloat(weightOf(i[0], i[1], i[2], i[3]));
  });
  int64_t before = symc::amx::emulatedProducts();
  ASSERT_EQ(program.run({data.data(), weights.data(), out.data()}, nullptr, {l.rows, l.columns}),
            0);
  if (symc::amx::emulatedProducts() == before && !__builtin_cpu_supports("amx-tile"))
    ADD_FAILURE() << "not by matrices";
  int64_t wrong = 0;
  forIndices({l.rows, l.columns, l.out}, [&](const std::vector<int64_t> &i) {
    int64_t sum = 0, pixel = i[0] * l.columns + i[1], output = i[2];
    forIndices({l.window, l.window, l.in}, [&](const std::vector<int64_t> &k) {
      sum += dataOf(i[0] * l.stride + k[0], i[1] * l.stride + k[1], k[2]) *
             weightOf(output, k[2], k[0], k[1]);
    });
    int64_t at = l.isMatrix() ? pixel * l.out + output
                              : (output / 16 * l.rows * l.columns + pixel) * 16 + output % 16;
    wrong += out.as<float>()[at] != float(sum);
  });
  EXPECT_EQ(wrong, 0) << "of " << l.rows * l.columns * l.out << " results";
}

TEST_F(Matrices, KnownExtents) {
  for (const Layer &l : {Layer{20, 17, 3, 1, false, 7, 7},
                         {34, 33, 3, 2, false, 8, 5},
                         {16, 16, 3, 1, false, 2, 70},
                         {6, 40, 2, 1, false, 5, 27},
                         {48, 70, 2, 3, false, 3, 37},
                         {32, 64, 3, 1, false, 14, 14},
                         {44, 17, 1, 1, false, 1, 33},
                         {6, 100, 1, 1, false, 1, 4},
                         {96, 48, 1, 1, false, 1, 70},
                         {60, 80, 1, 1, false, 1, 20}}) {
    auto program = CompiledProgram::compile(l.text(), target);
    ASSERT_TRUE(program) << l.text();
    check(*program, l);
  }
}

TEST_F(Matrices, ExtentsOfARun) {
  for (Layer l :
       {Layer{20, 33, 3, 1, true, 0, 0}, {22, 17, 2, 2, true, 0, 0}, {44, 40, 1, 1, true, 0, 0}}) {
    auto program = CompiledProgram::compile(l.text(), target);
    ASSERT_TRUE(program) << l.text();
    for (auto [rows, columns] : {std::pair(1, 1), {3, 2}, {1, 33}, {5, 31}, {2, 79}}) {
      l.rows = l.isMatrix() ? 1 : rows;
      l.columns = columns;
      check(*program, l);
    }
  }
}
