// distributed.cpp: what a training of several processes does beside that of one. Each process, a
// rank, takes its part of every batch; gradients are summed (collective/world.h), so that all make
// the same update; rank 0 speaks and saves.
#include "training.h"

#include "../../core/hash.h"

#include <math.h>
#include <string.h>

namespace symc::train {

static bool begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

bool Training::chooseStore(Problem &problem) {
  const Options &given = *options;
  const char *store = given.text(Option::KvStore);
  const char *const together[] = {"dist_sync", "dist_device_sync", "dist_sync_device"};
  bool joins = false;
  for (const char *name : together)
    joins = joins || strcmp(store, name) == 0;
  bool alone =
      strcmp(store, "local") == 0 || begins_with(store, "local_") || strcmp(store, "device") == 0;
  if (begins_with(store, "dist_") && strstr(store, "async"))
    return problem.set(Usage,
                       "--kv-store: '%s' lets workers go on with old parameters, which symc does "
                       "not do: expected dist_sync",
                       store);
  if (!joins && !alone)
    return problem.set(
        Usage,
        "--kv-store: expected local or device, which are this process, or dist_sync, "
        "which is all that mpirun starts, got '%s'",
        store);
  const char *compression = given.text(Option::GcType);
  static const struct {
    Option option;
    const char *reason;
  } idle[] = {{Option::GcType, "nothing is sent, so nothing is compressed"},
              {Option::Timeout, "no other process is waited for"},
              {Option::Overlap, "nothing is sent"},
              {Option::ShardStates, "there is no other process to keep states"}};
  for (const auto &row : idle)
    if (alone && given.given(row.option))
      report.print("%s: note: %s does nothing here: %s", model->name, Options::spelling(row.option),
                   row.reason);
  if (joins && compression && strcmp(compression, "none") != 0)
    return problem.set(Usage, "--gc-type: gradients are sent whole: expected none, got '%s'",
                       compression);
  const char *sum = given.text(Option::Sum);
  if (strcmp(sum, "fixed") != 0 && strcmp(sum, "engine") != 0)
    return problem.set(Usage, "--sum: expected fixed or engine, got '%s'", sum);
  const char *overlap = given.text(Option::Overlap);
  if (strcmp(overlap, "on") != 0 && strcmp(overlap, "off") != 0)
    return problem.set(Usage, "--overlap: expected on or off, got '%s'", overlap);
  togetherRequest.overlaps = strcmp(overlap, "on") == 0;
  togetherRequest.checks = nan != NanPolicy::Ignore;
  bool shards = given.on(Option::ShardStates);
  if (shards && sum[0] == 'e')
    return problem.set(Usage, "--shard-states adds pieces in the order of processes, and "
                              "--sum engine does not: expected one of them");
  if (shards && given.count(Option::Monitor))
    return problem.set(Usage, "--monitor: with --shard-states no process has the gradients: "
                              "expected 0");
  togetherRequest.how = shards ? Sum::Kept : sum[0] == 'e' ? Sum::Engine : Sum::Ordered;

  Launcher launcher = find_launcher();
  if (!check_workers(launcher, model->name, problem))
    return false;
  int64_t workers = launcher.size > launcher.workers ? launcher.size : launcher.workers;
  if (!joins && workers > 1)
    return problem.set(Usage,
                       "%s is %lld, and with --kv-store %s each process would train by itself: "
                       "pass --kv-store dist_sync",
                       launcher.size == workers ? launcher.variable : "DMLC_NUM_WORKER",
                       (long long)workers, store);
  bool launched = launcher.kind != Launcher::None || launcher.size;
  if (joins && !launched)
    report.print("%s: note: no mpirun started this process: it trains alone", model->name);
  if (joins && launched && !world.start(launcher, given.number(Option::Timeout), problem)) {
#ifndef __GLIBC__
    noteCommand(network.batch, "-dynamic", problem);
#endif
    return false;
  }
  if (world.rank() > 0)
    report.silence();
  return true;
}

// --- What has to be the same everywhere ------------------------------------------

bool Training::compareRanks(Problem &problem) {
  if (world.size() == 1)
    return true;
  size_t gradientBytes = 0;
  symc_gradient_memory(context, &gradientBytes);
  const Options &given = *options;
  auto bits_of = [](double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
  };
  const struct {
    const char *what;
    int64_t value;
    bool real;
  } facts[] = {
      {"rows of training data", progress.rows, false},
      {"rows of validation data", validates ? validationSource.rows : 0, false},
      {"rows in a batch of all ranks", progress.batchRows, false},
      {"bytes of gradients", int64_t(gradientBytes), false},
      {"as --num-epochs", given.count(Option::NumEpochs), false},
      {"as --seed", int64_t(progress.seed), false},
      {"epochs done (is the folder of --model-prefix the same?)", progress.epoch, false},
      {"as --disp-batches", given.count(Option::DispBatches), false},
      {"as --save-period", given.count(Option::SavePeriod), false},
      {"as shuffled (0 or 1)", progress.shuffled, false},
      {"numbers of metrics", measures.numberCount(), false},
      {"as --sum (0: fixed, 1: engine) or --shard-states (2)", int64_t(togetherRequest.how), false},
      {"as --overlap (1: on)", togetherRequest.overlaps, false},
      {"as --nan (0: stop, 1: skip, 2: ignore)", int64_t(nan), false},
      {"files to save (0 or 1)", given.text(Option::ModelPrefix) != nullptr, false},
      {"as learning rate", bits_of(rates.of(progress.updates + 1)), true},
      {"as weight decay", bits_of(hyper("wd")), true},
  };
  constexpr size_t n = sizeof facts / sizeof facts[0];
  int64_t own[n];
  for (size_t i = 0; i < n; ++i)
    own[i] = facts[i].value;
  Bytes all;
  if (!all.allocate(size_t(world.size()) * sizeof own, problem) ||
      !world.gather(own, all.data, sizeof own, "the comparison of options", problem))
    return false;
  const int64_t *values = reinterpret_cast<const int64_t *>(all.data);
  for (int rank = 1; rank < world.size(); ++rank)
    for (size_t i = 0; i < n; ++i) {
      int64_t first = values[i], other = values[size_t(rank) * n + i];
      if (first == other)
        continue;
      if (!facts[i].real)
        return problem.set(Usage, "rank %d has %lld %s, rank 0 has %lld", rank, (long long)other,
                           facts[i].what, (long long)first);
      double numbers[2];
      memcpy(&numbers[0], &first, sizeof first);
      memcpy(&numbers[1], &other, sizeof other);
      return problem.set(Usage, "rank %d has %g %s, rank 0 has %g", rank, numbers[1], facts[i].what,
                         numbers[0]);
    }
  return true;
}

bool Training::compareParameters(const char *when, Problem &problem) {
  if (world.size() == 1)
    return true;
  uint64_t hash = 0;
  Bytes value, all;
  for (int32_t i = 0; i < symc_parameter_count(model); ++i) {
    bool isState;
    if (!readParameter(i, value, isState, problem))
      return false;
    if (isState)
      continue;
    const uint64_t both[] = {hash, xxh3_64(value.data, value.size)};
    hash = xxh3_64(both, sizeof both);
  }
  if (!all.allocate(size_t(world.size()) * sizeof hash, problem) ||
      !world.gather(&hash, all.data, sizeof hash, "the comparison of parameters", problem))
    return false;
  const uint64_t *hashes = reinterpret_cast<const uint64_t *>(all.data);
  for (int rank = 1; rank < world.size(); ++rank)
    if (hashes[rank] != hashes[0])
      return problem.set(
          RunFailed, "%s, rank %d has other parameters than rank 0: hash %016llx beside %016llx",
          when, rank, (unsigned long long)hashes[rank], (unsigned long long)hashes[0]);
  return true;
}

// --- Sums --------------------------------------------------------------------------

bool Training::beginTogether(Problem &problem) {
  statistics.start(world, nan == NanPolicy::Stop);
  return world.size() == 1 ||
         (!failed(symc_join_ranks(context, world.size(), Statistics::gather, &statistics),
                  problem) &&
          together.start(context, world, togetherRequest, problem));
}

// Where a rank has left its batch out (--nan skip), a number that is none makes all leave it out.
bool Training::sumGradients(bool leftOut, bool &finite, Problem &problem) {
  finite = true;
  if (!together.finish(leftOut, progress.updates + 1, problem) ||
      (nan != NanPolicy::Ignore && !together.checkSums(finite, problem)))
    return false;
  if (finite || nan == NanPolicy::Skip)
    return true;
  return problem.set(RunFailed,
                     "epoch %lld, batch %lld: the sum of all ranks' gradients has numbers that are "
                     "not finite; no parameter has changed",
                     (long long)progress.epoch, (long long)progress.batch);
}

// Makes the metrics those of all ranks, until the next batch.
bool Training::shareMeasures(Problem &problem) {
  allLossSum = lossSum;
  allLossCount = lossCount;
  if (world.size() == 1)
    return true;
  size_t n = size_t(measures.numberCount()) + 2, ranks = size_t(world.size());
  Bytes memory;
  if (!memory.allocate((ranks + 1) * n * sizeof(double), problem))
    return false;
  double *own = reinterpret_cast<double *>(memory.data), *all = own + n;
  measures.numbers(own);
  own[n - 2] = lossSum;
  own[n - 1] = double(lossCount);
  if (!world.gather(own, all, int(n * sizeof(double)), "the sum of metrics", problem))
    return false;
  memset(own, 0, n * sizeof(double));
  for (size_t rank = 0; rank < ranks; ++rank)
    for (size_t i = 0; i < n; ++i)
      own[i] += all[rank * n + i];
  measures.share(own);
  allLossSum = own[n - 2];
  allLossCount = int64_t(own[n - 1]);
  return true;
}

// Moving statistics are each rank's own while an epoch runs, as in MXNet; then all take their mean,
// as devices of one process do there: what is saved is what was measured.
bool Training::averageStates(Problem &problem) {
  if (world.size() == 1 || symc_state_count(model) == 0)
    return true;
  if (!keepStates(false, problem))
    return false;
  uint8_t *at = stateMemory.data;
  Bytes all;
  for (int32_t i = 0; i < symc_state_count(model); ++i) {
    const symc_tensor_info &info = *symc_state(model, i);
    size_t bytes = size_t(info.max_bytes), ranks = size_t(world.size());
    if (info.dtype == SYMC_F32) {
      if (!all.allocate(ranks * bytes, problem) ||
          !world.gather(at, all.data, int(bytes), "the mean of moving statistics", problem))
        return false;
      const float *values = reinterpret_cast<const float *>(all.data);
      float *mean = reinterpret_cast<float *>(at);
      size_t n = bytes / sizeof(float);
      for (size_t k = 0; k < n; ++k) {
        double sum = 0;
        for (size_t rank = 0; rank < ranks; ++rank)
          sum += double(values[rank * n + k]);
        mean[k] = float(sum / double(ranks));
      }
    }
    at += (bytes + 63) & ~size_t(63);
  }
  return keepStates(true, problem);
}

} // namespace symc::train
