// control_test.cpp: kernels of loops and choices, over bodies written by hand. Results of
// the last iteration lie in the outputs however many iterations there are; nothing else is written.
#include "kernels/reference/element.h"
#include "symc/generated/op_params/Control.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

#define SYMC_KERNEL(mnemonic, dtype, symbol, isa)                                                  \
  extern "C" int32_t symbol(const symc_kernel_args *args);
#include "symc/kernels.def"
#undef SYMC_KERNEL

namespace {

float *io(const symc_frame *frame, int i) { return static_cast<float *>(frame->io[i]); }

// (x, s) -> (x + s, x + s) over two elements; notes the iteration.
std::vector<uint64_t> iterations;
int32_t runningSum(const symc_frame *frame) {
  iterations.push_back(frame->iteration);
  for (int i = 0; i < 2; ++i)
    io(frame, 2)[i] = io(frame, 3)[i] = io(frame, 0)[i] + io(frame, 1)[i];
  return 0;
}
// i -> i < 3
int32_t isSmall(const symc_frame *frame) {
  *io(frame, 1) = *io(frame, 0) < 3;
  return 0;
}
// (i, x) -> (x * 2, i + 1, x * 2)
int32_t twice(const symc_frame *frame) {
  *io(frame, 2) = *io(frame, 4) = *io(frame, 1) * 2;
  *io(frame, 3) = *io(frame, 0) + 1;
  return 0;
}
int32_t pass(const symc_frame *frame) {
  *io(frame, 1) = *io(frame, 0);
  return 0;
}
int32_t negate(const symc_frame *frame) {
  *io(frame, 1) = -*io(frame, 0);
  return 0;
}
int32_t fails(const symc_frame *) { return SYMC_STATUS_RUN_FAILED; }

// A call of a kernel with tensors of float32 and scratch of its own.
struct Call {
  std::vector<std::vector<float>> data;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<symc_tensor> tensors;
  std::vector<int64_t> scratch = std::vector<int64_t>(512);
  symc_frame frame = {};
  symc_kernel_args args = {};

  void add(std::vector<int64_t> shape, std::vector<float> values) {
    shapes.push_back(shape);
    data.push_back(values);
  }
  int32_t run(symc_kernel_fn kernel, const void *params, const symc_body *bodies, int inputs) {
    for (size_t i = 0; i < data.size(); ++i)
      tensors.push_back({data[i].data(), shapes[i].data(), int32_t(shapes[i].size()), SYMC_F32});
    args.inputs = tensors.data();
    args.outputs = tensors.data() + inputs;
    args.n_inputs = inputs;
    args.n_outputs = int32_t(data.size()) - inputs;
    args.params = params;
    args.bodies = bodies;
    args.frame = &frame;
    void *place = scratch.data();
    size_t room = scratch.size() * 8;
    args.scratch = std::align(SYMC_ALIGN, 2048, place, room);
    args.scratch_bytes = 2048;
    return kernel(&args);
  }
};

const int64_t kNumbers[] = {0, 1};
symc_foreach_params overRows() {
  symc_foreach_params params = {};
  params.num_outputs = 2, params.num_out_data = 1;
  params.in_data_locs = {1, kNumbers}, params.in_state_locs = {1, kNumbers + 1};
  return params;
}

} // namespace

TEST(Control, ForeachCarriesItsStateOverAnyNumberOfTurns) {
  symc_foreach_params params = overRows();
  symc_body body = {runningSum, 0, 2, 2, SYMC_F32, 0};
  for (int64_t steps : {0, 1, 2, 3, 4}) {
    Call call;
    std::vector<float> rows, sums;
    float a = 10, b = 20;
    for (int64_t t = 0; t < steps; ++t) {
      rows.insert(rows.end(), {float(t + 1), float(2 * t)});
      sums.insert(sums.end(), {a += float(t + 1), b += float(2 * t)});
    }
    call.add({steps, 2}, rows);
    call.add({2}, {10, 20});
    call.add({steps, 2}, std::vector<float>(rows.size()));
    call.add({2}, {0, 0});
    iterations.clear();
    ASSERT_EQ(call.run(symc_ref_foreach_f32, &params, &body, 2), 0);
    EXPECT_EQ(call.data[2], sums) << steps;
    EXPECT_EQ(call.data[3], (std::vector<float>{a, b})) << steps;
    EXPECT_EQ(call.data[1], (std::vector<float>{10, 20})) << steps;
    for (size_t i = 1; i < iterations.size(); ++i)
      EXPECT_NE(iterations[i], iterations[i - 1]);
  }
}

TEST(Control, ForeachPassesAFailureOn) {
  symc_foreach_params params = overRows();
  symc_body body = {fails, 0, 2, 2, SYMC_F32, 0};
  Call call;
  call.add({1, 2}, {1, 2});
  call.add({2}, {0, 0});
  call.add({1, 2}, {0, 0});
  call.add({2}, {0, 0});
  EXPECT_EQ(call.run(symc_ref_foreach_f32, &params, &body, 2), SYMC_STATUS_RUN_FAILED);
}

TEST(Control, ForeachNeedsAsManyStepsOfAllInputs) {
  symc_foreach_params params = overRows();
  params.in_data_locs = {2, kNumbers}, params.in_state_locs = {0, nullptr};
  symc_body body = {runningSum, 0, 2, 2, SYMC_F32, 0};
  Call call;
  call.add({2, 2}, {1, 2, 3, 4});
  call.add({1, 2}, {1, 2});
  call.add({2, 2}, {0, 0, 0, 0});
  char error[100] = "";
  call.frame.error = error, call.frame.error_bytes = sizeof error;
  EXPECT_EQ(call.run(symc_ref_foreach_f32, &params, &body, 2), SYMC_STATUS_BAD_SHAPE);
  EXPECT_STREQ(error, "two inputs of a loop have different numbers of steps");
}

TEST(Control, WhileLoopStopsAndLeavesTheOtherRowsZero) {
  symc_while_loop_params params = {};
  params.num_outputs = 3, params.num_out_data = 1;
  params.cond_input_locs = {1, kNumbers}, params.func_input_locs = {2, kNumbers};
  params.func_var_locs = {2, kNumbers};
  symc_body bodies[] = {{isSmall, 0, 1, 1, SYMC_F32, 0}, {twice, 0, 2, 3, SYMC_F32, 0}};
  for (int64_t most : {1, 2, 3, 5}) {
    params.max_iterations = most;
    Call call;
    call.add({1}, {0});
    call.add({1}, {7});
    call.add({most, 1}, std::vector<float>(most, -1));
    call.add({1}, {-1});
    call.add({1}, {-1});
    ASSERT_EQ(call.run(symc_ref_while_loop_f32, &params, bodies, 2), 0);
    float x = 7;
    for (int64_t t = 0; t < most; ++t)
      EXPECT_EQ(call.data[2][t], t < 3 ? x *= 2 : 0);
    EXPECT_EQ(call.data[3][0], float(std::min<int64_t>(most, 3)));
    EXPECT_EQ(call.data[4][0], x);
  }
}

TEST(Control, CondRunsOneBranch) {
  symc_cond_params params = {};
  params.cond_input_locs = {1, kNumbers};
  params.then_input_locs = params.else_input_locs = {1, kNumbers + 1};
  symc_body bodies[] = {
      {pass, 0, 1, 1, SYMC_F32, 0}, {pass, 0, 1, 1, SYMC_F32, 0}, {negate, 0, 1, 1, SYMC_F32, 0}};
  for (float condition : {0.0f, -0.0f, 1.0f, -2.0f}) {
    Call call;
    call.add({1}, {condition});
    call.add({1}, {5});
    call.add({1}, {0});
    ASSERT_EQ(call.run(symc_ref_cond_f32, &params, bodies, 2), 0);
    EXPECT_EQ(call.data[2][0], condition != 0 ? 5 : -5);
  }
}
