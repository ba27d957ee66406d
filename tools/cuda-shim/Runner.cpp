// Runner.cpp: see Runner.h. It goes through the shim's driver, as a model's runtime does.
#include "tools/cuda-shim/Runner.h"
#include "tools/cuda-shim/Driver.h"
#include "tools/cuda-shim/HostCompiler.h"
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

static llvm::Error runLaunch(const CudaLaunch &launch, CUmodule module, CUdeviceptr arena,
                             CUdeviceptr weights, llvm::ArrayRef<CUdeviceptr> io,
                             llvm::ArrayRef<int64_t> sizes) {
  CUfunction function = nullptr;
  if (llvm::Error error =
          asError(cuModuleGetFunction(&function, module, launch.kernel.c_str()), launch.kernel))
    return error;
  for (int64_t round = 0; round < launch.rounds; ++round) {
    std::vector<int64_t> values;
    for (const CudaArgument &argument : launch.arguments) {
      switch (argument.kind) {
      case CudaArgument::Arena:
        values.push_back(arena);
        break;
      case CudaArgument::Weights:
        values.push_back(weights);
        break;
      case CudaArgument::Io:
        values.push_back(io[argument.index]);
        break;
      case CudaArgument::Size:
        values.push_back(sizes[argument.index]);
        break;
      case CudaArgument::Round:
        values.push_back(round);
        break;
      }
    }
    std::vector<void *> pointers;
    for (int64_t &value : values)
      pointers.push_back(&value);
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

llvm::Error symc::runOnShim(const CudaProgram &program, int64_t arenaBytes,
                            llvm::ArrayRef<char> weights, llvm::ArrayRef<ShimBuffer> io,
                            llvm::ArrayRef<int64_t> sizes, bool checked) {
  auto library = libraryOf(program, checked);
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
  auto arenaMemory = buffers.make(arenaBytes, "the arena", nullptr);
  if (!arenaMemory)
    return arenaMemory.takeError();
  auto weightMemory = buffers.make(weights.size(), "the weights", weights.data());
  if (!weightMemory)
    return weightMemory.takeError();
  std::vector<CUdeviceptr> ioMemory;
  for (auto [index, buffer] : llvm::enumerate(io)) {
    auto memory = buffers.make(buffer.bytes, "io " + llvm::Twine(index),
                               buffer.input ? buffer.data : nullptr);
    if (!memory)
      return memory.takeError();
    ioMemory.push_back(*memory);
  }

  for (const CudaLaunch &launch : program.launches)
    if (llvm::Error error = runLaunch(launch, module, *arenaMemory, *weightMemory, ioMemory, sizes))
      return error;
  for (auto [index, buffer] : llvm::enumerate(io))
    if (buffer.output && buffer.bytes)
      if (llvm::Error error = asError(cuMemcpyDtoH_v2(buffer.data, ioMemory[index], buffer.bytes),
                                      "io " + llvm::Twine(index)))
        return error;
  return asError(cuModuleUnload(module), "module");
}
