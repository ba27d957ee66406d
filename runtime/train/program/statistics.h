// statistics.h: what nodes that take statistics over all ranks get from the others, kept for one
// step: a run that computes the step again (symc::find_watched_node) needs no other rank.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_STATISTICS_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_STATISTICS_H

#include "../collective/world.h"

#include <stddef.h>
#include <stdint.h>

namespace symc::train {

class Statistics {
public:
  Statistics() = default;
  Statistics(const Statistics &) = delete;
  ~Statistics();

  void start(World &world, bool keeps);
  void beginStep();
  // From here on answers are those that are kept.
  void replay() { replays = true; }
  // Of the first exchange with numbers that are not finite a rank that has some, this one before
  // others; -1 where there is none.
  int badRank() const;

  // A symc_gather_fn; `user` is one of this class. Messages begin with the number of the exchange.
  static int32_t gather(void *user, const void *own, void *all, size_t bytes, char *error,
                        size_t errorBytes);

private:
  struct Entry; // in front of the messages of all ranks
  const uint8_t *find(const void *own, size_t bytes) const;
  void keep(const void *all, size_t bytes);

  World *world = nullptr;
  bool keeps = false, replays = false;
  uint8_t *memory = nullptr;
  size_t used = 0, size = 0;
};

} // namespace symc::train
#endif
