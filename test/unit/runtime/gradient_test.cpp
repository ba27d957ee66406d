// gradient_test.cpp: forward and backward, each by itself. If these fail, a part runs where it may
// not, reads memory of the other part's caller, draws other random numbers, or changes states that
// are not its own.
#include "fake_model.h"

#include <gtest/gtest.h>
#include <optional>

namespace {

int32_t forwardStatus, backwardStatus;            // what a part returns instead of 0, once
std::vector<std::pair<uint64_t, uint64_t>> drawn; // seed and iteration of each part that ran

int32_t take(int32_t &status) {
  int32_t taken = status;
  status = 0;
  return taken;
}

// io: x, head_grad:y, calls, mean, y, grad:x, next calls, next mean.
float *io(const symc_frame *frame, int i) { return static_cast<float *>(frame->io[i]); }

// y = 2 x; keeps x; counts itself in `calls`.
int32_t forward(const symc_frame *frame) {
  drawn.emplace_back(frame->seed, frame->iteration);
  float *kept = reinterpret_cast<float *>(frame->arena);
  *io(frame, 6) = *io(frame, 2) + 1;
  for (int i = 0; i < 4; ++i) {
    kept[i] = io(frame, 0)[i];
    io(frame, 4)[i] = 2 * kept[i];
  }
  return take(forwardStatus);
}

// grad:x = head_grad:y * x; mean = (mean + x[0]) / 2.
int32_t backward(const symc_frame *frame) {
  drawn.emplace_back(frame->seed, frame->iteration);
  const float *kept = reinterpret_cast<const float *>(frame->arena);
  *io(frame, 7) = (*io(frame, 3) + kept[0]) / 2;
  for (int i = 0; i < 4; ++i)
    io(frame, 5)[i] = io(frame, 1)[i] * kept[i];
  return take(backwardStatus);
}

int32_t both(const symc_frame *frame) {
  int32_t status = forward(frame);
  return status ? status : backward(frame);
}

struct Gradients : testing::Test {
  Gradients() {
    drawn.clear();
    inputs[0] = {"x", shape, 16, 1, SYMC_F32, 0, 0};
    inputs[1] = {"head_grad:y", shape, 16, 1, SYMC_F32, SYMC_TENSOR_BACKWARD, 0};
    outputs[0] = {"y", shape, 16, 1, SYMC_F32, 0, 0};
    outputs[1] = {"grad:x", shape, 16, 1, SYMC_F32, SYMC_TENSOR_BACKWARD, 0};
    states[0] = {{"calls", one, 4, 1, SYMC_F32, 0, 0}, 0};
    states[1] = {{"mean", one, 4, 1, SYMC_F32, SYMC_TENSOR_BACKWARD, 0}, 4};
    variant = {"x86-64", 0, 64, both};
    variant.forward = forward;
    variant.backward = backward;
    model = FakeModel().model;
    model.inputs = inputs;
    model.outputs = outputs;
    model.states = states;
    model.variants = &variant;
    model.dims = nullptr;
    model.output_shapes = nullptr;
    model.weights = reinterpret_cast<const uint8_t *>(weights);
    model.prepare = prepare;
    model.prepare_arena_bytes = 0;
    model.n_inputs = model.n_outputs = model.n_states = 2;
    model.n_dims = model.n_parameters = 0;
    model.n_variants = 1;
    context.emplace(model);
    EXPECT_EQ(context->status, SYMC_STATUS_OK) << context->error;
  }
  static int32_t prepare(const symc_frame *) { return 0; }

  symc_status runForward() {
    symc_tensor in = x.view(), out = y.view();
    return symc_forward(context->handle, &in, 1, &out, 1);
  }
  symc_status runBackward() {
    symc_tensor in = head.view(), out = gradient.view();
    return symc_backward(context->handle, &in, 1, &out, 1);
  }
  symc_status runBoth() {
    symc_tensor in[] = {x.view(), head.view()}, out[] = {y.view(), gradient.view()};
    return symc_run(context->handle, in, 2, out, 2);
  }
  float state(const char *name) {
    Tensor value({1});
    symc_tensor view = value.view();
    EXPECT_EQ(symc_get_state(context->handle, name, &view), SYMC_STATUS_OK);
    return value.data[0];
  }
  std::string error() const { return symc_last_error(context->handle); }
  const std::string noForward = "backward needs a forward run before it, with no other run, failed "
                                "forward run or new weights between";

  int64_t shape[1] = {4}, one[1] = {1};
  alignas(64) float weights[16] = {0, 8};
  symc_tensor_info inputs[2], outputs[2];
  symc_state_info states[2];
  symc_variant variant;
  symc_model model;
  std::optional<ScopedContext> context;
  Tensor x{{4}, 3}, head{{4}, 1}, y{{4}}, gradient{{4}};
};

} // namespace

TEST_F(Gradients, EachPartChangesItsOwn) {
  ASSERT_EQ(runForward(), SYMC_STATUS_OK) << error();
  EXPECT_EQ(y.data[3], 6);
  EXPECT_EQ(gradient.data[3], 0);
  EXPECT_EQ(state("calls"), 1);
  EXPECT_EQ(state("mean"), 8);
  x = Tensor({4}, 100); // forward's memory is its caller's again
  ASSERT_EQ(runBackward(), SYMC_STATUS_OK) << error();
  EXPECT_EQ(gradient.data[3], 3);
  EXPECT_EQ(y.data[3], 6);
  EXPECT_EQ(state("calls"), 1);
  EXPECT_EQ(state("mean"), 5.5);
}

TEST_F(Gradients, BackwardRunsAgain) {
  ASSERT_EQ(runForward(), SYMC_STATUS_OK);
  ASSERT_EQ(runBackward(), SYMC_STATUS_OK);
  head = Tensor({4}, 10);
  ASSERT_EQ(runBackward(), SYMC_STATUS_OK);
  EXPECT_EQ(gradient.data[0], 30);
  EXPECT_EQ(state("mean"), 4.25); // once more, from what the first one left
}

TEST_F(Gradients, BothPartsShareOneNumber) {
  symc_set_seed(context->handle, 7);
  ASSERT_EQ(runForward(), SYMC_STATUS_OK);
  ASSERT_EQ(runForward(), SYMC_STATUS_OK);
  ASSERT_EQ(symc_set_seed(context->handle, 9), SYMC_STATUS_OK); // of the runs that follow
  ASSERT_EQ(runBackward(), SYMC_STATUS_OK);
  ASSERT_EQ(runBackward(), SYMC_STATUS_OK);
  ASSERT_EQ(runForward(), SYMC_STATUS_OK);
  ASSERT_EQ(runBoth(), SYMC_STATUS_OK);
  std::vector<std::pair<uint64_t, uint64_t>> expected = {{7, 0}, {7, 1}, {7, 1}, {7, 1},
                                                         {9, 0}, {9, 1}, {9, 1}};
  EXPECT_EQ(drawn, expected);
}

TEST_F(Gradients, FailedRunsHaveNoNumber) {
  for (bool whole : {false, true}) {
    drawn.clear();
    symc_set_seed(context->handle, 0);
    forwardStatus = SYMC_STATUS_RUN_FAILED;
    EXPECT_EQ(whole ? runBoth() : runForward(), SYMC_STATUS_RUN_FAILED);
    EXPECT_EQ(error(), "a step failed: a step of the model failed");
    EXPECT_EQ(whole ? runBoth() : runForward(), SYMC_STATUS_OK);
    EXPECT_EQ(drawn[0], drawn[1]);
  }
}

TEST_F(Gradients, BackwardNeedsForward) {
  EXPECT_EQ(runBackward(), SYMC_STATUS_NO_FORWARD);
  EXPECT_EQ(error(), noForward);
  ASSERT_EQ(runForward(), SYMC_STATUS_OK);
  forwardStatus = SYMC_STATUS_RUN_FAILED;
  EXPECT_EQ(runForward(), SYMC_STATUS_RUN_FAILED);
  EXPECT_EQ(state("calls"), 1);
  EXPECT_EQ(runBackward(), SYMC_STATUS_NO_FORWARD);
  ASSERT_EQ(runForward(), SYMC_STATUS_OK);
  ASSERT_EQ(runBoth(), SYMC_STATUS_OK); // it works in the same memory
  EXPECT_EQ(runBackward(), SYMC_STATUS_NO_FORWARD);
  ASSERT_EQ(runForward(), SYMC_STATUS_OK);
  ASSERT_EQ(symc_set_parameters(context->handle, nullptr, 0), SYMC_STATUS_OK);
  EXPECT_EQ(runBackward(), SYMC_STATUS_NO_FORWARD);
  EXPECT_EQ(gradient.data[0], 3); // of runBoth
}

// What fails before a step runs, and a backward that fails, leaves what forward kept.
TEST_F(Gradients, FailuresThatLeaveForward) {
  ASSERT_EQ(runForward(), SYMC_STATUS_OK);
  Tensor right = x;
  x = Tensor({5});
  EXPECT_EQ(runForward(), SYMC_STATUS_BAD_SHAPE);
  EXPECT_EQ(error(), "argument 'x': expected f32 [4], got f32 [5] (dimension 0)");
  x = right;
  backwardStatus = SYMC_STATUS_RUN_FAILED;
  EXPECT_EQ(runBackward(), SYMC_STATUS_RUN_FAILED);
  EXPECT_EQ(state("mean"), 8);
  ASSERT_EQ(runBackward(), SYMC_STATUS_OK);
  EXPECT_EQ(gradient.data[0], 3);
  EXPECT_EQ(state("mean"), 5.5);
}

TEST_F(Gradients, TensorsAreThoseOfThePart) {
  symc_tensor all[] = {x.view(), head.view()}, out[] = {y.view(), gradient.view()};
  EXPECT_EQ(symc_forward(context->handle, all, 2, out, 1), SYMC_STATUS_BAD_COUNT);
  EXPECT_EQ(error(), "expected 1 inputs of forward, got 2");
  EXPECT_EQ(symc_forward(context->handle, all, 1, out, 2), SYMC_STATUS_BAD_COUNT);
  EXPECT_EQ(error(), "expected 1 outputs of forward, got 2");
  ASSERT_EQ(runForward(), SYMC_STATUS_OK);
  EXPECT_EQ(symc_backward(context->handle, nullptr, 0, out + 1, 1), SYMC_STATUS_BAD_COUNT);
  EXPECT_EQ(error(), "expected 1 inputs of backward, got 0");
  EXPECT_EQ(symc_backward(context->handle, all + 1, 1, out, 2), SYMC_STATUS_BAD_COUNT);
  EXPECT_EQ(error(), "expected 1 outputs of backward, got 2");
  head = Tensor({2, 2});
  EXPECT_EQ(runBackward(), SYMC_STATUS_BAD_SHAPE);
  EXPECT_EQ(error(), "argument 'head_grad:y': expected f32 [4], got f32 [2, 2] (rank)");
  symc_tensor same = gradient.view();
  EXPECT_EQ(symc_backward(context->handle, &same, 1, &same, 1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(error(), "output 'grad:x': expected memory of its own, got memory that overlaps "
                     "argument 'head_grad:y'");
  // Forward's memory may be backward's.
  head = Tensor({4}, 1);
  symc_tensor in = head.view(), over = y.view();
  EXPECT_EQ(symc_backward(context->handle, &in, 1, &over, 1), SYMC_STATUS_OK) << error();
  EXPECT_EQ(symc_forward(nullptr, nullptr, 0, nullptr, 0), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(symc_backward(nullptr, nullptr, 0, nullptr, 0), SYMC_STATUS_BAD_ARGUMENT);
}

// They get memory of the context, all of it when the first is left out.
TEST_F(Gradients, AreLeftOut) {
  Hooks hooks;
  symc_options options = {};
  options.allocator = hooks.table();
  context.emplace(model, options);
  ASSERT_EQ(runForward(), SYMC_STATUS_OK);
  int before = hooks.calls;
  size_t held = hooks.held;
  symc_tensor in = head.view(), none = {};
  hooks.failAt = before;
  EXPECT_EQ(symc_backward(context->handle, &in, 1, &none, 1), SYMC_STATUS_OUT_OF_MEMORY);
  EXPECT_EQ(error(), "cannot allocate 64 bytes of gradients that are left out");
  hooks.failAt = 1000;
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(symc_backward(context->handle, &in, 1, &none, 1), SYMC_STATUS_OK) << error();
  EXPECT_EQ(hooks.held, held + 64);
  EXPECT_EQ(state("mean"), 4.25);
  ASSERT_EQ(runBackward(), SYMC_STATUS_OK);
  EXPECT_EQ(gradient.data[3], 3);
  none = head.view();
  none.data = nullptr; // an input may not be left out
  EXPECT_EQ(symc_backward(context->handle, &none, 1, &none, 1), SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(error(), "argument 'head_grad:y': data is NULL");
  context.reset();
  EXPECT_EQ(hooks.held, 0u);
}

TEST(GradientsOfOtherModels, AreRefused) {
  FakeModel fake;
  ScopedContext context(fake.model);
  EXPECT_EQ(symc_forward(context.handle, nullptr, 0, nullptr, 0), SYMC_STATUS_NO_GRADIENTS);
  EXPECT_STREQ(symc_last_error(context.handle), "model 'fake' was compiled without gradients");
  EXPECT_EQ(symc_backward(context.handle, nullptr, 0, nullptr, 0), SYMC_STATUS_NO_GRADIENTS);
}

TEST_F(Gradients, WithoutWeights) {
  model.weights = nullptr;
  ScopedContext none(model);
  ASSERT_EQ(none.status, SYMC_STATUS_OK) << none.error;
  symc_tensor in = x.view(), out = y.view();
  EXPECT_EQ(symc_forward(none.handle, &in, 1, &out, 1), SYMC_STATUS_NO_WEIGHTS);
  EXPECT_STREQ(symc_last_error(none.handle),
               "the model has no weights yet: none embedded, no side file, none supplied; "
               "symc_set_parameters makes them from raw parameters");
}
