// TensorMapsTest.cpp: copies by tensor maps on the shim, beside plain copies, and products of what
// they bring. If these fail, answers of tiles by tensor maps on the shim say nothing, or kernels
// that are wrong on a device pass.
#include "Run.h"
#include "codegen/cuda/TensorCores.h"

using symc::codegen::CudaArgument;
using symc::codegen::CudaTensorMap;
using Halves = std::vector<unsigned short>;

// A kernel of 128 threads, whose thread 0 has `fetch` ask for `bytes`; then all write the `bytes`
// of `to` out.
static OneKernel copying(const std::string &fetch, int bytes, const CudaTensorMap &map) {
  std::string count = std::to_string(bytes / 2);
  OneKernel kernel = {
      symc::codegen::cuda::groupFunctions() + symc::codegen::cuda::mapFunctions().str() +
      "extern \"C\" __global__ void k(unsigned short *in, unsigned short *out, long long n, "
      "const __grid_constant__ TensorMap map) {\n"
      "__shared__ __align__(1024) unsigned to[" +
      std::to_string(bytes / 4) +
      "];\n"
      "__shared__ unsigned long long arrived[1];\n"
      "if (threadIdx.x == 0) { open_arrival(arrived); publish_copies(); }\n"
      "__syncthreads();\n"
      "if (threadIdx.x == 0) {\n"
      "  expect_bytes(arrived, " +
      std::to_string(bytes) + ");\n  " + fetch +
      "\n}\n"
      "wait_arrival(arrived, 0);\n"
      "for (int i = threadIdx.x; i < " +
      count + "; i += 128) out[i] = ((unsigned short *)to)[i];\n}\n"};
  kernel.block[0] = 128;
  kernel.maps = {map};
  return kernel;
}

// The place of element `i` of a copy, rows of 16 elements: of 8 rows, the last four have their
// halves in each other's places ("Swizzling modes", 32 bytes).
static int placeOf(int i) { return i ^ (i / 64 % 2) * 8; }

// Two images of 3 blocks of 5 x 4 pixels of 16 lanes, which a 3 x 3 window with a padding of 1
// passes in steps of 2: 3 x 2 pixels an image.
struct Window : testing::Test {
  static constexpr int images = 2, blocks = 3, rows = 5, columns = 4;
  static constexpr int plane = rows * columns * 16;
  CudaTensorMap map = {{CudaArgument::Io, 0},
                       5,
                       {16, columns, rows, images, blocks},
                       {32, 32 * columns, 2 * blocks * plane, 2 * plane},
                       {16, 8},
                       true,
                       {-1, -1, 0},
                       {-1 + 2 - (columns - 1), -1 + 4 - (rows - 1), 0},
                       {1, 2, 2, 1, 1}};
  Halves in;
  Window() {
    for (int i = 0; i < images * blocks * plane; ++i)
      in.push_back(i + 1);
  }
  // Lane `lane` of pixel `number` of all images, at a tap.
  int expected(int number, int block, int dx, int dy, int lane) {
    int x = number % 2 * 2 - 1 + dx, y = number / 2 % 3 * 2 - 1 + dy, image = number / 6;
    bool inside = x >= 0 && x < columns && y >= 0 && y < rows && image < images;
    return inside ? in[((image * blocks + block) * rows + y) * columns * 16 + x * 16 + lane] : 0;
  }
};

TEST_F(Window, PixelsOfAllTaps) {
  for (int tap = 0; tap < 9; ++tap) {
    int dx = tap % 3, dy = tap / 3, first = 4; // row 2 of the first image
    Halves out(8 * 16);
    OneKernel kernel = copying("fetch_pixels(to, &map, 0, -1, 3, 0, 1, " + std::to_string(dx) +
                                   ", " + std::to_string(dy) + ", arrived);",
                               8 * 32, map);
    ASSERT_EQ(run(kernel, in, out, 0), "");
    for (int i = 0; i < 8 * 16; ++i)
      ASSERT_EQ(out[placeOf(i)], expected(first + i / 16, 1, dx, dy, i % 16)) << tap << " " << i;
  }
}

// Lanes behind the first axis are zeros, within a piece too.
TEST_F(Window, LanesThatEnd) {
  map.sizes[0] = 11;
  Halves out(8 * 16);
  OneKernel kernel = copying("fetch_pixels(to, &map, 0, -1, 3, 0, 1, 1, 0, arrived);", 8 * 32, map);
  ASSERT_EQ(run(kernel, in, out, 0), "");
  for (int i = 0; i < 8 * 16; ++i)
    ASSERT_EQ(out[placeOf(i)], i % 16 < 11 ? expected(4 + i / 16, 1, 1, 0, i % 16) : 0) << i;
}

// Beyond the last block there are zeros, too.
TEST_F(Window, NoBlock) {
  Halves out(8 * 16, 7);
  OneKernel kernel =
      copying("fetch_pixels(to, &map, 0, -1, -1, 0, 3, 1, 1, arrived);", 8 * 32, map);
  ASSERT_EQ(run(kernel, in, out, 0), "");
  EXPECT_EQ(out, Halves(8 * 16, 0));
}

TEST_F(Window, Refused) {
  Halves out(8 * 16);
  auto failure = [&](const std::string &fetch, int bytes = 8 * 32) {
    return run(copying(fetch, bytes, map), in, out, 0);
  };
  EXPECT_PRED2(contains, failure("fetch_pixels(to, &map, 0, 2, -1, 0, 0, 1, 1, arrived);"),
               "copies from pixel 2 of axis 1 at tap 1, outside the window");
  EXPECT_PRED2(contains, failure("fetch_pixels(to, &map, 0, -1, -1, 0, 0, 32, 1, arrived);"),
               "copies from pixel -1 of axis 1 at tap 32, outside the window");
  EXPECT_PRED2(contains,
               failure("fetch_pixels(to + 8, &map, 0, -1, -1, 0, 0, 1, 1, arrived);", 16 * 32),
               "copies by a tensor map to shared memory at no multiple of 128 bytes");
  EXPECT_PRED2(contains, failure("fetch_pixels(to, in, 0, -1, -1, 0, 0, 1, 1, arrived);"),
               "copies by a tensor map that the driver did not make");
  EXPECT_PRED2(contains, failure("fetch_pixels(to, &map, 0, -1, -1, 0, 0, 1, 1, arrived + 1);"),
               "uses an mbarrier that nobody made");
  EXPECT_PRED2(contains, failure("fetch_pixels(to, &map, 0, -1, -1, 0, 0, 1, 1, arrived);", 9 * 32),
               "waits at an mbarrier (kernels.cu:");
  EXPECT_PRED2(contains, failure("fetch_pixels(to, &map, 0, -1, -1, 0, 0, 1, 1, arrived);", 9 * 32),
               "where 32 bytes do not come");
  EXPECT_PRED2(contains,
               failure("fetch_pixels(to, &map, 0, -1, -1, 0, 0, 1, 1, arrived);\n"
                       "expect_bytes(arrived, 32); expect_bytes(arrived, 32);"),
               "announces bytes at an mbarrier that waits for 32");
  EXPECT_PRED2(contains, failure("open_arrival(arrived);"), "makes an mbarrier where one is");
  map.strides[0] = 24;
  EXPECT_EQ(failure("fetch_pixels(to, &map, 0, -1, -1, 0, 0, 1, 1, arrived);"),
            "a tensor map of k: CUDA_ERROR_INVALID_VALUE");
}

// Whoever does not wait finds nothing, or reads what the engine writes at the same time.
TEST_F(Window, WithoutWaiting) {
  Halves out(8 * 16);
  OneKernel kernel =
      copying("fetch_pixels(to, &map, 0, -1, -1, 0, 0, 1, 1, arrived);", 8 * 32, map);
  size_t wait = kernel.source.find("wait_arrival(arrived, 0);");
  kernel.source.replace(wait, 0, "if (threadIdx.x < 100) ");
  EXPECT_PRED2(contains, run(kernel, in, out, 0), "race: reads 2 bytes");
  EXPECT_PRED2(contains, run(kernel, in, out, 0), "which a copy by a tensor map wrote");
}
TEST_F(Window, WithoutFence) {
  Halves out(8 * 16);
  OneKernel kernel =
      copying("fetch_pixels(to, &map, 0, -1, -1, 0, 0, 1, 1, arrived);", 8 * 32, map);
  size_t fence = kernel.source.find("publish_copies(); }\n__sync");
  kernel.source.erase(fence, 17);
  EXPECT_PRED2(contains, run(kernel, in, out, 0),
               "copies to an mbarrier that no fence published to the engine");
}

// Boxes of 4 rows of 2 blocks, of 3 blocks of 6 rows.
TEST(Boxes, Filters) {
  CudaTensorMap map = {{CudaArgument::Io, 0}, 4, {16, 6, 3, 1}, {32, 6 * 32, 32}, {16, 4, 2, 1}};
  Halves in, out(2 * 4 * 16);
  for (int i = 0; i < 3 * 6 * 16; ++i)
    in.push_back(i + 1);
  OneKernel kernel = copying("fetch_filters(to, &map, 3, 2, 0, arrived);", 2 * 4 * 32, map);
  ASSERT_EQ(run(kernel, in, out, 0), "");
  for (int i = 0; i < 2 * 4 * 16; ++i) {
    int row = 3 + i / 16 % 4, block = 2 + i / 64;
    int expected = row < 6 && block < 3 ? in[(block * 6 + row) * 16 + i % 16] : 0;
    ASSERT_EQ(out[placeOf(i)], expected) << i;
  }
}
