// World.cpp: the processes that train together, for bindings: the runtime's World of this process.
#include "Library.h"

#include "runtime/train/collective/world.h"

using namespace symc;
using namespace symc::library;

namespace {
struct Joined {
  train::World world;
  bool started = false;
  int64_t sums = 0;
};
Joined &joined() {
  static Joined only;
  return only;
}
} // namespace

static int failWith(const Problem &problem) {
  return fail(problem.note[0] ? llvm::Twine(problem.text) + "\nnote: " + problem.note
                              : llvm::Twine(problem.text));
}

static int checkStarted() {
  return joined().started ? 0 : fail("no world was started: symc_world_start() comes first");
}

extern "C" int symc_world_start(double timeout) {
  if (joined().started)
    return fail("a world was started already");
  if (!(timeout > 0))
    return fail("timeout_seconds is " + std::to_string(timeout) + ", which is not above 0");
  train::Launcher launcher = train::find_launcher();
  Problem problem;
  if (!train::check_workers(launcher, "python SCRIPT", problem))
    return failWith(problem);
  bool launched = launcher.kind != train::Launcher::None || launcher.size;
  if (launched && !joined().world.start(launcher, timeout, problem))
    return failWith(problem);
  joined().started = true;
  return 0;
}

extern "C" int symc_world_rank(int32_t *rank, int32_t *size) {
  if (checkStarted())
    return -1;
  if (!rank || !size)
    return failNull(rank ? "size" : "rank");
  *rank = joined().world.rank();
  *size = joined().world.size();
  return 0;
}

extern "C" int symc_world_sum(float *values, size_t count) {
  if (checkStarted())
    return -1;
  if (!values && count)
    return failNull("values");
  Problem problem;
  bool done = joined().world.sum(values, int64_t(count), false, ++joined().sums, problem);
  return done ? 0 : failWith(problem);
}

extern "C" int32_t symc_world_gather(void *, const void *own, void *all, size_t bytes, char *error,
                                     size_t errorBytes) {
  Problem problem;
  if (checkStarted())
    problem.set("%s", symc_compiler_error());
  else if (joined().world.gather(own, all, int(bytes), "statistics of a normalisation", problem))
    return 0;
  if (error && errorBytes)
    snprintf(error, errorBytes, "%s", problem.text);
  return failWith(problem);
}

extern "C" int symc_world_barrier() {
  if (checkStarted())
    return -1;
  Problem problem;
  Bytes all;
  char own = 0;
  bool done = all.allocate(size_t(joined().world.size()), problem) &&
              joined().world.gather(&own, all.data, 1, "the barrier", problem);
  return done ? 0 : failWith(problem);
}

extern "C" int symc_world_finish() {
  if (checkStarted())
    return -1;
  Problem problem;
  joined().started = false;
  return joined().world.finish(problem) ? 0 : failWith(problem);
}

extern "C" int symc_world_abort(int32_t status) {
  joined().world.abort(status);
  return 0;
}
