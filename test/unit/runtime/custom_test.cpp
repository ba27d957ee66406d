// custom_test.cpp: the call of a custom operator's kernel. If this fails, a library of operators
// sees other tensors than its node has, or a run does not tell why its kernel failed.
#include "symc/custom_op.h"
#include "symc/runtime.h"

#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <string>

// A library of operators knows the element types by its own names, and needs no other header.
static_assert(int(SYMC_OP_FLOAT32) == SYMC_F32 && int(SYMC_OP_BOOL) == SYMC_BOOL &&
              int(SYMC_OP_UINT64) == SYMC_U64 && int(SYMC_OP_BFLOAT16) == SYMC_BF16);
static_assert(SYMC_OP_MAX_RANK == SYMC_MAX_RANK);

namespace {
struct CustomCall : testing::Test {
  const int64_t extents[3] = {2, 3, 4};
  float values[24] = {};
  symc_tensor tensors[3] = {{values, extents, 2, SYMC_F32, 0, 0},
                            {values, extents + 2, 1, SYMC_I32, 0, 0},
                            {values, extents, 3, SYMC_F32, 0, 0}};
  char failure[384] = "";
  symc_frame frame = {};
  symc_kernel_args args = {};

  void SetUp() override {
    frame.error = failure;
    frame.error_bytes = sizeof failure;
    args.inputs = tensors;
    args.outputs = tensors + 2;
    args.n_inputs = 2;
    args.n_outputs = 1;
    args.params = this;
    args.scratch = values;
    args.scratch_bytes = 96;
    args.frame = &frame;
  }
};
} // namespace

TEST_F(CustomCall, SeesTheNode) {
  auto kernel = [](const symc_op_call *call) -> int32_t {
    bool same = call->n_inputs == 2 && call->n_outputs == 1 && call->inputs[0].rank == 2 &&
                call->inputs[1].shape[0] == 4 && call->inputs[1].dtype == SYMC_OP_INT32 &&
                call->outputs[0].rank == 3 && call->outputs[0].data == call->scratch &&
                call->scratch_bytes == 96 && call->message[0] == 0 && call->params;
    return same ? 0 : 1;
  };
  EXPECT_EQ(symc_call_custom(kernel, &args), SYMC_STATUS_OK);
  EXPECT_STREQ(failure, "");
}

TEST_F(CustomCall, TellsOfFailures) {
  auto silent = [](const symc_op_call *) -> int32_t { return -7; };
  EXPECT_EQ(symc_call_custom(silent, &args), SYMC_STATUS_RUN_FAILED);
  EXPECT_STREQ(failure, "the kernel of its operator failed with status -7");
  auto tells = [](const symc_op_call *call) -> int32_t {
    snprintf(call->message, SYMC_OP_MESSAGE_BYTES, "row %d is zero", 3);
    return 1;
  };
  EXPECT_EQ(symc_call_custom(tells, &args), SYMC_STATUS_RUN_FAILED);
  EXPECT_STREQ(failure, "row 3 is zero");
}

TEST_F(CustomCall, LongSentencesAreCutOff) {
  auto tells = [](const symc_op_call *call) -> int32_t {
    for (int i = 0; i < SYMC_OP_MESSAGE_BYTES; ++i) // and no end
      call->message[i] = 'x';
    return 1;
  };
  frame.error_bytes = 100;
  EXPECT_EQ(symc_call_custom(tells, &args), SYMC_STATUS_RUN_FAILED);
  EXPECT_EQ(strlen(failure), 99u);
  frame.error = nullptr; // in @prepare
  EXPECT_EQ(symc_call_custom(tells, &args), SYMC_STATUS_RUN_FAILED);
}
