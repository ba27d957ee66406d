// step_table_test.cpp: breaks if a run of a trainer calls a kernel of its table with other
// arguments than the table says, runs naming entries, or goes on behind a step that failed.
#include "train/steps.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace {
std::vector<std::vector<int64_t>> calls;

void one(int64_t *x, int64_t task) { calls.push_back({*x, task}); }

void sixteen(int64_t *a, int64_t *b, int64_t *c, int64_t *d, int64_t *e, int64_t *f, int64_t *g,
             int64_t *h, int64_t *i, int64_t task, int64_t n0, int64_t n1, int64_t n2, int64_t n3,
             int64_t n4, int64_t n5) {
  calls.push_back({*a, *b, *c, *d, *e, *f, *g, *h, *i, task, n0, n1, n2, n3, n4, n5});
}

int32_t whole(const symc_frame *frame) {
  calls.push_back({int64_t(frame->seed)});
  return int32_t(frame->iteration);
}

struct Table {
  std::vector<uint8_t> entries;
  std::vector<void *> functions;
  static void addNumber(std::vector<uint8_t> &bytes, int64_t number) { // SLEB128
    for (;;) {
      uint8_t byte = number & 0x7f;
      number >>= 7;
      bool last = number == (byte & 0x40 ? -1 : 0);
      bytes.push_back(last ? byte : byte | 0x80);
      if (last)
        return;
    }
  }
  void add(void *function, int64_t tasks, bool isNaming, std::vector<int64_t> places,
           std::vector<int64_t> integers = {}) {
    std::vector<int64_t> numbers = {
        tasks, isNaming, int64_t(places.size() / 2), int64_t(integers.size()), 0, -1, 0};
    numbers.insert(numbers.end(), places.begin(), places.end());
    numbers.insert(numbers.end(), integers.begin(), integers.end());
    std::vector<uint8_t> rest;
    for (int64_t number : numbers)
      addNumber(rest, number);
    addNumber(entries, int64_t(rest.size()));
    entries.insert(entries.end(), rest.begin(), rest.end());
    functions.push_back(function);
  }
  int32_t run(const symc_frame &frame) const {
    calls.clear();
    return symc_run_steps(&frame, entries.data(), functions.data(), int64_t(functions.size()));
  }
};

void *of(void (*function)(int64_t *, int64_t)) { return reinterpret_cast<void *>(function); }
} // namespace

TEST(StepTable, CallsKernelsWithTheirPlacesAndIntegers) {
  int64_t arena[4] = {10, 11, 12, 13}, weights[2] = {20, 21}, input[3] = {30, 31, 32};
  void *io[] = {nullptr, input};
  symc_frame frame = {};
  frame.arena = reinterpret_cast<uint8_t *>(arena);
  frame.weights = reinterpret_cast<const uint8_t *>(weights);
  frame.io = io;
  Table table;
  table.add(of(one), 2, false, {0, 8});
  table.add(reinterpret_cast<void *>(sixteen), 1, false,
            {3, 0, 3, 8, 3, 16, 1, 0, 1, 8, 0, 0, 0, 8, 0, 16, 0, 24},
            {1, -2, 300, -40000, int64_t(1) << 62, INT64_MIN});
  ASSERT_EQ(table.run(frame), 0);
  std::vector<std::vector<int64_t>> wanted = {
      {11, 0},
      {11, 1},
      {30, 31, 32, 20, 21, 10, 11, 12, 13, 0, 1, -2, 300, -40000, int64_t(1) << 62, INT64_MIN}};
  EXPECT_EQ(calls, wanted);
}

TEST(StepTable, EndsWithTheStatusOfAStepThatFails) {
  int64_t arena[1] = {5};
  symc_frame frame = {};
  frame.arena = reinterpret_cast<uint8_t *>(arena);
  frame.seed = 7;
  Table table;
  table.add(of(one), 1, true, {0, 0}); // a naming entry
  table.add(reinterpret_cast<void *>(whole), 0, false, {});
  table.add(of(one), 1, false, {0, 0});
  ASSERT_EQ(table.run(frame), 0);
  std::vector<std::vector<int64_t>> wanted = {{7}, {5, 0}};
  EXPECT_EQ(calls, wanted);
  frame.iteration = 3; // which the second entry returns
  EXPECT_EQ(table.run(frame), 3);
  wanted.pop_back();
  EXPECT_EQ(calls, wanted);
}
