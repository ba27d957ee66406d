// hash.h: xxh3_64 of a range of bytes, seed 0, and the hash of weights.
#ifndef SYMC_RUNTIME_CORE_HASH_H
#define SYMC_RUNTIME_CORE_HASH_H

#include "symc/runtime.h"

#include <stddef.h>
#include <stdint.h>

namespace symc {
uint64_t xxh3_64(const void *data, size_t bytes);

// The same of a range that is being filled from its front: what is there can be hashed while it
// is near.
class GrowingHash {
public:
  // By what a processor of that level has (symc_cpu_level).
  GrowingHash(const void *data, size_t bytes, int32_t level = symc_cpu_level());
  // The first `ready` bytes are there; never fewer than before.
  void advance(size_t ready);
  // All bytes are there.
  uint64_t finish();

private:
  const uint8_t *in;
  size_t bytes, blocks = 0; // done of the algorithm's blocks
  bool byFours;             // words, with AVX2
  uint64_t lanes[8];
};

// The hash of weights (SYMC_WEIGHTS_PIECE_BYTES), of a range that is being filled from its front.
class WeightsHash {
public:
  WeightsHash(const void *data, size_t bytes);
  void advance(size_t ready);
  uint64_t finish();

private:
  void addPiece();
  size_t pieceBytes() const;

  const uint8_t *in;
  size_t bytes, begin = 0; // of the piece at hand
  uint64_t before = 0;     // the hash of the pieces in front of it
  GrowingHash piece;
};
} // namespace symc
#endif
