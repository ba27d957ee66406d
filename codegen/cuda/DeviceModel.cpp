// DeviceModel.cpp: see DeviceModel.h.
#include "codegen/cuda/DeviceModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace symc::codegen;
using llvm::divideCeil;
using llvm::StringRef;

//===-- Devices ------------------------------------------------------------------------------===//

static const CudaDevice rows[] = {
#define SYMC_CUDA_DEVICE(architecture, name, processors, mhz, f32, f16, tf32, s8, gbs, l2, shared, \
                         blockShared, threads, blocks)                                             \
  {architecture, name,         processors,        mhz,     f32,   f16, tf32, s8, gbs,              \
   l2 << 20,     shared << 10, blockShared << 10, threads, blocks},
#include "codegen/cuda/DeviceRows.def"
#undef SYMC_CUDA_DEVICE
};

llvm::ArrayRef<CudaDevice> symc::codegen::cudaDevices() { return rows; }

const CudaDevice &symc::codegen::cudaDeviceOf(StringRef architecture) {
  int number = 0;
  architecture.consumeInteger(10, number);
  const CudaDevice *best = &rows[0];
  for (const CudaDevice &row : rows)
    if (row.architecture <= number)
      best = &row;
  return *best;
}

Occupancy symc::codegen::occupancyOf(const CudaDevice &device, int64_t threads, int64_t registers,
                                     int64_t sharedBytes) {
  constexpr int64_t allRegisters = 65536, registerUnit = 256, warpUnit = 4, sharedUnit = 128;
  int64_t warps = divideCeil(threads, 32);
  int64_t ofWarp = llvm::alignTo(std::max<int64_t>(1, registers) * 32, registerUnit);
  int64_t byRegisters = llvm::alignDown(allRegisters / ofWarp, warpUnit) / warps;
  // From sm_80 on the system keeps a kilobyte of each block's.
  int64_t ofBlock = llvm::alignTo(sharedBytes, sharedUnit) + (device.architecture >= 80 ? 1024 : 0);
  int64_t byShared = ofBlock ? device.sharedBytes / ofBlock : device.blocks;
  Occupancy best = {device.blocks, "blocks"};
  for (Occupancy other :
       {Occupancy{device.threads / (warps * 32), "threads"}, Occupancy{byShared, "shared memory"},
        Occupancy{byRegisters, "registers"}})
    if (other.blocks < best.blocks)
      best = other;
  return best;
}

LaunchEstimate symc::codegen::estimate(const CudaDevice &device, const CudaLaunch &launch,
                                       const CudaKernelUse &use, int64_t flops, int64_t bytes,
                                       int64_t work) {
  constexpr double cyclesOfWork = 100; // of one thread, which waits for memory most of the time
  int64_t threads = int64_t(launch.block[0]) * launch.block[1] * launch.block[2];
  int64_t blocks = int64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  LaunchEstimate result;
  result.occupancy =
      occupancyOf(device, threads, use.registers, use.sharedBytes + launch.sharedBytes);
  result.waves = double(blocks) / std::max<int64_t>(1, result.occupancy.blocks * device.processors);
  // A grid that is smaller than the device leaves the other multiprocessors without work.
  int64_t busy = std::min(blocks, device.processors);
  double compute = flops / 2.0 / double(device.f32 * busy);
  // A multiprocessor asks for no more than some 64 bytes of memory in a cycle.
  double memory = bytes / std::min(device.bytesPerCycle(), 64.0 * busy);
  double cycles = threads == 1 && blocks == 1 ? std::max(work * cyclesOfWork, double(bytes))
                                              : std::max(compute, memory);
  result.microseconds = cycles / device.cyclesPerMicrosecond() + launchMicroseconds * launch.rounds;
  return result;
}

//===-- Tiles --------------------------------------------------------------------------------===//

static const CudaTile tiles[] = {
    {"128x128", 128, 128, 8, 8, 256, 128},
    {"64x64", 64, 64, 4, 4, 256, 64},
    {"32x32", 32, 32, 4, 4, 64, 80},
    {"row", 1, 16, 1, 1, 256, 40},
};

llvm::ArrayRef<CudaTile> symc::codegen::cudaTiles() { return tiles; }

const CudaTile *symc::codegen::cudaTileNamed(StringRef name) {
  auto found = llvm::find_if(tiles, [&](const CudaTile &tile) { return name == tile.name; });
  return found == std::end(tiles) ? nullptr : &*found;
}

double symc::codegen::estimateConvolution(const CudaDevice &device, const CudaConvolution &problem,
                                          const CudaTile &tile) {
  // Between two slices a block waits for memory; others that the multiprocessor holds go on.
  constexpr double latency = 600, l2BytesPerCycle = 48;
  int64_t blocks = divideCeil(problem.pixels, tile.pixels) *
                   divideCeil(problem.outputs, tile.outputs) * problem.images;
  // A row's part of the terms is 1/16 of them, eight loads of which are under way at once.
  int64_t terms = tile.isRow() ? 128 : cudaSlice;
  int64_t slices = divideCeil(problem.terms, terms);
  int64_t shared =
      tile.isRow() ? tile.threads * 4 : cudaSlice * (tile.pixels + 4 + tile.outputs) * 4;
  int64_t held =
      std::max<int64_t>(1, occupancyOf(device, tile.threads, tile.registers, shared).blocks);
  int64_t each = divideCeil(blocks, device.processors); // of the multiprocessor with most of them
  held = std::min(held, each);
  // A thread reads its operands of each term before it multiplies them.
  double sums = tile.threadPixels * tile.threadOutputs;
  double share = sums / (sums + tile.threadPixels + tile.threadOutputs);
  double compute = tile.pixels * tile.outputs * terms / (device.f32 * share);
  double load = (tile.pixels + tile.outputs) * terms * 4 / l2BytesPerCycle;
  double together = each * slices * std::max(compute, load);
  double alone = divideCeil(each, held) * slices * (latency + compute);
  double bytes = 4.0 * problem.images * problem.outputs * problem.terms;
  return std::max({together, alone, bytes / device.bytesPerCycle()}) /
         device.cyclesPerMicrosecond();
}

const CudaTile &symc::codegen::chooseCudaTile(llvm::ArrayRef<const CudaDevice *> devices,
                                              const CudaConvolution &problem) {
  const CudaTile *best = nullptr;
  double least = 0;
  for (const CudaTile &tile : tiles) {
    if (tile.isRow() != (problem.pixels == 1))
      continue;
    double all = 0;
    for (const CudaDevice *device : devices)
      all += estimateConvolution(*device, problem, tile);
    if (!best || all < least)
      best = &tile, least = all;
  }
  return *best;
}
