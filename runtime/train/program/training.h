// training.h: one training of the program: data, parameters, epochs, logs, checkpoints.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_TRAINING_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_TRAINING_H

#include "checkpoint.h"
#include "feed.h"
#include "history.h"
#include "measures.h"
#include "network.h"
#include "options.h"
#include "rates.h"
#include "report.h"
#include "statistics.h"
#include "together.h"

namespace symc::train {

enum class NanPolicy { Stop, Skip, Ignore };

// The word of --updates, or NULL: fused. A sentence where it is another one.
bool read_updates(const char *word, symc_updates &updates, Problem &problem);

class Training {
public:
  ~Training();
  Training() = default;
  Training(const Training &) = delete;
  Training &operator=(const Training &) = delete;

  bool run(const symc_model &model, const symc_program *program, const Options &options,
           Problem &problem);
  // The processes that train together; of one before run has found others.
  World world;

private:
  Together together; // their gradients
  Statistics statistics;
  // In the order in which run calls them.
  bool checkFixed(Problem &problem); // options that are fixed when compiled, or idle
  bool checkShapes(Problem &problem);
  bool chooseUpdates(Problem &problem);
  bool openContext(Problem &problem);
  bool openData(Problem &problem);
  bool chooseRates(Problem &problem);
  bool beginParameters(Problem &problem);
  bool testIo(Problem &problem);
  bool trainEpoch(int64_t epoch, Problem &problem);
  bool validate(int64_t epoch, Problem &problem);
  bool endEpoch(int64_t epoch, Problem &problem);
  void finish();

  // One update on the rows of a batch; `done`: false where it was skipped.
  bool step(const Batch &rows, bool &done, Problem &problem);
  bool stepAtOnce(const Batch &rows, Problem &problem);
  bool compute(const Batch &rows, int64_t part, Problem &problem);
  bool isFinite(const Batch &rows, int64_t part, bool summed, bool &finite, Problem &problem);
  bool readParameter(int32_t index, Bytes &value, bool &isState, Problem &problem);
  bool findSource(const Batch &rows, int64_t part, char *what, size_t bytes, Problem &problem);
  bool update(Problem &problem);
  bool endUpdate(Problem &problem);
  bool keepStates(bool restore, Problem &problem);
  bool measureStep(const Batch &rows, int64_t part, int64_t counted, Problem &problem);
  bool sayBatch(int64_t epoch, int64_t index, Problem &problem);
  void sayLive(int64_t epoch, int64_t index);
  bool monitor(int64_t number, Problem &problem);
  // Of several processes (distributed.cpp); they do nothing where there is one.
  bool chooseStore(Problem &problem);
  bool compareRanks(Problem &problem);
  bool compareParameters(const char *when, Problem &problem);
  bool beginTogether(Problem &problem);
  bool sumGradients(bool leftOut, bool &finite, Problem &problem);
  bool shareMeasures(Problem &problem);
  bool averageStates(Problem &problem);
  bool freeze(Problem &problem);
  bool augmentation(Augmentation &steps, Problem &problem);
  bool request(Option data, Option label, bool validation, Request &request, Problem &problem);
  bool openSource(Option data, Option label, bool validation, Source &source, Problem &problem);
  int readerThreads(const Source &source) const;
  bool sayStart(Problem &problem);
  // How to compile another trainer: `more` stands behind the shapes.
  void noteCommand(int64_t batch, const char *more, Problem &problem);
  bool failed(symc_status status, Problem &problem);
  double hyper(const char *name) const;
  bool hasHyper(const char *name) const;
  bool isNamed(const char *name) const; // by --optimizer of symc train

  const symc_model *model = nullptr;
  const symc_program *program = nullptr;
  const Options *options = nullptr;
  Network network;
  symc_context *context = nullptr;
  Report report;
  Source trainSource, validationSource;
  bool validates = false;
  Order trainOrder, validationOrder, counts; // counts: of batches, beside trainOrder's threads
  Feed trainFeed, validationFeed;
  Measures measures;
  Rates rates;
  History history;
  Checkpoints checkpoints;
  Progress progress;
  NanPolicy nan = NanPolicy::Stop;
  bool fused = false; // parameters change while backward goes on
  int64_t parts = 1;  // batches of an update
  symc_hyper hyperValues = {};
  float **outputs = nullptr; // of a step, one for each of the network's
  symc_tensor *inputTensors = nullptr, *outputTensors = nullptr;
  Bytes outputMemory, sumMemory, stateMemory, frozenMemory;
  bool *frozen = nullptr; // parameters that --freeze names
  bool anyFrozen = false;
  char trainImages[4096], trainLabels[4096], valImages[4096], valLabels[4096]; // of --data-dir
  int64_t firstEpoch = 0;
  double epochBegun = 0, lineBegun = 0, trainSeconds = 0, waitedBefore = 0;
  double lossSum = 0, lineLoss = 0;
  int64_t lossCount = 0, lineLossCount = 0, skipped = 0;
  double allLossSum = 0, trainLossSum = 0; // of all ranks
  int64_t allLossCount = 0, trainLossCount = 0;
  Together::Request togetherRequest;
  double trainValues[Measures::most], validationValues[Measures::most];
};

} // namespace symc::train
#endif
