// BanksTest.cpp: what the shim counts of shared memory, of kernels whose conflicts are known by
// hand. If these fail, figures of bank conflicts say nothing.
#include "Run.h"
#include "tools/cuda-shim/Driver.h"

using Floats = std::vector<float>;

namespace {
struct Counted {
  unsigned long long accesses, wavefronts, ideal;
  std::string line;
};
} // namespace

// Of one warp, or more, behind stores of a row of words that have no conflict: an access of 32
// lanes for every 32 words.
static Counted count(const std::string &body, unsigned threads = 32) {
  OneKernel kernel = {kernelOf("__shared__ __align__(128) float tile[32 * 36];\n"
                               "const int t = threadIdx.x;\n"
                               "if (t < 32) for (int i = t; i < 32 * 36; i += 32) tile[i] = i;\n"
                               "__syncthreads();\n" +
                               body)};
  kernel.block[0] = threads;
  Floats out(threads);
  symc_cuda_shim_count_banks(true);
  EXPECT_EQ(run(kernel, Floats(1), out, 0), "");
  symc_cuda_shim_bank_count found;
  symc_cuda_shim_banks("k", &found);
  Counted counted = {found.accesses - 36, found.wavefronts - 36, found.ideal - 36, found.line};
  symc_cuda_shim_count_banks(false);
  return counted;
}

static void expect(const Counted &counted, unsigned accesses, unsigned ideal, unsigned extra) {
  EXPECT_EQ(counted.accesses, accesses);
  EXPECT_EQ(counted.ideal, ideal);
  EXPECT_EQ(counted.wavefronts - counted.ideal, extra);
  EXPECT_EQ(counted.line.empty(), extra == 0) << counted.line;
}

TEST(Banks, Words) {
  expect(count("out[t] = tile[t];\n"), 1, 1, 0);
  expect(count("out[t] = tile[t * 33];\n"), 1, 1, 0);
  expect(count("out[t] = tile[t * 2];\n"), 1, 1, 1);
  expect(count("out[t] = tile[5];\n"), 1, 1, 0);     // one word for all
  expect(count("out[t] = tile[t / 2];\n"), 1, 1, 0); // one for two lanes
  expect(count("out[t] = tile[t * 32];\n"), 1, 1, 31);
  expect(count("tile[t * 32] = 1; out[t] = 0;\n"), 1, 1, 31);
  expect(count("out[t] = ((unsigned char *)tile)[t];\n"), 1, 1, 0); // 8 words
  EXPECT_EQ(count("out[t] = tile[t * 32];\n").line, "kernels.cu:7");
}

// By 16 lanes and by 8: rows of 128 bytes lie in the same banks, rows of 144 in different ones.
TEST(Banks, Vectors) {
  expect(count("out[t] = ((float2 *)tile)[t].x + ((float2 *)tile)[t].y;\n"), 1, 2, 0);
  expect(count("float2 x = *(float2 *)&tile[t * 32]; out[t] = x.x + x.y;\n"), 1, 2, 2 * 15);
  expect(count("float4 x = *(float4 *)&tile[t * 36]; out[t] = x.x + x.y + x.z + x.w;\n"), 1, 4, 0);
  expect(count("float4 x = *(float4 *)&tile[t * 32]; out[t] = x.x + x.y + x.z + x.w;\n"), 1, 4,
         4 * 7);
}

TEST(Banks, FunctionsOfTensorCores) {
  for (int width : {32, 36}) {
    std::string row = "&tile[t * " + std::to_string(width) + "]";
    expect(count("unsigned x[4]; load_matrices(x, " + row + "); out[t] = x[0];\n"), 1, 4,
           width == 32 ? 4 * 7 : 0);
    expect(count("copy16(" + row + ", in, 0); commit_copies(); wait_copies<0>(); out[t] = 0;\n"), 1,
           4, width == 32 ? 4 * 7 : 0);
    expect(count("copy4(" + row + ", in, 0); commit_copies(); wait_copies<0>(); out[t] = 0;\n"), 1,
           1, width == 32 ? 31 : 3);
    expect(count("unsigned x[4]; load_words<4>(x, (unsigned *)&tile[t % 8 * " +
                 std::to_string(width) + "]); out[t] = x[0];\n"),
           4, 4, width == 32 ? 4 * 7 : 0);
  }
}

// Lanes of a warp are found together that run one after the other, other warps apart from them.
TEST(Banks, LoopsAndLanes) {
  expect(count("float x = 0; for (int i = 0; i < 8; ++i) x += tile[t * 32 + i]; out[t] = x;\n"), 8,
         8, 8 * 31);
  expect(
      count("float x = 0; for (int i = 0; i <= t % 2; ++i) x += tile[t * 32 + i]; out[t] = x;\n"),
      2, 2, 31 + 15);
  expect(count("out[t] = tile[t / 32 + t % 32 * 32];\n", 64), 2, 2, 2 * 31);
  expect(count("out[t] = t < 4 ? tile[t * 32] : 0;\n"), 1, 1, 3);
}

TEST(Banks, NothingCounted) {
  Counted counted = count("out[t] = 0;\n");
  expect(counted, 0, 0, 0);
  symc_cuda_shim_bank_count found;
  symc_cuda_shim_banks("k", &found);
  EXPECT_EQ(found.accesses, 0u);
  EXPECT_STREQ(found.line, "");
}
