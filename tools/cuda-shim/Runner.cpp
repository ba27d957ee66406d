// Runner.cpp: see Runner.h. It goes through the shim's driver, as a model's runtime does.
#include "tools/cuda-shim/Runner.h"
#include "tools/cuda-shim/Driver.h"
#include "tools/cuda-shim/HostCompiler.h"
#include "tools/cuda-shim/HostRun.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
#include <map>
#include <mutex>

using namespace symc;
using codegen::CudaArgument;
using codegen::CudaImage;
using codegen::CudaLaunch;
using codegen::CudaProgram;

static llvm::Error asError(CUresult result, const llvm::Twine &what) {
  if (result == CUDA_SUCCESS)
    return llvm::Error::success();
  std::string message = symc_cuda_shim_failure();
  if (message.empty()) {
    const char *name = nullptr;
    cuGetErrorName(result, &name);
    message = (what + ": " + name).str();
  }
  return llvm::createStringError(message);
}

/// The library of the program: its image, or one compiled for an equal source before, or now.
static llvm::Expected<std::string> libraryOf(const CudaProgram &program, bool checked) {
  for (const CudaImage &image : program.images)
    if (image.kind == CudaImage::HostLibrary)
      return image.bytes;
  static std::map<std::pair<std::string, bool>, std::string> compiled;
  static std::mutex lock;
  std::lock_guard<std::mutex> locked(lock);
  std::string &library = compiled[{program.source, checked}];
  if (library.empty()) {
    auto made = compileForHost(program.source, program.launches, "kernels.cu", checked);
    if (!made)
      return made.takeError();
    library = std::move(*made);
  }
  return library;
}

namespace {
/// Device memory of a run.
struct Buffers {
  std::vector<CUdeviceptr> all;
  ~Buffers() {
    for (CUdeviceptr pointer : all)
      if (pointer)
        cuMemFree_v2(pointer);
  }
  /// An empty one has no memory.
  llvm::Expected<CUdeviceptr> make(int64_t bytes, const llvm::Twine &name, const void *data) {
    all.push_back(0);
    if (bytes == 0)
      return 0;
    if (llvm::Error error = asError(cuMemAlloc_v2(&all.back(), bytes), name))
      return error;
    symc_cuda_shim_name(all.back(), name.str().c_str());
    if (data)
      if (llvm::Error error = asError(cuMemcpyHtoD_v2(all.back(), data, bytes), name))
        return error;
    return all.back();
  }
};
} // namespace

namespace {
/// The places of a run on the device.
struct Places {
  CUdeviceptr arena = 0, weights = 0, status = 0;
  std::vector<CUdeviceptr> io;
};
} // namespace

static int64_t valueOf(const CudaArgument &argument, const ShimRun &run, const Places &places,
                       int64_t round) {
  switch (argument.kind) {
  case CudaArgument::Arena:
    return places.arena + argument.index;
  case CudaArgument::Weights:
    return places.weights + argument.index;
  case CudaArgument::Io:
    return places.io[argument.index];
  case CudaArgument::Size:
    return run.sizes[argument.index];
  case CudaArgument::Round:
    return round;
  case CudaArgument::Status:
    return places.status;
  case CudaArgument::Seed:
    return run.seed;
  case CudaArgument::Iteration:
    return run.iteration;
  case CudaArgument::Map: // is none
    return 0;
  case CudaArgument::Number:
    return argument.index;
  }
  llvm_unreachable("all kinds of arguments are listed");
}

static CUresult encode(const codegen::CudaTensorMap &map, const ShimRun &run, const Places &places,
                       CUtensorMap &encoded) {
  constexpr int uint16 = 1, notInterleaved = 0, swizzle32 = 1, promotion128 = 2, zeros = 0;
  auto *memory = reinterpret_cast<void *>(uintptr_t(valueOf(map.memory, run, places, 0)));
  if (!map.isWindow)
    return cuTensorMapEncodeTiled(&encoded, uint16, map.axes, memory, map.sizes, map.strides,
                                  map.box, map.steps, notInterleaved, swizzle32, promotion128,
                                  zeros);
  return cuTensorMapEncodeIm2col(&encoded, uint16, map.axes, memory, map.sizes, map.strides,
                                 map.lower, map.upper, map.box[0], map.box[1], map.steps,
                                 notInterleaved, swizzle32, promotion128, zeros);
}

static llvm::Error runLaunch(const CudaLaunch &launch, CUmodule module, const ShimRun &run,
                             const Places &places) {
  CUfunction function = nullptr;
  if (llvm::Error error =
          asError(cuModuleGetFunction(&function, module, launch.kernel.c_str()), launch.kernel))
    return error;
  std::vector<int64_t> values(launch.arguments.size());
  std::vector<void *> pointers;
  std::vector<CUtensorMap> maps(launch.maps.size());
  for (auto [value, argument] : llvm::zip(values, launch.arguments)) {
    bool isMap = argument.kind == CudaArgument::Map;
    pointers.push_back(isMap ? static_cast<void *>(&maps[argument.index]) : &value);
    if (isMap)
      if (llvm::Error error =
              asError(encode(launch.maps[argument.index], run, places, maps[argument.index]),
                      "a tensor map of " + launch.kernel))
        return error;
  }
  for (int64_t round = 0; round < launch.rounds; ++round) {
    for (auto [value, argument] : llvm::zip(values, launch.arguments))
      value = valueOf(argument, run, places, round);
    CUresult result = cuLaunchKernel(function, launch.grid[0], launch.grid[1], launch.grid[2],
                                     launch.block[0], launch.block[1], launch.block[2],
                                     launch.sharedBytes, nullptr, pointers.data(), nullptr);
    if (result == CUDA_SUCCESS)
      result = cuStreamSynchronize(nullptr);
    if (llvm::Error error = asError(result, launch.kernel))
      return launch.node.empty()
                 ? std::move(error)
                 : llvm::createStringError("node '" + launch.node +
                                           "': " + llvm::toString(std::move(error)));
  }
  return llvm::Error::success();
}

static llvm::Error makePlaces(const ShimRun &run, Buffers &buffers, Places &places) {
  static const uint64_t noStatus = 0;
  auto make = [&](CUdeviceptr &place, int64_t bytes, const llvm::Twine &name,
                  const void *data) -> llvm::Error {
    auto made = buffers.make(bytes, name, data);
    if (!made)
      return made.takeError();
    place = *made;
    return llvm::Error::success();
  };
  // Lanes beyond the real channels of a block may be computed from what is no number.
  std::vector<char> poison(run.arenaBytes, '\xff');
  if (llvm::Error error = make(places.arena, run.arenaBytes, "the arena", poison.data()))
    return error;
  if (llvm::Error error =
          make(places.weights, run.weights.size(), "the weights", run.weights.data()))
    return error;
  if (llvm::Error error = make(places.status, sizeof(noStatus), "the status", &noStatus))
    return error;
  places.io.resize(run.io.size());
  for (auto [index, buffer] : llvm::enumerate(run.io))
    if (llvm::Error error = make(places.io[index], buffer.bytes, "io " + llvm::Twine(index),
                                 buffer.input ? buffer.data : nullptr))
      return error;
  return llvm::Error::success();
}

llvm::Expected<int32_t> symc::runOnShim(const CudaProgram &program, const ShimRun &run) {
  auto library = libraryOf(program, run.checked);
  if (!library)
    return library.takeError();

  symc_cuda_shim_print_failures(false);
  CUcontext context = nullptr;
  CUdevice device = 0;
  cuInit(0);
  if (llvm::Error error = asError(cuDevicePrimaryCtxRetain(&context, device), "context"))
    return error;
  auto release = llvm::scope_exit([&] {
    cuCtxPopCurrent_v2(nullptr);
    cuDevicePrimaryCtxRelease_v2(device);
  });
  cuCtxPushCurrent_v2(context);

  CUmodule module = nullptr;
  if (llvm::Error error = asError(cuModuleLoadData(&module, library->data()), "module"))
    return error;
  Buffers buffers;
  Places places;
  if (llvm::Error error = makePlaces(run, buffers, places))
    return error;
  HostRun host(run, places.arena, places.io);
  uint64_t word = 0; // see symc_cuda_program.status_offset
  int32_t status = 0;
  auto readStatus = [&] {
    llvm::Error error = asError(cuMemcpyDtoH_v2(&word, places.status, sizeof(word)), "status");
    status = HostRun::statusOf(program, word, run.cause);
    return error;
  };
  for (auto [i, launch] : llvm::enumerate(program.launches)) {
    if (launch.hostStep < 0) {
      if (llvm::Error error = runLaunch(launch, module, run, places))
        return error;
      continue;
    }
    if (llvm::Error error = readStatus())
      return error;
    if (status)
      return status;
    auto ended = host.step(i, run.cause);
    if (!ended || *ended)
      return ended;
  }
  if (llvm::Error error = readStatus())
    return error;
  for (auto [index, buffer] : llvm::enumerate(run.io))
    if (int64_t bytes = run.bytesMade ? run.bytesMade(index) : buffer.bytes;
        status == 0 && buffer.output && bytes)
      if (llvm::Error error = asError(cuMemcpyDtoH_v2(buffer.data, places.io[index], bytes),
                                      "io " + llvm::Twine(index)))
        return error;
  return status;
}
