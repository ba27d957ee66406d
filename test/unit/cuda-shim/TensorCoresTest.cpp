// TensorCoresTest.cpp: functions over tensor cores on the shim, beside plain products of matrices
// whose elements the kernels here place as NVIDIA's PTX ISA says, sentence by sentence, with no
// word of the generated templates. If these fail, answers of templates on the shim say nothing.
#include "Run.h"
#include <cmath>

using Floats = std::vector<float>;

// Uneven in rows and columns, and exact in 8 bits.
static float a(int row, int k) { return (row * 7 + k * 3) % 29 - 11; }
static float b(int k, int column) { return (column * 5 + k * 11) % 23 - 9; }

// One warp. PTX ISA, "Matrix fragments for mma.m16n8k*": groupID = laneid >> 2,
// threadID_in_group = laneid % 4.
static Floats product(const std::string &fragments, int depth) {
  OneKernel kernel = {kernelOf(
      "const int groupID = threadIdx.x >> 2, threadID_in_group = threadIdx.x % 4;\n"
      "const float *A = in, *B = in + 16 * n;\n"
      "unsigned ra[4], rb[2];\n" +
      fragments +
      "for (int i = 0; i < 4; ++i) {\n"
      "  const int row = i < 2 ? groupID : groupID + 8, col = threadID_in_group * 2 + (i & 1);\n"
      "  out[row * 8 + col] = c[i];\n"
      "}\n")};
  kernel.block[0] = 32;
  Floats in, out(16 * 8);
  for (int row = 0; row < 16; ++row)
    for (int k = 0; k < depth; ++k)
      in.push_back(a(row, k));
  for (int k = 0; k < depth; ++k)
    for (int column = 0; column < 8; ++column)
      in.push_back(b(k, column));
  EXPECT_EQ(run(kernel, in, out, depth), "");
  return out;
}

static void expectProduct(const Floats &out, int depth) {
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      float sum = 1; // what c was
      for (int k = 0; k < depth; ++k)
        sum += a(row, k) * b(k, column);
      EXPECT_EQ(out[row * 8 + column], sum) << row << ", " << column;
    }
}

// A: row = groupID for a0 and a2, groupID + 8 for a1 and a3; col = threadID_in_group for a0 and
// a1, + 4 for a2 and a3. B: row = threadID_in_group for b0, + 4 for b1; col = groupID.
TEST(TensorCores, Tf32) {
  Floats out =
      product("for (int i = 0; i < 4; ++i)\n"
              "  ra[i] = __float_as_uint(A[(i == 0 || i == 2 ? groupID : groupID + 8) * n +\n"
              "                            (i < 2 ? threadID_in_group : threadID_in_group + 4)]);\n"
              "for (int i = 0; i < 2; ++i)\n"
              "  rb[i] = __float_as_uint(B[(threadID_in_group + i * 4) * 8 + groupID]);\n"
              "float c[4] = {1, 1, 1, 1};\n"
              "mma_tf32(c, ra, rb[0], rb[1]);\n",
              8);
  expectProduct(out, 8);
}

// a0 to a7 are halves, two to a register. A: row = groupID where 0 <= i < 2 or 4 <= i < 6, else
// groupID + 8; col = threadID_in_group * 2 + (i & 1), + 8 where i >= 4. B: row =
// threadID_in_group * 2 + (i & 1), + 8 where i >= 2; col = groupID.
TEST(TensorCores, Halves) {
  for (std::string type : {"f16", "bf16"}) {
    Floats out =
        product("float ha[8], hb[4];\n"
                "for (int i = 0; i < 8; ++i)\n"
                "  ha[i] = A[(i < 2 || (i >= 4 && i < 6) ? groupID : groupID + 8) * n +\n"
                "            threadID_in_group * 2 + (i & 1) + (i >= 4 ? 8 : 0)];\n"
                "for (int i = 0; i < 4; ++i)\n"
                "  hb[i] = B[(threadID_in_group * 2 + (i & 1) + (i >= 2 ? 8 : 0)) * 8 + groupID];\n"
                "for (int i = 0; i < 4; ++i)\n"
                "  ra[i] = pack_" +
                    type +
                    "(__float_as_uint(ha[2 * i]), __float_as_uint(ha[2 * i + 1]));\n"
                    "for (int i = 0; i < 2; ++i)\n"
                    "  rb[i] = pack_" +
                    type +
                    "(__float_as_uint(hb[2 * i]), __float_as_uint(hb[2 * i + 1]));\n"
                    "float c[4] = {1, 1, 1, 1};\n"
                    "mma_" +
                    type + "(c, ra, rb[0], rb[1]);\n",
                16);
    expectProduct(out, 16);
  }
}

// a0 to a15 are bytes, four to a register. A: row = groupID where 0 <= i < 4 or 8 <= i < 12, else
// groupID + 8; col = threadID_in_group * 4 + (i & 3), + 16 where i >= 8. B: row =
// threadID_in_group * 4 + (i & 3), + 16 where i >= 4; col = groupID. A is unsigned: plus 200 here.
TEST(TensorCores, Bytes) {
  Floats out =
      product("for (int r = 0; r < 4; ++r) ra[r] = 0;\n"
              "for (int r = 0; r < 2; ++r) rb[r] = 0;\n"
              "for (int i = 0; i < 16; ++i) {\n"
              "  const float x = A[(i < 4 || (i >= 8 && i < 12) ? groupID : groupID + 8) * n +\n"
              "                    threadID_in_group * 4 + (i & 3) + (i >= 8 ? 16 : 0)];\n"
              "  ra[i / 4] |= (unsigned)(unsigned char)(x + 200) << 8 * (i % 4);\n"
              "}\n"
              "for (int i = 0; i < 8; ++i)\n"
              "  rb[i / 4] |= (unsigned)(unsigned char)(signed char)\n"
              "      B[(threadID_in_group * 4 + (i & 3) + (i >= 4 ? 16 : 0)) * 8 + groupID] << 8 * "
              "(i % 4);\n"
              "int c[4] = {1, 1, 1, 1};\n"
              "mma_bytes(c, ra, rb[0], rb[1]);\n",
              32);
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      int sum = 1;
      for (int k = 0; k < 32; ++k)
        sum += int(a(row, k) + 200) * int(b(k, column));
      EXPECT_EQ(out[row * 8 + column], sum) << row << ", " << column;
    }
}

// To nearest; halves away from zero for tf32, to even for f16 and bf16. A product ignores the low
// 13 bits of tf32.
TEST(TensorCores, Roundings) {
  OneKernel kernel = {
      kernelOf("const unsigned x = __float_as_uint(in[threadIdx.x]);\n"
               "out[threadIdx.x] = __uint_as_float(to_tf32(x));\n"
               "out[threadIdx.x + 8] = __uint_as_float(pack_bf16(0, x));\n"
               "out[threadIdx.x + 16] = __uint_as_float(pack_f16(x, 0x3f800000));\n")};
  kernel.block[0] = 8;
  auto bits = [](unsigned x) {
    float y;
    memcpy(&y, &x, 4);
    return y;
  };
  Floats in = {bits(0x3f801000), bits(0x3f800fff), bits(0xbf801000), bits(0x7f800000),
               bits(0x3f808000), bits(0x3f818000), bits(0x7fc00000), 65520};
  Floats out(24);
  ASSERT_EQ(run(kernel, in, out, 0), "");
  auto is = [&](int i, unsigned x) { EXPECT_EQ(memcmp(&out[i], &x, 4), 0) << i; };
  is(0, 0x3f802000), is(1, 0x3f800000), is(2, 0xbf802000), is(3, 0x7f800000);
  is(8 + 4, 0x3f800000), is(8 + 5, 0x3f820000), is(8 + 6, 0x7fff0000), is(8 + 3, 0x7f800000);
  is(16 + 0, 0x3c003c00), is(16 + 5, 0x3c003c0c), is(16 + 7, 0x3c007c00); // 65520: infinity
}

// ldmatrix: lanes 8 i to 8 i + 7 give the rows of matrix i. Register i of a lane holds elements
// (lane / 4, 2 * (lane % 4)) and the one right of it; with .trans rows and columns swapped.
TEST(TensorCores, LoadMatrices) {
  for (bool transposed : {false, true}) {
    OneKernel kernel = {
        kernelOf("__shared__ __align__(16) unsigned short tile[32][8];\n"
                 "for (int i = 0; i < 8; ++i) tile[threadIdx.x][i] = threadIdx.x * 8 + i;\n"
                 "__syncthreads();\n"
                 "unsigned x[4];\n" +
                 std::string(transposed ? "load_transposed" : "load_matrices") +
                 "(x, tile[threadIdx.x]);\n"
                 "for (int i = 0; i < 4; ++i) {\n"
                 "  out[(threadIdx.x * 4 + i) * 2] = x[i] & 0xffff;\n"
                 "  out[(threadIdx.x * 4 + i) * 2 + 1] = x[i] >> 16;\n"
                 "}\n")};
    kernel.block[0] = 32;
    Floats out(256);
    ASSERT_EQ(run(kernel, Floats(1), out, 0), "");
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < 4; ++i)
        for (int half = 0; half < 2; ++half) {
          int row = lane / 4, column = lane % 4 * 2 + half;
          if (transposed)
            std::swap(row, column);
          EXPECT_EQ(out[(lane * 4 + i) * 2 + half], (i * 8 + row) * 8 + column);
        }
  }
}

//===-- Copies in the background -------------------------------------------------------------===//

static std::string copies(const std::string &body, Floats &out) {
  OneKernel kernel = {kernelOf("__shared__ __align__(16) float tile[2][64];\n"
                               "const int t = threadIdx.x;\n" +
                               body)};
  kernel.block[0] = 16;
  Floats in(128);
  for (int i = 0; i < 128; ++i)
    in[i] = i + 1;
  return run(kernel, in, out, 0);
}

TEST(TensorCores, CopiesInTwoStages) {
  Floats out(128);
  ASSERT_EQ(copies("copy16(&tile[0][4 * t], in + 4 * t, 16);\ncommit_copies();\n"
                   "copy16(&tile[1][4 * t], in + 64 + 4 * t, t < 8 ? 16 : t == 8 ? 4 : 0);\n"
                   "commit_copies();\nwait_copies<1>();\n__syncthreads();\n"
                   "for (int i = t; i < 64; i += 16) out[i] = tile[0][63 - i];\n"
                   "wait_copies<0>();\n__syncthreads();\n"
                   "for (int i = t; i < 64; i += 16) out[64 + i] = tile[1][i];\n",
                   out),
            "");
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(out[i], 64 - i);
    EXPECT_EQ(out[64 + i], i <= 32 ? 65 + i : 0);
  }
}

TEST(TensorCores, CopiesThatNobodyWaitedFor) {
  Floats out(128);
  // The thread's own place is poison until it waits.
  ASSERT_EQ(copies("copy4(&tile[0][t], in + t, 4);\ncommit_copies();\nout[t] = tile[0][t];\n"
                   "for (int i = 16 + t; i < 128; i += 16) out[i] = 0;\n"
                   "wait_copies<0>();\n",
                   out),
            "");
  EXPECT_TRUE(std::isnan(out[3]));
  // A wait is none for other threads.
  EXPECT_NE(copies("copy4(&tile[0][t], in + t, 4);\ncommit_copies();\nwait_copies<0>();\n"
                   "out[t] = tile[0][t ? t - 1 : 0];\n",
                   out)
                .find("race: reads 4 bytes"),
            std::string::npos);
  EXPECT_NE(copies("copy16(&tile[0][4 * t], in + 4 * t + 1, 16);\n", out)
                .find("copies 16 of 16 "
                      "bytes to shared memory from an address that is no multiple of them"),
            std::string::npos);
  EXPECT_NE(copies("copy16(out + 4 * t, in + 4 * t, 16);\n", out)
                .find("takes memory for shared that is not"),
            std::string::npos);
}
