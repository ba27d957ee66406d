// fixed_options.cpp: options that are fixed when a trainer is compiled, or do nothing here. One
// that differs is refused with the command that compiles another trainer.
#include "training.h"

#include "symc/optimizer_options.h"

#include <string.h>

namespace symc::train {

void Training::noteCommand(int64_t batch, const char *more, Problem &problem) {
  char shapes[300] = "";
  size_t used = 0;
  for (int32_t i = 0; i < network.nInputs && used + 64 < sizeof shapes; ++i) {
    if (network.inputs[i].label)
      continue;
    used += size_t(snprintf(shapes + used, sizeof shapes - used, " --shape %.60s=%lld",
                            network.inputs[i].name, (long long)batch));
    for (int32_t d = 0; d < network.inputs[i].rank && used + 24 < sizeof shapes; ++d)
      used += size_t(snprintf(shapes + used, sizeof shapes - used, ",%lld",
                              (long long)network.inputs[i].shape[d]));
  }
  problem.addNote("compile another trainer: symc train SYMBOL.json%s %.140s -o trainer", shapes,
                  more);
}

// Compares --image-shape and --num-classes with the network. A flat input takes pictures of its
// length.
bool Training::checkShapes(Problem &problem) {
  const Options &given = *options;
  const Input *data = nullptr, *label = nullptr;
  for (int32_t i = 0; i < network.nInputs; ++i) {
    const Input *&first = network.inputs[i].label ? label : data;
    first = first ? first : &network.inputs[i];
  }
  if (data && given.given(Option::ImageShape)) {
    const char *text = given.text(Option::ImageShape);
    long long extents[3];
    int used = 0;
    bool read =
        sscanf(text, "%lld , %lld , %lld %n", &extents[0], &extents[1], &extents[2], &used) == 3 &&
        text[used] == 0;
    bool same = read && (data->rank == 1
                             ? extents[0] * extents[1] * extents[2] == data->count
                             : data->rank == 3 && extents[0] == data->shape[0] &&
                                   extents[1] == data->shape[1] && extents[2] == data->shape[2]);
    if (!same) {
      char shape[160];
      print_shape(data->shape, data->rank, shape, sizeof shape);
      return problem.set(Usage,
                         "--image-shape: expected input '%s' as it was compiled, %s, got '%s'",
                         data->name, shape, text);
    }
  }
  if (label && label->classes && given.given(Option::NumClasses) &&
      given.count(Option::NumClasses) != label->classes)
    return problem.set(Usage, "--num-classes: expected %lld, which the network has, got %lld",
                       (long long)label->classes, (long long)given.count(Option::NumClasses));
  return true;
}

// Parameters may change while backward goes on where gradients are neither looked at nor added to
// others before.
bool Training::chooseUpdates(Problem &problem) {
  const char *given = options->text(Option::Updates);
  symc_updates updates;
  if (!read_updates(given, updates, problem))
    return false;
  const char *reason =
      nan != NanPolicy::Ignore
          ? "--nan ignore, since others look at all gradients before anything changes"
      : parts > 1
          ? "the --batch-size that was compiled, since gradients of several batches are added up"
      : strncmp(options->text(Option::KvStore), "dist", 4) == 0
          ? "--kv-store local, since gradients of processes are added up"
          : nullptr;
  fused = given ? updates != SYMC_UPDATES_DEFERRED : !reason;
  return !fused || !reason || problem.set(Usage, "--updates fused: expected %s", reason);
}

bool Training::checkFixed(Problem &problem) {
  const Options &given = *options;
  const char *optimizer = symc_optimizer_name(model), *got = given.text(Option::Optimizer);
  const char *compiled = program && program->optimizer ? program->optimizer : optimizer;
  char words[140];
  if (got && strcmp(got, optimizer) != 0 && strcmp(got, compiled) != 0) {
    OptimizerChoice choice;
    char why[200];
    if (!parse_optimizer(got, choice, why, sizeof why))
      return problem.set(Usage, "--optimizer: %s", why);
    snprintf(words, sizeof words, "--optimizer %.120s", got);
    noteCommand(network.batch, words, problem);
    return problem.set(Usage, "--optimizer: this trainer was compiled with '%s', got '%s'",
                       optimizer, got);
  }
  int64_t rows = given.given(Option::BatchSize) ? given.count(Option::BatchSize) : network.batch;
  if (rows % network.batch != 0) {
    snprintf(words, sizeof words, "--optimizer %.120s", compiled);
    noteCommand(rows, words, problem);
    return problem.set(Usage,
                       "--batch-size: expected %lld, which was compiled, or a multiple, got %lld",
                       (long long)network.batch, (long long)rows);
  }
  parts = rows / network.batch;
  if (!checkShapes(problem))
    return false;
  static const struct {
    Option option;
    const char *reason;
  } idle[] = {{Option::Network, "the network is compiled in"},
              {Option::NumLayers, "the network is compiled in"},
              {Option::AddStn, "the network is compiled in"},
              {Option::MacrobatchSize, "symc train --optimizer lbsgd,batch_scale=N has it"},
              {Option::WarmupStrategy, "symc train --optimizer lbsgd,warmup_strategy=NAME has it"},
              {Option::GcThreshold, "nothing is compressed"},
              {Option::Gpus, "the processor computes; --threads is the number of threads"},
              {Option::DataTrainIdx, "records are found in the .rec file itself"},
              {Option::DataValIdx, "records are found in the .rec file itself"}};
  for (const auto &row : idle)
    if (given.given(row.option))
      report.print("%s: note: %s does nothing here: %s", model->name, Options::spelling(row.option),
                   row.reason);
  if (given.given(Option::DataType) && strcmp(given.text(Option::DataType), "float32") != 0)
    report.print("%s: note: --dtype does nothing here: training computes in float32", model->name);
  const char *policy = given.text(Option::Nan);
  if (strcmp(policy, "stop") != 0 && strcmp(policy, "skip") != 0 && strcmp(policy, "ignore") != 0)
    return problem.set(Usage, "--nan: expected stop, skip or ignore, got '%s'", policy);
  nan = policy[1] == 't' ? NanPolicy::Stop : policy[1] == 'k' ? NanPolicy::Skip : NanPolicy::Ignore;
  if (!chooseUpdates(problem))
    return false;
  if (given.on(Option::Resume) && given.given(Option::LoadEpoch))
    return problem.set(Usage,
                       "--resume takes the newest checkpoint, --load-epoch that of an epoch: "
                       "expected one of them");
  const Option needPrefix[] = {Option::Resume, Option::LoadEpoch};
  for (Option option : needPrefix)
    if (given.given(option) && !given.text(Option::ModelPrefix))
      return problem.set(Usage, "%s: expected --model-prefix, too, the checkpoint's",
                         Options::spelling(option));
  if (given.given(Option::Pretrained) && given.given(Option::LoadEpoch))
    return problem.set(Usage, "--pretrained and --load-epoch both give parameters: expected one of "
                              "them");
  return true;
}

} // namespace symc::train
