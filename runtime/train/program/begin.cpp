// begin.cpp: where a training begins: its rates; parameters that are drawn, pretrained or a
// checkpoint's; which of them stay; what the log states of it.
#include "training.h"

#include "../../pictures/augment/decoder.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

namespace symc::train {

bool Training::chooseRates(Problem &problem) {
  const Options &given = *options;
  auto choose = [&](Option option, const char *name, const char *shortName) {
    bool named = isNamed(name) || (shortName && isNamed(shortName));
    return given.given(option) || !named ? given.number(option) : hyper(name);
  };
  double rate = choose(Option::Lr, "learning_rate", "lr");
  int64_t perEpoch = (trainSource.rows + progress.batchRows - 1) / progress.batchRows;
  if (!rates.start(given, rate, perEpoch, problem))
    return false;
  if (failed(symc_set_hyper(context, "wd", choose(Option::Wd, "wd", nullptr)), problem))
    return false;
  if (given.given(Option::Mom) && !hasHyper("momentum"))
    report.print("%s: note: --mom does nothing here: optimizer '%s' has no momentum", model->name,
                 symc_optimizer_name(model));
  else if (given.given(Option::Mom) &&
           failed(symc_set_hyper(context, "momentum", given.number(Option::Mom)), problem)) {
    char words[120];
    snprintf(words, sizeof words, "--optimizer %s,momentum=%g", symc_optimizer_name(model),
             given.number(Option::Mom));
    noteCommand(network.batch, words, problem);
    return false;
  }
  int64_t summed = parts * world.size(); // batches whose gradients are added up
  if (summed > 1)
    return !failed(symc_set_hyper(context, "rescale_grad", hyper("rescale_grad") / double(summed)),
                   problem);
  return true;
}

// As fit.py names them. NULL: the one that was compiled.
static const char *initializer_of(const char *name, const symc_model &model) {
  if (strcmp(name, "default") == 0)
    return model.training && model.training->initializer
               ? nullptr
               : "xavier,rnd_type=gaussian,factor_type=in,magnitude=2";
  static const char *const rows[][2] = {
      {"xavier", "xavier"}, {"msra", "msraprelu"},  {"orthogonal", "orthogonal"},
      {"normal", "normal"}, {"uniform", "uniform"}, {"one", "one"},
      {"zero", "zero"}};
  for (const auto &row : rows)
    if (strcmp(row[0], name) == 0)
      return row[1];
  return name;
}

bool Training::freeze(Problem &problem) {
  const char *patterns = options->text(Option::Freeze);
  int32_t n = symc_parameter_count(model);
  frozen = static_cast<bool *>(calloc(size_t(n) + 1, sizeof(bool)));
  if (!frozen)
    return problem.set(RunFailed, "cannot allocate %zu bytes", size_t(n) + 1);
  size_t bytes = 0;
  for (const char *at = patterns; at && *at;) {
    char pattern[256];
    size_t length = strcspn(at, ",");
    if (length >= sizeof pattern)
      return problem.set(Usage, "--freeze: expected patterns shorter than %zu bytes",
                         sizeof pattern);
    memcpy(pattern, at, length);
    pattern[length] = 0;
    at += length + (at[length] == ',');
    bool any = false;
    for (int32_t i = 0; i < n; ++i) {
      const symc_tensor_info &info = *symc_parameter(model, i);
      if (fnmatch(pattern, info.name, 0) != 0)
        continue;
      any = true;
      if (!frozen[i] && symc_parameter_trains(model, i)) {
        frozen[i] = anyFrozen = true;
        bytes += (size_t(info.max_bytes) + 63) & ~size_t(63);
      }
    }
    if (!any) {
      problem.addNote("--describe lists the parameters");
      return problem.set(Usage, "--freeze: no parameter fits '%s'", pattern);
    }
  }
  bool trains = !anyFrozen;
  for (int32_t i = 0; i < n && !trains; ++i)
    trains = !frozen[i] && symc_parameter_trains(model, i);
  if (!trains)
    return problem.set(Usage, "--freeze: '%s' leaves no parameter to train", patterns);
  if (!frozenMemory.allocate(bytes, problem))
    return false;
  uint8_t *to = frozenMemory.data;
  for (int32_t i = 0; i < n; ++i) {
    const symc_tensor_info &info = *symc_parameter(model, i);
    if (!frozen[i])
      continue;
    if (failed(symc_get_parameter(context, info.name, to, size_t(info.max_bytes)), problem))
      return false;
    to += (size_t(info.max_bytes) + 63) & ~size_t(63);
  }
  return true;
}

bool Training::beginParameters(Problem &problem) {
  const Options &given = *options;
  int64_t epoch = given.given(Option::LoadEpoch) ? given.count(Option::LoadEpoch) : -1;
  checkpoints.start(given.text(Option::ModelPrefix), program ? program->symbol_json : nullptr,
                    model->name);
  if (given.on(Option::Resume)) {
    if (!checkpoints.findNewest(epoch, problem))
      return false;
    if (epoch < 0)
      report.print("%s: note: no checkpoint of '%s' is there: training starts", model->name,
                   given.text(Option::ModelPrefix));
  }
  // First values for what a file lacks, and states of the optimizer as at first.
  if (failed(symc_initialize(context, initializer_of(given.text(Option::Initializer), *model),
                             progress.seed),
             problem) ||
      failed(symc_set_seed(context, progress.seed), problem)) {
    problem.exit = Usage;
    return false;
  }
  if (epoch >= 0) {
    Checkpoints::Found found;
    Progress here = progress;
    if (!checkpoints.load(context, epoch, progress, found, problem))
      return false;
    bool exact = found == Checkpoints::Found::Training;
    if (found == Checkpoints::Found::Nothing)
      report.print("%s: warning: '%s-%04lld.state' is not there: the optimizer's states begin anew",
                   model->name, given.text(Option::ModelPrefix), (long long)epoch);
    bool pickled = found == Checkpoints::Found::States;
    static const struct {
      int64_t Progress::*field;
      const char *what;
    } same[] = {{&Progress::rows, "rows of training data"},
                {&Progress::batchRows, "rows in a batch"},
                {&Progress::shuffled, "as shuffled (0 or 1)"}};
    bool sameOwn = progress.batchRows * here.ranks == here.batchRows * progress.ranks;
    if (exact && progress.ranks != here.ranks && sameOwn && progress.batch == 0) {
      report.print(
          "%s: note: the checkpoint is of %lld processes, there are %lld: rates go on by the "
          "epochs done",
          model->name, (long long)progress.ranks, (long long)here.ranks);
      progress.updates = epoch * ((here.rows + here.batchRows - 1) / here.batchRows);
      progress.batchRows = here.batchRows;
    }
    progress.ranks = here.ranks;
    for (const auto &each : same)
      if (progress.*each.field != here.*each.field) {
        problem.addNote("without the .state and .manifest files of the epoch, --load-epoch begins "
                        "a training of its own");
        return problem.set(Usage, "the checkpoint of epoch %lld has %lld %s, there are %lld",
                           (long long)epoch, (long long)(progress.*each.field), each.what,
                           (long long)(here.*each.field));
      }
    if (progress.seed != here.seed && given.given(Option::Seed))
      return problem.set(Usage, "--seed: the checkpoint of epoch %lld has %llu, got %llu",
                         (long long)epoch, (unsigned long long)progress.seed,
                         (unsigned long long)here.seed);
    report.print("Loaded checkpoint \"%s-%04lld.params\"", given.text(Option::ModelPrefix),
                 (long long)epoch);
    if (pickled)
      report.print("Loaded states of optimizer '%s' from \"%s-%04lld.states\", behind %lld updates",
                   symc_optimizer_name(model), given.text(Option::ModelPrefix), (long long)epoch,
                   (long long)progress.updates);
  } else if (given.given(Option::Pretrained)) {
    int64_t missing;
    if (!load_parameters(context, given.text(Option::Pretrained), true, missing, problem))
      return false;
    int32_t all = symc_parameter_count(model);
    if (missing == all) {
      problem.addNote("--describe lists the parameters");
      return problem.set("'%s': has none of the network's parameters",
                         given.text(Option::Pretrained));
    }
    report.print("Loaded \"%s\": %lld of %d parameters begin with drawn values",
                 given.text(Option::Pretrained), (long long)missing, int(all));
  }
  firstEpoch = progress.epoch;
  return freeze(problem);
}

bool Training::sayStart(Problem &problem) {
  const Options &given = *options;
  const char *optimizer =
      program && program->optimizer ? program->optimizer : symc_optimizer_name(model);
  char momentum[40] = "";
  if (hasHyper("momentum"))
    snprintf(momentum, sizeof momentum, ", mom=%g", hyper("momentum"));
  char processes[700] = "";
  if (world.size() > 1)
    snprintf(processes, sizeof processes, ", processes=%d (%s)", world.size(), world.library());
  // Named, since bits follow from it.
  const char *decoder = trainSource.decodes ? picture_decoder_name() : "";
  report.print("start: optimizer=%s (compiled), lr=%g%s, wd=%g, batch-size=%lld, num-epochs=%lld, "
               "rows=%lld, seed=%llu, threads=%d%s%s%s",
               optimizer, rates.of(progress.updates + 1), momentum, hyper("wd"),
               (long long)progress.batchRows, (long long)given.count(Option::NumEpochs),
               (long long)trainSource.rows, (unsigned long long)progress.seed,
               int(symc_context_threads(context)), *decoder ? ", decoder=" : "", decoder,
               processes);
  Json json;
  json.text("event", progress.epoch || progress.batch ? "resume" : "start")
      .text("program", model->name)
      .text("compiler", model->compiler)
      .text("compiled-optimizer", optimizer)
      .integer("epoch", progress.epoch);
  for (int32_t i = 0; i < symc_hyper_count(model); ++i)
    json.number(symc_hyper_name(model, i), strcmp(symc_hyper_name(model, i), "learning_rate") == 0
                                               ? rates.of(progress.updates + 1)
                                               : hyper(symc_hyper_name(model, i)));
  json.integer("batch-size", progress.batchRows)
      .integer("num-epochs", given.count(Option::NumEpochs))
      .integer("rows", trainSource.rows)
      .integer("validation-rows", validates ? validationSource.rows : 0)
      .integer("seed", int64_t(progress.seed))
      .integer("threads", symc_context_threads(context))
      .text("decoder", decoder)
      .integer("processes", world.size())
      .text("isa", symc_context_variant(context)->isa);
  for (int i = 0; i < optionCount; ++i)
    if (given.given(Option(i)))
      json.text(Options::spelling(Option(i)), given.text(Option(i)) ? given.text(Option(i)) : "");
  return report.write(json, problem);
}

} // namespace symc::train
