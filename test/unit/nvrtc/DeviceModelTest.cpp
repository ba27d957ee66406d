// DeviceModelTest.cpp: the model of devices knows what a multiprocessor holds as NVIDIA's occupancy
// calculator does, and prefers tiles that fill a device. If these fail, reports tell wrong waves,
// or layers get tiles that leave most of a device without work.
#include "codegen/cuda/DeviceModel.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace symc::codegen;

TEST(CudaDevice, RowsByArchitecture) {
  EXPECT_STREQ(cudaDeviceOf("80").name, "A100");
  EXPECT_STREQ(cudaDeviceOf("90a").name, "H100");
  EXPECT_STREQ(cudaDeviceOf("88").name, "AGX Orin"); // the row below it
  EXPECT_STREQ(cudaDeviceOf("70").name, "T4");
  for (size_t i = 1; i < cudaDevices().size(); ++i)
    EXPECT_LT(cudaDevices()[i - 1].architecture, cudaDevices()[i].architecture);
}

TEST(CudaDevice, Occupancy) {
  auto expect = [](const char *architecture, int64_t threads, int64_t registers, int64_t shared,
                   int64_t blocks, const char *limit) {
    Occupancy found = occupancyOf(cudaDeviceOf(architecture), threads, registers, shared);
    EXPECT_EQ(found.blocks, blocks) << architecture << " " << threads << " " << registers;
    EXPECT_STREQ(found.limit, limit) << architecture << " " << threads << " " << registers;
  };
  expect("80", 256, 32, 0, 8, "threads");
  expect("80", 256, 64, 8448, 4, "registers");
  expect("80", 256, 33, 0, 6, "registers"); // 33 are 40 for each warp, 48 warps
  expect("80", 256, 32, 48 << 10, 3, "shared memory");
  expect("80", 32, 16, 0, 32, "blocks");
  expect("86", 256, 32, 0, 6, "threads");
  expect("75", 256, 32, 0, 4, "threads");
  expect("120", 128, 168, 0, 3, "registers");
  expect("80", 1024, 255, 0, 0, "registers");
}

TEST(CudaDevice, Estimates) {
  const CudaDevice &a100 = cudaDeviceOf("80");
  CudaLaunch launch;
  launch.grid[0] = 1 << 16, launch.grid[1] = launch.grid[2] = 1;
  launch.block[0] = 256, launch.block[1] = launch.block[2] = 1;
  CudaKernelUse use;
  use.registers = 32;
  // 19.5 TFLOP/s and 1555 GB/s.
  EXPECT_NEAR(estimate(a100, launch, use, int64_t(19.49e9), 0, 0).microseconds, 1000, 10);
  EXPECT_NEAR(estimate(a100, launch, use, 0, 1555000000, 0).microseconds, 1000, 10);
  EXPECT_NEAR(estimate(a100, launch, use, 0, 0, 0).waves, 65536 / (108 * 8.0), 1e-6);
  launch.rounds = 10;
  EXPECT_NEAR(estimate(a100, launch, use, 0, 0, 0).microseconds, 10 * launchMicroseconds, 1e-6);
  // A block alone has one multiprocessor.
  launch.grid[0] = launch.rounds = 1;
  EXPECT_NEAR(estimate(a100, launch, use, int64_t(19.49e9), 0, 0).microseconds, 108e3, 1e3);
}

// Few tiles of many terms leave most of a device without work.
TEST(CudaTiles, Parts) {
  auto parts = [](CudaConvolution layer) { return cudaPartsOf(layer); };
  EXPECT_EQ(parts({49, 512, 4608}), 6);     // 32 blocks of 32x32
  EXPECT_EQ(parts({49, 512, 1024}), 4);     // by terms
  EXPECT_EQ(parts({49, 2048, 4608}), 1);    // enough blocks
  EXPECT_EQ(parts({49, 512, 1000}), 1);     // too few terms
  EXPECT_EQ(parts({1, 64, 100000}), 1);     // a row
  EXPECT_EQ(parts({2, 16, 100000}), 16);    // the most
  EXPECT_EQ(parts({4, 32, 100000, 54}), 4); // an image has weights of its own
  CudaConvolution bytes = {49, 512, 4608};
  bytes.bytes = true;
  EXPECT_EQ(parts(bytes), 4);
  CudaConvolution layer = {49, 512, 4608};
  const CudaDevice &a100 = cudaDeviceOf("80");
  double whole = estimateConvolution(a100, layer, *cudaTileNamed("32x32"));
  layer.parts = 6;
  EXPECT_EQ(layer.termsOfPart(), 768);
  EXPECT_LT(2 * estimateConvolution(a100, layer, *cudaTileNamed("32x32")), whole);
}

TEST(CudaTiles, FillADevice) {
  auto choose = [](CudaConvolution layer, const char *architecture = "80") {
    return std::string(chooseCudaTile({&cudaDeviceOf(architecture)}, layer).name);
  };
  EXPECT_EQ(choose({1, 1000, 2048}), "row");
  EXPECT_EQ(choose({1, 64, 16, 100}), "row");
  EXPECT_EQ(choose({49, 512, 4608}), "32x32");
  EXPECT_EQ(choose({128 * 3136, 256, 1152}), "128x128");
  EXPECT_EQ(choose({8192, 4096, 4096}, "120"), "128x128");
  EXPECT_EQ(choose({2, 16, 16}), "32x32");
  // On tensor cores where the layer has such a form, but for a pixel alone.
  auto onTensorCores = [&](CudaConvolution layer) {
    layer.tensorCores = true;
    layer.precision = CudaPrecision::F16;
    return choose(layer);
  };
  EXPECT_EQ(onTensorCores({1, 1000, 2048}), "row");
  EXPECT_EQ(onTensorCores({49, 512, 4608}), "tensor-16x64");
  EXPECT_EQ(onTensorCores({128 * 3136, 256, 1152}), "tensor-128x128");
  CudaConvolution plain = {128 * 3136, 256, 1152};
  CudaConvolution rounded = plain;
  rounded.tensorCores = true, rounded.precision = CudaPrecision::TF32;
  const CudaDevice &a100 = cudaDeviceOf("80");
  EXPECT_LT(3 * estimateConvolution(a100, rounded, *cudaTileNamed("tensor-128x128")),
            estimateConvolution(a100, plain, *cudaTileNamed("128x128")));
  EXPECT_FALSE(suits(*cudaTileNamed("tensor-64x64"), plain));
  EXPECT_TRUE(suits(*cudaTileNamed("64x64"), rounded));

  // Tiles of wgmma only where memory has 16 bits, and somebody asks for them.
  const CudaTile &group = *cudaTileNamed("wgmma-128x128");
  EXPECT_FALSE(suits(group, rounded));
  CudaConvolution halves = {128 * 3136, 256, 1152};
  halves.tensorCores = halves.halves = true, halves.precision = CudaPrecision::F16;
  EXPECT_TRUE(suits(group, halves));
  EXPECT_EQ(choose(halves), "tensor-128x64");
  // Those by tensor maps where they can be and are asked for.
  const CudaTile &byMaps = *cudaTileNamed("tma-128x128");
  EXPECT_FALSE(suits(byMaps, halves));
  halves.maps = halves.groups = true;
  EXPECT_TRUE(suits(byMaps, halves));
  EXPECT_EQ(choose(halves), "tensor-128x64");

  CudaForm form = *cudaFormNamed("tensor-64x64/4");
  EXPECT_EQ(form.tile, cudaTileNamed("tensor-64x64"));
  EXPECT_EQ(form.parts, 4);
  EXPECT_EQ(cudaFormNamed("32x32")->parts, 0);
  for (const char *wrong : {"row/2", "64x64/", "64x64/0", "64x64/17", "64x64/x", "96x96", ""})
    EXPECT_FALSE(cudaFormNamed(wrong)) << wrong;

  for (const CudaTile &tile : cudaTiles()) {
    EXPECT_EQ(cudaTileNamed(tile.name), &tile);
    if (!tile.isRow()) {
      EXPECT_EQ(tile.pixels / tile.threadPixels * tile.outputs / tile.threadOutputs, tile.threads);
    }
  }
  EXPECT_EQ(cudaTileNamed("256x256"), nullptr);
}

// The model's own form first, each once; parts where blocks are few and a part has terms enough;
// nothing that the model expects to be much slower.
TEST(CudaDevice, Candidates) {
  auto names = [](const CudaConvolution &layer, const char *tile, bool groups) {
    std::vector<std::string> list;
    for (const CudaCandidate &one :
         cudaCandidates(cudaDeviceOf("90a"), layer, *cudaTileNamed(tile), groups))
      list.push_back(one.form);
    return list;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({128 * 3136, 256, 1152}, "128x128", false), (Names{"128x128", "64x64", "32x32"}));
  CudaConvolution few = {49, 512, 4608};
  few.setParts(6);
  EXPECT_EQ(names(few, "32x32", false),
            (Names{"32x32/6", "64x64/6", "64x64/8", "64x64/15", "32x32/4", "32x32/8",
                   "32x32/15"})); // of 320 terms: 16 of whole slices would be 15 and an empty one
  few.tensorCores = few.halves = few.maps = true, few.precision = CudaPrecision::F16;
  Names all = names(few, "tensor-16x64", true);
  EXPECT_EQ(all.front(), "tensor-16x64/6");
  EXPECT_EQ(llvm::count(all, "tensor-16x64/6"), 1);
  EXPECT_EQ(llvm::count(all, "wgmma-64x64/8"), 1);
  EXPECT_EQ(llvm::count(all, "64x64/8"), 0);
  EXPECT_TRUE(llvm::none_of(all, [](llvm::StringRef name) { return name.starts_with("tma-"); }));
  EXPECT_EQ(llvm::count(names(few, "tensor-16x64", false), "wgmma-64x64/8"), 0);
}
