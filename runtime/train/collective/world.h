// world.h: the processes that train together, and what they do together. Every call is made by all
// of them in the same order, from one thread. Each waits for the others no longer than a time-out,
// behind which the sentence names the ranks that have not come.
//
// A sum has bits that depend on the number of processes alone (sum.h).
#ifndef SYMC_RUNTIME_TRAIN_COLLECTIVE_WORLD_H
#define SYMC_RUNTIME_TRAIN_COLLECTIVE_WORLD_H

#include "sum.h"

namespace symc::train {

class World {
public:
  World() = default;
  World(const World &) = delete;
  World &operator=(const World &) = delete;

  // Joins the others that the launcher has started. A world of one process where the launcher has
  // started more is an error.
  bool start(const Launcher &launcher, double timeoutSeconds, Problem &problem);
  // Ends in peace: all ranks have come here.
  bool finish(Problem &problem);
  // Ends all ranks, this one too, where MPI was started.
  void abort(int code);

  int rank() const { return rankNumber; }
  int size() const { return count; }
  bool isStarted() const { return started; }
  const char *library() const { return mpi.file(); }

  // `bytes` of each rank behind one another, in the order of ranks. `what` is for the sentence.
  bool gather(const void *own, void *all, int bytes, const char *what, Problem &problem);
  // The sums over all ranks, in the place of `values`. `engine`: by the library's own order, whose
  // bits are not fixed. `number`: of the update, for the sentence.
  bool sum(float *values, int64_t n, bool engine, int64_t number, Problem &problem);

private:
  friend class Sum;

  bool wait(MpiRequest &request, const char *what, Problem &problem);
  // Between messages that a rank waits.
  double period() const { return timeout < 4 ? timeout / 4 : 1; }
  bool notifyOthers(Problem &problem);
  bool hearOthers(double now, Problem &problem);
  bool silence(const char *what, double now, double waited, Problem &problem);

  Mpi mpi;
  // Calls of one kind have one order in all ranks; that between the two kinds is each rank's own,
  // so that each has a communicator to itself.
  MpiHandle forPieces = 0, forSums = 0;
  Sum whole;
  bool started = false;
  int rankNumber = 0, count = 1;
  double timeout = 0;
  Bytes heardMemory;
  double *heard = nullptr; // when each rank was heard of last
};

} // namespace symc::train
#endif
