// run_test.cpp: runs, and every check before one; a run that is refused writes nothing.
#include "fake_model.h"

#include <gtest/gtest.h>
#include <thread>

namespace {
// The smallest run: data [n, 4] of ones into fc_output.
struct Run : testing::Test {
  FakeModel fake;
  ScopedContext context{fake.model};
  Tensor data{{2, 4}, 1}, output{{2, 4}, -7};

  symc_status run() {
    symc_tensor in = data.view(), out = output.view();
    return symc_run(context.handle, &in, 1, &out, 1);
  }
  void expectRefused(symc_status status, const std::string &sentence) {
    EXPECT_EQ(run(), status);
    EXPECT_EQ(symc_last_error(context.handle), sentence);
    for (float value : output.data)
      EXPECT_EQ(value, -7);
  }
};
} // namespace

TEST_F(Run, RequiredTensorsOnly) {
  ASSERT_EQ(run(), SYMC_STATUS_OK);
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(output.data[i], float(i % 4 + 1));
}

TEST_F(Run, AllTensors) {
  Tensor label({2}, 5);
  symc_tensor in[] = {data.view(), label.view()}, out = output.view();
  ASSERT_EQ(symc_run(context.handle, in, 2, &out, 1), SYMC_STATUS_OK);
  EXPECT_EQ(output.data[7], 4);
  in[1] = {}; // left out
  EXPECT_EQ(symc_run(context.handle, in, 2, &out, 1), SYMC_STATUS_OK);
}

// Products of 2^-63 and 2^-70 are denormal: zeros where somebody asks for it, and the caller's own
// mode is as before, on each thread and in an application's.
TEST_F(Run, FlushesDenormals) {
  fake.weights[0] = 0x1p-70f;
  auto product = [&](symc_options options) {
    ScopedContext asked(fake.model, options);
    data = Tensor({8, 4}, 0x1p-63f), output = Tensor({8, 4}, -7);
    symc_tensor in = data.view(), out = output.view();
    EXPECT_EQ(symc_run(asked.handle, &in, 1, &out, 1), SYMC_STATUS_OK);
    for (int row = 1; row < 8; ++row)
      EXPECT_EQ(output.data[4 * row], output.data[0]) << row;
    EXPECT_EQ(fake.weights[0] * data.data[0], 0x1p-133f) << "afterwards";
    return output.data[0];
  };
  symc_pool *application = nullptr;
  auto inThreads = [](void *, void (*body)(void *, int64_t), void *argument, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      std::thread([&] { body(argument, i); }).join();
  };
  ASSERT_EQ(symc_pool_wrap(inThreads, nullptr, 4, &application), SYMC_STATUS_OK);
  symc_options plain = {}, threads = {}, wrapped = {};
  threads.threads = 4;
  wrapped.pool = application;
  for (symc_options options : {plain, threads, wrapped}) {
    EXPECT_EQ(product(options), 0x1p-133f);
    options.flags = SYMC_FLUSH_DENORMALS;
    EXPECT_EQ(product(options), 0);
    options.flags = 0;
    ScopedVariable variable("SYMC_FLUSH_DENORMALS", "1");
    EXPECT_EQ(product(options), 0);
  }
  symc_pool_destroy(application);
}

TEST_F(Run, WrongExtent) {
  data = Tensor({2, 5});
  expectRefused(SYMC_STATUS_BAD_SHAPE,
                "argument 'data': expected f32 [1..8, 4], got f32 [2, 5] (dimension 1)");
  data = Tensor({9, 4});
  expectRefused(SYMC_STATUS_BAD_SHAPE,
                "argument 'data': expected f32 [1..8, 4], got f32 [9, 4] (dimension 0)");
  data = Tensor({0, 4});
  expectRefused(SYMC_STATUS_BAD_SHAPE,
                "argument 'data': expected f32 [1..8, 4], got f32 [0, 4] (dimension 0)");
}

TEST_F(Run, WrongExtentOfAFixedShape) {
  fake.dataShape[0] = 32;
  fake.dataShape[1] = 784;
  data = Tensor({32, 785});
  expectRefused(SYMC_STATUS_BAD_SHAPE,
                "argument 'data': expected f32 [32, 784], got f32 [32, 785] (dimension 1)");
}

TEST_F(Run, WrongRankAndType) {
  data = Tensor({8});
  expectRefused(SYMC_STATUS_BAD_SHAPE,
                "argument 'data': expected f32 [1..8, 4], got f32 [8] (rank)");
  data = Tensor({2, 4}, 0, SYMC_F16);
  expectRefused(SYMC_STATUS_BAD_DTYPE,
                "argument 'data': expected f32 [1..8, 4], got f16 [2, 4] (element type)");
  data = Tensor({2, 4}, 0, 55);
  expectRefused(SYMC_STATUS_BAD_DTYPE,
                "argument 'data': expected f32 [1..8, 4], got unknown [2, 4] (element type)");
  symc_tensor in = data.view(), out = output.view();
  in.rank = 9;
  EXPECT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(context.handle), "argument 'data': expected a rank in 0..8, got 9");
}

TEST_F(Run, SizesOfTwoInputsDiffer) {
  Tensor label({3});
  symc_tensor in[] = {data.view(), label.view()}, out = output.view();
  EXPECT_EQ(symc_run(context.handle, in, 2, &out, 1), SYMC_STATUS_BAD_SHAPE);
  EXPECT_STREQ(symc_last_error(context.handle),
               "argument 'label': expected f32 [2], got f32 [3] (dimension 0, the same size as "
               "data[0])");
}

TEST_F(Run, WrongOutput) {
  output = Tensor({1, 4}, -7);
  expectRefused(SYMC_STATUS_BAD_SHAPE,
                "output 'fc_output': expected f32 [2, 4], got f32 [1, 4] (dimension 0)");
  output = Tensor({2, 4}, -7, SYMC_I32);
  expectRefused(SYMC_STATUS_BAD_DTYPE,
                "output 'fc_output': expected f32 [2, 4], got i32 [2, 4] (element type)");
  output = Tensor({8}, -7);
  expectRefused(SYMC_STATUS_BAD_SHAPE,
                "output 'fc_output': expected f32 [2, 4], got f32 [8] (rank)");
}

TEST_F(Run, WrongCounts) {
  symc_tensor in[3] = {data.view(), {}, {}}, out[3] = {output.view(), {}, {}};
  EXPECT_EQ(symc_run(context.handle, in, 3, out, 1), SYMC_STATUS_BAD_COUNT);
  EXPECT_STREQ(symc_last_error(context.handle),
               "expected 2 inputs, or the 1 that may not be left out, got 3");
  EXPECT_EQ(symc_run(context.handle, in, 1, out, 0), SYMC_STATUS_BAD_COUNT);
  EXPECT_STREQ(symc_last_error(context.handle), "expected 1 outputs, got 0");
}

TEST_F(Run, Nulls) {
  EXPECT_EQ(symc_run(nullptr, nullptr, 0, nullptr, 0), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(nullptr), "context is NULL");
  symc_tensor in = data.view(), out = output.view();
  EXPECT_EQ(symc_run(context.handle, nullptr, 1, &out, 1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(context.handle), "inputs is NULL");
  EXPECT_EQ(symc_run(context.handle, &in, 1, nullptr, 1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(context.handle), "outputs is NULL");
  out.data = nullptr;
  EXPECT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(context.handle), "output 'fc_output': data is NULL");
  in.data = nullptr;
  EXPECT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(context.handle), "argument 'data': data is NULL");
  in.shape = nullptr;
  EXPECT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(context.handle), "argument 'data': shape is NULL");
}

TEST_F(Run, MisalignedData) {
  std::vector<char> bytes(64);
  symc_tensor in = data.view(), out = output.view();
  in.data = bytes.data() + 1;
  EXPECT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_BAD_ALIGNMENT);
  EXPECT_STREQ(symc_last_error(context.handle),
               "argument 'data': expected data aligned to 4 bytes, the size of f32");
}

// An output is written while inputs are read: whoever passes one buffer for both gets numbers of
// no meaning, and now a sentence.
TEST_F(Run, OutputsInTheMemoryOfOthers) {
  std::vector<float> memory(32);
  symc_tensor in = data.view(), out = output.view(); // [2, 4] both
  auto status = [&](ptrdiff_t input, ptrdiff_t output) {
    in.data = memory.data() + input;
    out.data = memory.data() + output;
    return symc_run(context.handle, &in, 1, &out, 1);
  };
  const char *sentence = "output 'fc_output': expected memory of its own, got memory that overlaps "
                         "argument 'data'";
  for (auto [input, output] : {std::pair(0, 0), {0, 7}, {7, 0}, {9, 3}, {3, 9}}) {
    EXPECT_EQ(status(input, output), SYMC_STATUS_BAD_ARGUMENT);
    EXPECT_STREQ(symc_last_error(context.handle), sentence);
  }
  EXPECT_EQ(status(0, 8), SYMC_STATUS_OK);
  EXPECT_EQ(status(8, 0), SYMC_STATUS_OK);
  Tensor label({2});
  symc_tensor both[2] = {data.view(), label.view()};
  both[1].data = out.data = memory.data();
  EXPECT_EQ(symc_run(context.handle, both, 2, &out, 1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(context.handle),
               "output 'fc_output': expected memory of its own, got "
               "memory that overlaps argument 'label'");
  both[1].data = nullptr; // left out
  EXPECT_EQ(symc_run(context.handle, both, 2, &out, 1), SYMC_STATUS_OK);
  fake.model.n_outputs = 2; // a context of its own, which has room for two
  fake.model.output_shapes = nullptr;
  ScopedContext two(fake.model);
  Tensor rows({8, 4}, 1), all({8, 4}), mean({4});
  symc_tensor outputs[2] = {all.view(), mean.view()};
  outputs[1].data = all.data.data() + 4;
  in = rows.view();
  EXPECT_EQ(symc_run(two.handle, &in, 1, outputs, 2), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(
      symc_last_error(two.handle),
      "output 'mean': expected memory of its own, got memory that overlaps output 'fc_output'");
  fake.model.n_outputs = 1;
}

TEST_F(Run, FailingStep) {
  fakeRunStatus = SYMC_STATUS_RUN_FAILED;
  expectRefused(SYMC_STATUS_RUN_FAILED, "a step failed: a step of the model failed");
  EXPECT_EQ(run(), SYMC_STATUS_OK);
  EXPECT_STREQ(symc_last_error(context.handle), "");
}

static int32_t needsThreeRows(const int64_t *dims) { return dims[0] >= 3 ? -1 : 1; }

// What the model needs of its sizes is asked for first; a run asks again where values decide one.
TEST_F(Run, RefusesSizesThatViolateACondition) {
  const int32_t sizes[] = {0};
  const symc_condition conditions[] = {{"node 'top': k is 9 of s0", sizes, 1, 0},
                                       {"node 'pool': s0 rows are too few", sizes, 1, 0}};
  fake.model.conditions = conditions;
  fake.model.check_sizes = needsThreeRows;
  expectRefused(SYMC_STATUS_BAD_SHAPE, "node 'pool': 2 rows are too few (data[0] is 2)");
  int64_t extents[2];
  symc_tensor in = data.view();
  EXPECT_EQ(symc_infer_outputs(context.handle, &in, 1, extents, 2), SYMC_STATUS_BAD_SHAPE);
  data = Tensor({3, 4}, 1);
  output = Tensor({3, 4}, -7);
  fakeRunStatus = -1;
  expectRefused(SYMC_STATUS_BAD_SHAPE, "node 'top': k is 9 of 3 (data[0] is 3)");
  EXPECT_EQ(run(), SYMC_STATUS_OK);
}

static int32_t alwaysViolated(const int64_t *) { return 0; }

// Whoever reads the sentence knows neither s0 nor what the compiler made of it. Names are no
// expressions, and what cannot be computed stays as it is.
TEST_F(Run, TellsValuesOfSizes) {
  const int32_t sizes[] = {0};
  symc_condition condition{"", sizes, 1, 0};
  fake.model.conditions = &condition;
  fake.model.check_sizes = alwaysViolated;
  symc_dim_info size{"data.0", 1, 8};
  fake.model.dims = &size;
  const char *const sentences[][2] = {
      {"node 's0': data has shape [s0, 8], the operator's s0 rows",
       "node 's0': data has shape [2, 8], the operator's 2 rows"},
      {"[((s0 - 3) floordiv 2) + 1, s0 * 3 - 1]", "[0, 5]"},
      {"[(s0 - 7) ceildiv 2, (s0 - 7) mod 3, s0 mod 2, -s0]", "[-2, 1, 0, -2]"},
      {"window 3 - s0, (only s0)", "window 1, (only 2)"},
      {"s1 s0x xs0 2.s0 s0 floordiv 0, s0 * 9223372036854775807, s",
       "s1 s0x xs0 2.s0 s0 floordiv 0, s0 * 9223372036854775807, s"}};
  for (auto [sentence, wanted] : sentences) {
    condition.sentence = sentence;
    expectRefused(SYMC_STATUS_BAD_SHAPE, std::string(wanted) + " (extent 0 of input 'data' is 2)");
  }
  size.name = "rows";
  condition.sentence = "s0";
  expectRefused(SYMC_STATUS_BAD_SHAPE, "2 (rows is 2)");
}

TEST_F(Run, InfersOutputsBeforeARun) {
  int64_t extents[2];
  symc_tensor in = data.view();
  ASSERT_EQ(symc_infer_outputs(context.handle, &in, 1, extents, 2), SYMC_STATUS_OK);
  EXPECT_EQ(extents[0], 2);
  EXPECT_EQ(extents[1], 4);
  EXPECT_EQ(symc_infer_outputs(context.handle, &in, 1, extents, 1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(context.handle), "extents: expected room for 2, got 1");
  EXPECT_EQ(symc_infer_outputs(context.handle, &in, 1, nullptr, 2), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(context.handle), "extents is NULL");
  EXPECT_EQ(symc_infer_outputs(nullptr, &in, 1, extents, 2), SYMC_STATUS_BAD_ARGUMENT);
  fake.model.output_shapes = nullptr; // the table's own extents
  ASSERT_EQ(symc_infer_outputs(context.handle, &in, 1, extents, 2), SYMC_STATUS_OK);
  EXPECT_EQ(extents[0], 8);
}

// A step may decide a size; outputs are as large as it says, until the next question.
TEST_F(Run, TellsTheExtentsOfTheRun) {
  int64_t extents[2];
  ASSERT_EQ(run(), SYMC_STATUS_OK);
  ASSERT_EQ(symc_run_extents(context.handle, extents, 2), SYMC_STATUS_OK);
  EXPECT_EQ(extents[0], 2);
  fakeDecides = 1;
  ASSERT_EQ(run(), SYMC_STATUS_OK);
  ASSERT_EQ(symc_run_extents(context.handle, extents, 2), SYMC_STATUS_OK);
  EXPECT_EQ(extents[0], 1);
  EXPECT_EQ(extents[1], 4);
  EXPECT_EQ(symc_run_extents(context.handle, extents, 1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(context.handle), "extents: expected room for 2, got 1");
  EXPECT_EQ(symc_run_extents(nullptr, extents, 2), SYMC_STATUS_BAD_ARGUMENT);
}

TEST(RunTwice, TwoContextsOfOneModelInTwoThreads) {
  FakeModel fake;
  auto work = [&](float value, bool *right) {
    ScopedContext context(fake.model);
    Tensor data({8, 4}, value), output({8, 4});
    symc_tensor in = data.view(), out = output.view();
    for (int i = 0; i < 20000; ++i) {
      output.data.assign(32, 0);
      *right = symc_run(context.handle, &in, 1, &out, 1) == SYMC_STATUS_OK;
      for (int k = 0; k < 32; ++k)
        *right = *right && output.data[k] == value * float(k % 4 + 1);
      if (!*right)
        return;
    }
  };
  bool first = false, second = false;
  std::thread one(work, 3.0f, &first), two(work, 5.0f, &second);
  one.join();
  two.join();
  EXPECT_TRUE(first);
  EXPECT_TRUE(second);
}

// Random operators see the seed in the frame; what they make of it random_test.cpp tells.
TEST_F(Run, SeedBelongsToAContext) {
  EXPECT_EQ(symc_set_seed(nullptr, 1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_set_seed(context.handle, 1), SYMC_STATUS_OK);
  EXPECT_EQ(run(), SYMC_STATUS_OK);
}
