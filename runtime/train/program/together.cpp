// together.cpp: see together.h. Buckets are contiguous in the gradients' memory, so that nothing is
// packed; a bucket goes out when the last of the parameters that it touches is final
// (bucket_progress.h).
#include "together.h"

#include "feed.h"
#include "network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

namespace symc::train {

Together::~Together() {
  free(parts);
  free(owners);
}

bool Together::start(symc_context *of, World &with, const Request &how, Problem &problem) {
  const symc::Training &training = *of->training;
  world = &with;
  request = how;
  gradients = training.gradients;
  count = int64_t(training.gradientBytes / sizeof(float));
  int32_t n = training.nParameters;
  parts = static_cast<Part *>(calloc(size_t(n) + 1, sizeof(Part)));
  if (!parts)
    return problem.set(RunFailed, "cannot allocate %zu bytes", size_t(n) * sizeof(Part));
  for (int32_t i = 0; i < n; ++i) {
    const Parameter &parameter = training.parameters[i];
    if (!parameter.gradient)
      continue;
    int64_t begin = parameter.gradient - gradients;
    if (nParts)
      parts[nParts - 1].limit = begin;
    parts[nParts++] = {i, begin, begin + parameter.count, count, false};
  }
  if (request.how == Sum::Kept) {
    if (!shardTasks(training, problem))
      return false;
  } else if (!sum.plan(*world, count, request.how, nullptr, 0, problem)) {
    return false;
  }
  if (!progress.plan(*world, sum, problem))
    return false;
  context = of;
  dropStates();
  return true;
}

// --- One update ------------------------------------------------------------------

void Together::begin(int64_t number, const float *sums) {
  earlier = sums;
  bad = -1;
  runs = true;
  sum.start(gradients, number);
  progress.begin();
  for (int64_t i = 0; i < nParts; ++i)
    parts[i].isFinal = false;
  symc_watch_gradients(context, watch, this);
}

void Together::finished(Part &part) {
  float *to = gradients + part.begin;
  int64_t n = part.end - part.begin;
  part.isFinal = true;
  for (int64_t i = 0; earlier && i < n; ++i)
    to[i] = earlier[part.begin + i] + to[i];
  if (request.checks && bad < 0 && !all_finite(to, n))
    bad = part.parameter;
  progress.finished(part.begin, part.limit - part.begin);
}

// A rank that has found a number that is none sends nothing more: it may end the training.
void Together::watch(void *user, size_t first, size_t n) {
  Together &self = *static_cast<Together *>(user);
  double begun = seconds_now();
  int64_t low = 0, high = n ? self.nParts : 0; // the part that begins there
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    (self.parts[middle].begin <= int64_t(first) ? low : high) = middle;
  }
  if (n)
    self.finished(self.parts[low]);
  if (self.bad < 0 && !self.broken && self.progress.isOrdered())
    self.broken = !self.sum.advance(self.trouble);
  self.seconds += seconds_now() - begun;
}

const char *Together::notFinite() const {
  return bad < 0 ? nullptr : context->training->parameters[bad].info->name;
}

bool Together::finish(bool leftOut, int64_t number, Problem &problem) {
  double begun = seconds_now();
  if (broken) {
    problem = trouble;
    return false;
  }
  if (!runs) // left out before the last run
    begin(number, nullptr);
  symc_watch_gradients(context, nullptr, nullptr);
  runs = false;
  buckets += sum.buckets();
  early += sum.sentBuckets();
  for (int64_t i = 0; i < nParts && !leftOut; ++i)
    if (!parts[i].isFinal)
      finished(parts[i]);
  if (leftOut && count)
    gradients[sum.begin(sum.lastBucket())] = NAN;
  if (!sum.finish(problem) ||
      (!progress.isOrdered() && request.overlaps && !progress.learnOrder(problem)))
    return false;
  seconds += seconds_now() - begun;
  return true;
}

bool Together::checkSums(bool &finite, Problem &problem) {
  finite = true;
  if (request.how != Sum::Kept) {
    finite = all_finite(gradients, count);
    return true;
  }
  for (int64_t bucket = 0; bucket < sum.buckets() && finite; ++bucket) {
    int64_t begin = sum.pieceBegin(bucket, world->rank());
    finite = all_finite(gradients + begin, sum.pieceEnd(bucket, world->rank()) - begin);
  }
  Bytes all;
  char own = finite;
  if (!all.allocate(size_t(world->size()), problem) ||
      !world->gather(&own, all.data, 1, "the check of sums", problem))
    return false;
  for (int rank = 0; rank < world->size(); ++rank)
    finite = finite && all.data[rank];
  return true;
}

// --- States of the optimizer, a piece in each rank ---------------------------------

// Pieces end where tasks of an update do, so that a task is of one rank.
bool Together::shardTasks(const symc::Training &training, Problem &problem) {
  nTasks = training.nTasks;
  Bytes memory;
  owners = static_cast<int32_t *>(calloc(size_t(nTasks) + 1, sizeof(int32_t)));
  if (!owners || !memory.allocate(size_t(nTasks) * 2 * sizeof(int64_t), problem))
    return problem.set(RunFailed, "cannot allocate %zu bytes", size_t(nTasks) * sizeof(int64_t));
  int64_t *begins = reinterpret_cast<int64_t *>(memory.data), *ends = begins + nTasks, task = 0;
  for (int64_t i = 0; i < nParts; ++i)
    for (int64_t at = parts[i].begin; at < parts[i].end; at += SYMC_UPDATE_RANGE)
      begins[task++] = at;
  for (int64_t i = 0; i < nTasks; ++i)
    ends[i] = i + 1 < nTasks ? begins[i + 1] : count;
  if (!sum.plan(*world, count, Sum::Kept, ends, nTasks, problem))
    return false;
  for (int64_t i = 0, bucket = 0, rank = 0; i < nTasks; ++i) {
    while (begins[i] >= sum.pieceEnd(bucket, rank)) {
      rank = rank + 1 == world->size() ? 0 : rank + 1;
      bucket += rank == 0;
    }
    owners[i] = int32_t(rank);
  }
  return true;
}

// Sums over whole parameters, of which each task's rank has its part.
bool Together::joinSums(void *user, double *partial, int64_t tasks) {
  Together &self = *static_cast<Together *>(user);
  size_t numbers = size_t(tasks) * SYMC_MAX_SUMS, ranks = size_t(self.world->size());
  Bytes all;
  if (!all.allocate(ranks * numbers * sizeof(double), *self.joinProblem) ||
      !self.world->gather(partial, all.data, int(numbers * sizeof(double)), "sums of the optimizer",
                          *self.joinProblem))
    return false;
  const double *from = reinterpret_cast<const double *>(all.data);
  for (int64_t task = 0; task < tasks; ++task)
    memcpy(partial + task * SYMC_MAX_SUMS,
           from + size_t(self.owners[task]) * numbers + task * SYMC_MAX_SUMS,
           SYMC_MAX_SUMS * sizeof(double));
  return true;
}

// work(part, first element in it, number of elements, place behind `begin`) for what lies in
// begin..end of the gradients' memory.
template <class Do> void Together::eachPiece(int64_t begin, int64_t end, Do work) {
  for (int64_t i = 0; i < nParts; ++i) {
    const Part &part = parts[i];
    int64_t from = part.begin > begin ? part.begin : begin, to = part.end < end ? part.end : end;
    if (from < to)
      work(part, from - part.begin, to - from, from - begin);
  }
}

void Together::copyArray(void *user, int64_t begin, int64_t end, float *values, bool taken) {
  Together &self = *static_cast<Together *>(user);
  bool wanted = !taken || self.arrayNumber < 0 || self.world->rank() == 0;
  self.eachPiece(begin, end, [&](const Part &part, int64_t first, int64_t n, int64_t place) {
    const Parameter &parameter = self.context->training->parameters[part.parameter];
    float *array =
        (self.arrayNumber < 0 ? parameter.weight : parameter.states[self.arrayNumber]) + first;
    if (wanted)
      memcpy(taken ? array : values + place, taken ? values + place : array,
             size_t(n) * sizeof(float));
  });
}

bool Together::update(const symc_hyper &hyper, Problem &problem) {
  UpdatePieces pieces = {owners, world->rank(), joinSums, this};
  joinProblem = &problem;
  symc_status status = update_pieces(context, &hyper, owners ? &pieces : nullptr);
  if (status != SYMC_STATUS_OK)
    return problem.text[0] ? false : problem.set(RunFailed, "%s", symc_last_error(context));
  double begun = seconds_now();
  arrayNumber = -1;
  if (owners && !sum.share(copyArray, this, "the updated weights", problem))
    return false;
  seconds += seconds_now() - begun;
  return true;
}

bool Together::gatherStates(Problem &problem) {
  for (int32_t k = 0; owners && k < context->training->nStates; ++k) {
    arrayNumber = k;
    if (!sum.share(copyArray, this, "the states of the optimizer", problem))
      return false;
  }
  return true;
}

// Pages of states that are other ranks' go back to the system; read again they are zeros.
void Together::dropStates() {
  constexpr uintptr_t page = 4096;
  if (!owners)
    return;
  const symc::Training &training = *context->training;
  for (int32_t k = 0; k < training.nStates; ++k)
    for (int64_t bucket = 0; bucket < sum.buckets(); ++bucket)
      for (int rank = 0; rank < world->size(); ++rank) {
        if (rank == world->rank())
          continue;
        eachPiece(sum.pieceBegin(bucket, rank), sum.pieceEnd(bucket, rank),
                  [&](const Part &part, int64_t first, int64_t n, int64_t) {
                    float *from = training.parameters[part.parameter].states[k] + first;
                    uintptr_t begin = (uintptr_t(from) + page - 1) & ~(page - 1);
                    uintptr_t end = uintptr_t(from + n) & ~(page - 1);
                    if (begin >= end)
                      return;
                    void *pages = reinterpret_cast<void *>(begin);
                    madvise(pages, end - begin, MADV_NOHUGEPAGE); // which would bring them back
                    madvise(pages, end - begin, MADV_DONTNEED);
                  });
      }
}

} // namespace symc::train
