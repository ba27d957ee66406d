// sum.h: the sum of one array over all ranks, which may begin while the array is still being made.
//
// The array is cut into buckets, each into a piece for every rank. A bucket goes out in pieces to
// the ranks that add them (MPI_Ialltoallv), in the order of ranks, and the sums come back
// (MPI_Iallgatherv). Buckets go out in one order everywhere, each as soon as it is ready and one of
// a few slots is free; nothing is waited for but in finish().
#ifndef SYMC_RUNTIME_TRAIN_COLLECTIVE_SUM_H
#define SYMC_RUNTIME_TRAIN_COLLECTIVE_SUM_H

#include "../../main/files.h"
#include "mpi.h"

namespace symc::train {

class World;

class Sum {
public:
  // By whom a bucket is added up.
  enum How {
    Ordered, // by its ranks' order: bits depend on their number alone
    Engine,  // by the library, as it likes
    Kept     // as Ordered, but each rank keeps the sums of its pieces, and nothing comes back
  };
  Sum() = default;
  Sum(const Sum &) = delete;
  Sum &operator=(const Sum &) = delete;

  // Of arrays of n numbers. `ends`: NULL, or n_ends places at which pieces may end, rising, the
  // last of them n.
  bool plan(World &world, int64_t n, How how, const int64_t *ends, int64_t nEnds, Problem &problem);
  bool isPlanned(int64_t n, How how) const { return world && n == count && how == manner; }

  int64_t buckets() const { return nBuckets; }
  // The numbers of a bucket, and of a rank's piece of it.
  int64_t begin(int64_t bucket) const { return cuts[bucket * ranks]; }
  int64_t end(int64_t bucket) const { return cuts[(bucket + 1) * ranks]; }
  int64_t pieceBegin(int64_t bucket, int64_t rank) const { return cuts[bucket * ranks + rank]; }
  int64_t pieceEnd(int64_t bucket, int64_t rank) const { return cuts[bucket * ranks + rank + 1]; }
  // Sets when buckets go out: order[0] first. The same in all ranks.
  void setOrder(const int32_t *order);
  int64_t sentBuckets() const { return sent; } // since start
  int64_t lastBucket() const { return nBuckets ? order[nBuckets - 1] : -1; }

  // Begins with `values`; `number` of the update, for sentences. No bucket is ready.
  void start(float *values, int64_t number);
  void setReady(int64_t bucket) { ready[bucket] = 1; }
  // Does what can be done without waiting.
  bool advance(Problem &problem);
  // All buckets are ready: waits until the sums are in the place of the values.
  bool finish(Problem &problem);

  // Of what has the places of the array and lies anywhere: each rank has its pieces, and all get
  // the whole, bucket after bucket. `copy` fills `values`, or takes them (`taken`).
  using Copy = void (*)(void *user, int64_t begin, int64_t end, float *values, bool taken);
  bool share(Copy copy, void *user, const char *what, Problem &problem);

private:
  // A bucket under way. Counts are read until a call's request is done.
  struct Slot {
    MpiRequest request; // of its pieces, then of its sums
    float *received, *own;
    int *counts;
  };
  static constexpr int slotCount = 4;
  static constexpr int64_t bucketFloats = int64_t(1) << 20; // 4 MB

  void cutEqually(int64_t n);
  void cutAt(const int64_t *ends, int64_t nEnds);
  bool allocateSlots(Problem &problem);
  bool sendNext(Problem &problem);
  bool addNext(Problem &problem);
  bool takeNext();
  bool test(int64_t position, bool &done, Problem &problem);
  int gather(int64_t bucket, Slot &slot, float *to);
  void name(int64_t position, char *text, size_t bytes) const;
  Slot &slotAt(int64_t position) { return slots[position % slotCount]; }

  World *world = nullptr;
  How manner = Ordered;
  int64_t count = 0, ranks = 1, rank = 0, nBuckets = 0, updateNumber = 0;
  float *array = nullptr;
  int64_t *cuts = nullptr; // of pieces: nBuckets * ranks + 1 places
  int32_t *order = nullptr;
  char *ready = nullptr; // of buckets
  Slot slots[slotCount] = {};
  int64_t sent = 0, added = 0, done = 0; // buckets, in their order
  Bytes memory, tables;
};

} // namespace symc::train
#endif
