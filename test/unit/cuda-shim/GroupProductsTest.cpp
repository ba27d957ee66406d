// GroupProductsTest.cpp: products of a group of four warps on the shim, beside plain products of
// matrices that lie in shared memory as NVIDIA's PTX ISA says. If these fail, answers of wgmma
// tiles on the shim say nothing, or devices without wgmma multiply something else.
#include "Run.h"
#include "codegen/cuda/TensorCores.h"

using Floats = std::vector<float>;

static float a(int row, int k) { return (row * 7 + k * 3) % 29 - 11; }
static float b(int k, int column) { return (column * 5 + k * 11) % 23 - 9; }

// Where an element of A and of B lies. "Swizzling modes": of 8 rows of 64 bytes, piece i of 16
// bytes of row r lies at piece i ^ (r / 2); of 8 rows of 128 bytes, at i ^ r; of 32 bytes, at i ^
// (r / 4).
struct Places {
  const char *a, *b; // by row and k; by k and n
};
static const Places wide = {"row / 8 * 256 + row % 8 * 32 + (k / 8 ^ row % 8 / 2) * 8 + k % 8",
                            "n / 64 * 2048 + k / 8 * 512 + k % 8 * 64 + (n % 64 / 8 ^ k % 8) * 8 + "
                            "n % 8"};
static const Places blocks = {"k / 16 * 1024 + row * 16 + (k % 16 / 8 ^ row % 8 / 4) * 8 + k % 8",
                              "n / 16 * 512 + k * 16 + (n % 16 / 8 ^ k % 8 / 4) * 8 + n % 8"};

// One group of 128 threads: 64 rows, 32 terms, `columns` columns. `behind` is done before the
// product is waited for; what went wrong.
static std::string product(const std::string &function, int columns, const Places &places,
                           const std::string &behind, Floats &out) {
  std::string count = std::to_string(columns);
  OneKernel kernel = {
      kernelOf("__shared__ __align__(1024) unsigned short A[64 * 32], B[32 * " + count +
                   "];\n"
                   "const int t = threadIdx.x;\n"
                   "for (int i = t; i < 64 * 32; i += 128) {\n"
                   "  const int row = i / 32, k = i % 32;\n"
                   "  A[" +
                   places.a +
                   "] = pack_f16(__float_as_uint(in[i]), 0);\n"
                   "}\n"
                   "for (int i = t; i < 32 * " +
                   count + "; i += 128) {\n  const int k = i / " + count + ", n = i % " + count +
                   ";\n"
                   "  B[" +
                   places.b +
                   "] = pack_f16(__float_as_uint(in[64 * 32 + i]), 0);\n"
                   "}\n"
                   "publish_copies();\n"
                   "__syncthreads();\n"
                   "float c[" +
                   count +
                   " / 8][4];\n"
                   "for (int i = 0; i < " +
                   count + " / 2; ++i) c[i / 4][i % 4] = 1;\n" + function +
                   "(c, (const unsigned *)A, (const unsigned *)B);\n" + behind +
                   "wait_groups<0>(c);\n"
                   "for (int j = 0; j < " +
                   count +
                   " / 8; ++j)\n"
                   "  for (int i = 0; i < 4; ++i)\n"
                   "    out[(t / 32 * 16 + t % 32 / 4 + i / 2 * 8) * " +
                   count + " + j * 8 + t % 4 * 2 + i % 2] = c[j][i];\n",
               symc::codegen::cuda::groupFunctions() + symc::codegen::cuda::mapFunctions().str())};
  kernel.block[0] = 128;
  Floats in;
  out.resize(64 * columns);
  for (int row = 0; row < 64; ++row)
    for (int k = 0; k < 32; ++k)
      in.push_back(a(row, k));
  for (int k = 0; k < 32; ++k)
    for (int column = 0; column < columns; ++column)
      in.push_back(b(k, column));
  return run(kernel, in, out, 0);
}

static void expectProduct(const std::string &function, int columns, const Places &places = wide) {
  Floats out;
  ASSERT_EQ(product(function, columns, places, "", out), "");
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < columns; ++column) {
      float sum = 1; // what c was
      for (int k = 0; k < 32; ++k)
        sum += a(row, k) * b(k, column);
      ASSERT_EQ(out[row * columns + column], sum) << row << ", " << column;
    }
}

TEST(GroupProducts, ByTheGroup) {
  expectProduct("start_group_f16", 64);
  expectProduct("start_group_f16", 128);
}

TEST(GroupProducts, ByItsWarps) {
  expectProduct("multiply_by_warps_f16", 64);
  expectProduct("multiply_by_warps_f16", 128);
}

TEST(GroupProducts, OfBlocks) {
  expectProduct("start_blocks_f16<512>", 64, blocks);
  expectProduct("start_blocks_f16<512>", 128, blocks);
}

// What a device reads in the background has to stay until the product is waited for.
TEST(GroupProducts, OverwrittenTooEarly) {
  const char *sentence =
      "waits for a product of its group whose operands in shared memory have been "
      "overwritten";
  Floats out;
  for (const char *operand : {"A[2047]", "B[2047]"}) {
    std::string behind =
        std::string("__syncthreads();\nif (t == 64) ") + operand + " = 7;\n" + "__syncthreads();\n";
    EXPECT_PRED2(contains, product("start_group_f16", 64, wide, behind, out), sentence);
    EXPECT_PRED2(contains, product("start_blocks_f16<512>", 64, blocks, behind, out), sentence);
  }
}
