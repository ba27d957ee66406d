// fused_test.cpp: the reference kernel of a quantised convolution with what follows it, by
// hand: batch normalisation is folded in, the sum is in the result's units, a uint8 result of
// a sum with int8 ends at 127, as MXNet's does.
#include "symc/generated/op_params/Fused.h"
#include "symc/runtime.h"

#include <gtest/gtest.h>
#include <vector>

extern "C" int32_t symc_ref_fused_conv_u8(const symc_kernel_args *args);

namespace {

// One pixel of one channel under a filter of one tap: data 100 of 255.5 in [0, 25.55] is 10.
uint8_t run(float gamma, int8_t sum, int32_t sumType) {
  int64_t image[] = {1, 1, 1, 1}, one[] = {1}, kernel[] = {1, 1};
  uint8_t data = 100, out = 0;
  float weight = 2, beta = 0, mean = 0, var = 1, low = 0, high = 25.55f, sumHigh = 127.5f, min, max;
  symc_tensor inputs[] = {
      {&data, image, 4, SYMC_U8}, {&weight, image, 4, SYMC_F32}, {&gamma, one, 1, SYMC_F32},
      {&beta, one, 1, SYMC_F32},  {&mean, one, 1, SYMC_F32},     {&var, one, 1, SYMC_F32},
      {&sum, image, 4, sumType},  {&low, one, 1, SYMC_F32},      {&high, one, 1, SYMC_F32},
      {&low, one, 1, SYMC_F32},   {&sumHigh, one, 1, SYMC_F32}};
  symc_tensor outputs[] = {
      {&out, image, 4, SYMC_U8}, {&min, one, 1, SYMC_F32}, {&max, one, 1, SYMC_F32}};
  symc_fused_conv_params params = {};
  params.with_bn = params.with_sum = params.with_postsum_act = params.no_bias = 1;
  params.has_min_calib_range = params.has_max_calib_range = 1;
  params.max_calib_range = 255.5; // one for one
  params.kernel = {2, kernel};
  params.num_filter = params.num_group = 1;
  params.postsum_act = SYMC_FUSED_CONV_POSTSUM_ACT_RELU;
  std::vector<int64_t> scratch(64);
  symc_kernel_args args = {};
  args.inputs = inputs, args.outputs = outputs, args.params = &params;
  args.scratch = scratch.data(), args.scratch_bytes = 512;
  args.n_inputs = 11, args.n_outputs = 3;
  EXPECT_EQ(symc_ref_fused_conv_u8(&args), 0);
  EXPECT_EQ(max, 255.5f);
  return out;
}

} // namespace

TEST(Fused, FoldsNormalisationAddsAndCutsOff) {
  EXPECT_EQ(run(1, 30, SYMC_I8), 50);   // 10 * 2 + 30
  EXPECT_EQ(run(3, 30, SYMC_I8), 90);   // 10 * 6 + 30
  EXPECT_EQ(run(1, -30, SYMC_I8), 0);   // relu
  EXPECT_EQ(run(6, 100, SYMC_I8), 127); // 220
  // 120, of which the weight of 127 instead of 127.5 takes a bit, and 100 * 127.5 / 255.5.
  EXPECT_EQ(run(6, 100, SYMC_U8), 169);
}
