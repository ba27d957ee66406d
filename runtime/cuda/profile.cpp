// profile.cpp: see profile.h. A program of n launches has n + 1 events, recorded before each launch
// and behind the last. Its first run is not counted: the driver loads code when it is used first.
#include "profile.h"

#include "../core/memory.h"

#include <stdio.h>
#include <string.h>

namespace symc::cuda {

// Of one program, which for several batch sizes is one of several.
struct ProgramTimes {
  ProgramTimes *next;
  const symc_cuda_program *program;
  int64_t runs;
  size_t bytes; // of this block
  int32_t n_events;
  CUevent *events; // behind it
  float *shortest; // milliseconds of each launch, behind these
};

struct Profile {
  size_t bytes; // of this block, which ends in the file's name
  const char *model;
  int32_t ordinal;
  CUresult failed; // what measuring ended with, or Success
  ProgramTimes *times;
  char file[1]; // "": none
};

Profile *open_profile(const char *file, const char *model, int32_t ordinal) {
  if (!file)
    file = "";
  size_t bytes = sizeof(Profile) + strlen(file);
  auto *profile = static_cast<Profile *>(allocate(nullptr, bytes, SYMC_ALIGN));
  if (!profile)
    return nullptr;
  *profile = {bytes, model, ordinal, Success, nullptr, {}};
  strcpy(profile->file, file);
  return profile;
}

// The times of a program with its events, made where there are none; NULL where that fails.
static ProgramTimes *times_of(Profile &profile, const symc_cuda_program &program) {
  for (ProgramTimes *times = profile.times; times; times = times->next)
    if (times->program == &program)
      return times;
  size_t n = size_t(program.n_launches);
  size_t bytes = sizeof(ProgramTimes) + (n + 1) * sizeof(CUevent) + n * sizeof(float);
  auto *times = static_cast<ProgramTimes *>(allocate(nullptr, bytes, SYMC_ALIGN));
  if (!times) {
    profile.failed = OutOfMemory;
    return nullptr;
  }
  memset(times, 0, bytes);
  times->program = &program;
  times->bytes = bytes;
  times->events = reinterpret_cast<CUevent *>(times + 1);
  times->shortest = reinterpret_cast<float *>(times->events + n + 1);
  times->next = profile.times;
  profile.times = times; // with the events that there are, so that they are given back
  for (size_t i = 0; i <= n && profile.failed == Success; ++i) {
    profile.failed = driver().cuEventCreate(&times->events[i], 0);
    times->n_events += profile.failed == Success;
  }
  return profile.failed == Success ? times : nullptr;
}

static CUresult read_times(ProgramTimes &times) {
  int32_t n = times.program->n_launches;
  CUresult result = driver().cuEventSynchronize(times.events[n]);
  for (int32_t i = 0; i < n && result == Success; ++i) {
    float length = 0;
    result = driver().cuEventElapsedTime(&length, times.events[i], times.events[i + 1]);
    if (times.runs <= 1 || length < times.shortest[i])
      times.shortest[i] = length;
  }
  times.runs += result == Success;
  return result;
}

symc_status profile_kernels(Profile &profile, const symc_frame &frame,
                            const symc_cuda_program &program, const symc_cuda_module &module) {
  CUstream stream = static_cast<CUstream>(frame.stream);
  ProgramTimes *times = nullptr;
  if (profile.failed == Success && !is_captured(stream))
    times = times_of(profile, program);
  if (!times) {
    bool early = false;
    return start_kernels(frame, program, module, early);
  }
  auto record = [&](int32_t i) {
    if (profile.failed == Success)
      profile.failed = driver().cuEventRecord(times->events[i], stream);
  };
  for (int32_t i = 0; i < program.n_launches; ++i) {
    record(i);
    if (symc_status status = start_kernel(frame, program, module, i))
      return status;
  }
  record(program.n_launches);
  if (profile.failed == Success)
    profile.failed = read_times(*times);
  return SYMC_STATUS_OK;
}

const float *shortest_times(const Profile &profile, const symc_cuda_program &program) {
  for (const ProgramTimes *times = profile.times; times; times = times->next)
    if (times->program == &program)
      return times->runs > 1 ? times->shortest : nullptr;
  return nullptr;
}

CUresult failure_of(const Profile &profile) { return profile.failed; }

// Of programs that ran more than once, the first of them first.
static void write_times(FILE *file, const ProgramTimes *times) {
  if (!times)
    return;
  write_times(file, times->next);
  if (times->runs < 2)
    return;
  const symc_cuda_program &program = *times->program;
  double all = 0;
  for (int32_t i = 0; i < program.n_launches; ++i)
    all += double(times->shortest[i]);
  fprintf(file, "\n%lld runs behind the first, the shortest time of each kernel\n",
          static_cast<long long>(times->runs - 1));
  fprintf(file, "launch         us   share  %-40s  node\n", "kernel");
  for (int32_t i = 0; i < program.n_launches; ++i) {
    const symc_cuda_launch &launch = program.launches[i];
    double length = double(times->shortest[i]);
    const char *kernel = launch.kernel < 0 ? "on the CPU" : program.kernels[launch.kernel];
    fprintf(file, "%6d %10.1f %6.1f%%  %-40s  %s\n", i, 1e3 * length,
            all > 0 ? 100 * length / all : 0, kernel, launch.node);
  }
  fprintf(file, "   all %10.1f\n", 1e3 * all);
}

static void write(const Profile &profile) {
  if (!profile.file[0])
    return;
  FILE *file = fopen(profile.file, "w");
  if (!file)
    return;
  fprintf(file, "%s on cuda:%d\n", profile.model, profile.ordinal);
  write_times(file, profile.times);
  if (profile.failed != Success)
    fprintf(file, "\nmeasuring ended: %s\n", words_of(profile.failed));
  fclose(file);
}

void close_profile(Profile *profile) {
  if (!profile)
    return;
  write(*profile);
  while (ProgramTimes *times = profile->times) {
    profile->times = times->next;
    for (int32_t i = 0; i < times->n_events; ++i)
      driver().cuEventDestroy_v2(times->events[i]);
    release(nullptr, times, times->bytes);
  }
  release(nullptr, profile, profile->bytes);
}

} // namespace symc::cuda
