// host_steps.cpp: see host_steps.h. Copies of operands lie in memory of the context (symc_host),
// at the distances from each other that they have on the device, so that code for the CPU finds
// them by the same offsets:
//
//   copies to the CPU -> wait -> the step's function over a frame of its own -> copies to the
//   device
//
// The processor touches that memory behind a wait alone: copies of an earlier step to the device,
// which may still be under way, stand before it in the stream.
#include "host_steps.h"

#include "../core/memory.h"
#include "driver.h"
#include "launch.h"

namespace symc::cuda {

namespace {
class HostStep {
public:
  HostStep(const symc_frame &frame, const symc_cuda_program &program,
           const symc_cuda_launch &launch)
      : frame(frame), program(program), launch(launch),
        step(program.host_steps[-1 - launch.kernel]), stream(static_cast<CUstream>(frame.stream)) {}
  int32_t run(int64_t *places, void **io);

private:
  // First byte and bytes of each region, by the sizes as they are.
  void find_places(int64_t *places) const;
  symc_status make_room();
  CUresult copy(const int64_t *places, bool to_device);
  // What the step's function finds in the place of the device's memory.
  uint8_t *on_cpu(int64_t shift) const {
    return reinterpret_cast<uint8_t *>(uintptr_t(frame.host->memory) + uint64_t(shift));
  }
  symc_status fail(const char *what, CUresult result);

  const symc_frame &frame;
  const symc_cuda_program &program;
  const symc_cuda_launch &launch;
  const symc_cuda_host_step &step;
  CUstream stream;
};
} // namespace

void HostStep::find_places(int64_t *places) const {
  if (step.places)
    return step.places(frame.dims, places);
  for (int32_t i = 0; i < step.n_regions; ++i) {
    places[2 * i] = step.regions[i].first;
    places[2 * i + 1] = step.regions[i].bytes;
  }
}

symc_status HostStep::fail(const char *what, CUresult result) {
  Text(frame.error, size_t(frame.error_bytes))
      << "node '" << launch.node << "', on the CPU: cannot " << what << " cuda:" << frame.ordinal
      << ": " << words_of(result);
  return status_of(result);
}

symc_status HostStep::make_room() {
  symc_host &host = *frame.host;
  size_t needed = size_t(program.host_bytes);
  if (host.bytes >= needed)
    return SYMC_STATUS_OK;
  if (host.memory)
    if (CUresult result = driver().cuStreamSynchronize(stream)) // copies from it may be under way
      return fail("wait for", result);
  release(nullptr, host.memory, host.bytes);
  host.memory = static_cast<uint8_t *>(allocate(nullptr, needed, SYMC_ALIGN));
  host.bytes = host.memory ? needed : 0;
  if (host.memory)
    return SYMC_STATUS_OK;
  Text(frame.error, size_t(frame.error_bytes))
      << "node '" << launch.node << "', on the CPU: cannot allocate " << int64_t(needed)
      << " bytes for copies of what it works on";
  return SYMC_STATUS_OUT_OF_MEMORY;
}

CUresult HostStep::copy(const int64_t *places, bool to_device) {
  CUresult result = Success;
  for (int32_t i = 0; i < step.n_regions && result == Success; ++i) {
    const symc_cuda_region &region = step.regions[i];
    int64_t first = places[2 * i];
    size_t bytes = size_t(places[2 * i + 1]);
    if (!bytes || !(to_device ? region.written : region.read))
      continue;
    const void *space = region.kind == SYMC_CUDA_ARENA ? frame.arena : frame.io[region.index];
    CUdeviceptr there = uintptr_t(space) + uint64_t(first);
    uint8_t *here = on_cpu(region.shift + first);
    result = to_device ? driver().cuMemcpyHtoDAsync_v2(there, here, bytes, stream)
                       : driver().cuMemcpyDtoHAsync_v2(here, there, bytes, stream);
  }
  return result;
}

int32_t HostStep::run(int64_t *places, void **io) {
  if (symc_status status = make_room())
    return status;
  find_places(places);
  CUresult result = copy(places, /*to_device=*/false);
  uint64_t left = 0; // by a kernel before it that failed
  if (result == Success && program.status_offset >= 0)
    result = driver().cuMemcpyDtoHAsync_v2(
        &left, uintptr_t(frame.arena) + uint64_t(program.status_offset), sizeof left, stream);
  if (result != Success)
    return fail("copy what it reads from", result);
  result = driver().cuStreamSynchronize(stream);
  if (result != Success)
    return fail("wait for", result);
  if (left)
    return end_of_kernels(frame, program, left);
  symc_frame own = frame;
  own.arena = on_cpu(step.arena_shift);
  own.weights = frame.host->weights ? frame.host->weights + program.weights_offset : nullptr;
  own.io = io;
  own.stream = nullptr;
  own.host = nullptr;
  for (int32_t i = 0; i < step.n_io; ++i)
    io[i] = nullptr;
  for (int32_t i = 0; i < step.n_regions; ++i)
    if (step.regions[i].kind == SYMC_CUDA_IO)
      io[step.regions[i].index] = on_cpu(step.regions[i].shift);
  if (int32_t ended = step.run(&own))
    return ended;
  find_places(places); // by what it decided
  result = copy(places, /*to_device=*/true);
  return result == Success ? SYMC_STATUS_OK : fail("copy what it wrote to", result);
}

int32_t run_on_host(const symc_frame &frame, const symc_cuda_program &program,
                    const symc_cuda_launch &launch) {
  const symc_cuda_host_step &step = program.host_steps[-1 - launch.kernel];
  size_t words = 2 * size_t(step.n_regions) + 1, pointers = size_t(step.n_io) + 1;
  return HostStep(frame, program, launch)
      .run(static_cast<int64_t *>(__builtin_alloca(words * sizeof(int64_t))),
           static_cast<void **>(__builtin_alloca(pointers * sizeof(void *))));
}

} // namespace symc::cuda
