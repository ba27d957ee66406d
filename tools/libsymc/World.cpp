// World.cpp: the processes that train together, for bindings: the runtime's World of this process.
#include "Library.h"

#include "runtime/train/collective/bucket_progress.h"

using namespace symc;
using namespace symc::library;

namespace {
struct Joined {
  train::World world;
  bool started = false;
  int64_t sums = 0;
  // The sum that was announced, `values` of which are being made.
  train::Sum gradual;
  train::BucketProgress progress;
  float *values = nullptr;
  size_t count = 0;
  bool isBroken = false;
  Problem trouble;
  int64_t parts = 0, early = 0;
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

extern "C" int symc_world_begin_sum(float *values, size_t count) {
  if (checkStarted())
    return -1;
  if (!values)
    return failNull("values");
  Joined &own = joined();
  if (own.values)
    return fail("a sum was begun already: symc_world_sum() ends it");
  Problem problem;
  if (own.world.size() > 1) {
    if (!own.gradual.isPlanned(int64_t(count), train::Sum::Ordered) &&
        (!own.gradual.plan(own.world, int64_t(count), train::Sum::Ordered, nullptr, 0, problem) ||
         !own.progress.plan(own.world, own.gradual, problem)))
      return failWith(problem);
    own.gradual.start(values, ++own.sums);
    own.progress.begin();
  }
  own.isBroken = false;
  own.values = values;
  own.count = count;
  return 0;
}

// What goes wrong here is the mistake of symc_world_sum(), which follows.
extern "C" void symc_world_ready(void *, size_t first, size_t count) {
  Joined &own = joined();
  if (!own.values || own.world.size() == 1 || own.isBroken)
    return;
  if (count)
    own.progress.finished(int64_t(first), int64_t(count));
  if (own.progress.isOrdered())
    own.isBroken = !own.gradual.advance(own.trouble);
}

static bool finishSum(Joined &own, Problem &problem) {
  own.parts = own.early = 0;
  if (own.world.size() == 1)
    return true;
  if (own.isBroken) {
    problem = own.trouble;
    return false;
  }
  own.parts = own.gradual.buckets();
  own.early = own.gradual.sentBuckets();
  return own.gradual.finish(problem) &&
         (own.progress.isOrdered() || own.progress.learnOrder(problem));
}

extern "C" int symc_world_overlap(int64_t *parts, int64_t *early) {
  if (!parts || !early)
    return failNull(parts ? "early" : "parts");
  *parts = joined().parts;
  *early = joined().early;
  return 0;
}

extern "C" int symc_world_sum(float *values, size_t count) {
  if (checkStarted())
    return -1;
  if (!values && count)
    return failNull("values");
  Problem problem;
  Joined &own = joined();
  if (own.values) {
    if (values != own.values || count != own.count)
      return fail("symc_world_begin_sum() announced " + std::to_string(own.count) +
                  " other values, got " + std::to_string(count));
    own.values = nullptr;
    return finishSum(own, problem) ? 0 : failWith(problem);
  }
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
  joined().values = nullptr;
  return joined().world.finish(problem) ? 0 : failWith(problem);
}

extern "C" int symc_world_abort(int32_t status) {
  joined().world.abort(status);
  return 0;
}
