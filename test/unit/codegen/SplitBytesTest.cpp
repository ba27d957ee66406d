// SplitBytesTest.cpp: kernel.conv over bytes, and over what kernel.split_bytes makes of them,
// beside plain loops, integer for integer: channels that end within a block, rows that end at a
// guard page.
#include "ProgramRunner.h"

#include <gtest/gtest.h>
#include <random>

using namespace symc::test;

namespace {

constexpr int64_t width = 16; // of blocks

struct Case {
  int64_t channels, outputs, rows, columns, taps; // rows and columns of data; taps each way
  bool matrix;                                    // pixels are rows of `channels` bytes
};

class SplitBytes : public testing::TestWithParam<std::tuple<Case, bool, bool, const char *>> {};

int64_t blocks(int64_t channels) { return (channels + width - 1) / width; }

std::string list(const std::vector<int64_t> &sizes, const std::string &element) {
  std::string text = "memref<";
  for (int64_t size : sizes)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

TEST_P(SplitBytes, SumsAreThoseOfPlainLoops) {
  auto [c, split, shifted, isa] = GetParam();
  if (!runsHere(isa))
    GTEST_SKIP() << "this machine cannot run " << isa;
  int64_t inBlocks = blocks(c.channels), outBlocks = blocks(c.outputs);
  int64_t outRows = c.rows - c.taps + 1, outColumns = c.columns - c.taps + 1;
  ViewText data{{1, inBlocks, c.rows, c.columns, width},
                {0, c.rows * c.columns * width, c.columns * width, width, 1}};
  if (c.matrix)
    data.strides = {0, width, 0, c.channels, 1};
  int64_t flat = c.matrix ? c.columns * c.channels : data.flatSize();
  std::vector<int64_t> panels{outBlocks, inBlocks, c.taps, c.taps, width, width};
  std::vector<int64_t> out{1, outBlocks, outRows, outColumns, width};
  std::string x = "%x", xType = data.type("i8"), w = "%w", wType = list(panels, "i8");
  std::string text =
      "kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {\n^bb0(%in: memref<" +
      std::to_string(flat) + "xi8>, %w: " + wType + ", %y: " + list(out, "i32") + "):\n" +
      data.define("%x", "%in", flat, "i8");
  auto addSplit = [&](std::string &name, std::string &type, std::vector<int64_t> sizes,
                      bool shift) {
    sizes[4] /= 2;
    std::string words = name + "s", wordsType = list(sizes, "i32");
    text += "  " + words + " = kernel.buffer() : " + wordsType + "\n  kernel.split_bytes " + name +
            " to " + words + " {channels = " + std::to_string(c.channels) + " : i64" +
            (shift ? ", shifted" : "") + "} : " + type + " to " + wordsType + "\n";
    name = words;
    type = wordsType;
  };
  if (split) {
    addSplit(x, xType, data.sizes, shifted);
    addSplit(w, wType, panels, false);
  }
  std::string taps = std::to_string(c.taps) + ", " + std::to_string(c.taps);
  text += "  kernel.conv data(" + x + " : " + xType + ") weights(" + w + " : " + wType +
          ") extras() out(%y : " + list(out, "i32") + ") {kernel = array<i64: " + taps +
          ">, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = " +
          std::to_string(c.channels) + " : i64, out_channels = " + std::to_string(c.outputs) +
          " : i64" + (shifted && !split ? ", shifted" : "") +
          "} body {\n  ^bb0(%sum: i32):\n    kernel.yield %sum : i32\n  }\n  kernel.end\n}\n";
  auto program = CompiledProgram::compile(text, isa);
  ASSERT_TRUE(program) << text;

  std::mt19937 random(1);
  GuardedBytes bytes(flat), weights(outBlocks * inBlocks * c.taps * c.taps * width * width);
  GuardedBytes sums(outBlocks * outRows * outColumns * width * 4);
  for (GuardedBytes *drawn : {&bytes, &weights})
    for (size_t i = 0; i < drawn->size(); ++i)
      drawn->data()[i] = uint8_t(random());
  ASSERT_EQ(program->run({bytes.data(), weights.data(), sums.data()}), 0);

  forIndices({c.outputs, outRows, outColumns}, [&](const std::vector<int64_t> &at) {
    int64_t o = at[0], expected = 0;
    forIndices({c.channels, c.taps, c.taps}, [&](const std::vector<int64_t> &tap) {
      int64_t i = tap[0], quad = i % width / 4;
      uint8_t byte =
          bytes.data()[data.at({0, i / width, at[1] + tap[1], at[2] + tap[2], i % width})];
      int64_t panel = ((o / width * inBlocks + i / width) * c.taps + tap[1]) * c.taps + tap[2];
      int8_t weight =
          int8_t(weights.data()[panel * width * width + quad * 4 * width + o % width * 4 + i % 4]);
      expected += (shifted ? int8_t(byte) + 128 : byte) * int64_t(weight);
    });
    int64_t place = ((o / width * outRows + at[1]) * outColumns + at[2]) * width + o % width;
    ASSERT_EQ(sums.as<int32_t>()[place], expected) << o << ", " << at[1] << ", " << at[2];
  });
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, SplitBytes,
    testing::Combine(testing::Values(Case{16, 16, 5, 9, 3, false}, Case{20, 40, 6, 8, 3, false},
                                     Case{40, 24, 3, 7, 1, false}, Case{44, 33, 1, 11, 1, true}),
                     testing::Bool(), testing::Bool(),
                     testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4")),
    [](const auto &info) {
      const Case &c = std::get<0>(info.param);
      return std::to_string(c.channels) + "to" + std::to_string(c.outputs) +
             (std::get<1>(info.param) ? "split" : "bytes") +
             (std::get<2>(info.param) ? "shifted" : "") + "_v" +
             std::string(std::get<3>(info.param)).back();
    });

} // namespace
