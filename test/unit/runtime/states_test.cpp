// states_test.cpp: states belong to contexts. If these fail, a run reads another value than the
// last one left, contexts disturb each other, or a failing call changes a state.
#include "fake_model.h"

#include <cmath>
#include <gtest/gtest.h>

namespace {
// Each run adds the sums of two rows of ones to the state, 10 at first.
struct States : testing::Test {
  FakeModel fake;
  ScopedContext context{fake.model};
  Tensor data{{2, 4}, 1}, output{{2, 4}};

  symc_status run(symc_context *handle) {
    symc_tensor in = data.view(), out = output.view();
    return symc_run(handle, &in, 1, &out, 1);
  }
  float mean(symc_context *handle) {
    Tensor value({4}, NAN);
    symc_tensor view = value.view();
    EXPECT_EQ(symc_get_state(handle, "mean", &view), SYMC_STATUS_OK) << symc_last_error(handle);
    EXPECT_EQ(value.data[1], value.data[0] + 10); // 20 at first
    return value.data[0];
  }
};
} // namespace

TEST_F(States, ARunReadsWhatTheLastOneLeft) {
  EXPECT_EQ(mean(context.handle), 10);
  for (float expected : {12.f, 14.f, 16.f}) {
    ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
    EXPECT_EQ(mean(context.handle), expected);
  }
  EXPECT_EQ(fake.weights[4], 10); // the image is everybody's
}

TEST_F(States, TwoContextsStayApart) {
  ScopedContext other(fake.model);
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
  ASSERT_EQ(run(other.handle), SYMC_STATUS_OK);
  EXPECT_EQ(mean(context.handle), 14);
  EXPECT_EQ(mean(other.handle), 12);
}

TEST_F(States, SetAndReset) {
  Tensor value({4});
  value.data = {100, 110, 0, 0};
  symc_tensor view = value.view();
  for (const char *name : {"mean", (const char *)nullptr}) {
    ASSERT_EQ(symc_set_state(context.handle, "mean", &view), SYMC_STATUS_OK);
    EXPECT_EQ(mean(context.handle), 100);
    ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
    EXPECT_EQ(mean(context.handle), 102);
    ASSERT_EQ(symc_reset_state(context.handle, name), SYMC_STATUS_OK);
    EXPECT_EQ(mean(context.handle), 10);
  }
}

// The step fails after it has written the state's new value.
TEST_F(States, AFailingRunLeavesThemAsTheyWere) {
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
  fakeRunStatus = SYMC_STATUS_RUN_FAILED;
  EXPECT_EQ(run(context.handle), SYMC_STATUS_RUN_FAILED);
  EXPECT_EQ(mean(context.handle), 12);
  data = Tensor({2, 5});
  EXPECT_EQ(run(context.handle), SYMC_STATUS_BAD_SHAPE);
  EXPECT_EQ(mean(context.handle), 12);
}

TEST_F(States, NewParametersBringNewValues) {
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
  Tensor scale({4}, 9);
  symc_tensor parameter = scale.view();
  ASSERT_EQ(symc_set_parameters(context.handle, &parameter, 1), SYMC_STATUS_OK);
  Tensor value({4}, NAN);
  symc_tensor view = value.view();
  ASSERT_EQ(symc_get_state(context.handle, "mean", &view), SYMC_STATUS_OK);
  EXPECT_EQ(value.data[0], 2); // what the preparation wrote there
  ASSERT_EQ(run(context.handle), SYMC_STATUS_OK);
  ASSERT_EQ(symc_get_state(context.handle, "mean", &view), SYMC_STATUS_OK);
  EXPECT_EQ(value.data[0], 4);
}

TEST_F(States, WaitForWeights) {
  fake.model.weights = nullptr;
  ScopedContext empty(fake.model);
  Tensor value({4});
  symc_tensor view = value.view();
  const char *sentence = "the model has no weights yet: none embedded, no side file, none supplied";
  EXPECT_EQ(symc_get_state(empty.handle, "mean", &view), SYMC_STATUS_NO_WEIGHTS);
  EXPECT_STREQ(symc_last_error(empty.handle), sentence);
  EXPECT_EQ(symc_reset_state(empty.handle, "mean"), SYMC_STATUS_NO_WEIGHTS);
  EXPECT_EQ(symc_reset_state(empty.handle, nullptr), SYMC_STATUS_NO_WEIGHTS);
  EXPECT_STREQ(symc_last_error(empty.handle), sentence);
}

TEST_F(States, Refused) {
  Tensor value({4}), longer({5});
  symc_tensor view = value.view(), wrong = longer.view();
  auto error = [&] { return symc_last_error(context.handle); };
  EXPECT_EQ(symc_get_state(context.handle, "mena", &view), SYMC_STATUS_BAD_NAME);
  EXPECT_STREQ(error(), "no state is called 'mena'");
  EXPECT_EQ(symc_reset_state(context.handle, "mena"), SYMC_STATUS_BAD_NAME);
  EXPECT_EQ(symc_get_state(context.handle, nullptr, &view), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(error(), "name is NULL");
  EXPECT_EQ(symc_set_state(context.handle, "mean", nullptr), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(error(), "value is NULL");
  EXPECT_EQ(symc_set_state(context.handle, "mean", &wrong), SYMC_STATUS_BAD_SHAPE);
  EXPECT_STREQ(error(), "state 'mean': expected f32 [4], got f32 [5] (dimension 0)");
  view.dtype = SYMC_I32;
  EXPECT_EQ(symc_get_state(context.handle, "mean", &view), SYMC_STATUS_BAD_DTYPE);
  EXPECT_STREQ(error(), "state 'mean': expected f32 [4], got i32 [4] (element type)");
  view = value.view();
  view.data = nullptr;
  EXPECT_EQ(symc_get_state(context.handle, "mean", &view), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(error(), "state 'mean': data is NULL");
  EXPECT_EQ(symc_get_state(nullptr, "mean", &view), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_set_state(nullptr, "mean", &view), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_reset_state(nullptr, "mean"), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(mean(context.handle), 10);
}
