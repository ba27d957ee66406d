// order.cpp: see order.h. A pass is shuffled by exchanging each place, from the end on, with a
// drawn one before it.
#include "order.h"

#include "../../core/draws.h"

#include <stdlib.h>

namespace symc::train {

Order::~Order() {
  free(orders[0]);
  free(orders[1]);
}

bool Order::start(int64_t count, int64_t batchCount, bool shuffled, Padding fill, uint64_t number,
                  Problem &problem) {
  rows = count;
  batch = ownRows = batchCount;
  ownBegin = 0;
  shuffle = shuffled;
  padding = fill;
  seed = number;
  if (!shuffle)
    return true;
  for (int64_t *&order : orders) {
    order = static_cast<int64_t *>(malloc(size_t(rows) * sizeof(int64_t)));
    if (!order)
      return problem.set(RunFailed, "cannot allocate %zu bytes", size_t(rows) * sizeof(int64_t));
  }
  return true;
}

void Order::share(int64_t index, int64_t count) {
  ownRows = batch / count;
  ownBegin = index * ownRows;
}

void Order::reseed(uint64_t number) {
  seed = number;
  passes[0] = passes[1] = ~uint64_t(0);
}

const int64_t *Order::permutation(uint64_t pass) {
  int64_t *order = orders[pass & 1];
  if (passes[pass & 1] == pass)
    return order;
  passes[pass & 1] = pass;
  Draws draws(Purpose::Order, seed, pass);
  for (int64_t i = 0; i < rows; ++i)
    order[i] = i;
  for (int64_t i = rows - 1; i > 0; --i) {
    int64_t other = int64_t(draws.below(uint64_t(i) + 1)), row = order[i];
    order[i] = order[other];
    order[other] = row;
  }
  return order;
}

int64_t Order::beginOf(int64_t epoch) {
  if (padding != Padding::NextRows)
    return 0;
  if (epoch < knownEpoch)
    knownEpoch = knownBegin = 0;
  for (; knownEpoch < epoch; ++knownEpoch) {
    int64_t left = (rows - knownBegin) % batch;
    knownBegin = left ? batch - left : 0;
  }
  return knownBegin;
}

int64_t Order::batches(int64_t epoch) { return (rows - beginOf(epoch) + batch - 1) / batch; }

int64_t Order::placesOf(int64_t epoch, int64_t index, Place *places) {
  int64_t begin = beginOf(epoch), at = begin + index * batch + ownBegin, counted = 0;
  for (int64_t i = 0; i < ownRows; ++i, ++at) {
    uint64_t pass = uint64_t(epoch);
    int64_t row = at;
    if (row >= rows) {
      row = (row - rows) % rows;
      pass += padding == Padding::NextRows;
    } else {
      ++counted;
    }
    places[i] = {shuffle ? permutation(pass)[row] : row, pass};
  }
  return counted;
}

} // namespace symc::train
