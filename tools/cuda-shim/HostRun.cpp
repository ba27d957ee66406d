// HostRun.cpp: see HostRun.h. The runtime opens the shim that this process is linked with as its
// driver; what it does beside launches is then what it does on a device.
#include "tools/cuda-shim/HostRun.h"

#include "runtime/core/memory.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/host_steps.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace symc;

struct HostRun::State {
  const symc_cuda_program *table;
  symc_cuda_program program; // without the word of statuses, which lies elsewhere on the shim
  std::vector<void *> io;
  symc_host host;
  symc_frame frame;
  char error[512];
};

static void openDriver() {
  static const bool opened = [] {
    Dl_info shim;
    if (!dladdr(dlsym(RTLD_DEFAULT, "cuInit"), &shim))
      return false;
    setenv("SYMC_CUDA_DRIVER", shim.dli_fname, /*overwrite=*/1);
    Text nowhere(nullptr, 0);
    return cuda::open_driver(nowhere) == SYMC_STATUS_OK;
  }();
  if (!opened)
    llvm::report_fatal_error("internal error: the shim does not start as the runtime's driver");
}

HostRun::HostRun(const ShimRun &run, unsigned long long arena,
                 llvm::ArrayRef<unsigned long long> io)
    : state(new State{run.table, {}, {}, {}, {}, ""}) {
  if (!run.table)
    return;
  openDriver();
  state->program = *run.table;
  state->program.status_offset = -1;
  for (unsigned long long place : io)
    state->io.push_back(reinterpret_cast<void *>(uintptr_t(place)));
  state->host.weights = reinterpret_cast<const uint8_t *>(run.weights.data());
  symc_frame &frame = state->frame;
  frame.arena = reinterpret_cast<uint8_t *>(uintptr_t(arena));
  frame.io = state->io.data();
  frame.dims = run.sizes.data();
  frame.seed = run.seed;
  frame.iteration = run.iteration;
  frame.error = state->error;
  frame.error_bytes = sizeof state->error;
  frame.host = &state->host;
}

HostRun::~HostRun() { release(nullptr, state->host.memory, state->host.bytes); }

llvm::Expected<int32_t> HostRun::step(size_t launch) {
  if (!state->table)
    return llvm::createStringError("internal error: no code for the steps on the CPU");
  int32_t ended = cuda::run_on_host(state->frame, state->program, state->table->launches[launch]);
  bool isRefusal = ended == SYMC_STATUS_RUN_FAILED; // of values: no fault of the shim's or a copy's
  if (ended > 0 && !isRefusal && state->error[0])
    return llvm::createStringError(state->error);
  return ended;
}
