// WrongKernelsTest.cpp: what a kernel must not do is told with kernel, block, thread, place and
// line. If these fail, generated kernels that pass on the shim may still race on a device.
#include "Run.h"

using Floats = std::vector<float>;

/// What is said of a kernel over 64 floats in and out. The body begins on line `firstLine`.
static std::string wrong(const std::string &body, unsigned threads = 64, unsigned blocks = 1,
                         unsigned sharedBytes = 0) {
  OneKernel kernel = {kernelOf(body)};
  kernel.block[0] = threads;
  kernel.grid[0] = blocks;
  kernel.sharedBytes = sharedBytes;
  Floats out(64);
  return run(kernel, Floats(64, 1.0f), out, 64);
}

static const std::string atFirst = "kernels.cu:3: kernel 'k', block (0, 0, 0), thread ";

TEST(WrongKernels, RaceInSharedMemory) {
  EXPECT_EQ(wrong("__shared__ float t[64]; t[threadIdx.x] = in[threadIdx.x];\n"
                  "out[threadIdx.x] = t[63 - threadIdx.x];\n",
                  32)
                .substr(0, 12),
            "kernels.cu:4");
  // The reader runs behind the writer here, in front of it below: both orders are a race.
  EXPECT_EQ(
      wrong(
          "__shared__ float t[64]; t[threadIdx.x] = 1; out[threadIdx.x] = t[threadIdx.x & 62];\n"),
      atFirst + "(1, 0, 0) race: reads 4 bytes at byte 0 of shared array 't', which thread (0, 0, "
                "0) wrote "
                "with no barrier between");
  EXPECT_EQ(wrong("__shared__ float t[64]; t[threadIdx.x] = 1; __syncthreads();\n"
                  "float x = t[63]; t[threadIdx.x] = 2; out[threadIdx.x] = x;\n"),
            "kernels.cu:4: kernel 'k', block (0, 0, 0), thread (63, 0, 0) race: writes 4 bytes at "
            "byte 252 of "
            "shared array 't', which thread (0, 0, 0) read with no barrier between");
  EXPECT_EQ(wrong("__shared__ float t[64]; t[threadIdx.x / 2] = 1;\n"),
            atFirst + "(1, 0, 0) race: writes 4 bytes at byte 0 of shared array 't', which thread "
                      "(0, 0, 0) wrote "
                      "with no barrier between");
}

// Neighbours in one word do not race; narrower accesses find their own bytes.
TEST(WrongKernels, RaceOfBytes) {
  EXPECT_EQ(
      wrong("((char *)out)[threadIdx.x] = 1; __syncthreads(); ((char *)out)[threadIdx.x] = 2;\n",
            256),
      "");
  EXPECT_EQ(wrong("((char *)out)[threadIdx.x] = 1; ((char *)out)[255 - threadIdx.x] = 2;\n", 256),
            atFirst + "(128, 0, 0) race: writes 1 bytes at byte 128 of io 1, which thread (127, 0, "
                      "0) wrote with "
                      "no barrier between");
}

// A barrier orders the threads of one block only.
TEST(WrongKernels, RaceOfBlocks) {
  EXPECT_EQ(wrong("__syncthreads(); out[threadIdx.x] = 1;\n", 64, 2),
            "kernels.cu:3: kernel 'k', block (1, 0, 0), thread (0, 0, 0) race: writes 4 bytes at "
            "byte 0 of io 1, "
            "which thread (0, 0, 0) of block (0, 0, 0) wrote in the same launch");
  EXPECT_EQ(wrong("out[threadIdx.x + blockIdx.x * 32] = 1;\n", 32, 2), "");
  EXPECT_EQ(wrong("if (blockIdx.x == 0) out[0] = 1; else out[1] = out[0];\n", 1, 2),
            "kernels.cu:3: kernel 'k', block (1, 0, 0), thread (0, 0, 0) race: reads 4 bytes at "
            "byte 0 of io 1, "
            "which thread (0, 0, 0) of block (0, 0, 0) wrote in the same launch");
}

// __syncwarp orders the lanes of one warp.
TEST(WrongKernels, RaceBeyondAWarp) {
  const std::string body = "__shared__ float t[64]; t[threadIdx.x] = 1; __syncwarp();\n"
                           "out[threadIdx.x] = threadIdx.x < 32 ? 0 : t[threadIdx.x ^ WITH];\n";
  auto with = [&](const char *number) {
    std::string text = body;
    return text.replace(text.find("WITH"), 4, number);
  };
  EXPECT_EQ(wrong(with("1")), "");
  EXPECT_NE(wrong(with("32")).find("race: reads 4 bytes at byte "), std::string::npos);
}

TEST(WrongKernels, OutOfBounds) {
  EXPECT_EQ(wrong("out[threadIdx.x] = in[threadIdx.x + 1];\n"),
            atFirst + "(63, 0, 0) reads 4 bytes at byte 256 of io 0, which has 256");
  EXPECT_EQ(wrong("out[(int)threadIdx.x - 1] = 1;\n"),
            atFirst + "(0, 0, 0) writes 4 bytes at byte -4 of io 1, which has 256");
  EXPECT_EQ(wrong("__shared__ float a[32]; __shared__ float b[32]; if (threadIdx.x == 0) b[0] = 1; "
                  "a[threadIdx.x] = 1;\n",
                  33),
            atFirst + "(32, 0, 0) writes 4 bytes at byte 128 of shared array 'a', which has 128");
  EXPECT_EQ(wrong("extern __shared__ int tile[]; tile[threadIdx.x] = 1;\n", 33, 1, 128),
            atFirst +
                "(32, 0, 0) writes 4 bytes at byte 128 of dynamic shared memory, which has 128");
  EXPECT_EQ(wrong("float4 v = *(const float4 *)(in + threadIdx.x); out[threadIdx.x] = v.x;\n"),
            atFirst + "(1, 0, 0) reads 16 bytes at byte 4 of io 0, which is no multiple of 16");
  EXPECT_EQ(wrong("*(volatile int *)16 = 1;\n").substr(0, atFirst.size()), atFirst);
}

// A copy or fill of bytes counts as its accesses.
TEST(WrongKernels, CopiesInAKernel) {
  EXPECT_EQ(wrong("if (threadIdx.x == 0) { memset(out, 0, 100); memcpy(out + 25, in, 156); }\n"),
            "");
  EXPECT_EQ(wrong("memcpy(out, in, 260);\n", 1),
            atFirst + "(0, 0, 0) reads 4 bytes at byte 256 of io 0, which has 256");
  EXPECT_EQ(wrong("__builtin_memset(out, 0, 257);\n", 1),
            atFirst + "(0, 0, 0) writes 1 bytes at byte 256 of io 1, which has 256");
}

TEST(WrongKernels, Uninitialised) {
  EXPECT_EQ(wrong("out[threadIdx.x] = out[threadIdx.x] + 1;\n"),
            atFirst + "(0, 0, 0) reads 4 bytes at byte 0 of io 1, which nobody wrote");
  EXPECT_EQ(
      wrong("__shared__ float t[64]; if (blockIdx.x == 0) t[threadIdx.x] = 1; __syncthreads();\n"
            "out[threadIdx.x + 32 * blockIdx.x] = t[threadIdx.x];\n",
            32, 2),
      "kernels.cu:4: kernel 'k', block (1, 0, 0), thread (0, 0, 0) reads 4 bytes at byte 0 of "
      "shared array "
      "'t', which nobody wrote");
  EXPECT_EQ(wrong("if (threadIdx.x != 7) out[threadIdx.x] = 1;\n"),
            "a copy reads byte 28 of io 1, which nobody wrote");
}

TEST(WrongKernels, BarrierThatNotAllReach) {
  EXPECT_EQ(wrong("if (threadIdx.x != 5)\n  __syncthreads();\nout[threadIdx.x] = 1;\n"),
            "kernels.cu:4: kernel 'k', block (0, 0, 0), thread (0, 0, 0) waits at a barrier "
            "(kernels.cu:4), where "
            "thread (5, 0, 0) does not come: it has ended");
  EXPECT_EQ(wrong("if (threadIdx.x == 40) __syncthreads();\n"
                  "if (threadIdx.x == 41) __syncwarp(1u << 9 | 1u << 8);\n"),
            "kernels.cu:4: kernel 'k', block (0, 0, 0), thread (41, 0, 0) waits in a warp function "
            "with mask "
            "0x00000300 (kernels.cu:4), where thread (40, 0, 0) does not come: it waits at a "
            "barrier (kernels.cu:3)");
}

TEST(WrongKernels, WarpFunctionsOfTheWrongLanes) {
  EXPECT_EQ(
      wrong("if (threadIdx.x < 16) out[threadIdx.x] = __shfl_xor_sync(0xffffu, 1.0f, 16);\n", 32),
      atFirst + "(15, 0, 0) shuffles from lane 31, which is inactive (mask 0x0000ffff)");
  EXPECT_EQ(wrong("out[threadIdx.x] = __shfl_down_sync(0xffffffffu, 1.0f, 1);\n", 48),
            "kernels.cu:3: kernel 'k', block (0, 0, 0), thread (47, 0, 0) shuffles from lane 16, "
            "which is inactive "
            "(mask 0xffffffff)");
  EXPECT_EQ(wrong("out[threadIdx.x] = __shfl_sync(1u, 1.0f, 0);\n", 2),
            atFirst + "(1, 0, 0) calls a warp function with mask 0x00000001, which lacks lane 1");
  EXPECT_EQ(wrong("if (threadIdx.x & 1) __syncwarp(); else __ballot_sync(0xffffffffu, 1);\n", 2),
            atFirst +
                "(0, 0, 0) waits in a warp function with mask 0xffffffff (kernels.cu:3), where "
                "thread (1, 0, 0) "
                "does not come: it waits in a warp function with mask 0xffffffff (kernels.cu:3)");
}

// Memory of another thread's own variables is nobody's.
TEST(WrongKernels, LocalMemoryOfAnother) {
  EXPECT_NE(wrong("__shared__ float *p; float own[4] = {in[0]}; if (threadIdx.x == 0) p = own;\n"
                  "__syncthreads(); out[threadIdx.x] = p[threadIdx.x & 3]; __syncthreads();\n",
                  64)
                .find("kernels.cu:4: kernel 'k', block (0, 0, 0), thread (1, 0, 0) reads"),
            std::string::npos);
}
