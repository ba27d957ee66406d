// training.cpp: a training from its options to its last checkpoint. What can be refused is refused
// before anything is computed.
#include "training.h"

#include "../../core/environment.h"
#include "../../core/pool.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of the decoder, where it is linked (runtime/pictures).
extern "C" {
__attribute__((weak)) int32_t symc_decode_image(const uint8_t *data, size_t bytes, int32_t channels,
                                                int32_t *width, int32_t *height, uint8_t **pixels,
                                                const char **reason);
__attribute__((weak)) void symc_release_pixels(uint8_t *pixels);
}

namespace symc::train {

Training::~Training() {
  trainFeed.stop();
  validationFeed.stop();
  symc_destroy(context);
  free(outputs);
  free(inputTensors);
  free(outputTensors);
  free(frozen);
}

bool Training::failed(symc_status status, Problem &problem) {
  if (status == SYMC_STATUS_OK)
    return false;
  problem.set(RunFailed, "%s", symc_last_error(context));
  return true;
}

bool Training::hasHyper(const char *name) const {
  for (int32_t i = 0; i < symc_hyper_count(model); ++i)
    if (strcmp(symc_hyper_name(model, i), name) == 0)
      return true;
  return false;
}

double Training::hyper(const char *name) const {
  double value = 0;
  symc_get_hyper(context, name, &value);
  return value;
}

bool Training::isNamed(const char *name) const {
  const char *at = program && program->optimizer ? program->optimizer : "";
  size_t length = strlen(name);
  while ((at = strchr(at, ','))) {
    ++at;
    if (strncmp(at, name, length) == 0 && at[length] == '=')
      return true;
  }
  return false;
}

// --- Options that are fixed when compiled --------------------------------------

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

bool Training::checkFixed(Problem &problem) {
  const Options &given = *options;
  const char *optimizer = symc_optimizer_name(model), *asked = given.text(Option::Optimizer);
  const char *compiled = program && program->optimizer ? program->optimizer : optimizer;
  char words[140];
  if (asked && strcmp(asked, optimizer) != 0 && strcmp(asked, compiled) != 0) {
    snprintf(words, sizeof words, "--optimizer %.120s", asked);
    noteCommand(network.batch, words, problem);
    return problem.set(Usage, "--optimizer: this trainer was compiled with '%s', got '%s'",
                       optimizer, asked);
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
  static const struct {
    Option option;
    const char *reason;
  } idle[] = {{Option::Network, "the network is compiled in"},
              {Option::Gpus, "the processor computes; --threads is the number of threads"},
              {Option::DataTrainIdx, "records are found in the .rec file itself"},
              {Option::DataValIdx, "records are found in the .rec file itself"}};
  for (const auto &row : idle)
    if (given.given(row.option))
      report.say("%s: note: %s does nothing here: %s", model->name, Options::spelling(row.option),
                 row.reason);
  if (given.given(Option::DataType) && strcmp(given.text(Option::DataType), "float32") != 0)
    report.say("%s: note: --dtype does nothing here: training computes in float32", model->name);
  const char *policy = given.text(Option::Nan);
  if (strcmp(policy, "stop") != 0 && strcmp(policy, "skip") != 0 && strcmp(policy, "ignore") != 0)
    return problem.set(Usage, "--nan: expected stop, skip or ignore, got '%s'", policy);
  nan = policy[1] == 't' ? NanPolicy::Stop : policy[1] == 'k' ? NanPolicy::Skip : NanPolicy::Ignore;
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

// --- Context ---------------------------------------------------------------------

bool Training::openContext(Problem &problem) {
  symc_options made = {};
  made.error = problem.text;
  made.error_bytes = sizeof problem.text;
  made.flags = SYMC_FLUSH_DENORMALS; // which decayed momenta become
  if (options->given(Option::Threads)) {
    int64_t threads = options->count(Option::Threads);
    made.threads = threads == 0 ? processor_count() : int32_t(threads);
  }
  symc_status status = symc_create(model, &made, &context);
  if (status != SYMC_STATUS_OK) {
    problem.exit = RunFailed;
    return problem.text[0] != 0 ? false : problem.set(RunFailed, "%s", symc_status_message(status));
  }
  size_t total = 0, n = size_t(network.nOutputs) + 1;
  auto rounded = [](int64_t count) { return (size_t(count) * sizeof(float) + 63) & ~size_t(63); };
  for (int32_t i = 0; i < network.nOutputs; ++i)
    total += rounded(network.outputs[i].count);
  outputs = static_cast<float **>(calloc(n, sizeof(float *)));
  outputTensors = static_cast<symc_tensor *>(calloc(n, sizeof(symc_tensor)));
  inputTensors = static_cast<symc_tensor *>(calloc(maxInputs, sizeof(symc_tensor)));
  if (!outputs || !outputTensors || !inputTensors)
    return problem.set(RunFailed, "cannot allocate %zu bytes", n * sizeof(symc_tensor));
  if (!outputMemory.allocate(total, problem))
    return false;
  uint8_t *at = outputMemory.data;
  for (int32_t i = 0; i < network.nOutputs; ++i) {
    const symc_tensor_info &info = *network.outputs[i].info;
    if (info.dtype != SYMC_F32)
      return problem.set(RunFailed, "output '%s' is of %s, this program measures f32 alone",
                         info.name, symc_dtype_name(info.dtype));
    outputs[i] = reinterpret_cast<float *>(at);
    outputTensors[i].data = at;
    outputTensors[i].shape = info.shape;
    outputTensors[i].rank = info.rank;
    outputTensors[i].dtype = info.dtype;
    at += rounded(network.outputs[i].count);
  }
  for (int32_t i = 0; i < network.nInputs; ++i) {
    const symc_tensor_info &info = *network.infos[i];
    if (info.dtype != SYMC_F32)
      return problem.set(RunFailed, "input '%s' is of %s, this program reads f32 alone", info.name,
                         symc_dtype_name(info.dtype));
    inputTensors[i].shape = info.shape;
    inputTensors[i].rank = info.rank;
    inputTensors[i].dtype = info.dtype;
  }
  size_t stateBytes = 0;
  for (int32_t i = 0; i < symc_state_count(model); ++i)
    stateBytes += (size_t(symc_state(model, i)->max_bytes) + 63) & ~size_t(63);
  return stateMemory.allocate(stateBytes, problem);
}

// --- Data --------------------------------------------------------------------------

static bool three_numbers(Option option, const Options &options, float *values, Problem &problem) {
  const char *text = options.text(option);
  char piece[3][32];
  int used = 0;
  double value;
  bool whole =
      sscanf(text, "%31[^,],%31[^,],%31[^,]%n", piece[0], piece[1], piece[2], &used) == 3 &&
      text[used] == 0;
  for (int i = 0; i < 3 && whole; ++i) {
    whole = number_of(piece[i], value);
    values[i] = float(value);
  }
  return whole || problem.set(Usage, "%s: expected three numbers with commas, got '%s'",
                              Options::spelling(option), text);
}

// DIR/NAME, gzipped where that is there and the plain file is not.
static bool mnist_path(const char *folder, const char *name, char *path, Problem &problem) {
  constexpr size_t room = 4096;
  if (snprintf(path, room, "%s/%s", folder, name) >= int(room) - 4)
    return problem.set(Usage, "--data-dir: expected fewer than %zu bytes", room);
  if (file_exists(path))
    return true;
  size_t length = strlen(path);
  strcpy(path + length, ".gz");
  if (file_exists(path))
    return true;
  path[length] = 0;
  return problem.set("'%s': no such file, and no '%s.gz'", path, name);
}

bool Training::request(Option data, Option label, bool validation, Request &asked,
                       Problem &problem) {
  const Options &given = *options;
  asked.path = given.text(data);
  asked.labelPath = given.text(label);
  asked.inputs = network.inputs;
  asked.nInputs = network.nInputs;
  Pictures &pictures = asked.pictures;
  pictures.resize = given.count(Option::Resize);
  pictures.fill = given.count(Option::FillValue);
  pictures.scale = float(given.number(Option::Scale));
  pictures.seed = progress.seed;
  pictures.decode = symc_decode_image;
  pictures.release = symc_release_pixels;
  if (!three_numbers(Option::RgbMean, given, pictures.mean, problem) ||
      !three_numbers(Option::RgbStd, given, pictures.std, problem))
    return false;
  for (float value : pictures.std)
    if (value == 0)
      return problem.set(Usage, "--rgb-std: expected numbers other than 0");
  if (validation)
    return true;
  pictures.pad = given.count(Option::PadSize);
  pictures.randomCrop = given.count(Option::RandomCrop) == 1;
  pictures.randomMirror = given.count(Option::RandomMirror) == 1;
  asked.parts = given.count(Option::NumParts);
  asked.part = given.count(Option::PartIndex);
  if (asked.part >= asked.parts)
    return problem.set(Usage, "--part-index: expected 0..%lld, got %lld",
                       (long long)asked.parts - 1, (long long)asked.part);
  if (given.given(Option::NumExamples))
    asked.most = given.count(Option::NumExamples);
  return true;
}

bool Training::openSource(Option data, Option label, bool validation, Source &source,
                          Problem &problem) {
  Request asked;
  if (!request(data, label, validation, asked, problem))
    return false;
  if (!asked.path && options->text(Option::DataDir)) {
    char *images = validation ? valImages : trainImages,
         *labels = validation ? valLabels : trainLabels;
    const char *folder = options->text(Option::DataDir);
    if (!mnist_path(folder, validation ? "t10k-images-idx3-ubyte" : "train-images-idx3-ubyte",
                    images, problem) ||
        !mnist_path(folder, validation ? "t10k-labels-idx1-ubyte" : "train-labels-idx1-ubyte",
                    labels, problem))
      return false;
    asked.path = images;
    asked.labelPath = labels;
  }
  return source.open(asked, problem);
}

bool Training::openData(Problem &problem) {
  const Options &given = *options;
  const bool folder = given.text(Option::DataDir);
  if (!folder && !given.text(Option::DataTrain)) {
    problem.addNote("--help lists the options");
    return problem.set(Usage, "expected --data-train FILE or --data-dir DIR, got no data");
  }
  if (!openSource(Option::DataTrain, Option::LabelTrain, false, trainSource, problem))
    return false;
  validates = folder || given.text(Option::DataVal);
  if (validates && !openSource(Option::DataVal, Option::LabelVal, true, validationSource, problem))
    return false;
  int64_t ranks = world.size(), rank = world.rank();
  int64_t rows = network.batch * parts * ranks;
  if (trainSource.rows < rows)
    return problem.set("'%s': has %lld rows, a batch%s needs %lld", trainSource.request.path,
                       (long long)trainSource.rows, ranks > 1 ? " of all processes" : "",
                       (long long)rows);
  // MXNet's iterators of arrays and those of files pad in two ways.
  const Format *format = trainSource.format;
  bool ofArrays = format == &idxFormat || format == &npyFormat || format == &npzFormat;
  Padding padding = ofArrays ? Padding::FirstRows : Padding::NextRows;
  bool shuffled = !given.on(Option::NoShuffle);
  progress.rows = trainSource.rows;
  progress.batchRows = rows;
  progress.shuffled = shuffled;
  progress.ranks = ranks;
  if (!trainOrder.start(trainSource.rows, rows, shuffled, padding, progress.seed, problem) ||
      !counts.start(trainSource.rows, rows, false, padding, progress.seed, problem) ||
      (validates && !validationOrder.start(validationSource.rows, network.batch * ranks, false,
                                           Padding::Uncounted, progress.seed, problem)))
    return false;
  trainOrder.share(rank, ranks);
  validationOrder.share(rank, ranks);
  return true;
}

static int reader_threads(const Options &options, const Source &source) {
  int64_t asked = options.count(Option::DataThreads);
  return asked ? int(asked) : source.decodes ? processor_count() : 1;
}

bool Training::testIo(Problem &problem) {
  Feed &feed = trainFeed;
  if (!feed.start(trainSource, trainOrder, 0, 0, 1, reader_threads(*options, trainSource), problem))
    return false;
  int64_t period = options->count(Option::DispBatches), done = 0;
  double begun = seconds_now();
  while (feed.next(problem)) {
    if (++done % period != 0)
      continue;
    double now = seconds_now();
    report.say("Batch [%lld]\tSpeed: %.2f samples/sec", (long long)done - 1,
               double(period * progress.batchRows) / (now - begun));
    begun = now;
  }
  return !problem.text[0];
}

// --- Rates -------------------------------------------------------------------------

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
    report.say("%s: note: --mom does nothing here: optimizer '%s' has no momentum", model->name,
               symc_optimizer_name(model));
  else if (given.given(Option::Mom) &&
           failed(symc_set_hyper(context, "momentum", given.number(Option::Mom)), problem)) {
    char asked[120];
    snprintf(asked, sizeof asked, "--optimizer %s,momentum=%g", symc_optimizer_name(model),
             given.number(Option::Mom));
    noteCommand(network.batch, asked, problem);
    return false;
  }
  int64_t summed = parts * world.size(); // batches whose gradients are added up
  if (summed > 1)
    return !failed(symc_set_hyper(context, "rescale_grad", hyper("rescale_grad") / double(summed)),
                   problem);
  return true;
}

// --- Parameters ----------------------------------------------------------------------

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
    if (!any)
      return problem.set(Usage, "--freeze: no parameter fits '%s'", pattern);
  }
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
      report.say("%s: note: no checkpoint of '%s' is there: training starts", model->name,
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
    bool exact;
    Progress here = progress;
    if (!checkpoints.load(context, epoch, progress, exact, problem))
      return false;
    if (!exact) {
      progress.updates = epoch * ((here.rows + here.batchRows - 1) / here.batchRows);
      report.say("%s: warning: '%s-%04lld.state' is not there: the optimizer's states begin anew",
                 model->name, given.text(Option::ModelPrefix), (long long)epoch);
    }
    static const struct {
      int64_t Progress::*field;
      const char *what;
    } same[] = {{&Progress::rows, "rows of training data"},
                {&Progress::batchRows, "rows in a batch"},
                {&Progress::shuffled, "as shuffled (0 or 1)"}};
    bool sameOwn = progress.batchRows * here.ranks == here.batchRows * progress.ranks;
    if (exact && progress.ranks != here.ranks && sameOwn && progress.batch == 0) {
      report.say(
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
    report.say("Loaded checkpoint \"%s-%04lld.params\"", given.text(Option::ModelPrefix),
               (long long)epoch);
  } else if (given.given(Option::Pretrained)) {
    int64_t missing;
    if (!load_parameters(context, given.text(Option::Pretrained), true, missing, problem))
      return false;
    int32_t all = symc_parameter_count(model);
    report.say("Loaded \"%s\": %lld of %d parameters begin with drawn values",
               given.text(Option::Pretrained), (long long)missing, int(all));
    if (missing == all)
      return problem.set("'%s': has none of the network's parameters",
                         given.text(Option::Pretrained));
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
  report.say("start: optimizer=%s (compiled), lr=%g%s, wd=%g, batch-size=%lld, num-epochs=%lld, "
             "rows=%lld, seed=%llu, threads=%d%s",
             optimizer, rates.of(progress.updates + 1), momentum, hyper("wd"),
             (long long)progress.batchRows, (long long)given.count(Option::NumEpochs),
             (long long)trainSource.rows, (unsigned long long)progress.seed,
             int(symc_context_threads(context)), processes);
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
      .integer("processes", world.size())
      .text("isa", symc_context_variant(context)->isa);
  for (int i = 0; i < optionCount; ++i)
    if (given.given(Option(i)))
      json.text(Options::spelling(Option(i)), given.text(Option(i)) ? given.text(Option(i)) : "");
  return report.write(json, problem);
}

// --- Epochs --------------------------------------------------------------------------

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
    report.say("Epoch[%lld] Train-%s=%f", (long long)epoch, measures.name(i), trainValues[i]);
  }
  report.say("Epoch[%lld] Time cost=%.3f", (long long)epoch, trainSeconds);
  if (skipped)
    report.say("Epoch[%lld] Skipped=%lld batches with numbers that are not finite",
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
    report.say("Epoch[%lld] Validation-%s=%f", (long long)epoch, measures.name(i),
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
  report.say("Saved checkpoint to \"%s-%04lld.params\"", given.text(Option::ModelPrefix),
             (long long)epoch + 1);
  return true;
}

void Training::finish() {
  if (!report.onTerminal())
    return;
  const char *language = environment("LC_ALL");
  language = language ? language : environment("LC_CTYPE");
  language = language ? language : environment("LANG");
  bool dots = language && (strcasestr(language, "utf-8") || strcasestr(language, "utf8"));
  int wide = report.columns() - 14;
  draw_chart(history.loss, "loss", wide > 72 ? 72 : wide, dots, stderr);
}

bool Training::run(const symc_model &of, const symc_program *with, const Options &given,
                   Problem &problem) {
  model = &of;
  program = with;
  options = &given;
  progress.seed = uint64_t(given.count(Option::Seed));
  if (!network.start(of, problem) || !checkFixed(problem) || !chooseStore(problem) ||
      !measures.start(given.text(Option::Metric), given.count(Option::TopK),
                      given.text(Option::Loss), network, problem) ||
      !openData(problem))
    return false;
  if (given.count(Option::TestIo))
    return testIo(problem);
  if (!openContext(problem) || !chooseRates(problem) || !beginParameters(problem))
    return false;
  // The seed may be the checkpoint's.
  trainSource.request.pictures.seed = progress.seed;
  int64_t epochs = given.count(Option::NumEpochs);
  history.metric = measures.name(0);
  trainOrder.reseed(progress.seed);
  if (!compareRanks(problem) || !compareParameters("before the first update", problem) ||
      !beginTogether(problem) || !seedRank(problem))
    return false;
  if ((world.rank() == 0 && !report.open(given.text(Option::Log), problem)) || !sayStart(problem))
    return false;
  if (firstEpoch >= epochs) {
    report.say("%s: note: epoch %lld is done, --num-epochs is %lld: nothing is left to train",
               model->name, (long long)firstEpoch, (long long)epochs);
    return true;
  }
  if (!trainFeed.start(trainSource, trainOrder, firstEpoch, progress.batch, epochs,
                       reader_threads(given, trainSource), problem) ||
      (validates && !validationFeed.start(validationSource, validationOrder, firstEpoch, 0, epochs,
                                          reader_threads(given, validationSource), problem)))
    return false;
  for (int64_t epoch = firstEpoch; epoch < epochs; ++epoch)
    if (!trainEpoch(epoch, problem) || !validate(epoch, problem) || !endEpoch(epoch, problem))
      return false;
  finish();
  return true;
}

} // namespace symc::train
