// run_image_test.cpp: runs on pictures. If these fail, inputs are made of other pixels than those
// given, memory grows with every run or is given back wrongly, or a refusal has another sentence.
#include "fake_model.h"
#include "pictures/pictures.h"

#include <gtest/gtest.h>

namespace {
// data [n, 4] is a flattened gray picture of 2 x 2; label takes none.
struct RunImage : testing::Test {
  RunImage() {
    steps[0].enabled = 1;
    steps[0].scale = 1;
    steps[0].channels = 1;
    steps[0].mean[0] = 1;
    steps[0].std[0] = 2;
    steps[0].source_layout = SYMC_NHWC;
    fake.model.pictures = &pictures;
    options.allocator = hooks.table();
    for (size_t i = 0; i < pixels.size(); ++i)
      pixels[i] = uint8_t(2 * i + 1);
  }

  symc_status run(symc_context *context, symc_tensor picture, int64_t rows) {
    output = Tensor({rows, 4}, -7);
    symc_tensor out = output.view();
    return symc_run_image(context, &picture, 1, &out, 1);
  }
  static symc_tensor bytes(std::vector<uint8_t> &data, const std::vector<int64_t> &shape) {
    return {data.data(), shape.data(), int32_t(shape.size()), SYMC_U8, SYMC_DEVICE_CPU, 0};
  }

  FakeModel fake;
  symc_preprocess steps[2] = {};
  symc_pictures pictures = {steps, symc_open_picture, symc_fill_picture, nullptr, nullptr};
  Hooks hooks;
  symc_options options = {};
  Tensor output{{1, 4}};
  std::vector<uint8_t> pixels = std::vector<uint8_t>(32); // 1, 3, 5, ...
};
} // namespace

TEST_F(RunImage, MakesInputsOfOneOrSeveral) {
  {
    ScopedContext context(fake.model, options);
    const std::vector<int64_t> one = {2, 2}, eight = {8, 2, 2, 1};
    ASSERT_EQ(run(context.handle, bytes(pixels, one), 1), SYMC_STATUS_OK);
    EXPECT_EQ(output.data, (std::vector<float>{0, 2, 6, 12})); // (pixel - 1) / 2 * weight
    int calls = hooks.calls;
    ASSERT_EQ(run(context.handle, bytes(pixels, one), 1), SYMC_STATUS_OK);
    EXPECT_EQ(hooks.calls, calls) << "a second run has its memory";
    ASSERT_EQ(run(context.handle, bytes(pixels, eight), 8), SYMC_STATUS_OK)
        << symc_last_error(context.handle);
    EXPECT_EQ(output.data[31], 4 * 31);
    EXPECT_GT(hooks.calls, calls);
    // What has the input's own type is taken as symc_run takes it.
    Tensor data({2, 4}, 3);
    ASSERT_EQ(run(context.handle, data.view(), 2), SYMC_STATUS_OK);
    EXPECT_EQ(output.data[7], 12);
    // All inputs, the optional one with a value and without.
    Tensor label({1}, 5);
    output = Tensor({1, 4}, -7);
    symc_tensor in[2] = {bytes(pixels, one), label.view()}, out = output.view();
    ASSERT_EQ(symc_run_image(context.handle, in, 2, &out, 1), SYMC_STATUS_OK);
    EXPECT_EQ(output.data[3], 12);
    in[1] = {};
    ASSERT_EQ(symc_run_image(context.handle, in, 2, &out, 1), SYMC_STATUS_OK);
  }
  EXPECT_EQ(hooks.held, 0u);
}

TEST_F(RunImage, Refusals) {
  ScopedContext context(fake.model, options);
  auto refuse = [&](std::vector<int64_t> shape, symc_status status, const char *sentence) {
    EXPECT_EQ(run(context.handle, bytes(pixels, shape), 1), status);
    EXPECT_STREQ(symc_last_error(context.handle), sentence);
    EXPECT_EQ(output.data[0], -7);
  };
  refuse({2, 2, 2}, SYMC_STATUS_BAD_PICTURE,
         "argument 'data': expected 1, 3 or 4 channels in nhwc pixels, got 2");
  refuse(
      {12}, SYMC_STATUS_BAD_PICTURE,
      "argument 'data': expected pixels with 2, 3 or 4 dimensions, got 1; the model was compiled "
      "without --images, which reads files of pictures");
  refuse({0, 2, 2, 1}, SYMC_STATUS_BAD_PICTURE, "argument 'data': expected pixels, got none");
  refuse({1, 1, 1, 1, 1}, SYMC_STATUS_BAD_PICTURE,
         "argument 'data': expected pixels with 2, 3 or 4 dimensions for input 'data', got 5");
  refuse({2, 3}, SYMC_STATUS_BAD_SHAPE,
         "argument 'data': expected f32 [1..8, 4], got f32 [1, 6] (dimension 1)");
  // A shape that no memory holds.
  const int64_t huge = int64_t(1) << 31;
  refuse({1, huge, huge, 1}, SYMC_STATUS_BAD_PICTURE,
         "argument 'data': a picture of too many pixels");
  hooks.failAt = hooks.calls;
  refuse({64, 64}, SYMC_STATUS_OUT_OF_MEMORY,
         "cannot allocate 16704 bytes for inputs made of pictures");
  hooks.failAt = 1000;
  symc_tensor out = output.view();
  EXPECT_EQ(symc_run_image(context.handle, &out, 3, &out, 1), SYMC_STATUS_BAD_COUNT);
  EXPECT_EQ(symc_run_image(nullptr, &out, 1, &out, 1), SYMC_STATUS_BAD_ARGUMENT);
  fake.model.pictures = nullptr;
  refuse({2, 2}, SYMC_STATUS_BAD_ARGUMENT,
         "no input takes pictures: the model was compiled without --preprocess");
}
