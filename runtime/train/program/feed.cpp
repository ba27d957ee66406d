// feed.cpp: a ring of batches. Threads take ranges of rows, batch after batch; the one that calls
// next gets a batch when all of its rows are there, and makes those that no thread has come to. A
// row that fails ends its batch with the
// sentence of the first such row, whichever thread met it.
#include "feed.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

inline void *operator new(size_t, void *at) noexcept { return at; }

namespace symc::train {

double seconds_now() {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

namespace {
class Lock {
public:
  explicit Lock(pthread_mutex_t &mutex) : mutex(mutex) { pthread_mutex_lock(&mutex); }
  ~Lock() { pthread_mutex_unlock(&mutex); }

private:
  pthread_mutex_t &mutex;
};
} // namespace

bool Feed::allocate(Problem &problem) {
  const Request &request = source->request;
  size_t batch = size_t(order->batchRows()), total = 0;
  auto rounded = [](size_t bytes) { return (bytes + 63) & ~size_t(63); };
  for (int32_t i = 0; i < request.nInputs; ++i)
    total += rounded(batch * size_t(request.inputs[i].count) * sizeof(float));
  size_t places = rounded(batch * sizeof(Place)), sentence = rounded(sizeof(Problem));
  if (!memory.allocate(slotCount * (total + places + sentence), problem))
    return false;
  memset(memory.data, 0, memory.size);
  uint8_t *at = memory.data;
  for (Slot &slot : slots) {
    slot = Slot();
    for (int32_t i = 0; i < request.nInputs; ++i) {
      slot.batch.inputs[i] = reinterpret_cast<float *>(at);
      at += rounded(batch * size_t(request.inputs[i].count) * sizeof(float));
    }
    slot.places = reinterpret_cast<Place *>(at);
    at += places;
    slot.problem = new (at) Problem();
    at += sentence;
  }
  return true;
}

bool Feed::start(const Source &from, Order &by, int64_t firstEpoch, int64_t firstIndex,
                 int64_t endEpoch, int threads, Problem &problem) {
  stop();
  source = &from;
  order = &by;
  epoch = firstEpoch;
  index = firstIndex;
  lastEpoch = endEpoch;
  prepared = consumed = filling = 0;
  held = ending = false;
  // Few enough that a thread which the system stops holds up little of a batch.
  rowsPerTask = from.decodes || by.batchRows() < 16 ? 1 : by.batchRows() / 8;
  if (!allocate(problem))
    return false;
  pthread_mutex_init(&mutex, nullptr);
  pthread_cond_init(&changed, nullptr);
  hasMutex = true;
  workers = static_cast<pthread_t *>(calloc(size_t(threads), sizeof(pthread_t)));
  if (!workers)
    return problem.set(RunFailed, "cannot allocate %zu bytes", size_t(threads) * sizeof(pthread_t));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size_t(1) << 20); // decoders keep tables on the stack
  for (nWorkers = 0; nWorkers < threads; ++nWorkers)
    if (pthread_create(&workers[nWorkers], &attributes, runThread, this) != 0)
      break;
  pthread_attr_destroy(&attributes);
  return nWorkers > 0 || problem.set(RunFailed, "the system refused to start a thread");
}

void Feed::stop() {
  if (!hasMutex)
    return;
  {
    Lock lock(mutex);
    ending = true;
    pthread_cond_broadcast(&changed);
  }
  for (int i = 0; i < nWorkers; ++i)
    pthread_join(workers[i], nullptr);
  free(workers);
  workers = nullptr;
  nWorkers = 0;
  pthread_cond_destroy(&changed);
  pthread_mutex_destroy(&mutex);
  hasMutex = false;
}

void *Feed::runThread(void *feed) {
  static_cast<Feed *>(feed)->work();
  return nullptr;
}

bool Feed::prepareSlot(Slot &slot) {
  while (epoch < lastEpoch && index >= order->batches(epoch)) {
    ++epoch;
    index = 0;
  }
  if (epoch >= lastEpoch)
    return false;
  slot.batch.epoch = epoch;
  slot.batch.index = index;
  slot.batch.rows = order->placesOf(epoch, index++, slot.places);
  slot.taken = slot.done = 0;
  slot.problem->text[0] = slot.problem->note[0] = 0;
  ++prepared;
  return true;
}

// Makes the next rows of a slot; the lock is held before and after, not meanwhile.
void Feed::fillRows(Slot &slot) {
  const Request &request = source->request;
  int64_t batch = order->batchRows();
  int64_t begin = slot.taken, end = begin + rowsPerTask < batch ? begin + rowsPerTask : batch;
  slot.taken = end;
  if (end == batch)
    ++filling;
  pthread_mutex_unlock(&mutex);
  for (int64_t i = begin; i < end; ++i) {
    float *targets[maxInputs];
    for (int32_t k = 0; k < request.nInputs; ++k)
      targets[k] = slot.batch.inputs[k] + i * request.inputs[k].count;
    Problem problem;
    if (source->fill(slot.places[i].row, slot.places[i].pass, targets, problem))
      continue;
    Lock lock(mutex);
    if (!slot.problem->text[0] || i < slot.failed) {
      *slot.problem = problem;
      slot.failed = i;
    }
  }
  pthread_mutex_lock(&mutex);
  slot.done += end - begin;
  if (slot.done == batch)
    pthread_cond_broadcast(&changed);
}

void Feed::work() {
  pthread_mutex_lock(&mutex);
  while (!ending) {
    Slot &slot = slots[filling % slotCount];
    bool isFree = filling < consumed + slotCount;
    if (filling < prepared || (isFree && prepareSlot(slot)))
      fillRows(slot);
    else
      pthread_cond_wait(&changed, &mutex);
  }
  pthread_mutex_unlock(&mutex);
}

const Batch *Feed::next(Problem &problem) {
  double begun = seconds_now();
  Lock lock(mutex);
  if (held) {
    held = false;
    ++consumed;
    pthread_cond_broadcast(&changed);
  }
  for (;;) {
    Slot &slot = slots[consumed % slotCount];
    if (consumed == prepared) { // nothing is there yet, or nothing is left
      if (epoch >= lastEpoch || !prepareSlot(slot)) {
        waitedSeconds += seconds_now() - begun;
        return nullptr;
      }
      pthread_cond_broadcast(&changed);
    }
    if (slot.taken < order->batchRows()) { // no thread has come to these rows: better than to wait
      fillRows(slot);
      continue;
    }
    if (slot.done == order->batchRows()) {
      waitedSeconds += seconds_now() - begun;
      if (slot.problem->text[0]) {
        problem = *slot.problem;
        return nullptr;
      }
      held = true;
      return &slot.batch;
    }
    pthread_cond_wait(&changed, &mutex);
  }
}

} // namespace symc::train
