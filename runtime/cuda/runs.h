// runs.h: what a context keeps from run to run: graphs, or times where SYMC_CUDA_PROFILE is set,
// and whether kernels start early.
#ifndef SYMC_RUNTIME_CUDA_RUNS_H
#define SYMC_RUNTIME_CUDA_RUNS_H

#include "../core/context.h"
#include "graphs.h"
#include "profile.h"

namespace symc {

struct DeviceRuns {
  cuda::Graphs *graphs;
  cuda::Profile *profile; // instead
  bool early;             // kernels may start early (launch.h)
};

// Lets runs of the calling thread use what the context keeps, which they find by the thread: a
// frame has no place for it. When more threads than mostScopes run at once, some run without.
constexpr int mostScopes = 64;
class RunScope {
public:
  explicit RunScope(const symc_context &context);
  ~RunScope();

private:
  struct ThreadRuns *place = nullptr;
  DeviceRuns *outer = nullptr;
  bool claimed = false;
};

// What the scope of the thread has, or NULL.
DeviceRuns *runs_of_thread();

} // namespace symc
#endif
