// table.h: rows that lie in memory, an array for each input, as all formats but .rec give them.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_TABLE_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_TABLE_H

#include "source.h"

namespace symc::train {

struct Column {
  Array array;        // [rows, ...] of any type
  float scale = 1;    // of bytes
  bool given = false; // else nothing is read for the input
};

struct Table {
  Column columns[maxInputs];
};

// The table of a source, made at first.
Table *table_of(Source &source, Problem &problem);
// Checks all arrays against the inputs, and labels against their classes; keeps the part that is
// requested.
bool settle_table(Source &source, Problem &problem);
bool fill_from_table(const Source &source, int64_t row, uint64_t pass, float *const *targets,
                     Problem &problem);
void close_table(Source &source);

// Reads the labels of request.labelPath, of any format that may lie apart, for input `label`.
bool read_labels(const Request &request, int32_t label, Array &array, Problem &problem);

// Opens a file of one array, whose labels lie apart: bytes count as numbers over `scale`.
using ArrayReader = bool (*)(const char *name, const uint8_t *data, size_t bytes, Array &array,
                             Problem &problem);
bool open_array(const Request &request, Source &source, ArrayReader read, float scale,
                Problem &problem);

// The readers of formats, of bytes in memory.
bool read_idx(const char *name, const uint8_t *data, size_t bytes, Array &array, Problem &problem);
// [rows, count] float32 of lines of numbers between commas, blanks or tabs.
bool read_csv(const char *name, const uint8_t *data, size_t bytes, int64_t count, Array &array,
              Problem &problem);
// [rows, count] and [rows] float32 of lines "label index:value ...", of one of the parts of the
// bytes: a line belongs to the part that the byte before it is in, as in MXNet.
bool read_libsvm(const char *name, const uint8_t *data, size_t bytes, int64_t count, int64_t parts,
                 int64_t part, Array &array, Array &labels, Problem &problem);

} // namespace symc::train
#endif
