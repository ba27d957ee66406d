// order.h: which rows are in which batch. An order is a function of the seed and the epoch, so that
// a training can go on at any batch.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_ORDER_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_ORDER_H

#include "../../main/problem.h"

#include <stdint.h>

namespace symc::train {

// What fills the last batch of an epoch.
enum class Padding {
  FirstRows, // the epoch's first rows, as MXNet's NDArrayIter does: epochs are of equal length
  NextRows,  // the first rows of the next pass, whose epoch begins behind them: MXNet's round_batch
  Uncounted  // any rows, which are not counted: validation
};

// A row of a batch, and the pass over the data that it belongs to.
struct Place {
  int64_t row;
  uint64_t pass;
};

class Order {
public:
  ~Order();
  Order() = default;
  Order(const Order &) = delete;
  Order &operator=(const Order &) = delete;
  bool start(int64_t rows, int64_t batch, bool shuffle, Padding padding, uint64_t seed,
             Problem &problem);
  // Leaves part `index` of each batch, of `count` equal ones, which is what a process of several
  // takes.
  void share(int64_t index, int64_t count);

  // Batches of an epoch.
  int64_t batches(int64_t epoch);
  // The rows of a batch, batchRows() of them, of which the last ones are padding: how many are not.
  // Epochs are visited upwards, or from the start again at a cost.
  int64_t placesOf(int64_t epoch, int64_t index, Place *places);
  int64_t batchRows() const { return ownRows; }
  // Another seed than that of start.
  void reseed(uint64_t number);

private:
  int64_t beginOf(int64_t epoch); // in its pass
  const int64_t *permutation(uint64_t pass);

  int64_t rows = 0, batch = 0, ownBegin = 0, ownRows = 0;
  bool shuffle = false;
  Padding padding = Padding::FirstRows;
  uint64_t seed = 0;
  int64_t knownEpoch = 0, knownBegin = 0;
  int64_t *orders[2] = {nullptr, nullptr}; // of two passes: of even and of odd number
  uint64_t passes[2] = {~uint64_t(0), ~uint64_t(0)};
};

} // namespace symc::train
#endif
