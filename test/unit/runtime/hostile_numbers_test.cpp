// hostile_numbers_test.cpp: kernels that read places from numbers of their tensors. If these
// fail, a model reads or writes outside of its memory when it is fed NaN, infinities or
// indices of nothing; run under AddressSanitizer, each tensor is an allocation of its own.
#include "symc/generated/op_params/Deformable.h"
#include "symc/generated/op_params/Detection.h"
#include "symc/generated/op_params/Edit.h"
#include "symc/generated/op_params/Image.h"
#include "symc/generated/op_params/Index.h"
#include "symc/generated/op_params/Norm.h"
#include "symc/generated/op_params/Place.h"
#include "symc/generated/op_params/Region.h"
#include "symc/generated/op_params/Statistics.h"
#include "symc/generated/op_params/Vision.h"
#include "symc/runtime.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace {

using Shape = std::vector<int64_t>;

struct Tensor {
  Shape shape;
  std::vector<float> values;

  explicit Tensor(Shape extents) : shape(std::move(extents)) {
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    values.resize(count);
  }
  symc_tensor view() { return {values.data(), shape.data(), int32_t(shape.size()), SYMC_F32}; }
};

// Numbers that are places at times, and at times nothing that a place could be.
void draw(Tensor &tensor, std::mt19937 &random) {
  const float hostile[] = {NAN,    INFINITY, -INFINITY, -1, -0.5f, 1e30f,
                           -1e30f, 3e9f,     -3e9f,     7,  0,     1e6f};
  std::uniform_real_distribution<float> usual(-1, 9);
  for (float &value : tensor.values)
    value = random() % 3 ? usual(random) : hostile[random() % 12];
}

// Calls a kernel many times on drawn inputs; returns the last status that was not OK, or OK.
template <class Params>
int32_t call(const char *op, const Params &params, std::vector<Shape> inputs,
             std::vector<Shape> outputs, int64_t scratch_bytes) {
  const symc_kernel *kernel = symc_find_kernel(op, SYMC_F32, SYMC_DEVICE_CPU, "scalar");
  if (!kernel)
    return SYMC_STATUS_NO_KERNEL;
  std::mt19937 random(7);
  int32_t status = SYMC_STATUS_OK;
  for (int round = 0; round < 40; ++round) {
    std::vector<Tensor> tensors;
    for (const Shape &shape : inputs)
      draw(tensors.emplace_back(shape), random);
    for (const Shape &shape : outputs)
      tensors.emplace_back(shape);
    std::vector<symc_tensor> views;
    for (Tensor &tensor : tensors)
      views.push_back(tensor.view());
    std::vector<double> scratch(scratch_bytes / 8);
    symc_kernel_args args = {views.data(),
                             views.data() + inputs.size(),
                             &params,
                             scratch.data(),
                             scratch_bytes,
                             int32_t(inputs.size()),
                             int32_t(outputs.size()),
                             nullptr,
                             nullptr,
                             0};
    if (int32_t found = kernel->function(&args))
      status = found;
  }
  return status;
}

const double kVariances[] = {0.1, 0.1, 0.2, 0.2}, kScales[] = {2, 4}, kRatios[] = {1};

} // namespace

TEST(HostileNumbers, BoxNms) {
  symc_box_nms_params params = {0.5, 0, -1, 2, 1, 0, -1, 0, 0, 1};
  EXPECT_EQ(call("box_nms", params, {{3, 17, 6}}, {{3, 17, 6}}, 4096), SYMC_STATUS_OK);
  EXPECT_EQ(call("box_nms", params, {{3, 17, 6}}, {{3, 17, 6}}, 64), SYMC_STATUS_BAD_ARGUMENT);
}

TEST(HostileNumbers, MultiBoxDetection) {
  symc_multibox_detection_params params = {1, 0.01, 0, 0.5, 0, {4, kVariances}, -1};
  EXPECT_EQ(
      call("multibox_detection", params, {{2, 3, 11}, {2, 44}, {1, 11, 4}}, {{2, 11, 6}}, 4096),
      SYMC_STATUS_OK);
}

TEST(HostileNumbers, MultiBoxTarget) {
  // A list of labels that ends with half a row stops the run; nothing else may happen.
  symc_multibox_target_params params = {0.5, -1, 2, 0.5, 0, {4, kVariances}};
  int32_t status = call("multibox_target", params, {{1, 11, 4}, {2, 3, 5}, {2, 3, 11}},
                        {{2, 44}, {2, 44}, {2, 11}}, 8192);
  EXPECT_TRUE(status == SYMC_STATUS_OK || status == SYMC_STATUS_BAD_ARGUMENT) << status;
}

TEST(HostileNumbers, Proposal) {
  symc_proposal_params params = {20, 6, 0.7, 4, {2, kScales}, {1, kRatios}, 8, 1, 0, 1};
  int32_t status =
      call("proposal", params, {{2, 4, 5, 6}, {2, 8, 5, 6}, {2, 3}}, {{12, 5}, {12, 1}}, 8192);
  EXPECT_TRUE(status == SYMC_STATUS_OK || status == SYMC_STATUS_BAD_ARGUMENT) << status;
}

TEST(HostileNumbers, RegionsOfNoImage) {
  const int64_t size[] = {2, 3};
  symc_roi_align_params align = {{2, size}, 0.5, 2, 0, 0};
  EXPECT_EQ(call("roi_align", align, {{2, 3, 5, 6}, {9, 5}}, {{9, 3, 2, 3}}, 4096), SYMC_STATUS_OK);
  symc_rroi_align_params rotated = {{2, size}, 0.5, 2};
  EXPECT_EQ(call("rroi_align", rotated, {{2, 3, 5, 6}, {9, 6}}, {{9, 3, 2, 3}}, 128),
            SYMC_STATUS_OK);
  symc_psroi_pooling_params grouped = {0.5, 2, 3, 0};
  EXPECT_EQ(call("psroi_pooling", grouped, {{2, 18, 5, 6}, {9, 5}}, {{9, 2, 3, 3}}, 0),
            SYMC_STATUS_OK);
  symc_deformable_psroi_pooling_params moved = {0.5, 2, 3, 3, 0, 2, 0.1, 0};
  EXPECT_EQ(call("deformable_psroi_pooling", moved, {{2, 18, 5, 6}, {9, 5}, {9, 4, 3, 3}},
                 {{9, 2, 3, 3}}, 0),
            SYMC_STATUS_OK);
  symc_roi_pooling_params pool = {{2, size}, 0.5};
  EXPECT_EQ(call("roi_pooling", pool, {{2, 3, 5, 6}, {9, 5}}, {{9, 3, 2, 3}}, 0), SYMC_STATUS_OK);
}

TEST(HostileNumbers, RegionWithoutAreaStopsAlignedMeans) {
  const int64_t size[] = {2, 3};
  symc_roi_align_params params = {{2, size}, 0.5, 2, 0, 1};
  EXPECT_EQ(call("roi_align", params, {{2, 3, 5, 6}, {9, 5}}, {{9, 3, 2, 3}}, 4096),
            SYMC_STATUS_BAD_ARGUMENT);
}

TEST(HostileNumbers, TapsOutsideOfTheImage) {
  const int64_t kernel[] = {3, 3};
  symc_deformable_columns_params params = {
      {2, kernel}, {0, nullptr}, {0, nullptr}, {0, nullptr}, 1};
  EXPECT_EQ(call("deformable_columns", params, {{2, 2, 7, 6}, {2, 18, 5, 4}}, {{2, 18, 5, 4}}, 0),
            SYMC_STATUS_OK);
  EXPECT_EQ(call("deformable_columns", params, {{2, 2, 7, 6}, {2, 18, 5, 4}, {2, 9, 5, 4}},
                 {{2, 18, 5, 4}}, 0),
            SYMC_STATUS_OK);
}

TEST(HostileNumbers, MatchesOutsideOfTheBoxes) {
  symc_box_encode_params params = {};
  EXPECT_EQ(call("box_encode", params, {{2, 5}, {2, 5}, {2, 5, 4}, {2, 3, 4}, {4}, {4}},
                 {{2, 5, 4}, {2, 5, 4}}, 0),
            SYMC_STATUS_OK);
}

TEST(HostileNumbers, PlacesOutsideOfTheTensor) {
  symc_index_copy_params copy = {};
  EXPECT_EQ(call("index_copy", copy, {{5, 3}, {4}, {4, 3}}, {{5, 3}}, 0), SYMC_STATUS_RUN_FAILED);
  symc_hawkesll_params events = {};
  EXPECT_EQ(call("hawkesll", events, {{2, 3}, {3}, {3}, {2, 3}, {2, 7}, {2, 7}, {2}, {2}},
                 {{2}, {2, 3}}, 24),
            SYMC_STATUS_RUN_FAILED);
  const int64_t shape[] = {2, 3, 4};
  symc_unravel_index_params places = {{3, shape}};
  EXPECT_EQ(call("unravel_index", places, {{9}}, {{3, 9}}, 0), SYMC_STATUS_OK);
}

TEST(HostileNumbers, PlacesOfSlices) {
  symc_insert_params into = {};
  into.kind = SYMC_INSERT_KIND_TENSOR;
  into.has_axis = into.axis = 1;
  EXPECT_EQ(call("insert", into, {{2, 5}, {1, 4}, {4}}, {{2, 9}}, 216), SYMC_STATUS_RUN_FAILED);
  symc_delete_params out = {};
  out.has_axis = out.axis = 1;
  out.size = 0;
  EXPECT_EQ(call("delete", out, {{2, 5}, {4}}, {{2, 5}}, 8), SYMC_STATUS_OK);
}

TEST(HostileNumbers, OrdersOfNoNumbers) {
  symc_percentile_params part = {};
  EXPECT_EQ(call("percentile", part, {{2, 5}, {3}}, {{3}}, 240), SYMC_STATUS_RUN_FAILED);
  part.has_q_scalar = 1;
  part.q_scalar = 70;
  EXPECT_EQ(call("percentile", part, {{2, 5}}, {Shape{}}, 240), SYMC_STATUS_OK);
  symc_unique_params slices = {};
  slices.return_inverse = slices.has_axis = slices.axis = 1;
  EXPECT_EQ(call("unique", slices, {{2, 5}}, {{2, 5}, {10}}, 80), SYMC_STATUS_OK);
}

TEST(HostileNumbers, NothingToReadFrom) {
  symc_pick_params pick = {0, 0, SYMC_PICK_MODE_CLIP};
  EXPECT_EQ(call("pick", pick, {{0, 3}, {3}}, {{3}}, 0), SYMC_STATUS_RUN_FAILED);
  symc_lrn_params lrn = {1e-4, 0.5, 2, 5};
  EXPECT_EQ(call("lrn", lrn, {{1, 3, 0, 2}}, {{1, 3, 0, 2}}, 0), SYMC_STATUS_OK);
  symc_bilinear_resize_params resize = {};
  EXPECT_EQ(call("bilinear_resize", resize, {{1, 1, 0, 2}}, {{1, 1, 2, 2}}, 0),
            SYMC_STATUS_RUN_FAILED);
  symc_image_resize_params picture = {};
  EXPECT_EQ(call("image_resize", picture, {{0, 2, 3}}, {{2, 2, 3}}, 0), SYMC_STATUS_RUN_FAILED);
  const double one[] = {1};
  symc_image_normalize_params normal = {{1, one}, {1, one}};
  EXPECT_EQ(call("image_normalize", normal, {{3, 0, 2}}, {{3, 0, 2}}, 0), SYMC_STATUS_OK);
  const int64_t size[] = {2, 3};
  symc_roi_align_params align = {{2, size}, 0.5, 2, 0, 0};
  EXPECT_EQ(call("roi_align", align, {{2, 3, 0, 6}, {9, 5}}, {{9, 3, 2, 3}}, 4096), SYMC_STATUS_OK);
}
