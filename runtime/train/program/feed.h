// feed.h: batches in memory, read and decoded by threads while a step runs. What a batch holds
// follows from the order alone; the number of threads changes nothing.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_FEED_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_FEED_H

#include "order.h"
#include "source.h"

#include <pthread.h>

namespace symc::train {

struct Batch {
  int64_t epoch = 0, index = 0; // of the batch in its epoch
  int64_t rows = 0;             // without padding
  float *inputs[maxInputs] = {};
};

class Feed {
public:
  ~Feed() { stop(); }
  Feed() = default;
  Feed(const Feed &) = delete;
  Feed &operator=(const Feed &) = delete;

  // Reads the batches of an order from (epoch, index) on, to the end of epoch lastEpoch - 1. Source
  // and order stay the caller's, who leaves the order alone meanwhile.
  bool start(const Source &source, Order &order, int64_t epoch, int64_t index, int64_t lastEpoch,
             int threads, Problem &problem);
  // Ends the threads.
  void stop();
  // Waits for the next batch, which stays until the call behind; NULL at the end, or with a
  // sentence where a row cannot be read.
  const Batch *next(Problem &problem);
  double waited() const { return waitedSeconds; } // in next, of all calls

private:
  static constexpr int slotCount = 4;
  struct Slot {
    Batch batch;
    Place *places = nullptr;
    int64_t taken = 0, done = 0; // rows
    Problem *problem = nullptr;  // of the first row that failed
    int64_t failed = 0;          // its place
  };
  bool prepareSlot(Slot &slot); // takes the next batch of the order
  void fillRows(Slot &slot);
  void work();
  static void *runThread(void *feed);
  bool allocate(Problem &problem);

  const Source *source = nullptr;
  Order *order = nullptr;
  Slot slots[slotCount];
  Bytes memory;
  int64_t epoch = 0, index = 0, lastEpoch = 0; // of the next batch to prepare
  int64_t rowsPerTask = 1;
  uint64_t prepared = 0, consumed = 0, filling = 0; // numbers of batches
  bool held = false, ending = false;
  double waitedSeconds = 0;
  pthread_t *workers = nullptr;
  int nWorkers = 0;
  bool hasMutex = false;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
};

double seconds_now(); // of a clock that only goes on

} // namespace symc::train
#endif
