// fuzz_training_data.cpp: any bytes as what a trainer reads: idx, rows of numbers, LibSVM, gzip,
// files of arrays, records of pictures, pickled states. The first byte chooses. They are refused
// with a sentence or read, and never take memory that the file does not fill.
#include "runtime/train/program/arrays_file.h"
#include "runtime/train/program/gzip.h"
#include "runtime/train/program/pickled_states.h"
#include "runtime/train/program/records.h"
#include "runtime/train/program/table.h"

#include "runtime/pictures/augment/augment.h"
#include "runtime/pictures/pictures.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace symc;
using namespace symc::train;

static void expectSentence(const Problem &problem) {
  if (!problem.text[0])
    __builtin_trap();
}

static void readArrays(const uint8_t *data, size_t size) {
  ArraysReader reader;
  Problem problem;
  if (!reader.open("fuzz", data, size, problem))
    return expectSentence(problem);
  unsigned sum = 0;
  for (int64_t i = 0; i < reader.count(); ++i) {
    const NamedArray &array = reader.at(i);
    int64_t bytes = array.count * symc_dtype_bytes(array.dtype);
    for (int64_t at = 0; at < bytes; ++at)
      sum += array.data[at];
    for (size_t at = 0; at < array.nameBytes; ++at)
      sum += unsigned(array.name[at]);
    (void)array.is("arg:", "w");
  }
  volatile unsigned keep = sum;
  (void)keep;
}

// Steps of augmentation, chosen by the file's last byte.
static void setSteps(Augmentation &steps, uint8_t byte, size_t size) {
  steps.resize = size % 3 == 0 ? 5 : 0;
  steps.pad = size % 2;
  steps.randomCrop = steps.randomMirror = true;
  steps.interpolation = Interpolation(byte % 5);
  steps.randomResizedCrop = byte & 8;
  steps.minArea = 0.01;
  if (byte & 16) {
    steps.maxRotate = 180;
    steps.maxShear = 0.5;
    steps.minScale = 0.1;
    steps.maxScale = 20;
    steps.minAspect = 0.2;
  }
  steps.maxCrop = byte & 32 ? 4 : 0;
  steps.minCrop = byte & 32 ? 1 : 0;
  if (byte & 64) {
    steps.brightness = steps.contrast = steps.saturation = 1;
    steps.hue = steps.lightness = steps.colourfulness = 180;
    steps.pcaNoise = 1;
  }
}

static void readRecords(const uint8_t *data, size_t size) {
  static int file = memfd_create("fuzz", MFD_CLOEXEC);
  static const char *path = [] {
    static char text[64];
    snprintf(text, sizeof text, "/proc/self/fd/%d", file);
    return text;
  }();
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != ssize_t(size))
    return;
  const int64_t shape[] = {3, 4, 4};
  const Input inputs[] = {{"data", shape, 3, 48, 0, false}, {"label", nullptr, 0, 1, 10, true}};
  Request request;
  request.path = path;
  request.inputs = inputs;
  request.nInputs = 2;
  setSteps(request.pictures, size ? data[size - 1] : 0, size);
  request.pictures.decode = symc_decode_image;
  request.pictures.release = symc_release_pixels;
  Source source;
  Problem problem;
  source.request = request;
  source.format = &recordsFormat;
  if (!recordsFormat.open(request, source, problem))
    return expectSentence(problem);
  for (int64_t row = 0; row < source.rows && row < 16; ++row) {
    float values[48], label;
    float *targets[] = {values, &label};
    if (!source.fill(row, 1, targets, problem))
      expectSentence(problem);
  }
}

static void readStates(const uint8_t *data, size_t size) {
  PickledStates states;
  Problem problem;
  if (!states.open("fuzz", data, size, problem))
    return expectSentence(problem);
  for (int64_t number = 0; number < 3 && !problem.text[0]; ++number) {
    NamedArray arrays[2];
    int32_t count = states.find("fc1_weight", number, arrays, 2, problem);
    unsigned sum = 0;
    for (int32_t i = 0; i < count && i < 2; ++i)
      for (int64_t at = 0; at < arrays[i].count * symc_dtype_bytes(arrays[i].dtype); ++at)
        sum += arrays[i].data[at];
    volatile unsigned keep = sum;
    (void)keep;
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  Array array, labels;
  Bytes bytes;
  Problem problem;
  bool done = true;
  uint8_t kind = data[0];
  ++data, --size;
  switch (kind) {
  case 'i':
    done = read_idx("fuzz", data, size, array, problem);
    break;
  case 'c':
    done = read_csv("fuzz", data, size, 4, array, problem);
    break;
  case 'l':
    done = read_libsvm("fuzz", data, size, 4, 2, size % 2, array, labels, problem);
    break;
  case 'g':
    done = gunzip("fuzz", data, size, bytes, problem);
    break;
  case 'a':
    readArrays(data, size);
    break;
  case 'r':
    readRecords(data, size);
    break;
  case 'p':
    readStates(data, size);
    break;
  }
  if (!done)
    expectSentence(problem);
  return 0;
}
