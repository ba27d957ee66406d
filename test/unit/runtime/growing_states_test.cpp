// growing_states_test.cpp: states that grow. If these fail, a run finds other rows than those that
// runs before it appended, a failing run leaves rows behind, or a length that does not fit is
// accepted.
#include "fake_model.h"

#include <gtest/gtest.h>

namespace {

// data [2, n, 2] is appended to both states, [2, 0..5, 2], and total [1] is the sum of the first
// one's elements behind the run.
int32_t append(const symc_frame *frame) {
  const float *data = static_cast<const float *>(frame->io[0]);
  int64_t rows = frame->dims[0], length = frame->dims[1];
  for (int k : {1, 2}) {
    float *state = static_cast<float *>(frame->io[k]);
    EXPECT_EQ(frame->io[k], frame->io[k + 3]); // it grows in its place
    for (int64_t i = 0; i < 2; ++i)
      for (int64_t j = 0; j < rows * 2; ++j)
        state[i * 10 + length * 2 + j] = data[i * rows * 2 + j];
  }
  const float *state = static_cast<const float *>(frame->io[1]);
  float *total = static_cast<float *>(frame->io[3]);
  *total = 0;
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < (length + rows) * 2; ++j)
      *total += state[i * 10 + j];
  int32_t status = fakeRunStatus;
  fakeRunStatus = 0;
  return status;
}

void lengths(const int64_t *dims, int64_t *extents) {
  extents[0] = 1;
  extents[1] = extents[2] = dims[0] + dims[1];
}

int32_t fits(const int64_t *dims) { return dims[0] + dims[1] <= 5 ? -1 : 0; }

struct Growing : testing::Test {
  FakeModel fake;
  int64_t dataShape[3] = {2, -1, 2}, stateShape[3] = {2, -2, 2}, totalShape[1] = {1};
  int32_t sizes[2] = {0, 1};
  symc_condition condition{"state 'past' would grow to s1 + s0, and it has room for 5", sizes, 2,
                           0};
  symc_dim_info dims[2] = {{"data.1", 1, 8}, {"past.1", 0, 4}};
  symc_state_info states[2] = {{{"past", stateShape, 80, 3, SYMC_F32, 0, 0}, 0, 5, 1, 0},
                               {{"other", stateShape, 80, 3, SYMC_F32, 0, 0}, 0, 5, 1, 0}};
  symc_context *context = nullptr;

  Growing() {
    symc_model &model = fake.model;
    fake.inputs[0] = {"data", dataShape, 128, 3, SYMC_F32, 0, 0};
    fake.outputs[0] = {"total", totalShape, 4, 1, SYMC_F32, 0, 0};
    fake.variants[1].run = append;
    model.dims = dims;
    model.states = states;
    model.output_shapes = lengths;
    model.check_sizes = fits;
    model.conditions = &condition;
    model.n_inputs = 1;
    model.n_dims = model.n_states = 2;
    model.n_conditions = 1;
    EXPECT_EQ(symc_create(&model, nullptr, &context), SYMC_STATUS_OK);
  }
  ~Growing() { symc_destroy(context); }

  symc_status run(int64_t rows, float value, float &total) {
    Tensor data({2, rows, 2}, value), sum({1});
    symc_tensor in = data.view(), out = sum.view();
    symc_status status = symc_run(context, &in, 1, &out, 1);
    total = sum.data[0];
    return status;
  }
  std::vector<int64_t> extents(const char *name) {
    std::vector<int64_t> found(3);
    EXPECT_EQ(symc_state_extents(context, name, found.data(), 3), SYMC_STATUS_OK);
    return found;
  }
  symc_status set(const char *name, int64_t rows, float value) {
    Tensor state({2, rows, 2}, value);
    symc_tensor view = state.view();
    return symc_set_state(context, name, &view);
  }
};

} // namespace

TEST_F(Growing, RunsAppend) {
  float total;
  EXPECT_EQ(extents("past"), (std::vector<int64_t>{2, 0, 2}));
  ASSERT_EQ(run(2, 1, total), SYMC_STATUS_OK);
  EXPECT_EQ(total, 8);
  ASSERT_EQ(run(1, 10, total), SYMC_STATUS_OK);
  EXPECT_EQ(total, 48);
  EXPECT_EQ(extents("past"), (std::vector<int64_t>{2, 3, 2}));
  Tensor value({2, 3, 2});
  symc_tensor view = value.view();
  ASSERT_EQ(symc_get_state(context, "other", &view), SYMC_STATUS_OK) << symc_last_error(context);
  EXPECT_EQ(value.data, (std::vector<float>{1, 1, 1, 1, 10, 10, 1, 1, 1, 1, 10, 10}));
}

TEST_F(Growing, AFailingRunAppendsNothing) {
  float total;
  ASSERT_EQ(run(2, 1, total), SYMC_STATUS_OK);
  fakeRunStatus = SYMC_STATUS_RUN_FAILED;
  EXPECT_EQ(run(1, 100, total), SYMC_STATUS_RUN_FAILED);
  EXPECT_EQ(extents("past")[1], 2);
  ASSERT_EQ(run(1, 10, total), SYMC_STATUS_OK);
  EXPECT_EQ(total, 48);
}

TEST_F(Growing, NoRoom) {
  float total;
  EXPECT_EQ(run(6, 1, total), SYMC_STATUS_BAD_SHAPE);
  EXPECT_STREQ(symc_last_error(context), "state 'past' would grow to 6, and it has room for 5 "
                                         "(extent 1 of input 'data' is 6, past.1 is 0)");
  ASSERT_EQ(run(5, 1, total), SYMC_STATUS_OK);
  EXPECT_EQ(run(1, 1, total), SYMC_STATUS_BAD_SHAPE);
  EXPECT_STREQ(symc_last_error(context), "state 'past' would grow to 6, and it has room for 5 "
                                         "(extent 1 of input 'data' is 1, past.1 is 5)");
  EXPECT_EQ(extents("other")[1], 5);
}

TEST_F(Growing, SetTruncateAndReset) {
  float total;
  ASSERT_EQ(set("past", 3, 2), SYMC_STATUS_OK);
  EXPECT_EQ(run(1, 1, total), SYMC_STATUS_BAD_SHAPE);
  EXPECT_STREQ(symc_last_error(context),
               "state 'other': expected the length of state 'past', 3, got 0");
  ASSERT_EQ(set("other", 3, 2), SYMC_STATUS_OK);
  ASSERT_EQ(run(1, 1, total), SYMC_STATUS_OK);
  EXPECT_EQ(total, 28);
  ASSERT_EQ(symc_truncate_state(context, nullptr, 1), SYMC_STATUS_OK);
  ASSERT_EQ(run(1, 1, total), SYMC_STATUS_OK);
  EXPECT_EQ(total, 12);
  ASSERT_EQ(symc_truncate_state(context, "past", 0), SYMC_STATUS_OK);
  EXPECT_EQ(extents("past")[1], 0);
  EXPECT_EQ(extents("other")[1], 2);
  ASSERT_EQ(symc_reset_state(context, "other"), SYMC_STATUS_OK);
  ASSERT_EQ(run(1, 1, total), SYMC_STATUS_OK);
  EXPECT_EQ(total, 4);
  ASSERT_EQ(symc_reset_state(context, nullptr), SYMC_STATUS_OK);
  EXPECT_EQ(extents("past")[1], 0);
}

TEST_F(Growing, Refused) {
  auto error = [&] { return symc_last_error(context); };
  EXPECT_EQ(set("past", 6, 0), SYMC_STATUS_BAD_SHAPE);
  EXPECT_STREQ(error(), "state 'past': expected f32 [2, 0..5, 2], got f32 [2, 6, 2] (dimension 1)");
  Tensor wide({2, 2, 3}), flat({2, 2});
  symc_tensor view = wide.view(), low = flat.view();
  EXPECT_EQ(symc_set_state(context, "past", &view), SYMC_STATUS_BAD_SHAPE);
  EXPECT_STREQ(error(), "state 'past': expected f32 [2, 2, 2], got f32 [2, 2, 3] (dimension 2)");
  EXPECT_EQ(symc_set_state(context, "past", &low), SYMC_STATUS_BAD_SHAPE);
  EXPECT_STREQ(error(), "state 'past': expected f32 [2, 0, 2], got f32 [2, 2] (rank)");
  ASSERT_EQ(set("past", 2, 0), SYMC_STATUS_OK);
  EXPECT_EQ(symc_truncate_state(context, "past", 3), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(error(), "state 'past': expected 0..2 rows, got 3");
  EXPECT_EQ(symc_truncate_state(context, "past", -1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_truncate_state(context, "last", 0), SYMC_STATUS_BAD_NAME);
  EXPECT_STREQ(error(), "no state is called 'last'");
  int64_t found[3];
  EXPECT_EQ(symc_state_extents(context, "last", found, 3), SYMC_STATUS_BAD_NAME);
  EXPECT_EQ(symc_state_extents(context, nullptr, found, 3), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(error(), "name is NULL");
  EXPECT_EQ(symc_state_extents(context, "past", found, 2), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(error(), "extents: expected room for 3, got 2");
  EXPECT_EQ(symc_state_extents(nullptr, "past", found, 3), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_truncate_state(nullptr, "past", 0), SYMC_STATUS_BAD_ARGUMENT);
}

TEST(StatesThatDoNotGrow, KeepTheirExtents) {
  FakeModel fake;
  ScopedContext context(fake.model);
  int64_t found[1];
  ASSERT_EQ(symc_state_extents(context.handle, "mean", found, 1), SYMC_STATUS_OK);
  EXPECT_EQ(found[0], 4);
  EXPECT_EQ(symc_truncate_state(context.handle, "mean", 0), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(context.handle), "state 'mean' does not grow");
  EXPECT_EQ(symc_truncate_state(context.handle, nullptr, 0), SYMC_STATUS_OK);
}
