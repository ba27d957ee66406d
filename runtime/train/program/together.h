// together.h: gradients of all ranks, summed while backward goes on, and updates by these sums: of
// all parameters in every rank, or of a rank's own pieces (--shard-states).
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_TOGETHER_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_TOGETHER_H

#include "../collective/bucket_progress.h"
#include "../training.h"

namespace symc::train {

class Together {
public:
  struct Request {
    Sum::How how = Sum::Ordered;
    bool overlaps = true; // sums begin before backward ends
    bool checks = true;   // gradients that are not finite
  };
  ~Together();
  // Behind the first values of parameters and states.
  bool start(symc_context *context, World &world, const Request &request, Problem &problem);
  bool isStarted() const { return context != nullptr; }

  // Before the last run of symc_gradients of update `number`. `earlier`: NULL, or the sums of
  // those before, in the order of the gradients' memory, which are added.
  void begin(int64_t number, const float *earlier);
  // Behind it: the first parameter of this rank whose gradient is not finite, or NULL.
  const char *notFinite() const;
  // Ends with the sums in the gradients' memory (of own pieces, where states are sharded).
  // `leftOut`: this rank has none, so that all find numbers that are not finite.
  bool finish(bool leftOut, int64_t number, Problem &problem);
  // Whether all sums are finite.
  bool checkSums(bool &finite, Problem &problem);
  bool update(const symc_hyper &hyper, Problem &problem);
  // Around saving: rank 0 has all states of the optimizer.
  bool gatherStates(Problem &problem);
  void dropStates();

  // Since whoever reads them set them to 0: time in sums; buckets, and those of them that had gone
  // out before backward ended.
  double seconds = 0;
  int64_t buckets = 0, early = 0;

private:
  struct Part { // a parameter with a gradient
    int32_t parameter;
    int64_t begin, end; // in the gradients' memory, numbers
    int64_t limit;      // zeros from the end to the next part
    bool isFinal;
  };
  static void watch(void *user, size_t first, size_t n);
  void finished(Part &part);
  bool shardTasks(const symc::Training &training, Problem &problem);
  static bool joinSums(void *user, double *partial, int64_t tasks);
  static void copyArray(void *user, int64_t begin, int64_t end, float *values, bool taken);
  template <class Do> void eachPiece(int64_t begin, int64_t end, Do work);

  symc_context *context = nullptr;
  World *world = nullptr;
  Request request;
  Sum sum;
  BucketProgress progress; // of buckets, in backward
  float *gradients = nullptr;
  int64_t count = 0, nParts = 0, nTasks = 0;
  Part *parts = nullptr;
  int32_t *owners = nullptr; // ranks that update each task
  const float *earlier = nullptr;
  bool runs = false;        // between begin and finish
  bool broken = false;      // `trouble` has why
  int32_t bad = -1;         // parameter that is not finite
  int32_t arrayNumber = -1; // what copyArray copies: -1 weights, else states
  Problem trouble;
  Problem *joinProblem = nullptr;
};

} // namespace symc::train
#endif
