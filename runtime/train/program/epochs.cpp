// epochs.cpp: one epoch: its batches, its validation, its lines in the log and its checkpoint.
#include "training.h"

namespace symc::train {

bool Training::trainEpoch(int64_t epoch, Problem &problem) {
  int64_t batches = counts.batches(epoch);
  measures.reset();
  lossSum = lineLoss = together.seconds = 0;
  together.buckets = together.early = 0;
  lossCount = lineLossCount = skipped = 0;
  epochBegun = lineBegun = seconds_now();
  waitedBefore = trainFeed.waited();
  for (int64_t index = progress.batch; index < batches; ++index) {
    const Batch *batch = trainFeed.next(problem);
    if (!batch)
      return problem.text[0] ? false : problem.set(RunFailed, "internal error: no batch is left");
    bool done;
    if (!step(*batch, done, problem))
      return false;
    skipped += !done;
    progress.batch = index + 1;
    if (!monitor(index, problem) || !sayBatch(epoch, index, problem))
      return false;
  }
  trainSeconds = seconds_now() - epochBegun;
  if (!shareMeasures(problem))
    return false;
  for (int i = 0; i < measures.count(); ++i) {
    trainValues[i] = measures.global(i);
    report.print("Epoch[%lld] Train-%s=%f", (long long)epoch, measures.name(i), trainValues[i]);
  }
  report.print("Epoch[%lld] Time cost=%.3f", (long long)epoch, trainSeconds);
  if (skipped)
    report.print("Epoch[%lld] Skipped=%lld batches with numbers that are not finite",
                 (long long)epoch, (long long)skipped);
  trainLossSum = allLossSum;
  trainLossCount = allLossCount;
  progress.epoch = epoch + 1;
  progress.batch = 0;
  return averageStates(problem);
}

bool Training::validate(int64_t epoch, Problem &problem) {
  if (!validates)
    return true;
  measures.reset();
  int64_t batches = validationOrder.batches(epoch);
  for (int64_t index = 0; index < batches; ++index) {
    const Batch *batch = validationFeed.next(problem);
    if (!batch)
      return problem.text[0] ? false : problem.set(RunFailed, "internal error: no batch is left");
    for (int32_t i = 0; i < network.nInputs; ++i)
      inputTensors[i].data = batch->inputs[i];
    if (failed(
            symc_predict(context, inputTensors, network.nInputs, outputTensors, network.nOutputs),
            problem) ||
        (batch->rows && !measures.update(outputs, batch->inputs, batch->rows, problem)))
      return false;
  }
  if (!shareMeasures(problem))
    return false;
  for (int i = 0; i < measures.count(); ++i) {
    validationValues[i] = measures.global(i);
    report.print("Epoch[%lld] Validation-%s=%f", (long long)epoch, measures.name(i),
                 validationValues[i]);
  }
  return true;
}

bool Training::endEpoch(int64_t epoch, Problem &problem) {
  const Options &given = *options;
  double waited = trainFeed.waited() - waitedBefore;
  Json json;
  json.integer("epoch", epoch);
  char name[80];
  for (int i = 0; i < measures.count(); ++i) {
    snprintf(name, sizeof name, "train-%.60s", measures.name(i));
    json.number(name, trainValues[i]);
    if (validates) {
      snprintf(name, sizeof name, "validation-%.60s", measures.name(i));
      json.number(name, validationValues[i]);
    }
  }
  if (trainLossCount)
    json.number("train-loss", trainLossSum / double(trainLossCount));
  json.number("time-cost", trainSeconds)
      .number("samples-per-second",
              double(counts.batches(epoch) * progress.batchRows) / trainSeconds)
      .number("waited-for-data", trainSeconds > 0 ? waited / trainSeconds : 0)
      .number("lr", rates.of(progress.updates))
      .integer("updates", progress.updates);
  if (world.size() > 1)
    json.number("waited-for-sums", trainSeconds > 0 ? together.seconds / trainSeconds : 0)
        .number("sums-begun-in-backward",
                together.buckets ? double(together.early) / double(together.buckets) : 0);
  if (skipped)
    json.integer("skipped", skipped);
  // The line comes first: an epoch whose checkpoint is there is in the log, too.
  if (!report.write(json, problem))
    return false;
  history.train.add(double(epoch + 1), trainValues[0]);
  if (validates)
    history.validation.add(double(epoch + 1), validationValues[0]);
  bool saves = world.rank() == 0;
  if (saves && given.text(Option::Plot) &&
      !write_plot(given.text(Option::Plot), model->name, history, problem))
    return false;
  bool isLast = epoch + 1 == given.count(Option::NumEpochs);
  if (!given.text(Option::ModelPrefix) ||
      ((epoch + 1) % given.count(Option::SavePeriod) != 0 && !isLast))
    return true;
  char when[60];
  snprintf(when, sizeof when, "behind epoch %lld", (long long)epoch);
  if (!compareParameters(when, problem) || !together.gatherStates(problem) ||
      (saves && !checkpoints.save(context, progress, problem)))
    return false;
  together.dropStates();
  report.print("Saved checkpoint to \"%s-%04lld.params\"", given.text(Option::ModelPrefix),
               (long long)epoch + 1);
  return true;
}

} // namespace symc::train
