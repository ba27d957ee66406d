// CudaProgram.h: what code generation for CUDA makes of a scheduled program: one CUDA C++ source
// and the kernels of it that a run starts, in order. Grids are those of the largest sizes; kernels
// read the sizes of the run and walk in strides of the grid. Plain data, which emit lays out as
// runtime/include/symc/cuda.h requires.
#ifndef SYMC_CODEGEN_CUDA_CUDAPROGRAM_H
#define SYMC_CODEGEN_CUDA_CUDAPROGRAM_H

#include <cstdint>
#include <string>
#include <vector>

namespace symc::codegen {

/// What a kernel gets as an argument: 8 bytes each, but for maps.
struct CudaArgument {
  enum Kind : int32_t {
    Arena,   // char *, the context's arena on the device, from byte `index` on
    Weights, // const char *, the prepared weights there, from byte `index` on
    Io,      // char *, of input, state or output `index` (symc_frame.io)
    Size,    // int64_t, symbolic size `index` (symc_frame.dims)
    Round,   // int64_t, the number of the round, 0 to rounds - 1
    Status,  // uint64_t *, 0 before the run; of the first kernel that failed, see symc_cuda_program
    Seed,    // uint64_t, symc_frame.seed
    Iteration, // uint64_t, symc_frame.iteration
    Map,       // const __grid_constant__ TensorMap, CudaLaunch::maps[index]
    Number     // uint64_t, `index`: the launch's among those of its program
  };
  Kind kind;
  int64_t index = 0;
};

/// How a device's engine for copies (TMA, sm_90) finds a part of a tensor of 16 bits: what the
/// driver encodes as a tensor map, see symc_cuda_map, whose widths these are. The first axis is the
/// innermost.
struct CudaTensorMap {
  static constexpr int mostAxes = 5, mostWindowAxes = 3;
  CudaArgument memory; // of the first element, in Arena or Weights
  uint32_t axes = 0;
  uint64_t sizes[mostAxes] = {};       // elements
  uint64_t strides[mostAxes - 1] = {}; // bytes, from the second axis on
  /// What a copy brings: of a box so many of each axis; of pixels (`isWindow`) box[0] of the first
  /// axis, for each of box[1] pixels.
  uint32_t box[mostAxes] = {};
  bool isWindow = false;
  /// Of pixels, along the axes but the first and the last: where they begin and end, from the first
  /// element and from the last one, and every how many.
  int32_t lower[mostWindowAxes] = {}, upper[mostWindowAxes] = {};
  uint32_t steps[mostAxes] = {1, 1, 1, 1, 1};
};

/// A part of an operand of a step on the CPU, see symc_cuda_region. Sizes that are no constants
/// count as their largest.
struct CudaRegion {
  CudaArgument::Kind kind; // Arena, Io
  int64_t index;           // of Io
  int64_t shift, first, bytes;
  bool read, written;
};

/// A step that the CPU computes over copies, since no kernel does.
struct CudaHostStep {
  std::string reason;     // "its kernel calls LAPACK"
  bool hasPlaces = false; // its function `places` returns first and bytes of regions
  int64_t arenaShift = 0, bytes = 0;
  std::vector<CudaRegion> regions;
};

/// A form of a convolution by its name, and the microseconds that the model expects of it.
struct CudaCandidate {
  std::string form;
  double estimate;
};

/// One start of a kernel, or `rounds` of them one behind the other; or a step on the CPU.
struct CudaLaunch {
  std::string kernel; // its name in the source; equal steps share one
  std::string node;   // of the graph, for profiles and messages: "conv0+relu0"
  uint32_t grid[3], block[3];
  uint32_t sharedBytes = 0; // beyond what the kernel declares
  int64_t rounds = 1;
  std::vector<CudaArgument> arguments;
  std::vector<CudaTensorMap> maps = {};
  int64_t step = 0;         // whose work it does, by its number among those that reports list
  std::string form, reason; // a tile's name, and what the model expects of each; for reports
  double measured = 0;      // microseconds of the form, as a tuning file has it; 0: it does not
  std::string shape;        // in such a file, of a convolution with a choice of forms
  std::vector<CudaCandidate> candidates; // of these, its own first, where a tuner needs them
  bool clears = false;                   // what the step's own launch needs cleared, and no more
  int64_t hostStep = -1;                 // of CudaProgram::hostSteps; then it has no kernel

  bool isOneThread() const {
    return hostStep < 0 && grid[0] * grid[1] * grid[2] == 1 && block[0] * block[1] * block[2] == 1;
  }
};

/// The first architecture whose kernels wait by themselves for those before them.
constexpr int32_t leastWaitingArchitecture = 90;

/// Code of one kind for one kind of device.
struct CudaImage {
  enum Kind : int32_t { Cubin, Ptx, HostLibrary /* of the shim */ };
  Kind kind;
  int32_t architecture; // 80: sm_80, or compute_80 of PTX
  bool specific;        // 90a: runs on this architecture alone
  std::string bytes;

  bool waits() const { return kind != HostLibrary && architecture >= leastWaitingArchitecture; }
};

struct CudaProgram {
  std::string source;
  std::vector<CudaLaunch> launches;
  std::vector<CudaHostStep> hostSteps;
  int64_t weightsOffset = 0;     // where its weights begin in the file's
  int64_t statusOffset = 0;      // of the word in the arena that CudaArgument::Status points to
  std::vector<CudaImage> images; // best first, after the compilation
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CUDA_CUDAPROGRAM_H
