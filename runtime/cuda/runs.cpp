// runs.cpp: see runs.h.
#include "runs.h"

#include "../core/environment.h"
#include "../core/memory.h"
#include "../core/reason.h"
#include "work.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

namespace symc {

// Of a thread that runs. Not thread-local: a library would need __tls_get_addr, which the file that
// symc links against has not.
struct ThreadRuns {
  uintptr_t owner;  // 0: nobody. Other threads may look at it
  DeviceRuns *runs; // the owner's business
};
static ThreadRuns places[mostScopes];

static uintptr_t this_thread() { return uintptr_t(pthread_self()); }

static ThreadRuns *place_of_thread() {
  for (ThreadRuns &place : places)
    if (__atomic_load_n(&place.owner, __ATOMIC_RELAXED) == this_thread())
      return &place;
  return nullptr;
}

static ThreadRuns *claim_place() {
  for (ThreadRuns &place : places) {
    uintptr_t nobody = 0;
    if (__atomic_compare_exchange_n(&place.owner, &nobody, this_thread(), false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED))
      return &place;
  }
  return nullptr;
}

RunScope::RunScope(const symc_context &context) {
  place = place_of_thread();
  if (place) // a run in a run
    outer = place->runs;
  else if (context.runs)
    claimed = (place = claim_place()) != nullptr;
  if (place)
    place->runs = context.runs;
}

RunScope::~RunScope() {
  if (claimed)
    __atomic_store_n(&place->owner, uintptr_t(0), __ATOMIC_RELEASE);
  else if (place)
    place->runs = outer;
}

DeviceRuns *runs_of_thread() {
  ThreadRuns *place = place_of_thread();
  return place ? place->runs : nullptr;
}

// A file that could not be written at the end would be missed then.
static symc_status check_file(Text &error, const char *path) {
  FILE *file = fopen(path, "w");
  if (file) {
    fclose(file);
    return SYMC_STATUS_OK;
  }
  error << "SYMC_CUDA_PROFILE: cannot write '" << path << "': " << Reason(errno);
  return SYMC_STATUS_BAD_ARGUMENT;
}

symc_status open_runs(Text &error, symc_context &context) {
  const char *graphs = environment(Variable::SYMC_CUDA_GRAPHS);
  const char *early = environment(Variable::SYMC_CUDA_DEPENDENT_LAUNCH);
  const char *profile = environment(Variable::SYMC_CUDA_PROFILE);
  if (profile)
    if (symc_status status = check_file(error, profile))
      return status;
  DeviceRuns runs = {};
  if (profile)
    runs.profile = cuda::open_profile(profile, context.model->name, context.ordinal);
  else if (!graphs || strcmp(graphs, "0") != 0)
    runs.graphs = cuda::open_graphs();
  runs.early = !profile && early && strcmp(early, "1") == 0;
  if (runs.profile || runs.graphs || runs.early)
    context.runs = static_cast<DeviceRuns *>(allocate(nullptr, sizeof runs, SYMC_ALIGN));
  if (context.runs) {
    *context.runs = runs;
    return SYMC_STATUS_OK;
  }
  cuda::close_graphs(runs.graphs);
  cuda::close_profile(runs.profile);
  return SYMC_STATUS_OK;
}

void release_runs(symc_context &context) {
  if (!context.runs)
    return;
  DeviceScope scope(context); // the caller's may have failed
  cuda::close_graphs(context.runs->graphs);
  cuda::close_profile(context.runs->profile);
  release(nullptr, context.runs, sizeof *context.runs);
  context.runs = nullptr;
}

} // namespace symc
