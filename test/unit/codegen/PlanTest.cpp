// PlanTest.cpp: random programs whose buffers come and go, planned into one
// arena and run, against the same program on memory of its own for every buffer.
#include "ProgramRunner.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace symc::test;

namespace {

/// Integers modulo 2^32 in several buffers; every step reads one or two views
/// of 24 elements and writes one. Each buffer is `room` elements long.
struct RandomProgram {
  explicit RandomProgram(uint64_t seed) : engine(seed) {}

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  }

  struct View {
    int buffer;     // -1: the input
    int64_t offset; // first element
    bool reversed;
    int64_t at(int64_t i) const { return reversed ? offset + 23 - i : offset + i; }
  };

  std::string viewText(const View &view, const std::string &name, int64_t room) {
    ViewText text{{24}, {view.reversed ? -1 : 1}, view.reversed ? view.offset + 23 : view.offset};
    types[name] = text.type("i32");
    return text.define(name, view.buffer < 0 ? "%in" : "%b" + std::to_string(view.buffer), room,
                       "i32");
  }

  View randomView(bool anyOffset) {
    int known = (int)memory.size();
    View view{(int)pick(known > 6 ? known - 6 : -1, known - 1), 0, pick(0, 5) == 0};
    int64_t room = view.buffer < 0 ? 24 : memory[view.buffer].size();
    view.offset = anyOffset ? pick(0, room - 24) : 0;
    return view;
  }

  std::string build(int steps, const std::vector<uint32_t> &input, std::vector<uint32_t> &output) {
    std::string text = "kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {\n"
                       "^bb0(%in: memref<24xi32>, %out: memref<24xi32>):\n";
    auto read = [&](const View &view, int64_t i) {
      return view.buffer < 0 ? input[view.at(i)] : memory[view.buffer][view.at(i)];
    };
    View last{-1, 0, false};
    for (int step = 0; step < steps; ++step) {
      bool unary = pick(0, 2) == 0, copies = pick(0, 3) == 0;
      // The newest value is read most often, so that in-place chains arise.
      View x = pick(0, 2) ? last : randomView(true), y = randomView(true);
      int64_t room = pick(0, 3) ? 24 : pick(24, 200);
      std::string number = std::to_string(step), type = "memref<" + std::to_string(room) + "xi32>";
      text += "  %b" + number + " = kernel.buffer() : " + type + "\n";
      std::vector<uint32_t> result(room, 7);
      View target{step, room > 24 ? pick(0, room - 24) : 0, false};
      if (room > 24)
        text += "  kernel.fill %b" + number + " with 7 : i32 : " + type + "\n";
      text += viewText(x, "%x" + number, x.buffer < 0 ? 24 : memory[x.buffer].size());
      text += viewText(y, "%y" + number, y.buffer < 0 ? 24 : memory[y.buffer].size());
      text += viewText(target, "%t" + number, room);
      std::string X = "%x" + number, Y = "%y" + number, T = "%t" + number;
      if (copies)
        text += "  kernel.copy " + X + " to " + T + " : " + types[X] + " to " + types[T] + "\n";
      else if (unary)
        text += "  kernel.loops ins(" + X + " : " + types[X] + ") outs(" + T + " : " + types[T] +
                ") body {\n  ^bb0(%p: i32):\n    %q = arith.muli %p, %p : i32\n"
                "    kernel.yield %q : i32\n  }\n";
      else
        text += "  kernel.loops ins(" + X + ", " + Y + " : " + types[X] + ", " + types[Y] +
                ") outs(" + T + " : " + types[T] +
                ") body {\n  ^bb0(%p: i32, %q: i32):\n"
                "    %c = arith.constant 3 : i32\n    %r = arith.muli %p, %c : i32\n"
                "    %s = arith.subi %r, %q : i32\n    kernel.yield %s : i32\n  }\n";
      for (int64_t i = 0; i < 24; ++i) {
        uint32_t p = read(x, i), q = read(y, i);
        result[target.at(i)] = copies ? p : unary ? p * p : p * 3 - q;
      }
      memory.push_back(result);
      last = target;
    }
    text += viewText(last, "%last", memory.back().size());
    text += "  kernel.copy %last to %out : " + types["%last"] + " to memref<24xi32>\n";
    for (int64_t i = 0; i < 24; ++i)
      output.push_back(read(last, i));
    return text + "  kernel.end\n}\n";
  }

  std::mt19937_64 engine;
  std::vector<std::vector<uint32_t>> memory;
  std::map<std::string, std::string> types;
};

TEST(PlanArena, randomProgramsKeepTheirValues) {
  int64_t planned = 0, separate = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    RandomProgram random(seed);
    std::vector<uint32_t> input, expected;
    for (int i = 0; i < 24; ++i)
      input.push_back(i * 2654435761u);
    std::string text = random.build(25, input, expected);
    auto program = CompiledProgram::compile(text, "x86-64-v2"); // the checker runs in it
    ASSERT_TRUE(program) << text;
    GuardedBytes in(96), out(96);
    std::copy(input.begin(), input.end(), in.as<uint32_t>());
    ASSERT_EQ(program->run({in.data(), out.data()}), 0);
    for (int i = 0; i < 24; ++i)
      ASSERT_EQ(out.as<uint32_t>()[i], expected[i]) << text;
    planned += program->arenaBytes;
    for (const auto &buffer : random.memory)
      separate += (buffer.size() * 4 + 63) / 64 * 64;
  }
  // Buffers must in fact share memory, or the test shows nothing.
  EXPECT_LT(planned * 3, separate * 2);
}

} // namespace
