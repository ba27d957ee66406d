// parameters_test.cpp: new weights from raw parameters, and weights that the caller
// supplies.
#include "fake_model.h"

#include <cstring>
#include <gtest/gtest.h>

static float lastOutput(symc_context *context) {
  Tensor data({1, 4}, 1), output({1, 4});
  symc_tensor in = data.view(), out = output.view();
  EXPECT_EQ(symc_run(context, &in, 1, &out, 1), SYMC_STATUS_OK) << symc_last_error(context);
  return output.data[3];
}

TEST(Parameters, ReplaceTheWeightsOfOneContext) {
  FakeModel fake;
  ScopedContext context(fake.model), other(fake.model);
  Tensor scale({4}, 9);
  symc_tensor parameter = scale.view();
  ASSERT_EQ(symc_set_parameters(context.handle, &parameter, 1), SYMC_STATUS_OK);
  scale.data.assign(4, 0); // not needed afterwards
  EXPECT_EQ(lastOutput(context.handle), 9);
  EXPECT_STREQ(symc_context_weights(context.handle), "parameters");
  EXPECT_EQ(lastOutput(other.handle), 4);
  EXPECT_EQ(fake.weights[3], 4);
}

TEST(Parameters, RefusedOnesChangeNothing) {
  FakeModel fake;
  ScopedContext context(fake.model);
  Tensor scale({5}, 9);
  symc_tensor parameter = scale.view();
  EXPECT_EQ(symc_set_parameters(context.handle, &parameter, 1), SYMC_STATUS_BAD_SHAPE);
  EXPECT_STREQ(symc_last_error(context.handle),
               "parameter 'scale': expected f32 [4], got f32 [5] (dimension 0)");
  EXPECT_EQ(symc_set_parameters(context.handle, &parameter, 2), SYMC_STATUS_BAD_COUNT);
  EXPECT_STREQ(symc_last_error(context.handle), "expected 1 parameters, got 2");
  EXPECT_EQ(symc_set_parameters(context.handle, nullptr, 1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_STREQ(symc_last_error(context.handle), "parameters is NULL");
  EXPECT_EQ(symc_set_parameters(nullptr, &parameter, 1), SYMC_STATUS_BAD_ARGUMENT);
  Tensor right({4}, 9);
  parameter = right.view();
  fakePrepareStatus = SYMC_STATUS_RUN_FAILED;
  EXPECT_EQ(symc_set_parameters(context.handle, &parameter, 1), SYMC_STATUS_RUN_FAILED);
  EXPECT_STREQ(symc_last_error(context.handle),
               "a step of prepare failed: a step of the model failed");
  EXPECT_EQ(lastOutput(context.handle), 4);
  fake.model.prepare = nullptr;
  EXPECT_EQ(symc_set_parameters(context.handle, &parameter, 1), SYMC_STATUS_NO_PREPARE);
  EXPECT_STREQ(symc_last_error(context.handle),
               "the model was compiled without the function that prepares parameters");
}

TEST(Parameters, OutOfMemory) {
  FakeModel fake;
  Hooks hooks;
  hooks.failAt = 3; // after the context's own
  symc_options options = {};
  options.allocator = hooks.table();
  ScopedContext context(fake.model, options);
  Tensor scale({4}, 9);
  symc_tensor parameter = scale.view();
  EXPECT_EQ(symc_set_parameters(context.handle, &parameter, 1), SYMC_STATUS_OUT_OF_MEMORY);
  EXPECT_STREQ(symc_last_error(context.handle), "cannot allocate 64 bytes of weights");
  hooks.calls = 2; // the next but one
  EXPECT_EQ(symc_set_parameters(context.handle, &parameter, 1), SYMC_STATUS_OUT_OF_MEMORY);
  EXPECT_STREQ(symc_last_error(context.handle),
               "a step of prepare failed: memory could not be allocated");
  EXPECT_EQ(lastOutput(context.handle), 4);
}

// If this fails, a function that prepares weights reads a field of the frame that nobody set.
TEST(Parameters, PreparationGetsAWholeFrame) {
  FakeModel fake;
  symc_options options = {};
  options.threads = 2;
  ScopedContext context(fake.model, options);
  ASSERT_EQ(symc_set_seed(context.handle, 5), SYMC_STATUS_OK);
  Tensor scale({4}, 9);
  symc_tensor parameter = scale.view();
  memset(&fakePrepareFrame, 0xff, sizeof fakePrepareFrame);
  ASSERT_EQ(symc_set_parameters(context.handle, &parameter, 1), SYMC_STATUS_OK);
  EXPECT_EQ(uintptr_t(fakePrepareFrame.arena) % SYMC_ALIGN, 0u);
  EXPECT_EQ(fakePrepareFrame.dims, nullptr);
  EXPECT_EQ(symc_pool_threads(fakePrepareFrame.pool), 2); // the context's
  EXPECT_EQ(fakePrepareFrame.seed, 0u);
  EXPECT_EQ(fakePrepareFrame.iteration, 0u);
}

TEST(Parameters, PreparedWithoutAContext) {
  FakeModel fake;
  alignas(64) float prepared[17];
  Tensor scale({4}, 9);
  symc_tensor parameter = scale.view();
  uint8_t *memory = reinterpret_cast<uint8_t *>(prepared);
  ASSERT_EQ(symc_prepare(&fake.model, &parameter, memory), SYMC_STATUS_OK);
  EXPECT_EQ(prepared[3], 9);
  EXPECT_EQ(fakePrepareFrame.pool, nullptr);
  EXPECT_EQ(symc_prepare(&fake.model, &parameter, memory + 4), SYMC_STATUS_BAD_ALIGNMENT);
  EXPECT_EQ(symc_prepare(&fake.model, nullptr, memory), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_prepare(&fake.model, &parameter, nullptr), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_prepare(nullptr, &parameter, memory), SYMC_STATUS_BAD_ARGUMENT);
  fake.model.prepare = nullptr;
  EXPECT_EQ(symc_prepare(&fake.model, &parameter, memory), SYMC_STATUS_NO_PREPARE);
}

TEST(Parameters, ModelWithoutWeightsWaitsForThem) {
  FakeModel fake;
  fake.model.weights = nullptr;
  ScopedContext context(fake.model);
  ASSERT_EQ(context.status, SYMC_STATUS_OK);
  EXPECT_STREQ(symc_context_weights(context.handle), "none");
  Tensor data({1, 4}, 1), output({1, 4}, -7), scale({4}, 6);
  symc_tensor in = data.view(), out = output.view(), parameter = scale.view();
  EXPECT_EQ(symc_run(context.handle, &in, 1, &out, 1), SYMC_STATUS_NO_WEIGHTS);
  EXPECT_STREQ(symc_last_error(context.handle),
               "the model has no weights yet: none embedded, no side file, none supplied; "
               "symc_set_parameters makes them from raw parameters");
  EXPECT_EQ(output.data[0], -7);
  ASSERT_EQ(symc_set_parameters(context.handle, &parameter, 1), SYMC_STATUS_OK);
  EXPECT_EQ(lastOutput(context.handle), 6);
}

TEST(Parameters, PreparedWeightsOfTheCaller) {
  FakeModel fake;
  alignas(64) float prepared[32] = {8, 8, 8, 8};
  symc_options options = {};
  options.weights = prepared;
  options.weights_bytes = 60;
  ScopedContext shorter(fake.model, options);
  EXPECT_EQ(shorter.status, SYMC_STATUS_BAD_WEIGHTS);
  EXPECT_STREQ(shorter.error, "supplied weights: expected 64 bytes, got 60");
  options.weights_bytes = 64;
  options.weights = prepared + 1;
  ScopedContext misaligned(fake.model, options);
  EXPECT_EQ(misaligned.status, SYMC_STATUS_BAD_ALIGNMENT);
  EXPECT_STREQ(misaligned.error, "supplied weights: expected memory aligned to 64 bytes");
  options.weights = prepared;
  ScopedContext context(fake.model, options);
  ASSERT_EQ(context.status, SYMC_STATUS_OK);
  EXPECT_STREQ(symc_context_weights(context.handle), "supplied");
  EXPECT_EQ(lastOutput(context.handle), 8);
}
