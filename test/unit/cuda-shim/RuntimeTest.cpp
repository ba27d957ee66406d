// RuntimeTest.cpp: the model of fake_model.h with kernels for CUDA, run by the runtime's own code
// on the shim's driver. If this fails, what runs on the shim is not what a device would be given.
#include "fake_model.h"
#include "symc/cuda.h"
#include "tools/cuda-shim/HostCompiler.h"
#include <gtest/gtest.h>

static const char *source =
    "extern \"C\" __global__ void scale(char *arena, const char *weights, char *io0, char *io3, "
    "long long s0) {\n"
    "  __shared__ float w[4];\n"
    "  if (threadIdx.x < 4) w[threadIdx.x] = ((const float *)weights)[threadIdx.x];\n"
    "  __syncthreads();\n"
    "  for (int i = blockIdx.x * 32 + threadIdx.x; i < s0 * 4; i += gridDim.x * 32)\n"
    "    ((float *)io3)[i] = ((float *)arena)[i] = ((float *)io0)[i] * w[i & 3];\n}\n"
    "extern \"C\" __global__ void add(char *io0, char *io2, char *io4, long long s0) {\n"
    "  float sum = ((float *)io2)[threadIdx.x];\n"
    "  for (int i = 0; i < s0; ++i) sum += ((float *)io0)[i * 4 + threadIdx.x];\n"
    "  ((float *)io4)[threadIdx.x] = sum;\n}\n";

static symc_cuda_module *modules[SYMC_CUDA_DEVICES];
static symc_cuda_image image = {nullptr, 0, SYMC_CUDA_HOST_LIBRARY, 0, 0, 0};
static const char *const kernels[] = {"scale", "add"};
static const symc_cuda_argument scale[] = {{SYMC_CUDA_ARENA, 0},
                                           {SYMC_CUDA_WEIGHTS, 0},
                                           {SYMC_CUDA_IO, 0},
                                           {SYMC_CUDA_IO, 3},
                                           {SYMC_CUDA_SIZE, 0}};
static const symc_cuda_argument add[] = {
    {SYMC_CUDA_IO, 0}, {SYMC_CUDA_IO, 2}, {SYMC_CUDA_IO, 4}, {SYMC_CUDA_SIZE, 0}};
static const symc_cuda_launch launches[] = {{"fc", scale, 1, {2, 1, 1}, {32, 1, 1}, 0, 5, 0, 0},
                                            {"mean", add, 1, {1, 1, 1}, {4, 1, 1}, 0, 4, 1, 0}};
static const symc_cuda_program program = {&image, launches, kernels, modules, 1, 2, 2, 0, -1};

static int32_t runProgram(const symc_frame *frame) { return symc_cuda_run(frame, &program); }

/// The model with that source, and what `symc_run` and a second run answer.
static std::string runTwice(const std::string &text, Tensor &output) {
  symc::codegen::CudaProgram compiled;
  compiled.source = text;
  compiled.launches.resize(2);
  compiled.launches[0].kernel = "scale";
  compiled.launches[1].kernel = "add";
  auto made = symc::imageForShim(compiled);
  if (!made)
    return llvm::toString(made.takeError());
  image.bytes = made->bytes.data();
  image.n_bytes = made->bytes.size();
  ScopedVariable driver("SYMC_CUDA_DRIVER", SYMC_TEST_CUDA_SHIM);
  FakeModel fake;
  static const void *const programs[] = {&program};
  fake.variants[0] = {"cuda", 0, 256, runProgram, SYMC_DEVICE_CUDA, 1, programs, &symc_cuda_device};
  ScopedContext context(fake.model);
  if (context.status != SYMC_STATUS_OK)
    return context.error;
  EXPECT_STREQ(symc_context_variant(context.handle)->isa, "cuda");
  for (int i = 0; i < 2; ++i) {
    Tensor data({3, 4}, 2.0f + i);
    symc_tensor in = data.view(), out = output.view();
    if (symc_run(context.handle, &in, 1, &out, 1) != SYMC_STATUS_OK)
      return symc_last_error(context.handle);
  }
  Tensor mean({4});
  symc_tensor view = mean.view();
  EXPECT_EQ(symc_get_state(context.handle, "mean", &view), SYMC_STATUS_OK);
  EXPECT_EQ(mean.data[3], 40 + 3 * 2 + 3 * 3);
  return "";
}

TEST(CudaShimRuntime, RunsAModel) {
  Tensor output({3, 4}, -1);
  ASSERT_EQ(runTwice(source, output), "");
  EXPECT_EQ(output.data, (std::vector<float>{3, 6, 9, 12, 3, 6, 9, 12, 3, 6, 9, 12}));
}

TEST(CudaShimRuntime, TellsWhatAKernelDidWrong) {
  std::string wrong = source;
  wrong.replace(wrong.find("__syncthreads();"), 16, "");
  Tensor output({3, 4}, -1);
  testing::internal::CaptureStderr();
  EXPECT_NE(runTwice(wrong, output), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "cuda shim: kernels.cu:6: kernel 'scale', block (0, 0, 0), thread (4, 0, 0) race: "
            "reads 4 bytes at byte 0 of shared array 'w', which thread (0, 0, 0) wrote with no "
            "barrier between\n");
}
