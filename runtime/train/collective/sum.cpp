// sum.cpp: the sums of gradients over all ranks, by buckets of 4 MB. While one bucket is added up,
// the pieces of the next one and the sums of the one before are on their way.
#include "world.h"

#include <stdio.h>
#include <string.h>

namespace symc::train {

bool World::allocate(size_t bytes, Problem &problem) {
  return memory.size >= bytes || memory.allocate(bytes, problem);
}

bool World::sum(float *values, int64_t n, bool engine, int64_t number, Problem &problem) {
  if (count == 1 || n == 0)
    return true;
  return engine ? sumByEngine(values, n, number, problem) : sumInOrder(values, n, number, problem);
}

// to[i] = pieces[0][i] + pieces[1][i] + ...
static void add_pieces(const float *pieces, int64_t stride, int ranks, float *to) {
  constexpr int64_t range = 4096; // stays in the first cache
  for (int64_t begin = 0; begin < stride; begin += range) {
    int64_t n = begin + range < stride ? range : stride - begin;
    memcpy(to + begin, pieces + begin, size_t(n) * sizeof(float));
    for (int r = 1; r < ranks; ++r) {
      const float *from = pieces + r * stride + begin;
      for (int64_t i = 0; i < n; ++i)
        to[begin + i] += from[i];
    }
  }
}

bool World::sumInOrder(float *values, int64_t n, int64_t number, Problem &problem) {
  auto rounded = [](int64_t floats) { return (floats + 15) & ~int64_t(15); };
  int64_t piece = rounded(n / count + 1), mostPiece = rounded(bucketFloats / count);
  piece = piece < mostPiece ? piece : mostPiece;
  int64_t bucket = piece * count, buckets = (n + bucket - 1) / bucket;
  if (!allocate(size_t(slots * (bucket + piece) + bucket) * sizeof(float), problem))
    return false;
  Bucket ring[slots];
  float *at = reinterpret_cast<float *>(memory.data);
  for (Bucket &each : ring) {
    each.received = at;
    each.own = at + bucket;
    at += bucket + piece;
  }
  // The last bucket has room behind its numbers; it goes by a place of its own.
  float *last = at;
  int64_t rest = n - (buckets - 1) * bucket;
  memcpy(last, values + n - rest, size_t(rest) * sizeof(float));
  memset(last + rest, 0, size_t(bucket - rest) * sizeof(float));
  auto place = [&](int64_t k) { return k == buckets - 1 ? last : values + k * bucket; };

  char what[96];
  for (int64_t k = 0; k < buckets + 2; ++k) {
    if (k < buckets) {
      Bucket &one = ring[k % slots];
      int code = mpi.Ialltoall(place(k), int(piece), mpi.floats, one.received, int(piece),
                               mpi.floats, mpi.world, &one.pieces);
      if (code)
        return mpi.fail("Ialltoall", code, problem);
    }
    if (k >= 1 && k - 1 < buckets) {
      Bucket &one = ring[(k - 1) % slots];
      snprintf(what, sizeof what, "bucket %lld of %lld of update %lld", (long long)k,
               (long long)buckets, (long long)number);
      if (!wait(one.pieces, what, problem))
        return false;
      add_pieces(one.received, piece, count, one.own);
      int code = mpi.Iallgather(one.own, int(piece), mpi.floats, place(k - 1), int(piece),
                                mpi.floats, mpi.world, &one.sums);
      if (code)
        return mpi.fail("Iallgather", code, problem);
    }
    if (k >= 2) {
      snprintf(what, sizeof what, "bucket %lld of %lld of update %lld", (long long)k - 1,
               (long long)buckets, (long long)number);
      if (!wait(ring[(k - 2) % slots].sums, what, problem))
        return false;
    }
  }
  memcpy(values + n - rest, last, size_t(rest) * sizeof(float));
  return true;
}

bool World::sumByEngine(float *values, int64_t n, int64_t number, Problem &problem) {
  int64_t bucket = n < bucketFloats ? n : bucketFloats, buckets = (n + bucket - 1) / bucket;
  if (!allocate(2 * size_t(bucket) * sizeof(float), problem))
    return false;
  float *sums[2] = {reinterpret_cast<float *>(memory.data),
                    reinterpret_cast<float *>(memory.data) + bucket};
  MpiRequest requests[2] = {};
  auto size_of = [&](int64_t k) { return k == buckets - 1 ? n - k * bucket : bucket; };
  char what[96];
  for (int64_t k = 0; k <= buckets; ++k) {
    if (k < buckets) {
      int code = mpi.Iallreduce(values + k * bucket, sums[k % 2], int(size_of(k)), mpi.floats,
                                mpi.sum, mpi.world, &requests[k % 2]);
      if (code)
        return mpi.fail("Iallreduce", code, problem);
    }
    if (k == 0)
      continue;
    snprintf(what, sizeof what, "bucket %lld of %lld of update %lld", (long long)k,
             (long long)buckets, (long long)number);
    if (!wait(requests[(k - 1) % 2], what, problem))
      return false;
    memcpy(values + (k - 1) * bucket, sums[(k - 1) % 2], size_t(size_of(k - 1)) * sizeof(float));
  }
  return true;
}

} // namespace symc::train
