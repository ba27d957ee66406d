// RightKernelsTest.cpp: kernels as they are written for a device compute the same on the shim, with
// and without checks. If these fail, answers of generated kernels say nothing.
#include "Run.h"
#include <numeric>

using Floats = std::vector<float>;

static Floats numbers(size_t count) {
  Floats all(count);
  std::iota(all.begin(), all.end(), 1.0f);
  return all;
}

TEST(RightKernels, StridesOfTheGrid) {
  for (bool checked : {true, false}) {
    OneKernel kernel = {
        kernelOf("for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
                 "     i += gridDim.x * blockDim.x)\n"
                 "  out[i] = fmaf(2.0f, in[i], out[i] = 1.0f);\n")};
    kernel.grid[0] = 3;
    kernel.block[0] = 64;
    kernel.checked = checked;
    Floats out(1000);
    ASSERT_EQ(run(kernel, numbers(1000), out, 1000), "");
    for (int i = 0; i < 1000; ++i)
      ASSERT_EQ(out[i], 2 * (i + 1) + 1);
  }
}

TEST(RightKernels, VectorsOfFour) {
  OneKernel kernel = {kernelOf("float4 v = reinterpret_cast<const float4 *>(in)[threadIdx.x];\n"
                               "v.x = v.w; v.y += 1;\n"
                               "reinterpret_cast<float4 *>(out)[threadIdx.x] = v;\n")};
  kernel.block[0] = 2;
  Floats out(8);
  ASSERT_EQ(run(kernel, numbers(8), out, 0), "");
  EXPECT_EQ(out, (Floats{4, 3, 3, 4, 8, 7, 7, 8}));
}

// Sums of rows: shuffles in each warp, then shared memory between warps.
TEST(RightKernels, ReductionByShuffles) {
  OneKernel kernel = {kernelOf(
      "__shared__ float partial[8];\n"
      "float sum = 0;\n"
      "for (long long i = threadIdx.x; i < n; i += blockDim.x) sum += in[blockIdx.x * n + i];\n"
      "sum = sumOfWarp(sum);\n"
      "if ((threadIdx.x & 31) == 0) partial[threadIdx.x >> 5] = sum;\n"
      "__syncthreads();\n"
      "if (threadIdx.x == 0) { float all = 0; for (int i = 0; i < 8; ++i) all += partial[i];\n"
      "  out[blockIdx.x] = all; }\n",
      "__device__ __forceinline__ float sumOfWarp(float x) {\n"
      "#pragma unroll\n"
      "  for (int by = 16; by > 0; by >>= 1) x += __shfl_xor_sync(0xffffffffu, x, by);\n"
      "  return x; }\n")};
  kernel.grid[0] = 4;
  kernel.block[0] = 256;
  Floats out(4);
  ASSERT_EQ(run(kernel, numbers(4 * 500), out, 500), "");
  for (int row = 0; row < 4; ++row)
    EXPECT_EQ(out[row], 500 * (row * 500 + 250.5f));
}

TEST(RightKernels, TransposeThroughSharedMemory) {
  OneKernel kernel = {
      kernelOf("__shared__ float tile[16][17];\n"
               "int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;\n"
               "tile[threadIdx.y][threadIdx.x] = in[y * n + x];\n"
               "__syncthreads();\n"
               "x = blockIdx.y * 16 + threadIdx.x; y = blockIdx.x * 16 + threadIdx.y;\n"
               "out[y * n + x] = tile[threadIdx.x][threadIdx.y];\n")};
  kernel.grid[0] = kernel.grid[1] = 2;
  kernel.block[0] = kernel.block[1] = 16;
  Floats in = numbers(32 * 32), out(32 * 32);
  ASSERT_EQ(run(kernel, in, out, 32), "");
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x)
      ASSERT_EQ(out[y * 32 + x], in[x * 32 + y]);
}

// in: a, then b, both n x n. Two arrays of the launch's shared memory.
TEST(RightKernels, ProductByTiles) {
  OneKernel kernel = {
      kernelOf("extern __shared__ float tiles[];\n"
               "float *a = tiles, *b = tiles + 64, sum = 0;\n"
               "int x = threadIdx.x, y = threadIdx.y;\n"
               "long long row = blockIdx.y * 8 + y, column = blockIdx.x * 8 + x;\n"
               "for (long long k = 0; k < n; k += 8) {\n"
               "  a[y * 8 + x] = in[row * n + k + x];\n"
               "  b[y * 8 + x] = in[n * n + (k + y) * n + column];\n"
               "  __syncthreads();\n"
               "#pragma unroll\n"
               "  for (int i = 0; i < 8; ++i) sum = fmaf(a[y * 8 + i], b[i * 8 + x], sum);\n"
               "  __syncthreads();\n"
               "}\n"
               "out[row * n + column] = sum;\n")};
  kernel.grid[0] = kernel.grid[1] = 3;
  kernel.block[0] = kernel.block[1] = 8;
  kernel.sharedBytes = 128 * 4;
  const int n = 24;
  Floats in(2 * n * n), out(n * n);
  for (int i = 0; i < 2 * n * n; ++i)
    in[i] = i % 7 - 3;
  ASSERT_EQ(run(kernel, in, out, n), "");
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += in[y * n + k] * in[n * n + k * n + x];
      ASSERT_EQ(out[y * n + x], sum);
    }
}

TEST(RightKernels, WarpFunctions) {
  OneKernel kernel = {
      kernelOf("int lane = threadIdx.x; float x = in[lane];\n"
               "unsigned odd = __ballot_sync(0xffffffffu, lane & 1);\n"
               "float *o = out + lane * 6;\n"
               "o[0] = __shfl_sync(0xffffffffu, x, 3);\n"
               "o[1] = __shfl_down_sync(0xffffffffu, x, 1);\n"
               "o[2] = __shfl_up_sync(0xffffffffu, x, 1);\n"
               "o[3] = __shfl_xor_sync(0xffffffffu, x, 1, 8);\n"
               "o[4] = __popc(odd) + 100 * __any_sync(0xffffffffu, lane == 9);\n"
               "o[5] = __all_sync(0xffffffffu, lane < 32) + __shfl_sync(0xffffffffu, x, 1, 4);\n")};
  kernel.block[0] = 32;
  Floats out(32 * 6);
  ASSERT_EQ(run(kernel, numbers(32), out, 0), "");
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(Floats(out.begin() + lane * 6, out.begin() + lane * 6 + 6),
              (Floats{4, lane == 31 ? 32.f : lane + 2.f, lane == 0 ? 1.f : float(lane),
                      (lane ^ 1) + 1.f, 116, 1 + (lane & ~3) + 2.f}));
}

// The process has a function of that name, too.
TEST(RightKernels, FunctionsOfTheSource) {
  OneKernel kernel = {
      kernelOf("out[0] = rand() + in[0];\n", "extern \"C\" __device__ int rand() { return 7; }\n")};
  Floats out(1);
  ASSERT_EQ(run(kernel, {2}, out, 0), "");
  EXPECT_EQ(out[0], 9);
}

TEST(RightKernels, AtomicsOfAllBlocks) {
  OneKernel kernel = {"extern \"C\" __global__ void k(const int *in, int *out, long long n) {\n"
                      "  __shared__ int count;\n"
                      "  if (threadIdx.x == 0) count = 0;\n"
                      "  __syncthreads();\n"
                      "  atomicAdd(&count, in[threadIdx.x]);\n"
                      "  atomicMax(&out[0], 5);\n"
                      "  __syncthreads();\n"
                      "  if (threadIdx.x == 0) out[1 + blockIdx.x] = count;\n}\n"};
  // An atomic reads: what it changes must have been written.
  kernel.block[0] = 3;
  kernel.grid[0] = 2;
  std::vector<int> out(3);
  EXPECT_EQ(run<int>(kernel, {1, 2, 4}, out, 0),
            "kernels.cu:6: kernel 'k', block (0, 0, 0), thread (0, 0, 0) changes 4 bytes at byte 0 "
            "of io 1, which "
            "nobody wrote");
  kernel.source.replace(kernel.source.find("atomicMax(&out[0], 5)"), 21,
                        "if (blockIdx.x + threadIdx.x == 0) out[0] = 7");
  ASSERT_EQ(run<int>(kernel, {1, 2, 4}, out, 0), "");
  EXPECT_EQ(out, (std::vector<int>{7, 7, 7}));
}

// The last block to count finds what the others wrote, where barriers and fences order that; one of
// them less, and it is a race. The count wraps to 0.
TEST(RightKernels, TheLastBlockReadsWhatOthersWrote) {
  const std::string source =
      "extern \"C\" __global__ void k(const int *in, int *out, long long n) {\n"
      "  if (blockIdx.x + threadIdx.x == 0) out[0] = 0;\n"
      "  out[1 + blockIdx.x * 64 + threadIdx.x] = in[blockIdx.x];\n"
      "  __syncthreads();\n"
      "  bool last = false;\n"
      "  if (threadIdx.x == 0) {\n"
      "    __threadfence(); // before\n"
      "    last = atomicInc((unsigned *)out, 2) == 2;\n"
      "    __threadfence(); // behind\n"
      "  }\n"
      "  if (!__syncthreads_or(last)) return;\n"
      "  int other = threadIdx.x ^ 33;\n"
      "  out[193 + threadIdx.x] = out[1 + other] + out[65 + other] + out[129 + other];\n}\n";
  OneKernel kernel = {source};
  kernel.block[0] = 64;
  kernel.grid[0] = 3;
  std::vector<int> out(257);
  ASSERT_EQ(run<int>(kernel, {1, 20, 300}, out, 0), "");
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[193], 321);
  EXPECT_EQ(out[256], 321);
  for (std::string part :
       {"__syncthreads();", "__threadfence(); // before", "__threadfence(); // behind"}) {
    kernel.source = source;
    kernel.source.replace(kernel.source.find(part), part.size(), "");
    EXPECT_EQ(run<int>(kernel, {1, 20, 300}, out, 0),
              "kernels.cu:13: kernel 'k', block (2, 0, 0), thread (0, 0, 0) race: reads 4 bytes at "
              "byte 136 of io 1, which thread (33, 0, 0) of block (0, 0, 0) wrote in the same "
              "launch")
        << part;
  }
}

// What else a kernel gets: arena, weights, sizes, rounds, seed; and a status that it leaves.
TEST(RightKernels, AllArguments) {
  using namespace symc::codegen;
  CudaProgram program;
  program.source =
      "extern \"C\" __global__ void first(char *arena, const char *weights) {\n"
      "  ((int *)arena)[threadIdx.x] = ((const int *)weights)[threadIdx.x]; }\n"
      "extern \"C\" __global__ void add(char *arena, long long round, long long n, unsigned long "
      "long seed,\n"
      "                               unsigned long long iteration) {\n"
      "  if (threadIdx.x < n) ((int *)arena)[threadIdx.x] += (int)(round * seed + iteration); }\n"
      "extern \"C\" __global__ void last(const char *arena, char *io, int *status) {\n"
      "  ((int *)io)[threadIdx.x] = ((const int *)arena)[threadIdx.x]; if (threadIdx.x == 3) "
      "*status += 6; }\n";
  using Argument = CudaArgument;
  program.launches = {
      {"first", "a", {1, 1, 1}, {4, 1, 1}, 0, 1, {{Argument::Arena}, {Argument::Weights}}},
      {"add",
       "b",
       {1, 1, 1},
       {4, 1, 1},
       0,
       3,
       {{Argument::Arena},
        {Argument::Round},
        {Argument::Size, 1},
        {Argument::Seed},
        {Argument::Iteration}}},
      {"last",
       "c",
       {1, 1, 1},
       {4, 1, 1},
       0,
       1,
       {{Argument::Arena}, {Argument::Io, 0}, {Argument::Status}}}};
  int weights[] = {1, 2, 3, 4}, out[4] = {};
  symc::ShimBuffer io[] = {{out, sizeof(out), false, true}};
  int64_t sizes[] = {9, 2};
  symc::ShimRun run = {16, {reinterpret_cast<char *>(weights), sizeof(weights)}, io, sizes, 10,
                       100};
  auto status = symc::runOnShim(program, run);
  ASSERT_TRUE(bool(status)) << llvm::toString(status.takeError());
  EXPECT_EQ(*status, 6); // outputs stay as they were
  EXPECT_EQ(out[0], 0);
  program.source.replace(program.source.rfind("== 3"), 4, "== 9");
  EXPECT_EQ(llvm::cantFail(symc::runOnShim(program, run)), 0);
  EXPECT_EQ(std::vector<int>(out, out + 4), (std::vector<int>{331, 332, 3, 4}));
}
