// HostRun.h: steps on the CPU of a program that runs on the shim, by the runtime's own code for
// them.
#ifndef SYMC_TOOLS_CUDA_SHIM_HOSTRUN_H
#define SYMC_TOOLS_CUDA_SHIM_HOSTRUN_H

#include "tools/cuda-shim/Runner.h"
#include <memory>

namespace symc {

class HostRun {
public:
  /// `arena` and `io` are addresses on the device.
  HostRun(const ShimRun &run, unsigned long long arena, llvm::ArrayRef<unsigned long long> io);
  ~HostRun();
  /// Runs that launch of the table. What the step returned; an error where the shim refused a copy.
  llvm::Expected<int32_t> step(size_t launch, std::string *cause);
  /// The status of what kernels left (symc_cuda_program.status_offset); its sentence goes to
  /// `cause`.
  static int32_t statusOf(const codegen::CudaProgram &program, uint64_t word, std::string *cause);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace symc

#endif // SYMC_TOOLS_CUDA_SHIM_HOSTRUN_H
