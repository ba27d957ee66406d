// launch.cpp: a run on CUDA: the kernels of a program, put in the frame's stream one behind the
// other, early where that is possible, with steps on the CPU between them, as a graph (graphs.h),
// or between events (profile.h). No lock is taken, and nothing is allocated here.
#include "launch.h"

#include "../core/refusals.h"
#include "host_steps.h"
#include "runs.h"

#include <stdlib.h>

namespace symc::cuda {

uint64_t value_of(const symc_frame &frame, const symc_cuda_argument &argument, int64_t round) {
  switch (argument.kind) {
  case SYMC_CUDA_ARENA:
    return uintptr_t(frame.arena) + uint64_t(argument.index);
  case SYMC_CUDA_WEIGHTS:
    return uintptr_t(frame.weights) + uint64_t(argument.index);
  case SYMC_CUDA_IO:
    return uintptr_t(frame.io[argument.index]);
  case SYMC_CUDA_SIZE:
    return uint64_t(frame.dims[argument.index]);
  case SYMC_CUDA_SEED:
    return frame.seed;
  case SYMC_CUDA_ITERATION:
    return frame.iteration;
  case SYMC_CUDA_MAP:
  case SYMC_CUDA_NUMBER:
    return uint64_t(argument.index);
  }
  return uint64_t(round);
}

static CUresult encode(const symc_frame &frame, const symc_cuda_map &map, CUtensorMap &encoded) {
  void *memory = reinterpret_cast<void *>(value_of(frame, map.memory, 0));
  unsigned axes = unsigned(map.axes);
  if (map.window)
    return driver().cuTensorMapEncodeIm2col(
        &encoded, MapUint16, axes, memory, map.sizes, map.strides, map.lower, map.upper, map.box[0],
        map.box[1], map.steps, NotInterleaved, Swizzle32Bytes, Promotion128Bytes, FillZeros);
  return driver().cuTensorMapEncodeTiled(&encoded, MapUint16, axes, memory, map.sizes, map.strides,
                                         map.box, map.steps, NotInterleaved, Swizzle32Bytes,
                                         Promotion128Bytes, FillZeros);
}

static CUresult start_one(const symc_frame &frame, const symc_cuda_launch &launch,
                          CUfunction function, void **arguments) {
  const uint32_t *grid = launch.grid, *block = launch.block;
  return driver().cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                 launch.shared_bytes, static_cast<CUstream>(frame.stream),
                                 arguments, nullptr);
}

static CUresult start_one_early(const symc_frame &frame, const symc_cuda_launch &launch,
                                CUfunction function, void **arguments) {
  const uint32_t *grid = launch.grid, *block = launch.block;
  CUlaunchAttribute attribute = {};
  attribute.id = ProgrammaticStreamSerialization;
  attribute.value.programmaticStreamSerialization = 1;
  CUlaunchConfig config = {grid[0],
                           grid[1],
                           grid[2],
                           block[0],
                           block[1],
                           block[2],
                           launch.shared_bytes,
                           static_cast<CUstream>(frame.stream),
                           &attribute,
                           1};
  return driver().cuLaunchKernelEx(&config, function, arguments, nullptr);
}

// `behind`: a kernel of the run stands right before the first round.
static CUresult start(const symc_frame &frame, const symc_cuda_program &program,
                      const symc_cuda_module &module, const symc_cuda_launch &launch, bool behind,
                      bool &early) {
  CUfunction function = module.functions[launch.kernel];
  size_t n = size_t(launch.n_arguments), n_maps = 0;
  uint64_t *values = static_cast<uint64_t *>(__builtin_alloca((n + 1) * sizeof(uint64_t)));
  void **arguments = static_cast<void **>(__builtin_alloca((n + 1) * sizeof(void *)));
  for (size_t i = 0; i < n; ++i) {
    arguments[i] = &values[i];
    n_maps += launch.arguments[i].kind == SYMC_CUDA_MAP;
  }
  CUtensorMap *maps = static_cast<CUtensorMap *>(
      __builtin_alloca_with_align((n_maps + 1) * sizeof(CUtensorMap), 8 * alignof(CUtensorMap)));
  CUresult result = Success;
  for (size_t i = 0; i < n && result == Success; ++i) {
    if (launch.arguments[i].kind != SYMC_CUDA_MAP)
      continue;
    arguments[i] = maps;
    *maps = {};
    if (module.maps) // of other code nobody reads it
      result = encode(frame, program.maps[launch.arguments[i].index], *maps);
    ++maps;
  }
  for (int64_t round = 0; round < launch.rounds && result == Success; ++round) {
    for (size_t i = 0; i < n; ++i)
      values[i] = value_of(frame, launch.arguments[i], round);
    if (early && (behind || round > 0)) {
      early = start_one_early(frame, launch, function, arguments) == Success;
      if (early)
        continue;
    }
    result = start_one(frame, launch, function, arguments);
  }
  return result;
}

static symc_status say_failure(const symc_frame &frame, const symc_cuda_program &program,
                               const symc_cuda_launch &launch, CUresult result) {
  Text error(frame.error, size_t(frame.error_bytes));
  error << "node '" << launch.node << "': cannot start kernel '" << program.kernels[launch.kernel]
        << "' on cuda:" << frame.ordinal << ": " << words_of(result);
  symc_status status = status_of(result);
  bool known = status == SYMC_STATUS_DEVICE_LOST || status == SYMC_STATUS_NO_DEVICE_MEMORY;
  return known ? status : SYMC_STATUS_LAUNCH_FAILED;
}

static symc_status start_behind(const symc_frame &frame, const symc_cuda_program &program,
                                const symc_cuda_module &module, int32_t number, bool &early) {
  const symc_cuda_launch &launch = program.launches[number];
  if (launch.kernel < 0)
    return symc_status(run_on_host(frame, program, launch));
  // What stands before the first kernel, or before one behind copies of a step on the CPU, does not
  // let another one start early.
  bool behind = number > 0 && program.launches[number - 1].kernel >= 0;
  CUresult result = start(frame, program, module, launch, behind, early);
  return result == Success ? SYMC_STATUS_OK : say_failure(frame, program, launch, result);
}

symc_status start_kernel(const symc_frame &frame, const symc_cuda_program &program,
                         const symc_cuda_module &module, int32_t number) {
  bool early = false;
  return start_behind(frame, program, module, number, early);
}

symc_status start_kernels(const symc_frame &frame, const symc_cuda_program &program,
                          const symc_cuda_module &module, bool &early) {
  symc_status status = SYMC_STATUS_OK;
  for (int32_t i = 0; i < program.n_launches && status == SYMC_STATUS_OK; ++i)
    status = start_behind(frame, program, module, i, early);
  return status;
}

bool may_start_early(const symc_cuda_module &module) {
  return module.waits && driver().cuLaunchKernelEx;
}

bool is_captured(CUstream stream) {
  int status = 0; // CU_STREAM_CAPTURE_STATUS_NONE
  return driver().cuStreamIsCapturing(stream, &status) != Success || status != 0;
}

// In the way that the context of the thread's run requires.
static symc_status start_program(const symc_frame &frame, const symc_cuda_program &program,
                                 const symc_cuda_module &module) {
  DeviceRuns *runs = runs_of_thread();
  if (runs && runs->profile)
    return profile_kernels(*runs->profile, frame, program, module);
  bool never = false;
  bool &early = runs && may_start_early(module) ? runs->early : never;
  if (runs && runs->graphs && start_graph(*runs->graphs, frame, program, module, early))
    return SYMC_STATUS_OK;
  // What the application captures has to do in whatever it makes of the graph.
  if (early && is_captured(static_cast<CUstream>(frame.stream)))
    return start_kernels(frame, program, module, never);
  return start_kernels(frame, program, module, early);
}

symc_status end_of_kernels(const symc_frame &frame, const symc_cuda_program &program,
                           uint64_t word) {
  int32_t returned = int32_t(word & UINT32_MAX), status = status_of_refusal(returned);
  const char *reason = symc_refusal_sentence(number_of_refusal(returned));
  if (uint64_t number = word >> 32; word && number < uint64_t(program.n_launches))
    Text(frame.error, size_t(frame.error_bytes))
        << "node '" << program.launches[number].node
        << "': " << (reason ? reason : symc_status_message(status));
  return symc_status(status);
}

// Copies the word that kernels leave, or clears it.
static symc_status move_status(const symc_frame &frame, const symc_cuda_program &program,
                               uint64_t &word, bool clear) {
  CUdeviceptr place = uintptr_t(frame.arena) + uint64_t(program.status_offset);
  CUstream stream = static_cast<CUstream>(frame.stream);
  CUresult result = clear ? driver().cuMemcpyHtoDAsync_v2(place, &word, sizeof word, stream)
                          : driver().cuMemcpyDtoHAsync_v2(&word, place, sizeof word, stream);
  if (result == Success && !clear)
    result = driver().cuStreamSynchronize(stream);
  if (result == Success)
    return SYMC_STATUS_OK;
  Text(frame.error, size_t(frame.error_bytes))
      << "cannot read what kernels left on cuda:" << frame.ordinal << ": " << words_of(result);
  return status_of(result);
}

} // namespace symc::cuda

using namespace symc::cuda;

int32_t symc_cuda_run(const symc_frame *frame, const symc_cuda_program *program) {
  bool inside = frame->ordinal >= 0 && frame->ordinal < SYMC_CUDA_DEVICES;
  symc_cuda_module *module =
      inside ? __atomic_load_n(&program->modules[frame->ordinal], __ATOMIC_ACQUIRE) : nullptr;
  if (!module) {
    symc::Text(frame->error, size_t(frame->error_bytes))
        << "no context has the program's code on cuda:" << frame->ordinal;
    return SYMC_STATUS_NO_CODE;
  }
  uint64_t word = 0;
  bool leaves = program->status_offset >= 0;
  if (leaves)
    if (symc_status status = move_status(*frame, *program, word, /*clear=*/true))
      return status;
  if (symc_status status = start_program(*frame, *program, *module))
    return status;
  if (leaves)
    if (symc_status status = move_status(*frame, *program, word, /*clear=*/false))
      return status;
  return end_of_kernels(*frame, *program, word);
}
