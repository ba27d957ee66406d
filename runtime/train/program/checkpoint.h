// checkpoint.h: the sets of files that a training can go on from.
//
// PREFIX-symbol.json     the network
// PREFIX-000N.params     parameters "arg:NAME" and auxiliary states "aux:NAME" behind epoch N;
// MXNet
//                        loads these two
// PREFIX-000N.state      the optimizer's states, counters, the seed, the place in the epoch: what
//                        an exact resume needs, in the container of .params
// PREFIX-000N.manifest   sizes and hashes of the three, written last; without it there is no set
// PREFIX-000N.states     of MXNet, beside .params: the optimizer's states, pickled; read alone
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_CHECKPOINT_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_CHECKPOINT_H

#include "../../main/files.h"
#include "symc/runtime.h"
#include "symc/train.h"

namespace symc::train {

// Where a training is.
struct Progress {
  int64_t epoch = 0;   // epochs done
  int64_t batch = 0;   // batches done of the one at hand
  int64_t updates = 0; // for schedules of rates
  uint64_t seed = 0;
  int64_t rows = 0;      // of the training data
  int64_t batchRows = 0; // of an update
  int64_t shuffled = 1;
  int64_t ranks = 1; // processes
};

class Checkpoints {
public:
  // `prefix` NULL: nothing is saved. `symbol`: the network's JSON, or NULL.
  void start(const char *prefix, const char *symbol, const char *program);

  // Writes the set behind progress.epoch. What was whole before stays so until this one is.
  bool save(symc_context *context, const Progress &progress, Problem &problem);

  // The epoch of the newest whole set, or -1. Damaged sets are named on standard error.
  bool findNewest(int64_t &epoch, Problem &problem);
  // Loads the set of an epoch, or, without a manifest, the parameters of another program's
  // checkpoint. `found`: what there was of the rest of the training.
  enum class Found { Nothing, States, Training };
  bool load(symc_context *context, int64_t epoch, Progress &progress, Found &found,
            Problem &problem);

private:
  bool checkFile(const char *manifest, int64_t epoch, const char *line, Problem &problem);
  bool checkSet(int64_t epoch, int64_t &number, Problem &problem);
  bool path(const char *ending, int64_t epoch, char *text, Problem &problem) const;
  bool listManifests(bool (*visit)(void *user, int64_t epoch), void *user, Problem &problem);

  static constexpr size_t pathBytes = 4096;
  const char *prefix = nullptr, *symbol = nullptr, *program = "";
  int64_t lastNumber = -1; // of the sets that were written with this prefix; -1: not counted yet
};

// Sets parameters and auxiliary states from a file. Without `allowMissing`, one that lacks is an
// error; with it, those that lack keep their values: how many.
bool load_parameters(symc_context *context, const char *path, bool allowMissing, int64_t &missing,
                     Problem &problem);

} // namespace symc::train
#endif
