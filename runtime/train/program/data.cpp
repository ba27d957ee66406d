// data.cpp: what a training reads: its files, in which order, by how many threads.
#include "training.h"

#include "../../core/pool.h"
#include "../../pictures/augment/decoder.h"

#include <string.h>

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

// What is drawn for each picture of the training data.
bool Training::augmentation(Augmentation &steps, Problem &problem) {
  const Options &given = *options;
  steps.pad = given.count(Option::PadSize);
  steps.randomCrop = given.count(Option::RandomCrop) == 1;
  steps.randomMirror = given.count(Option::RandomMirror) == 1;
  steps.randomResizedCrop = given.count(Option::RandomResizedCrop) == 1;
  steps.minArea = given.number(Option::MinRandomArea);
  steps.maxArea = given.number(Option::MaxRandomArea);
  steps.minScale = given.number(Option::MinRandomScale);
  steps.maxScale = given.number(Option::MaxRandomScale);
  double most = given.number(Option::MaxRandomAspectRatio);
  bool hasLeast = given.given(Option::MinRandomAspectRatio);
  steps.minAspect = hasLeast ? given.number(Option::MinRandomAspectRatio) : 1 - most;
  steps.maxAspect = hasLeast ? most : 1 + most;
  steps.maxRotate = given.count(Option::MaxRandomRotateAngle);
  steps.maxShear = given.number(Option::MaxRandomShearRatio);
  int64_t largest = given.count(Option::MaxCropSize), least = given.count(Option::MinCropSize);
  steps.maxCrop = largest > 0 ? largest : 0;
  steps.minCrop = least > 0 ? least : steps.maxCrop;
  steps.brightness = given.number(Option::Brightness);
  steps.contrast = given.number(Option::Contrast);
  steps.saturation = given.number(Option::Saturation);
  steps.hue = given.count(Option::MaxRandomH);
  steps.colourfulness = given.count(Option::MaxRandomS);
  steps.lightness = given.count(Option::MaxRandomL);
  steps.pcaNoise = given.number(Option::PcaNoise);
  const struct {
    double least, most;
    const char *leastName, *mostName;
  } ranges[] = {
      {steps.minArea, steps.maxArea, "--min-random-area", "--max-random-area"},
      {steps.minScale, steps.maxScale, "--min-random-scale", "--max-random-scale"},
      {steps.minAspect, steps.maxAspect, "--min-random-aspect-ratio", "--max-random-aspect-ratio"},
      {double(steps.minCrop), double(steps.maxCrop), "--min-crop-size", "--max-crop-size"}};
  for (const auto &range : ranges)
    if (range.least > range.most)
      return problem.set(Usage, "%s: expected at most %s, %g, got %g", range.leastName,
                         range.mostName, range.most, range.least);
  if (steps.minAspect <= 0)
    return problem.set(Usage,
                       "--max-random-aspect-ratio: expected less than 1 without "
                       "--min-random-aspect-ratio, got %g",
                       most);
  int64_t method = given.count(Option::InterMethod);
  if (method > 4 && method < 9)
    return problem.set(Usage, "--inter-method: expected 0..4, 9 or 10, got %lld",
                       (long long)method);
  return true;
}

bool Training::request(Option data, Option label, bool validation, Request &wanted,
                       Problem &problem) {
  const Options &given = *options;
  wanted.path = given.text(data);
  wanted.labelPath = given.text(label);
  wanted.inputs = network.inputs;
  wanted.nInputs = network.nInputs;
  Pictures &pictures = wanted.pictures;
  pictures.resize = given.count(Option::Resize);
  pictures.fill = given.count(Option::FillValue);
  pictures.scale = float(given.number(Option::Scale));
  pictures.interpolation = Interpolation(given.count(Option::InterMethod));
  pictures.seed = progress.seed;
  char why[700];
  Text error(why, sizeof why);
  if (!open_picture_decoder(error))
    return problem.set(Usage, "%s", why);
  pictures.decode = symc_decode_image ? decode_picture : nullptr;
  pictures.release = symc_release_pixels;
  if (!three_numbers(Option::RgbMean, given, pictures.mean, problem) ||
      !three_numbers(Option::RgbStd, given, pictures.std, problem))
    return false;
  for (float value : pictures.std)
    if (value == 0)
      return problem.set(Usage, "--rgb-std: expected numbers other than 0");
  if (validation)
    return true;
  if (!augmentation(pictures, problem))
    return false;
  wanted.parts = given.count(Option::NumParts);
  wanted.part = given.count(Option::PartIndex);
  if (wanted.part >= wanted.parts)
    return problem.set(Usage, "--part-index: expected 0..%lld, got %lld",
                       (long long)wanted.parts - 1, (long long)wanted.part);
  if (given.given(Option::NumExamples))
    wanted.most = given.count(Option::NumExamples);
  return true;
}

bool Training::openSource(Option data, Option label, bool validation, Source &source,
                          Problem &problem) {
  Request wanted;
  if (!request(data, label, validation, wanted, problem))
    return false;
  if (!wanted.path && options->text(Option::DataDir)) {
    char *images = validation ? valImages : trainImages,
         *labels = validation ? valLabels : trainLabels;
    const char *folder = options->text(Option::DataDir);
    if (!mnist_path(folder, validation ? "t10k-images-idx3-ubyte" : "train-images-idx3-ubyte",
                    images, problem) ||
        !mnist_path(folder, validation ? "t10k-labels-idx1-ubyte" : "train-labels-idx1-ubyte",
                    labels, problem))
      return false;
    wanted.path = images;
    wanted.labelPath = labels;
  }
  return source.open(wanted, problem);
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
  int64_t count = options->count(Option::DataThreads);
  return count ? int(count) : source.decodes ? processor_count() : 1;
}

bool Training::testIo(Problem &problem) {
  Feed &feed = trainFeed;
  if (!feed.start(trainSource, trainOrder, 0, 0, 1, readerThreads(trainSource), problem))
    return false;
  int64_t period = options->count(Option::DispBatches), done = 0;
  double begun = seconds_now(), first = begun;
  while (feed.next(problem)) {
    if (++done % period != 0)
      continue;
    double now = seconds_now();
    report.print("Batch [%lld]\tSpeed: %.2f samples/sec", (long long)done - 1,
                 double(period * progress.batchRows) / (now - begun));
    begun = now;
  }
  if (problem.text[0])
    return false;
  report.print("Read %lld batches\tSpeed: %.2f samples/sec", (long long)done,
               double(done * progress.batchRows) / (seconds_now() - first));
  return true;
}

} // namespace symc::train
