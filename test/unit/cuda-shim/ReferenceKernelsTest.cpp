// ReferenceKernelsTest.cpp: reference kernels on the threads of a device, with every access
// checked, give the bits that they give on the processor, on one thread and on grids of several
// sizes. If these fail, an operator without a family of kernels races, or its results hang on the
// grid.
#include "codegen/cuda/ReferenceKernels.h"
#include "symc/generated/op_params/Deformable.h"
#include "symc/generated/op_params/Detection.h"
#include "symc/generated/op_params/Image.h"
#include "symc/generated/op_params/Index.h"
#include "symc/generated/op_params/Matrix.h"
#include "symc/generated/op_params/Random.h"
#include "symc/generated/op_params/Region.h"
#include "symc/generated/op_params/Vision.h"
#include "symc/runtime.h"
#include "tools/cuda-shim/Runner.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace symc::codegen;
using namespace symc::codegen::cuda;
using Floats = std::vector<float>;

extern "C" {
int32_t symc_ref_take_f32(const symc_kernel_args *);
int32_t symc_ref_scatter_nd_f32(const symc_kernel_args *);
int32_t symc_ref_sort_f32(const symc_kernel_args *);
int32_t symc_ref_topk_f32(const symc_kernel_args *);
int32_t symc_ref_random_f32(const symc_kernel_args *);
int32_t symc_ref_shuffle_f32(const symc_kernel_args *);
int32_t symc_ref_box_nms_f32(const symc_kernel_args *);
int32_t symc_ref_dot_f32(const symc_kernel_args *);
int32_t symc_ref_image_resize_f32(const symc_kernel_args *);
int32_t symc_ref_bilinear_resize_f32(const symc_kernel_args *);
int32_t symc_ref_roi_align_f32(const symc_kernel_args *);
int32_t symc_ref_correlation_f32(const symc_kernel_args *);
}

namespace {

struct Tensor {
  std::vector<int64_t> shape;
  Floats values = {};
  size_t count() const {
    size_t all = 1;
    for (int64_t extent : shape)
      all *= size_t(extent);
    return all;
  }
};

// A call of a kernel: what one step of a model would make.
struct Call {
  std::string operation;
  int32_t (*function)(const symc_kernel_args *);
  std::vector<Tensor> ins, outs;
  std::vector<uint64_t> params;
  int64_t scratchBytes = 0;
};

template <typename Params> std::vector<uint64_t> slotsOf(const Params &params) {
  std::vector<uint64_t> slots(sizeof params / 8);
  memcpy(slots.data(), &params, sizeof params);
  return slots;
}

} // namespace

constexpr uint64_t seed = 7, stream = 3;

static std::vector<Floats> onProcessor(const Call &call) {
  std::vector<Floats> results;
  std::vector<symc_tensor> ins, outs;
  for (const Tensor &in : call.ins)
    ins.push_back({const_cast<float *>(in.values.data()), in.shape.data(), int32_t(in.shape.size()),
                   SYMC_F32, 0, 0});
  for (const Tensor &out : call.outs)
    results.emplace_back(out.count());
  for (auto [out, values] : llvm::zip_equal(call.outs, results))
    outs.push_back({values.data(), out.shape.data(), int32_t(out.shape.size()), SYMC_F32, 0, 0});
  std::vector<uint64_t> scratch(call.scratchBytes / 8);
  symc_frame frame = {};
  frame.seed = seed;
  symc_kernel_args args = {ins.data(),
                           outs.data(),
                           call.params.data(),
                           call.scratchBytes ? scratch.data() : nullptr,
                           call.scratchBytes,
                           int32_t(ins.size()),
                           int32_t(outs.size()),
                           &frame,
                           nullptr,
                           stream};
  EXPECT_EQ(call.function(&args), SYMC_STATUS_OK);
  return results;
}

// The same call as text, as CallSource.cpp writes it.
static std::string kernelOf(const Call &call, const std::string &space) {
  std::string text, parameters;
  auto tensors = [&](const std::vector<Tensor> &all, const std::string &name) {
    std::string rows;
    for (auto [i, tensor] : llvm::enumerate(all)) {
      std::string own = name + std::to_string(i);
      parameters += "float *" + own + ", ";
      text += "const int64_t " + own + "_extents[] = {" +
              llvm::join(llvm::map_range(tensor.shape, [](int64_t n) { return std::to_string(n); }),
                         ", ") +
              "};\n";
      rows += "{(void *)" + own + ", " + own + "_extents, " + std::to_string(tensor.shape.size()) +
              ", 0, 0, 0}, ";
    }
    text += "const symc_tensor " + name + "[] = {" + rows + "};\n";
  };
  tensors(call.ins, "in");
  tensors(call.outs, "out");
  text += "const uint64_t params[] = {0";
  for (uint64_t slot : call.params)
    text += ", " + std::to_string(slot) + "ull";
  text += "};\nsymc_frame frame = {};\nframe.seed = " + std::to_string(seed) +
          ";\nconst symc_kernel_args args = {in, out, params + 1, " +
          (call.scratchBytes ? "scratch" : "nullptr") + ", " + std::to_string(call.scratchBytes) +
          ", " + std::to_string(call.ins.size()) + ", " + std::to_string(call.outs.size()) +
          ", &frame, nullptr, " + std::to_string(stream) + "};\nof_" + space + "::symc_ref_" +
          call.operation + "_f32(&args);\n";
  return "extern \"C\" __global__ void k(" + parameters + "char *scratch) {\n" + text + "}\n";
}

// Whether the kernel gives the processor's bits for one thread and for grids of its own kind.
static void check(Call call) {
  std::vector<Floats> expected = onProcessor(call);
  auto kernels = ReferenceKernels::read(SYMC_TEST_RESOURCES);
  ASSERT_TRUE(bool(kernels)) << llvm::toString(kernels.takeError());
  std::optional<ReferenceKernel> kernel = kernels->kernelOf(call.operation);
  ASSERT_TRUE(kernel);
  EXPECT_NE(kernel->threads, KernelThreads::One);
  bool isBlock = kernel->threads == KernelThreads::Block;
  CudaProgram program;
  program.source = llvm::cantFail(kernels->text(kernel->file)) + kernelOf(call, kernel->file);
  const uint32_t grids[][2] = {{1, 1}, {1, 100}, {3, 64}, {8, 256}};
  for (auto [blocks, threads] : grids) {
    SCOPED_TRACE(std::to_string(blocks) + " blocks of " + std::to_string(threads) + " threads");
    std::vector<symc::ShimBuffer> io;
    std::vector<Floats> results;
    CudaLaunch launch;
    launch.kernel = "k";
    launch.grid[0] = isBlock ? 1 : blocks;
    launch.block[0] = threads;
    launch.grid[1] = launch.grid[2] = launch.block[1] = launch.block[2] = 1;
    for (const Tensor &out : call.outs)
      results.emplace_back(out.count());
    std::vector<uint64_t> scratch(call.scratchBytes / 8 + 1);
    for (Tensor &in : call.ins)
      io.push_back({in.values.data(), int64_t(in.values.size() * 4), true, false});
    for (Floats &out : results)
      io.push_back({out.data(), int64_t(out.size() * 4), false, true});
    io.push_back({scratch.data(), int64_t(scratch.size() * 8), false, false});
    for (size_t i = 0; i < io.size(); ++i)
      launch.arguments.push_back({CudaArgument::Io, int64_t(i)});
    program.launches = {launch};
    symc::ShimRun run;
    run.io = io;
    auto status = symc::runOnShim(program, run);
    ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
    for (auto [wanted, found] : llvm::zip_equal(expected, results))
      EXPECT_EQ(memcmp(wanted.data(), found.data(), wanted.size() * 4), 0);
  }
}

// Numbers of which many are alike and some are none.
static Floats drawn(size_t count, unsigned from, int kinds, bool withNan = true) {
  Floats all(count);
  for (float &each : all) {
    from = from * 1664525u + 1013904223u;
    int kind = int(from >> 16) % kinds;
    each = withNan && kind == 0 ? NAN : float(kind) - float(kinds) / 2;
  }
  return all;
}

TEST(ReferenceKernels, Take) {
  Tensor data{{5, 7, 3}, drawn(105, 1, 50)}, indices{{6}, {0, 6, -1, 9, 3, 3}};
  check({"take",
         symc_ref_take_f32,
         {data, indices},
         {{{5, 6, 3}}},
         slotsOf(symc_take_params{1, SYMC_TAKE_MODE_CLIP})});
}

TEST(ReferenceKernels, ScatterNd) {
  Tensor data{{300, 2}, drawn(600, 2, 1000)}, indices{{1, 300}, Floats(300)};
  for (int i = 0; i < 300; ++i)
    indices.values[i] = float(i * 7 % 11);
  check({"scatter_nd", symc_ref_scatter_nd_f32, {data, indices}, {{{11, 2}}}, {0, 0}});
}

TEST(ReferenceKernels, SortOfEqualNumbers) {
  for (int64_t axis : {0, 1}) {
    Tensor data{{600, 3}, drawn(1800, 3, 40)};
    int64_t bytes = 2 * 600 * 8;
    check({"sort",
           symc_ref_sort_f32,
           {data},
           {{{600, 3}}},
           slotsOf(symc_sort_params{axis, axis, 0}),
           bytes * 4});
  }
}

TEST(ReferenceKernels, TopK) {
  for (int64_t k : {1, 5, 100}) {
    Tensor data{{3, 500}, drawn(1500, 4, 30)};
    check({"topk",
           symc_ref_topk_f32,
           {data},
           {{{3, k}}, {{3, k}}},
           slotsOf(symc_topk_params{1, k, SYMC_TOPK_RET_TYP_BOTH, 0, SYMC_TOPK_DTYPE_FLOAT32}),
           2 * 500 * 8 * 3});
  }
  Tensor data{{4, 70}, drawn(280, 5, 30)};
  check({"topk",
         symc_ref_topk_f32,
         {data},
         {{{4, 70}}},
         slotsOf(symc_topk_params{1, 3, SYMC_TOPK_RET_TYP_MASK, 1, SYMC_TOPK_DTYPE_FLOAT32}),
         2 * 70 * 8 * 3});
}

TEST(ReferenceKernels, RandomNumbers) {
  symc_random_params params = {};
  params.kind = SYMC_RANDOM_KIND_UNIFORM;
  params.low = -1;
  params.high = 3;
  check({"random", symc_ref_random_f32, {}, {{{1000}}}, slotsOf(params)});
  Tensor data{{90, 2}, drawn(180, 6, 1000, false)};
  check({"shuffle", symc_ref_shuffle_f32, {data}, {{{90, 2}}}, {0}, 90 * 8});
}

TEST(ReferenceKernels, BoxNms) {
  Tensor data{{2, 300, 6}, drawn(3600, 8, 200)};
  for (size_t box = 0; box < 600; ++box) // corners in order
    for (size_t i = 4; i < 6; ++i)
      data.values[box * 6 + i] = data.values[box * 6 + i - 2] + float(box % 30);
  symc_box_nms_params params = {};
  params.overlap_thresh = 0.3;
  params.topk = 200;
  params.coord_start = 2;
  params.score_index = 1;
  params.id_index = -1;
  params.background_id = -1;
  params.out_format = SYMC_BOX_NMS_OUT_FORMAT_CENTER;
  check({"box_nms",
         symc_ref_box_nms_f32,
         {data},
         {{{2, 300, 6}}},
         slotsOf(params),
         2 * (300 * 40 + 2 * 300 * 8 + 3 * 64)});
}

// Kernels that compute several results together on a processor, and one a thread on a device.
TEST(ReferenceKernels, Products) {
  Tensor left{{37, 70}, drawn(37 * 70, 9, 1000, false)}, right{{70, 41}, drawn(70 * 41, 10, 99)};
  check({"dot", symc_ref_dot_f32, {left, right}, {{{37, 41}}}, slotsOf(symc_dot_params{})});
}

TEST(ReferenceKernels, Pictures) {
  Tensor picture{{9, 70, 3}, drawn(9 * 70 * 3, 11, 200, false)};
  for (int64_t interp : {1, 2, 3}) // bilinear, bicubic, area
    for (int64_t width : {50, 111}) {
      symc_image_resize_params params = {};
      params.interp = interp;
      check({"image_resize",
             symc_ref_image_resize_f32,
             {picture},
             {{{7, width, 3}}},
             slotsOf(params)});
    }
  Tensor image{{1, 2, 9, 20}, drawn(360, 12, 200, false)};
  check({"bilinear_resize",
         symc_ref_bilinear_resize_f32,
         {image},
         {{{1, 2, 13, 31}}},
         slotsOf(symc_bilinear_resize_params{})});
}

TEST(ReferenceKernels, Regions) {
  Tensor image{{2, 5, 12, 14}, drawn(2 * 5 * 168, 13, 200, false)};
  Tensor regions{{3, 5}, {0, 1, 2, 9, 8, 1, 0, 0, 13, 11, 7, 1, 1, 2, 2}};
  symc_roi_align_params params = {};
  params.spatial_scale = 0.9;
  params.sample_ratio = 2;
  check({"roi_align",
         symc_ref_roi_align_f32,
         {image, regions},
         {{{3, 5, 3, 3}}},
         slotsOf(params),
         4096});
}

TEST(ReferenceKernels, Correlation) {
  Tensor first{{1, 3, 8, 9}, drawn(216, 14, 200, false)}, second = first;
  std::reverse(second.values.begin(), second.values.end());
  symc_correlation_params params = {};
  params.kernel_size = params.stride1 = params.stride2 = params.pad_size = 1;
  params.max_displacement = 2;
  for (int64_t product : {0, 1}) {
    params.is_multiply = product;
    check({"correlation",
           symc_ref_correlation_f32,
           {first, second},
           {{{1, 25, 6, 7}}},
           slotsOf(params),
           64});
  }
}
