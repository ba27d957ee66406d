// draws.h: numbers by counting (draw.h), for orders and augmentations: each follows from a few
// integers alone, so that it is the same on every thread, machine and resumed run.
#ifndef SYMC_RUNTIME_CORE_DRAWS_H
#define SYMC_RUNTIME_CORE_DRAWS_H

#include "draw.h"

namespace symc {

// What a sequence is for, so that two with the same numbers differ.
enum class Purpose : uint64_t { Order = 1, Crop = 2, Shape = 3, Colour = 4 };

class Draws : Draw {
public:
  Draws(Purpose purpose, uint64_t seed, uint64_t pass, uint64_t record = 0)
      : Draw(mix(mix(uint64_t(purpose) * 0x9e3779b97f4a7c15u + seed) + pass), record) {}
  // 0..bound-1; bound is at least 1.
  uint64_t below(uint64_t bound) { return uint64_t((unsigned __int128)bits() * bound >> 64); }
  int64_t from(int64_t low, int64_t high) { return low + int64_t(below(uint64_t(high - low) + 1)); }
  double between(double low, double high) { return low + (high - low) * unit(); }
  using Draw::normal;
  using Draw::unit;
};

} // namespace symc
#endif
