// Run.h: a source with one kernel, run on the shim over arrays.
#ifndef SYMC_TEST_UNIT_CUDA_SHIM_RUN_H
#define SYMC_TEST_UNIT_CUDA_SHIM_RUN_H

#include "tools/cuda-shim/Runner.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

struct OneKernel {
  std::string source;
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  unsigned sharedBytes = 0;
  bool checked = true;
  std::vector<symc::codegen::CudaTensorMap> maps = {};
};

/// Runs kernel `k(input, output, size, maps...)`, and is what went wrong, or empty.
template <typename T>
std::string run(const OneKernel &kernel, std::vector<T> input, std::vector<T> &output,
                int64_t size) {
  using symc::codegen::CudaArgument;
  symc::codegen::CudaProgram program;
  program.source = kernel.source;
  symc::codegen::CudaLaunch launch;
  launch.kernel = "k";
  std::copy(kernel.grid, kernel.grid + 3, launch.grid);
  std::copy(kernel.block, kernel.block + 3, launch.block);
  launch.sharedBytes = kernel.sharedBytes;
  launch.arguments = {{CudaArgument::Io, 0}, {CudaArgument::Io, 1}, {CudaArgument::Size, 0}};
  for (const symc::codegen::CudaTensorMap &map : kernel.maps) {
    launch.arguments.push_back({CudaArgument::Map, int64_t(launch.maps.size())});
    launch.maps.push_back(map);
  }
  program.launches = {launch};
  symc::ShimBuffer io[] = {{input.data(), int64_t(input.size() * sizeof(T)), true, false},
                           {output.data(), int64_t(output.size() * sizeof(T)), false, true}};
  symc::ShimRun run;
  run.io = io;
  run.sizes = size;
  run.checked = kernel.checked;
  auto status = symc::runOnShim(program, run);
  return status ? "" : llvm::toString(status.takeError());
}

/// A source whose kernel takes floats.
inline std::string kernelOf(const std::string &body, const std::string &before = "") {
  return before +
         "extern \"C\" __global__ void __launch_bounds__(256)\n"
         "k(const float *__restrict__ in, float *__restrict__ out, long long n) {\n" +
         body + "}\n";
}

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

#endif // SYMC_TEST_UNIT_CUDA_SHIM_RUN_H
