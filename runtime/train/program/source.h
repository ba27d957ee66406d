// source.h: the rows that a training reads, of whatever format: one interface, a file for each
// format behind it. A row is one example: its values for each input of the network.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_SOURCE_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_SOURCE_H

#include "../../main/npy.h"
#include "../../pictures/augment/augment.h"

namespace symc::train {

constexpr int maxInputs = 64;

// What the network takes of a row for one of its inputs.
struct Input {
  const char *name;
  const int64_t *shape; // of a row, `rank` extents
  int32_t rank;
  int64_t count;   // elements of a row
  int64_t classes; // its values are 0..classes-1; 0: any numbers
  bool label;      // what losses alone read
};

// What is done to pictures, and by which decoder of PNG and JPEG; NULL: none is linked.
struct Pictures : Augmentation {
  int32_t (*decode)(const uint8_t *, size_t, int32_t, int32_t *, int32_t *, uint8_t **,
                    const char **) = nullptr;
  void (*release)(uint8_t *) = nullptr;
};

// What is requested.
struct Request {
  const char *path = nullptr, *labelPath = nullptr; // labelPath NULL: none is named
  const Input *inputs = nullptr;
  int32_t nInputs = 0;
  int64_t parts = 1, part = 0;
  int64_t most = INT64_MAX; // rows of the part that are used
  Pictures pictures;
};

class Source;

// One format. `fill` may be called by several threads at once.
struct Format {
  const char *name;
  bool (*open)(const Request &request, Source &source, Problem &problem);
  // Writes row number `row` for each input: targets[i], NULL where it is not wanted. `pass`: the
  // number of the pass over the data, from which random crops follow.
  bool (*fill)(const Source &source, int64_t row, uint64_t pass, float *const *targets,
               Problem &problem);
  void (*close)(Source &source);
};

class Source {
public:
  ~Source();
  Source() = default;
  Source(const Source &) = delete;
  Source &operator=(const Source &) = delete;

  // Finds the format by the file's first bytes and its name, and opens it.
  bool open(const Request &request, Problem &problem);
  bool fill(int64_t row, uint64_t pass, float *const *targets, Problem &problem) const {
    return format->fill(*this, row, pass, targets, problem);
  }

  Request request;
  const Format *format = nullptr;
  int64_t rows = 0;      // that are used
  int64_t first = 0;     // of them in the file, as the format counts
  void *state = nullptr; // the format's own
  bool decodes = false;  // a row is work for a thread of its own
};

extern const Format idxFormat, csvFormat, libsvmFormat, npyFormat, npzFormat, recordsFormat;

// --- For formats -------------------------------------------------------------

// A file's bytes; those inside where it is gzipped.
bool read_data(const char *path, Bytes &bytes, Problem &problem);
// The input that takes the rows, and the one that takes the labels, or -1. Networks with more are
// refused: they need an archive, .npz.
bool find_inputs(const Request &request, int32_t &data, int32_t &label, Problem &problem);
// Keeps the part and the first `most` of so many rows, by MXNet's rule.
bool take_part(int64_t rows, Source &source, Problem &problem);
// Whether a value is one of an input's classes.
inline bool is_class(const Input &input, float value) {
  return input.classes == 0 ||
         (value >= 0 && value < float(input.classes) && value == float(int64_t(value)));
}
// Writes "[28, 28]".
void print_shape(const int64_t *shape, int32_t rank, char *text, size_t bytes);

} // namespace symc::train
#endif
