// data.cpp: what a training reads: its files, in which order, by how many threads.
#include "training.h"

#include "../../core/pool.h"

#include <string.h>

// Of the decoder, where it is linked (runtime/pictures).
extern "C" {
__attribute__((weak)) int32_t symc_decode_image(const uint8_t *data, size_t bytes, int32_t channels,
                                                int32_t *width, int32_t *height, uint8_t **pixels,
                                                const char **reason);
__attribute__((weak)) void symc_release_pixels(uint8_t *pixels);
}

namespace symc::train {

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

int Training::readerThreads(const Source &source) const {
  int64_t asked = options->count(Option::DataThreads);
  return asked ? int(asked) : source.decodes ? processor_count() : 1;
}

bool Training::testIo(Problem &problem) {
  Feed &feed = trainFeed;
  if (!feed.start(trainSource, trainOrder, 0, 0, 1, readerThreads(trainSource), problem))
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

} // namespace symc::train
