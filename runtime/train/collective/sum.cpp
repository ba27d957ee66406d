// sum.cpp: see sum.h.
#include "sum.h"

#include "world.h"

#include <stdio.h>
#include <string.h>

namespace symc::train {

// --- Buckets and pieces --------------------------------------------------------

static int64_t rounded(int64_t floats) { return (floats + 15) & ~int64_t(15); }

void Sum::cutEqually(int64_t n) {
  for (int64_t bucket = 0; bucket < nBuckets; ++bucket) {
    int64_t first = bucket * bucketFloats;
    int64_t size = n - first < bucketFloats ? n - first : bucketFloats;
    int64_t piece = rounded((size + ranks - 1) / ranks);
    for (int64_t r = 0; r < ranks; ++r)
      cuts[bucket * ranks + r] = first + (r * piece < size ? r * piece : size);
  }
  cuts[nBuckets * ranks] = n;
}

// A bucket ends at the first place that makes it full, a piece at the first that is not before its
// part of the bucket.
void Sum::cutAt(const int64_t *ends, int64_t nEnds) {
  int64_t begin = 0, bucket = 0;
  for (int64_t at = 0; at < nEnds; ++bucket) {
    int64_t last = at;
    while (last + 1 < nEnds && ends[last] - begin < bucketFloats)
      ++last;
    int64_t size = ends[last] - begin;
    cuts[bucket * ranks] = begin;
    for (int64_t r = 1; r < ranks; ++r) {
      while (at < last && (ends[at] - begin) * ranks < r * size)
        ++at;
      cuts[bucket * ranks + r] = ends[at];
    }
    begin = ends[last];
    at = last + 1;
  }
  nBuckets = bucket;
  cuts[nBuckets * ranks] = begin;
}

bool Sum::plan(World &of, int64_t n, How how, const int64_t *ends, int64_t nEnds,
               Problem &problem) {
  world = nullptr;
  manner = how;
  count = n;
  ranks = of.size();
  rank = of.rank();
  nBuckets = (n + bucketFloats - 1) / bucketFloats; // at most, where places are given
  size_t places = (size_t(nBuckets * ranks) + 1) * sizeof(int64_t);
  size_t numbers = size_t(slotCount * 6 * ranks) * sizeof(int);
  Bytes fresh;
  if (!fresh.allocate(places + numbers + size_t(nBuckets) * (sizeof(int32_t) + 1), problem))
    return false;
  tables.swap(fresh);
  cuts = reinterpret_cast<int64_t *>(tables.data);
  int *counts = reinterpret_cast<int *>(tables.data + places);
  order = reinterpret_cast<int32_t *>(tables.data + places + numbers);
  ready = reinterpret_cast<char *>(order + nBuckets);
  if (ends)
    cutAt(ends, nEnds);
  else
    cutEqually(n);
  for (int64_t i = 0; i < nBuckets; ++i)
    order[i] = int32_t(i);
  for (int i = 0; i < slotCount; ++i)
    slots[i].counts = counts + i * 6 * ranks;
  if (!allocateSlots(problem))
    return false;
  world = &of;
  return true;
}

bool Sum::allocateSlots(Problem &problem) {
  int64_t most = 0, mostOwn = 0;
  for (int64_t bucket = 0; bucket < nBuckets; ++bucket) {
    int64_t size = end(bucket) - begin(bucket);
    int64_t own = pieceEnd(bucket, rank) - pieceBegin(bucket, rank);
    most = size > most ? size : most;
    most = own * ranks > most ? own * ranks : most;
    mostOwn = own > mostOwn ? own : mostOwn;
  }
  most = rounded(most);
  mostOwn = manner == Engine ? 0 : rounded(mostOwn);
  Bytes fresh;
  if (!fresh.allocate(size_t(slotCount * (most + mostOwn)) * sizeof(float), problem))
    return false;
  memory.swap(fresh);
  float *at = reinterpret_cast<float *>(memory.data);
  for (Slot &slot : slots) {
    slot.received = at;
    slot.own = at + most;
    at += most + mostOwn;
  }
  return true;
}

void Sum::setOrder(const int32_t *given) { memcpy(order, given, size_t(nBuckets) * sizeof *order); }

void Sum::name(int64_t position, char *text, size_t bytes) const {
  snprintf(text, bytes, "bucket %lld of %lld of update %lld", (long long)position + 1,
           (long long)nBuckets, (long long)updateNumber);
}

// --- One bucket after the other ------------------------------------------------

void Sum::start(float *values, int64_t number) {
  array = values;
  updateNumber = number;
  sent = added = done = 0;
  memset(ready, 0, size_t(nBuckets));
}

bool Sum::sendNext(Problem &problem) {
  int64_t bucket = order[sent];
  Slot &slot = slotAt(sent);
  Mpi &mpi = world->mpi;
  slot.request = 0;
  ++sent;
  if (manner == Engine) {
    int code =
        mpi.Iallreduce(array + begin(bucket), slot.received, int(end(bucket) - begin(bucket)),
                       mpi.floats, mpi.sum, world->forPieces, &slot.request);
    return code == 0 || mpi.fail("Iallreduce", code, problem);
  }
  int *outCounts = slot.counts, *outPlaces = outCounts + ranks, *inCounts = outPlaces + ranks,
      *inPlaces = inCounts + ranks;
  int own = int(pieceEnd(bucket, rank) - pieceBegin(bucket, rank));
  for (int64_t r = 0; r < ranks; ++r) {
    outCounts[r] = int(pieceEnd(bucket, r) - pieceBegin(bucket, r));
    outPlaces[r] = int(pieceBegin(bucket, r) - begin(bucket));
    inCounts[r] = own;
    inPlaces[r] = int(r) * own;
  }
  int code = mpi.Ialltoallv(array + begin(bucket), outCounts, outPlaces, mpi.floats, slot.received,
                            inCounts, inPlaces, mpi.floats, world->forPieces, &slot.request);
  return code == 0 || mpi.fail("Ialltoallv", code, problem);
}

// to[i] = pieces[0][i] + pieces[1][i] + ...
static void add_pieces(const float *pieces, int64_t stride, int64_t ranks, float *to) {
  constexpr int64_t range = 4096; // stays in the first cache
  for (int64_t begin = 0; begin < stride; begin += range) {
    int64_t n = begin + range < stride ? range : stride - begin;
    memcpy(to + begin, pieces + begin, size_t(n) * sizeof(float));
    for (int64_t r = 1; r < ranks; ++r) {
      const float *from = pieces + r * stride + begin;
      for (int64_t i = 0; i < n; ++i)
        to[begin + i] += from[i];
    }
  }
}

// Starts to bring the pieces of a bucket to all ranks: this one's is in the slot.
int Sum::gather(int64_t bucket, Slot &slot, float *to) {
  Mpi &mpi = world->mpi;
  int *counts = slot.counts + 4 * ranks, *places = counts + ranks;
  for (int64_t r = 0; r < ranks; ++r) {
    counts[r] = int(pieceEnd(bucket, r) - pieceBegin(bucket, r));
    places[r] = int(pieceBegin(bucket, r) - begin(bucket));
  }
  slot.request = 0;
  return mpi.Iallgatherv(slot.own, counts[rank], mpi.floats, to, counts, places, mpi.floats,
                         world->forSums, &slot.request);
}

// What has arrived of the next bucket: added up, and sent back.
bool Sum::addNext(Problem &problem) {
  int64_t bucket = order[added];
  Slot &slot = slotAt(added);
  ++added;
  int64_t own = pieceEnd(bucket, rank) - pieceBegin(bucket, rank);
  if (manner == Kept)
    add_pieces(slot.received, own, ranks, array + pieceBegin(bucket, rank));
  if (manner != Ordered)
    return true;
  add_pieces(slot.received, own, ranks, slot.own);
  int code = gather(bucket, slot, array + begin(bucket));
  return code == 0 || world->mpi.fail("Iallgatherv", code, problem);
}

bool Sum::test(int64_t position, bool &isDone, Problem &problem) {
  int flag = 0;
  Mpi &mpi = world->mpi;
  int code = mpi.Test(&slotAt(position).request, &flag, mpi.statusIgnore);
  isDone = flag;
  return code == 0 || mpi.fail("Test", code, problem);
}

// True where the sums of the next bucket are there already.
bool Sum::takeNext() {
  int64_t bucket = order[done];
  if (manner == Engine)
    memcpy(array + begin(bucket), slotAt(done).received,
           size_t(end(bucket) - begin(bucket)) * sizeof(float));
  ++done;
  return true;
}

bool Sum::advance(Problem &problem) {
  for (bool moved = true; moved;) {
    moved = false;
    bool isDone = false;
    if (sent < nBuckets && sent - done < slotCount && ready[order[sent]]) {
      if (!sendNext(problem))
        return false;
      moved = true;
    }
    if (added < sent) {
      if (!test(added, isDone, problem) || (isDone && !addNext(problem)))
        return false;
      moved = moved || isDone;
    }
    if (done < added) {
      isDone = manner != Ordered;
      if (!isDone && !test(done, isDone, problem))
        return false;
      moved = moved || (isDone && takeNext());
    }
  }
  return true;
}

bool Sum::finish(Problem &problem) {
  memset(ready, 1, size_t(nBuckets));
  char what[96];
  while (done < nBuckets) {
    if (!advance(problem))
      return false;
    if (done == nBuckets)
      break;
    // Pieces first: sums of buckets before come with them.
    bool ofPieces = added < sent;
    int64_t position = ofPieces ? added : done;
    name(position, what, sizeof what);
    if (!world->wait(slotAt(position).request, what, problem))
      return false;
    if (ofPieces ? !addNext(problem) : !takeNext())
      return false;
  }
  return true;
}

// --- Pieces that ranks keep ------------------------------------------------------

bool Sum::share(Copy copy, void *user, const char *what, Problem &problem) {
  for (int64_t bucket = 0; bucket <= nBuckets; ++bucket) {
    if (bucket < nBuckets) {
      Slot &slot = slotAt(bucket);
      copy(user, pieceBegin(bucket, rank), pieceEnd(bucket, rank), slot.own, false);
      if (int code = gather(bucket, slot, slot.received))
        return world->mpi.fail("Iallgatherv", code, problem);
    }
    if (bucket == 0)
      continue;
    Slot &before = slotAt(bucket - 1);
    if (!world->wait(before.request, what, problem))
      return false;
    copy(user, begin(bucket - 1), end(bucket - 1), before.received, true);
  }
  return true;
}

// --- At once ---------------------------------------------------------------------

bool World::sum(float *values, int64_t n, bool engine, int64_t number, Problem &problem) {
  if (count == 1 || n == 0)
    return true;
  Sum::How how = engine ? Sum::Engine : Sum::Ordered;
  if (!whole.isPlanned(n, how) && !whole.plan(*this, n, how, nullptr, 0, problem))
    return false;
  whole.start(values, number);
  return whole.finish(problem);
}

} // namespace symc::train
