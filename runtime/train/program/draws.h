// draws.h: numbers by counting, for orders and augmentations: each follows from a few integers
// alone, so that it is the same on every thread, machine and resumed run.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_DRAWS_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_DRAWS_H

#include <stdint.h>

namespace symc::train {

inline uint64_t mixed(uint64_t x) { // SplitMix64's finaliser
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// What a sequence is for, so that two with the same numbers differ.
enum class Purpose : uint64_t { Order = 1, Picture = 2, Bench = 3 };

class Draws {
public:
  Draws(Purpose purpose, uint64_t seed, uint64_t pass, uint64_t record = 0)
      : key(mixed(mixed(mixed(uint64_t(purpose) * 0x9e3779b97f4a7c15u + seed) + pass) + record)) {}
  uint64_t bits() { return mixed(key + 0x9e3779b97f4a7c15u * ++count); }
  // 0..bound-1; bound is at least 1.
  uint64_t below(uint64_t bound) { return uint64_t((unsigned __int128)bits() * bound >> 64); }
  double unit() { return double(bits() >> 11) * 0x1p-53; } // in [0, 1)

private:
  uint64_t key, count = 0;
};

} // namespace symc::train
#endif
