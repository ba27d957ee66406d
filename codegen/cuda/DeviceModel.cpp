// DeviceModel.cpp: see DeviceModel.h.
#include "codegen/cuda/DeviceModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <set>

using namespace symc::codegen;
using llvm::divideCeil;
using llvm::StringRef;

//===-- Devices ------------------------------------------------------------------------------===//

static const CudaDevice rows[] = {
#define SYMC_CUDA_DEVICE(architecture, name, processors, mhz, f32, f16, tf32, s8, byMma, gbs, l2,  \
                         shared, blockShared, threads, blocks)                                     \
  {architecture, name,         processors,        mhz,     f32,   f16, tf32, s8, byMma, gbs,       \
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
  // A multiprocessor loads no more than some 64 bytes of memory in a cycle.
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
    // Stages within the 48 KiB that a kernel may declare.
    {"tensor-128x128", 128, 128, 8, 8, 256, 128, 3},
    {"tensor-128x64", 128, 64, 4, 8, 256, 96, 4},
    {"tensor-64x64", 64, 64, 4, 8, 128, 96, 6},
    {"tensor-32x64", 32, 64, 2, 8, 128, 80, 8},
    {"tensor-16x64", 16, 64, 2, 8, 64, 80, 8},
    // 16 rows of a warp and all outputs, as wgmma has them; two blocks' stages fit an H100.
    {"wgmma-64x64", 64, 64, 2, 16, 128, 80, 6, true},
    {"wgmma-128x64", 128, 64, 2, 16, 256, 80, 6, true},
    {"wgmma-128x128", 128, 128, 2, 32, 256, 128, 5, true},
    {"tma-64x64", 64, 64, 2, 16, 128, 80, 6, true, true},
    {"tma-128x64", 128, 64, 2, 16, 256, 80, 6, true, true},
    {"tma-128x128", 128, 128, 2, 32, 256, 128, 6, true, true},
};

llvm::ArrayRef<CudaTile> symc::codegen::cudaTiles() { return tiles; }

const CudaTile *symc::codegen::cudaTileNamed(StringRef name) {
  auto found = llvm::find_if(tiles, [&](const CudaTile &tile) { return name == tile.name; });
  return found == std::end(tiles) ? nullptr : &*found;
}

std::optional<CudaForm> symc::codegen::cudaFormNamed(StringRef name) {
  auto [tileName, partsName] = name.split('/');
  CudaForm form = {cudaTileNamed(tileName), 0};
  bool plain = tileName.size() == name.size();
  if (!form.tile || (!plain && (form.tile->isRow() || partsName.getAsInteger(10, form.parts) ||
                                form.parts < 1 || form.parts > mostCudaParts)))
    return std::nullopt;
  return form;
}

std::string symc::codegen::nameOf(const CudaForm &form) {
  return form.tile->name + (form.parts > 1 ? "/" + std::to_string(form.parts) : "");
}

std::string symc::codegen::cudaTileNames() {
  llvm::SmallVector<StringRef> names;
  for (const CudaTile &tile : tiles)
    if (!tile.isRow())
      names.push_back(tile.name);
  return llvm::join(names, ", ");
}

int64_t CudaConvolution::termsOfPart() const {
  return llvm::alignTo(divideCeil(terms, parts), 4 * cudaSlice);
}

void CudaConvolution::setParts(int64_t count) {
  parts = count;
  parts = divideCeil(terms, termsOfPart()); // none is empty
}

int64_t symc::codegen::cudaPartsOf(const CudaConvolution &problem) {
  // Of tiles of 32x32. A part is long enough to be worth its sums in memory and waiting for the
  // last.
  constexpr int64_t enoughBlocks = 108, leastWords = 1024, partWords = 256;
  int64_t blocks =
      divideCeil(problem.pixels, 32) * divideCeil(problem.outputs, 32) * problem.images;
  if (problem.pixels == 1 || blocks >= enoughBlocks)
    return 1;
  int64_t words = problem.terms / problem.termsOfWord();
  if (words < leastWords)
    return 1;
  return std::clamp<int64_t>(std::min(2 * enoughBlocks / blocks, words / partWords), 1,
                             mostCudaParts);
}

bool symc::codegen::suits(const CudaTile &tile, const CudaConvolution &problem) {
  return tile.isRow() == (problem.pixels == 1) && (!tile.onTensorCores() || problem.tensorCores) &&
         (!tile.groups || problem.halves) && (!tile.maps || problem.maps);
}

// Multiply-adds of a multiprocessor and cycle.
static int64_t rateOf(const CudaDevice &device, const CudaConvolution &problem,
                      const CudaTile &tile) {
  if (!tile.onTensorCores())
    return device.f32;
  int64_t rate = problem.bytes                              ? device.s8
                 : problem.precision == CudaPrecision::TF32 ? device.tf32
                                                            : device.f16;
  return tile.groups ? rate : int64_t(double(rate) * device.byMma);
}

double symc::codegen::estimateConvolution(const CudaDevice &device, const CudaConvolution &problem,
                                          const CudaTile &tile) {
  // Between two slices a block waits for memory; others that the multiprocessor holds go on, and
  // so does a pipeline whose later slices are under way.
  constexpr double latency = 600, l2BytesPerCycle = 48, sharedBytesPerCycle = 128;
  int64_t blocks = divideCeil(problem.pixels, tile.pixels) *
                   divideCeil(problem.outputs, tile.outputs) * problem.images * problem.parts;
  // A thread of a row has 1/64 of the terms, eight loads of which are under way at once.
  int64_t terms = tile.isRow()           ? 512
                  : tile.onTensorCores() ? problem.termsOfWord() * cudaSlice
                                         : cudaSlice;
  int64_t slices = divideCeil(problem.parts > 1 ? problem.termsOfPart() : problem.terms, terms);
  int64_t sliceBytes = cudaSlice * (tile.pixels + tile.outputs) * 4;
  int64_t shared = tile.isRow()           ? tile.threads * 16
                   : tile.onTensorCores() ? tile.sharedBytes()
                                          : sliceBytes + cudaSlice * 4 * 4;
  int64_t held =
      std::max<int64_t>(1, occupancyOf(device, tile.threads, tile.registers, shared).blocks);
  int64_t each = divideCeil(blocks, device.processors); // of the multiprocessor with most of them
  held = std::min(held, each);
  double compute = double(tile.pixels * tile.outputs * terms) / rateOf(device, problem, tile);
  double load = (tile.pixels + tile.outputs) * (tile.isRow() ? terms * 4.0 : cudaSlice * 4.0) /
                l2BytesPerCycle;
  double wait;
  if (tile.onTensorCores()) {
    // A warp, or a group of four, reads its rows and outputs from shared memory.
    int64_t warps = tile.groups ? 4 : 1;
    double read = tile.threads / 32 / warps *
                  double(warps * tile.rowsOfWarp() + tile.outputsOfWarp()) * cudaSlice * 4;
    compute = std::max(compute, read / sharedBytesPerCycle);
    wait = std::max((latency + load) / tile.ahead(), compute);
  } else {
    // A thread reads its operands of each term before it multiplies them.
    double sums = tile.threadPixels * tile.threadOutputs;
    compute *= (sums + tile.threadPixels + tile.threadOutputs) / sums;
    wait = latency + compute;
  }
  double together = each * slices * std::max(compute, load);
  double alone = divideCeil(each, held) * slices * wait;
  double bytes = double(problem.weightBytes) * problem.images * problem.outputs * problem.terms;
  double cycles = std::max({together, alone, bytes / device.bytesPerCycle()});
  if (problem.parts == 1)
    return cycles / device.cyclesPerMicrosecond();
  // A block writes its sums, waits until they are there and counts; the last one reads all.
  double sums = 4.0 * tile.pixels * tile.outputs; // bytes of a block's
  double join = 3 * latency + sums * (1 + problem.parts) / l2BytesPerCycle;
  return (cycles + join) / device.cyclesPerMicrosecond();
}

llvm::SmallVector<const CudaTile *> symc::codegen::cudaTilesFor(const CudaConvolution &problem) {
  llvm::SmallVector<const CudaTile *> found;
  bool rows = problem.pixels == 1;
  for (const CudaTile &tile : tiles)
    if (suits(tile, problem) && (!tile.groups || problem.groups) && !tile.maps &&
        (rows || tile.onTensorCores() == problem.tensorCores))
      found.push_back(&tile);
  return found;
}

const CudaTile &symc::codegen::chooseCudaTile(llvm::ArrayRef<const CudaDevice *> devices,
                                              const CudaConvolution &problem) {
  const CudaTile *best = nullptr;
  double least = 0;
  for (const CudaTile *tile : cudaTilesFor(problem)) {
    double all = 0;
    for (const CudaDevice *device : devices)
      all += estimateConvolution(*device, problem, *tile);
    if (!best || all < least)
      best = tile, least = all;
  }
  return *best;
}

std::vector<CudaCandidate> symc::codegen::cudaCandidates(const CudaDevice &device,
                                                         const CudaConvolution &problem,
                                                         const CudaTile &tile, bool groups) {
  constexpr int64_t leastWords = 128; // of a part
  constexpr double mostTimes = 4;     // of the best
  std::vector<CudaCandidate> all;
  auto add = [&](const CudaTile &one, const CudaConvolution &parted) {
    all.push_back({nameOf(CudaForm{&one, parted.parts}), estimateConvolution(device, parted, one)});
  };
  add(tile, problem);
  for (const CudaTile &one : tiles) {
    if (!suits(one, problem) || one.isRow() || one.onTensorCores() != problem.tensorCores ||
        (one.groups && !groups) || one.maps)
      continue;
    int64_t blocks = divideCeil(problem.pixels, one.pixels) *
                     divideCeil(problem.outputs, one.outputs) * problem.images;
    std::set<int64_t> tried;
    for (int64_t parts :
         {problem.parts, int64_t(1), int64_t(2), int64_t(4), int64_t(8), int64_t(16)}) {
      CudaConvolution parted = problem;
      parted.setParts(parts);
      bool own = parts == problem.parts;
      bool isLong = parted.termsOfPart() >= leastWords * problem.termsOfWord();
      bool hasRoom = blocks * parted.parts < 4 * device.processors;
      if ((own || parts == 1 || (isLong && hasRoom)) && tried.insert(parted.parts).second &&
          (&one != &tile || !own))
        add(one, parted);
    }
  }
  double least = all.front().estimate;
  for (const CudaCandidate &one : all)
    least = std::min(least, one.estimate);
  llvm::erase_if(all, [&](const CudaCandidate &one) {
    return &one != &all.front() && one.estimate > mostTimes * least;
  });
  return all;
}
