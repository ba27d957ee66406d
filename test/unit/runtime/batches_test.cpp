// batches_test.cpp: a number of rows as a sum of batch sizes. If these fail, rows are computed
// twice, left out, or written where another row belongs; or a batch is refused that is a sum.
#include "fake_model.h"

#include <gtest/gtest.h>

namespace {
std::vector<int64_t> parts; // rows of each run

template <int64_t rows> int32_t scaleRows(const symc_frame *frame) {
  parts.push_back(rows);
  if (rows == 3 && fakeRunStatus)
    return fakeRunStatus;
  const float *data = static_cast<const float *>(frame->io[0]);
  float *output = static_cast<float *>(frame->io[2]);
  EXPECT_EQ(frame->io[1], nullptr); // the label, which is left out
  for (int64_t i = 0; i < rows * 4; ++i)
    output[i] = 2 * data[i];
  static_cast<float *>(frame->io[3])[0] = float(rows); // one value for all rows
  return 0;
}

const int64_t sizes[] = {5, 3}, least[] = {0, 10, 5}, rowBytes[] = {16, 4, 16, 0};
const symc_batches batches = {sizes, least, rowBytes, 2, 4};

int32_t runInParts(const symc_frame *frame) {
  static int32_t (*const code[])(const symc_frame *) = {scaleRows<5>, scaleRows<3>};
  void *io[4];
  return symc_run_batches(frame, &batches, code, io);
}

// Code for 5 and for 3 rows.
struct Batches : testing::Test {
  Batches() {
    fake.dims[0] = {"N", 3, 5};
    fake.outputShape[0] = 5;
    fake.model.n_states = 0; // rows of a batch would not see the same
    fake.model.n_outputs = 2;
    fake.variants[1].run = runInParts;
    fake.model.batches = &batches;
    fake.model.output_shapes = nullptr;
    parts.clear();
  }
  symc_status run(int64_t rows) {
    ScopedContext context(fake.model);
    Tensor data({rows, 4});
    for (size_t i = 0; i < data.data.size(); ++i)
      data.data[i] = float(i);
    output = Tensor({rows, 4}, -7);
    Tensor last({4});
    symc_tensor in = data.view(), out[] = {output.view(), last.view()};
    symc_status status = symc_run(context.handle, &in, 1, out, 2);
    error = symc_last_error(context.handle);
    return status;
  }
  FakeModel fake;
  Tensor output{{1, 4}};
  std::string error;
};
} // namespace

TEST_F(Batches, LargestFirstWhileTheRestIsASum) {
  const std::vector<std::pair<int64_t, std::vector<int64_t>>> cases = {
      {3, {3}},     {5, {5}},        {6, {3, 3}},        {8, {5, 3}},     {9, {3, 3, 3}},
      {10, {5, 5}}, {11, {5, 3, 3}}, {12, {3, 3, 3, 3}}, {13, {5, 5, 3}}, {21, {5, 5, 5, 3, 3}}};
  for (const auto &[rows, expected] : cases) {
    parts.clear();
    ASSERT_EQ(run(rows), SYMC_STATUS_OK) << error;
    EXPECT_EQ(parts, expected) << rows;
    for (size_t i = 0; i < output.data.size(); ++i)
      ASSERT_EQ(output.data[i], 2 * float(i)) << "of " << rows << " rows";
  }
}

TEST_F(Batches, NoSum) {
  for (int64_t rows : {1, 2, 4, 7}) {
    EXPECT_EQ(run(rows), SYMC_STATUS_BAD_SHAPE);
    EXPECT_EQ(error,
              "argument 'data': expected f32 [N, 4] with N a sum of batch sizes out of 3, 5, "
              "got f32 [" +
                  std::to_string(rows) + ", 4] (dimension 0)");
    for (float value : output.data)
      EXPECT_EQ(value, -7);
  }
  EXPECT_TRUE(parts.empty());
}

TEST_F(Batches, NoRows) {
  EXPECT_EQ(run(0), SYMC_STATUS_BAD_SHAPE);
  EXPECT_EQ(error, "argument 'data': expected f32 [N, 4] with N a sum of batch sizes out of 3, 5, "
                   "got f32 [0, 4] (dimension 0)");
}

TEST_F(Batches, OutputsHaveAsManyRows) {
  ScopedContext context(fake.model);
  Tensor data({11, 4});
  symc_tensor in = data.view();
  int64_t extents[3];
  ASSERT_EQ(symc_infer_outputs(context.handle, &in, 1, extents, 3), SYMC_STATUS_OK);
  EXPECT_EQ(extents[0], 11);
  EXPECT_EQ(extents[1], 4);
  EXPECT_EQ(extents[2], 4); // the mean, one for all rows
}

TEST_F(Batches, APartThatFailsEndsTheRun) {
  fakeRunStatus = SYMC_STATUS_RUN_FAILED;
  EXPECT_EQ(run(11), SYMC_STATUS_RUN_FAILED);
  fakeRunStatus = 0;
  EXPECT_EQ(parts, (std::vector<int64_t>{5, 3}));
}
