// bucket_progress.cpp: see bucket_progress.h.
#include "bucket_progress.h"

#include <string.h>

namespace symc::train {

bool BucketProgress::plan(World &of, Sum &with, Problem &problem) {
  size_t n = size_t(with.buckets());
  Bytes fresh;
  if (!fresh.allocate(n * (sizeof(int64_t) + sizeof(int32_t)), problem))
    return false;
  memory.swap(fresh);
  missing = reinterpret_cast<int64_t *>(memory.data);
  places = reinterpret_cast<int32_t *>(missing + n);
  world = &of;
  sum = &with;
  ordered = false;
  return true;
}

void BucketProgress::begin() {
  nFinal = 0;
  for (int64_t bucket = 0; bucket < sum->buckets(); ++bucket) {
    missing[bucket] = sum->end(bucket) - sum->begin(bucket);
    places[bucket] = -1;
  }
}

void BucketProgress::finished(int64_t first, int64_t n) {
  for (int64_t bucket = 0; bucket < sum->buckets(); ++bucket) {
    int64_t from = sum->begin(bucket) > first ? sum->begin(bucket) : first;
    int64_t to = sum->end(bucket) < first + n ? sum->end(bucket) : first + n;
    // A caller of libsymc may report numbers twice: a bucket becomes final once.
    if (from >= to || missing[bucket] <= 0 || (missing[bucket] -= to - from) > 0)
      continue;
    places[bucket] = nFinal++;
    if (ordered && bucket != sum->lastBucket())
      sum->setReady(bucket);
  }
}

bool BucketProgress::learnOrder(Problem &problem) {
  size_t n = size_t(sum->buckets()), bytes = n * sizeof(int32_t), ranks = size_t(world->size());
  Bytes lists;
  if (!lists.allocate((ranks + 1) * bytes, problem))
    return false;
  int32_t *own = reinterpret_cast<int32_t *>(lists.data), *all = own + n;
  for (size_t bucket = 0; bucket < n; ++bucket) {
    if (places[bucket] < 0) // this rank left its gradients out
      places[bucket] = nFinal++;
    own[places[bucket]] = int32_t(bucket);
  }
  if (n && !world->gather(own, all, int(bytes), "the order of buckets", problem))
    return false;
  sum->setOrder(all); // rank 0's
  ordered = true;
  return true;
}

} // namespace symc::train
