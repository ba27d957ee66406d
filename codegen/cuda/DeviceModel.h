// DeviceModel.h: what a kernel may be expected to take on a device: a roofline of its operations
// and bytes, the blocks that a multiprocessor holds at once, and the tile of a convolution that is
// expected to be the fastest. Estimates, which no device has confirmed.
#ifndef SYMC_CODEGEN_CUDA_DEVICEMODEL_H
#define SYMC_CODEGEN_CUDA_DEVICEMODEL_H

#include "codegen/cuda/CudaPrecision.h"
#include "codegen/cuda/CudaProgram.h"
#include "codegen/cuda/Nvrtc.h"

namespace symc::codegen {

/// A row of DeviceRows.def.
struct CudaDevice {
  int architecture;
  const char *name;
  int64_t processors, megahertz;
  int64_t f32, f16, tf32, s8; // multiply-adds of a multiprocessor and cycle
  double byMma;               // share of those of tensor cores that mma.sync reaches
  int64_t gigabytesPerSecond;
  int64_t l2Bytes, sharedBytes, blockSharedBytes; // of the device, a multiprocessor, a block
  int64_t threads, blocks;                        // that a multiprocessor holds

  double cyclesPerMicrosecond() const { return double(megahertz); }
  /// Bytes of memory in a cycle, for the whole device.
  double bytesPerCycle() const { return 1e3 * gigabytesPerSecond / megahertz; }
};

/// The row of "80" or "90a", or of the architecture below it; the first one at least.
const CudaDevice &cudaDeviceOf(llvm::StringRef architecture);
llvm::ArrayRef<CudaDevice> cudaDevices();

/// What a multiprocessor holds of a kernel at once, and which resource ends it.
struct Occupancy {
  int64_t blocks;
  const char *limit; // "registers", "shared memory", "threads" or "blocks"
};
Occupancy occupancyOf(const CudaDevice &device, int64_t threads, int64_t registers,
                      int64_t sharedBytes);

/// Of one launch, with what ptxas prints of its kernel.
struct LaunchEstimate {
  Occupancy occupancy;
  double waves;        // of its blocks, each wave as many as the device holds
  double microseconds; // the larger of the times for operations and for bytes
};
/// `work`: of a kernel of one thread, steps on numbers. `flops` and `bytes` of all rounds.
LaunchEstimate estimate(const CudaDevice &device, const CudaLaunch &launch,
                        const CudaKernelUse &use, int64_t flops, int64_t bytes, int64_t work);

/// A launch costs so much, however small.
constexpr double launchMicroseconds = 2.5;

//===-- Tiles of convolutions and products
//-----------------------------------------------------===//

/// Words of 4 bytes, each a term or four bytes of them, that a block brings to shared memory at
/// once.
constexpr int64_t cudaSlice = 16;

/// What a block of threads sums: `pixels` x `outputs`, of which a thread has threadPixels x
/// threadOutputs. A pixel alone, the form of a row by a matrix, is shared by the threads: each sums
/// a part of the terms. On tensor cores a warp has 8 * threadPixels rows x 4 * threadOutputs
/// outputs, which a group of four warps multiplies together where `groups` is set; its slices come
/// by the device's engine for copies where `maps` does.
struct CudaTile {
  const char *name; // "64x64"; "row"; "tensor-64x64"; "wgmma-128x128"
  int64_t pixels, outputs, threadPixels, threadOutputs, threads;
  int64_t registers;   // of a thread, about: as ptxas prints for sm_80
  int64_t stages = 0;  // on tensor cores, of the pipeline that brings slices to shared memory
  bool groups = false; // by wgmma, on sm_90a alone
  bool maps = false;   // with them, by tensor maps (TMA); no device has run it

  bool isRow() const { return pixels == 1; }
  bool onTensorCores() const { return stages > 0; }
  /// Of all stages, on tensor cores: static, or of groups the launch's.
  int64_t sharedBytes() const { return stages * cudaSlice * (pixels + outputs) * 4; }
  /// Slices that are under way while one is multiplied.
  int64_t ahead() const { return stages - (groups ? 2 : 1); }
  int64_t rowsOfWarp() const { return 8 * threadPixels; }
  int64_t outputsOfWarp() const { return 4 * threadOutputs; }
};
llvm::ArrayRef<CudaTile> cudaTiles();
const CudaTile *cudaTileNamed(llvm::StringRef name);
constexpr int64_t mostCudaParts = 16;
/// "64x64", or "64x64/3" with the terms in so many parts.
struct CudaForm {
  const CudaTile *tile;
  int64_t parts; // 0: not given
};
std::optional<CudaForm> cudaFormNamed(llvm::StringRef name);
/// The name which launches and tuning files have: parts where there are several.
std::string nameOf(const CudaForm &form);
/// "128x128, 64x64, ...", of those that can be requested.
std::string cudaTileNames();

/// A convolution as a product of matrices, at its largest sizes.
struct CudaConvolution {
  int64_t pixels, outputs, terms; // of an image where images have weights of their own
  int64_t images = 1;             // likewise
  /// Whether it has a form that tensor cores take, and what they would multiply.
  bool tensorCores = false, bytes = false;
  bool halves = false;     // inputs and weights are 16 bits in memory
  bool groups = false;     // tiles of groups may be chosen
  bool maps = false;       // the device's engine for copies can bring the operands
  int64_t weightBytes = 4; // of one, in memory
  CudaPrecision precision = CudaPrecision::F32;
  /// Of the terms, which blocks of their own sum; the last of them adds their sums.
  int64_t parts = 1;
  /// The word for its shape in tuning files; empty where there is nothing to choose.
  std::string key = "";

  /// Cuts the terms into so many parts, or fewer where some would be empty.
  void setParts(int64_t count);
  /// Terms of a part but the last one, whole slices.
  int64_t termsOfPart() const;
  /// Terms in a word of 4 bytes, in memory and on tensor cores.
  int64_t termsOfWord() const { return bytes ? 4 : halves ? 2 : 1; }
};
/// Parts that make a device busy which the tiles would not, by extents alone, as they decide the
/// order of sums.
int64_t cudaPartsOf(const CudaConvolution &problem);
/// Whether a tile can compute it.
bool suits(const CudaTile &tile, const CudaConvolution &problem);

/// In microseconds.
double estimateConvolution(const CudaDevice &device, const CudaConvolution &problem,
                           const CudaTile &tile);
/// The tile whose estimates for all of `devices` have the smallest sum; one on tensor cores where
/// the problem has such a form, and a row for one pixel, as the order of its sums depends on
/// extents alone.
const CudaTile &chooseCudaTile(llvm::ArrayRef<const CudaDevice *> devices,
                               const CudaConvolution &problem);
/// Those that the choice is among: none by tensor maps, which have to be requested until a device
/// has run them.
llvm::SmallVector<const CudaTile *> cudaTilesFor(const CudaConvolution &problem);

/// What a tuner measures on a device: each of these tiles and, with `groups`, those by wgmma, with
/// the terms in the problem's own parts and in other numbers of them that a device of this size may
/// be better filled by; without what the model expects to take four times as long as the best.
/// The problem's own form with `tile` is the first.
std::vector<CudaCandidate> cudaCandidates(const CudaDevice &device, const CudaConvolution &problem,
                                          const CudaTile &tile, bool groups);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CUDA_DEVICEMODEL_H
