// bucket_progress.h: which buckets of a sum (sum.h) are final while their numbers are still being
// made, and in which order they become so. Buckets go out in one order everywhere: that in which
// rank 0's became final the first time, since programs for other instruction sets may order their
// steps otherwise. The first time, nothing goes out before all is final.
#ifndef SYMC_RUNTIME_TRAIN_COLLECTIVE_BUCKET_PROGRESS_H
#define SYMC_RUNTIME_TRAIN_COLLECTIVE_BUCKET_PROGRESS_H

#include "world.h"

namespace symc::train {

class BucketProgress {
public:
  // Of a sum that is planned. Both outlive this.
  bool plan(World &world, Sum &sum, Problem &problem);
  // Behind Sum::start: no number is final.
  void begin();
  // `n` numbers from `first` on are final, each once. A bucket that has all of its numbers may go
  // out, but the last: until the end it is not known whether this rank has sums at all.
  void finished(int64_t first, int64_t n);
  // Whether buckets have an order, so that they may go out before the end.
  bool isOrdered() const { return ordered; }
  // Behind the first time: rank 0's order becomes that of all.
  bool learnOrder(Problem &problem);

private:
  World *world = nullptr;
  Sum *sum = nullptr;
  bool ordered = false;
  int64_t *missing = nullptr; // numbers of each bucket that are not final
  int32_t *places = nullptr;  // of each bucket among those that became final
  int32_t nFinal = 0;
  Bytes memory;
};

} // namespace symc::train
#endif
