// HostRun.cpp: see HostRun.h. The runtime opens the shim that this process is linked with as its
// driver; what it does beside launches is then what it does on a device.
#include "tools/cuda-shim/HostRun.h"

#include "runtime/core/memory.h"
#include "runtime/core/refusals.h"
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

int32_t HostRun::statusOf(const codegen::CudaProgram &program, uint64_t word, std::string *cause) {
  int32_t returned = int32_t(word), status = status_of_refusal(returned);
  const char *reason = symc_refusal_sentence(number_of_refusal(returned));
  if (status && cause)
    *cause = "node '" + program.launches[word >> 32].node +
             "': " + (reason ? reason : symc_status_message(status));
  return status;
}

HostRun::~HostRun() { release(nullptr, state->host.memory, state->host.bytes); }

llvm::Expected<int32_t> HostRun::step(size_t launch, std::string *cause) {
  if (!state->table)
    return llvm::createStringError("internal error: no code for the steps on the CPU");
  int32_t ended = cuda::run_on_host(state->frame, state->program, state->table->launches[launch]);
  // Of values or extents: no fault of the shim's or a copy's.
  bool isRefusal = ended == SYMC_STATUS_RUN_FAILED || ended == SYMC_STATUS_BAD_ARGUMENT ||
                   ended == SYMC_STATUS_BAD_SHAPE;
  if (isRefusal && cause)
    *cause = state->error;
  if (ended > 0 && !isRefusal && state->error[0])
    return llvm::createStringError(state->error);
  return ended;
}
