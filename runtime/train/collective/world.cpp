// world.cpp: joining, waiting, gathering; sum.cpp adds.
//
// A rank that waits polls. Every second, or quarter of the time-out, it sends all others a small
// message that it waits, and receives which others do; at the time-out it names those of which it
// has heard nothing of late: they are stopped, lost, or far behind. Messages of waits that went
// well may lie unread until the next such wait.
#include "world.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

namespace symc::train {

static constexpr int noticeTag = 77;
static char noticeByte;

static double seconds() {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

bool World::start(const Launcher &launcher, double timeoutSeconds, Problem &problem) {
  timeout = timeoutSeconds;
  int code = 0, provided = 0;
  if (!mpi.open(launcher, problem))
    return false;
  if ((code = mpi.Init_thread(nullptr, nullptr, mpi.threadFunneled, &provided)))
    return problem.set(RunFailed, "MPI_Init_thread of '%s' failed with code %d", mpi.file(), code);
  started = true;
  if ((code = mpi.Comm_set_errhandler(mpi.world, mpi.errorsReturn)))
    return mpi.fail("Comm_set_errhandler", code, problem);
  if ((code = mpi.Comm_rank(mpi.world, &rankNumber)))
    return mpi.fail("Comm_rank", code, problem);
  if ((code = mpi.Comm_size(mpi.world, &count)))
    return mpi.fail("Comm_size", code, problem);
  const struct {
    int64_t size;
    const char *variable;
  } launchers[] = {{launcher.size, launcher.variable}, {launcher.workers, "DMLC_NUM_WORKER"}};
  for (const auto &each : launchers)
    if (count == 1 && each.size > 1) {
      problem.addNote("mpirun has to be that of the library; Slurm: srun --mpi=pmix; SYMC_MPI=FILE "
                      "names another library");
      return problem.set(RunFailed,
                         "%s is %lld, but in '%s' this process is alone: each would train by "
                         "itself",
                         each.variable, (long long)each.size, mpi.file());
    }
  size_t times = size_t(count) * sizeof(double);
  if (!heardMemory.allocate(times, problem))
    return false;
  memset(heardMemory.data, 0, times);
  heard = reinterpret_cast<double *>(heardMemory.data);
  MpiHandle *const copies[] = {&forPieces, &forSums};
  for (MpiHandle *own : copies) {
    MpiRequest request = 0;
    if (count > 1 && (code = mpi.Comm_idup(mpi.world, own, &request)))
      return mpi.fail("Comm_idup", code, problem);
    if (count > 1 && !wait(request, "the start", problem))
      return false;
  }
  return true;
}

bool World::finish(Problem &problem) {
  if (!started)
    return true;
  char own = 0;
  if (count > 1) {
    Bytes all;
    if (!all.allocate(size_t(count), problem) || !gather(&own, all.data, 1, "the end", problem) ||
        !hearOthers(0, problem))
      return false;
  }
  started = false;
  int code = mpi.Finalize();
  return code == 0 || problem.set(RunFailed, "MPI_Finalize failed with code %d", code);
}

void World::abort(int code) {
  if (!started)
    return;
  // What was written goes by way of the launcher, which an abort ends, too.
  constexpr useconds_t forwarding = 200000;
  usleep(forwarding);
  alarm(20); // for a library that waits for lost ranks itself
  mpi.Abort(mpi.world, code);
}

// --- Waiting -----------------------------------------------------------------

bool World::notifyOthers(Problem &problem) {
  for (int other = 0; other < count; ++other) {
    if (other == rankNumber)
      continue;
    MpiRequest request = 0; // of a byte, which leaves at once: it is not waited for
    int code = mpi.Isend(&noticeByte, 1, mpi.bytes, other, noticeTag, mpi.world, &request);
    if (code)
      return mpi.fail("Isend", code, problem);
    if ((code = mpi.Request_free(&request)))
      return mpi.fail("Request_free", code, problem);
  }
  return true;
}

bool World::hearOthers(double now, Problem &problem) {
  for (int other = 0; other < count; ++other)
    for (;;) {
      int there = 0;
      int code = mpi.Iprobe(other, noticeTag, mpi.world, &there, mpi.statusIgnore);
      if (code)
        return mpi.fail("Iprobe", code, problem);
      if (!there)
        break;
      char byte;
      code = mpi.Recv(&byte, 1, mpi.bytes, other, noticeTag, mpi.world, mpi.statusIgnore);
      if (code)
        return mpi.fail("Recv", code, problem);
      heard[other] = now;
    }
  return true;
}

bool World::silence(const char *what, double now, double waited, Problem &problem) {
  char silent[400] = "";
  size_t used = 0;
  int ranks = 0;
  for (int other = 0; other < count; ++other)
    if (other != rankNumber && now - heard[other] > 2.5 * period()) {
      ++ranks;
      if (used + 16 < sizeof silent)
        used +=
            size_t(snprintf(silent + used, sizeof silent - used, "%s%d", used ? ", " : "", other));
    }
  problem.addNote("--timeout SECONDS is how long a rank waits for others");
  if (!ranks) // all wait, and nothing comes
    return problem.set(RunFailed, "%s was not there within %.0f s, though all ranks wait for it",
                       what, waited);
  return problem.set(RunFailed, "%s %s did not come to %s within %.0f s",
                     ranks > 1 ? "ranks" : "rank", silent, what, waited);
}

bool World::wait(MpiRequest &request, const char *what, Problem &problem) {
  constexpr int spins = 200; // before others get the processor
  constexpr double patient = 0.02;
  double begun = 0, sent = 0;
  for (int64_t i = 0;; ++i) {
    int done = 0, code = mpi.Test(&request, &done, mpi.statusIgnore);
    if (code)
      return mpi.fail("Test", code, problem);
    if (done)
      return true;
    if (i < spins)
      continue;
    double now = seconds();
    begun = begun == 0 ? now : begun;
    double waited = now - begun;
    if (waited < patient) {
      sched_yield();
      continue;
    }
    if (waited > timeout)
      return silence(what, now, waited, problem);
    if (waited > sent + period()) {
      sent = waited;
      if (!notifyOthers(problem) || !hearOthers(now, problem))
        return false;
    }
    struct timespec pause = {0, 200000};
    nanosleep(&pause, nullptr);
  }
}

bool World::gather(const void *own, void *all, int bytes, const char *what, Problem &problem) {
  if (count == 1) {
    memcpy(all, own, size_t(bytes));
    return true;
  }
  MpiRequest request = 0;
  int code = mpi.Iallgather(own, bytes, mpi.bytes, all, bytes, mpi.bytes, mpi.world, &request);
  return code ? mpi.fail("Iallgather", code, problem) : wait(request, what, problem);
}

} // namespace symc::train
