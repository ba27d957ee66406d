// refusals_test.cpp: kernels that cannot compute from the extents that they find, or from what
// LAPACK returns to them, end with a status and a sentence. Compilations refuse most of these
// extents before; if this fails, one that they let through ends a run without a cause.
#include "core/refusals.h"
#include "kernels/reference/element.h"
#include "kernels/reference/lapack.h"
#include "symc/generated/op_params/Image.h"
#include "symc/generated/op_params/Index.h"
#include "symc/generated/op_params/Linalg.h"
#include "symc/generated/op_params/Slice.h"
#include "symc/generated/op_params/Statistics.h"
#include "symc/generated/op_params/Vision.h"

#include <gtest/gtest.h>
#include <vector>

#define SYMC_KERNEL(mnemonic, dtype, symbol, isa)                                                  \
  extern "C" int32_t symbol(const symc_kernel_args *args);
#include "symc/kernels.def"
#undef SYMC_KERNEL

extern "C" void *symc_lapack_functions[];

namespace {

using Shapes = std::vector<std::vector<int64_t>>;

struct Ended {
  int32_t status;
  std::string sentence;
};

// The kernel over tensors of ones.
template <class Params>
Ended run(symc_kernel_fn kernel, const Params &params, const Shapes &ins, const Shapes &outs) {
  std::vector<symc_tensor> tensors;
  std::vector<std::vector<double>> data; // room for any type
  for (const Shapes *shapes : {&ins, &outs})
    for (const std::vector<int64_t> &shape : *shapes) {
      int64_t count = 1;
      for (int64_t extent : shape)
        count *= extent;
      data.emplace_back(size_t(count) + 1);
      for (int64_t i = 0; i < count; ++i)
        reinterpret_cast<float *>(data.back().data())[i] = 1;
      tensors.push_back({data.back().data(), shape.data(), int32_t(shape.size()), SYMC_F32});
    }
  std::vector<char> error(200);
  alignas(SYMC_ALIGN) char scratch[4096];
  symc_frame frame = {};
  frame.error = error.data();
  frame.error_bytes = int32_t(error.size());
  symc_kernel_args args = {};
  args.inputs = tensors.data();
  args.outputs = tensors.data() + ins.size();
  args.n_inputs = int32_t(ins.size()), args.n_outputs = int32_t(outs.size());
  args.params = &params;
  args.scratch = scratch, args.scratch_bytes = sizeof scratch;
  args.frame = &frame;
  int32_t status = kernel(&args);
  return {status, error.data()};
}

void expect(const Ended &ended, symc::Refusal why, const char *sentence) {
  EXPECT_EQ(ended.status, symc::status_of_refusal(symc::refuse(why))) << sentence;
  EXPECT_EQ(ended.sentence, sentence);
}

} // namespace

TEST(Refusals, NothingToChooseFrom) {
  auto isEmpty = [](const Ended &ended) {
    expect(ended, symc::Refusal::NO_ELEMENT, "the data has no element to choose from");
  };
  symc_take_params clip = {0, SYMC_TAKE_MODE_CLIP};
  isEmpty(run(symc_ref_take_f32, clip, {{0, 2}, {1}}, {{1, 2}}));
  isEmpty(run(symc_ref_batch_take_f32, 0, {{1, 0}, {1}}, {{1}}));
  symc_pick_params pick = {1, 0, SYMC_PICK_MODE_CLIP};
  isEmpty(run(symc_ref_pick_f32, pick, {{1, 0}, {1}}, {{1}}));
  symc_percentile_params median = {};
  median.has_q_scalar = 1, median.q_scalar = 50;
  isEmpty(run(symc_ref_percentile_f32, median, {{0}}, {{}}));
}

TEST(Refusals, NoPixels) {
  auto isEmpty = [](const Ended &ended) {
    expect(ended, symc::Refusal::NO_PIXEL, "an image without pixels has nothing to interpolate");
  };
  symc_bilinear_resize_params bilinear = {};
  isEmpty(run(symc_ref_bilinear_resize_f32, bilinear, {{1, 1, 0, 3}}, {{1, 1, 2, 2}}));
  symc_image_resize_params resize = {};
  isEmpty(run(symc_ref_image_resize_f32, resize, {{0, 3, 1}}, {{2, 2, 1}}));
}

TEST(Refusals, WindowsAndParts) {
  const char *crop = "the window of a crop lies outside of the image";
  symc_image_crop_params window = {1, 0, 2, 2};
  expect(run(symc_ref_image_crop_f32, window, {{2, 2, 1}}, {{2, 2, 1}}), symc::Refusal::CROP, crop);
  const int64_t offsets[] = {0, 1};
  symc_crop_params legacy = {1, {2, offsets}, {}, 0};
  expect(run(symc_ref_crop_f32, legacy, {{1, 1, 2, 2}}, {{1, 1, 2, 2}}), symc::Refusal::CROP, crop);
  const char *part = "a part of the data lies outside of it";
  symc_slice_axis_params axis = {0, 2, 1, 4};
  expect(run(symc_ref_slice_axis_f32, axis, {{3}}, {{2}}), symc::Refusal::PART, part);
  symc_slice_like_params like = {};
  expect(run(symc_ref_slice_like_f32, like, {{3}, {4}}, {{4}}), symc::Refusal::PART, part);
}

// What other libraries do with a matrix that makes them give up.
TEST(Refusals, LapackGivesUp) {
  auto *functions = reinterpret_cast<symc::ref::Lapack<float> *>(symc_lapack_functions);
  symc::ref::Lapack<float> kept = *functions;
  auto give = [](auto *info) { *info = 1; };
  static decltype(give) giveUp = give;
  functions->potrf = [](const char *, const int *, float *, const int *, int *info, size_t) {
    giveUp(info);
  };
  functions->getrf = [](const int *, const int *, float *, const int *, int *, int *info) {
    giveUp(info);
  };
  functions->syevd = [](const char *, const char *, const int *, float *, const int *, float *,
                        float *, const int *, int *, const int *, int *info, size_t,
                        size_t) { giveUp(info); };
  functions->geev = [](const char *, const char *, const int *, float *, const int *, float *,
                       float *, float *, const int *, float *, const int *, float *, const int *,
                       int *info, size_t, size_t) { giveUp(info); };
  functions->gesvd = [](const char *, const char *, const int *, const int *, float *, const int *,
                        float *, float *, const int *, float *, const int *, float *, const int *,
                        int *info, size_t, size_t) { giveUp(info); };
  functions->gesv = [](const int *, const int *, float *, const int *, int *, float *, const int *,
                       int *info) { giveUp(info); };
  const Shapes square = {{2, 2}};
  expect(run(symc_ref_linalg_potrf_f32, symc_linalg_potrf_params{}, square, square),
         symc::Refusal::NOT_DEFINITE, "a matrix is not positive definite");
  expect(run(symc_ref_linalg_inverse_f32, 0, square, square), symc::Refusal::SINGULAR,
         "a matrix to invert is singular");
  expect(run(symc_ref_matrix_solve_f32, 0, {{2, 2}, {2, 1}}, {{2, 1}}), symc::Refusal::EQUATIONS,
         "a matrix of linear equations is singular");
  const char *values = "LAPACK finds no eigenvalues of a matrix";
  expect(run(symc_ref_linalg_syevd_f32, 0, square, {{2, 2}, {2}}), symc::Refusal::EIGENVALUES,
         values);
  expect(run(symc_ref_matrix_eig_f32, symc_matrix_eig_params{1}, square, {{2}, {2, 2}}),
         symc::Refusal::EIGENVALUES, values);
  expect(run(symc_ref_numpy_svd_f32, 0, square, {{2, 2}, {2}, {2, 2}}),
         symc::Refusal::SINGULAR_VALUES, "LAPACK finds no singular values of a matrix");
  *functions = kept;
}

TEST(Refusals, NumbersAreOfOneList) {
  EXPECT_EQ(symc_refusal_sentence(0), nullptr);
  EXPECT_EQ(symc_refusal_sentence(1 << 20), nullptr);
  EXPECT_EQ(symc::number_of_refusal(-3), 0) << "a condition that a size violates";
  EXPECT_EQ(symc::status_of_refusal(-3), -3);
  EXPECT_EQ(symc::number_of_refusal(SYMC_STATUS_NO_LIBRARY), 0);
}
