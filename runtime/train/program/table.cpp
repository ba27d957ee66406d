// table.cpp: see table.h.
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of the runtime, which has no header <new>.
inline void *operator new(size_t, void *at) noexcept { return at; }

namespace symc::train {

Table *table_of(Source &source, Problem &problem) {
  if (!source.state) {
    void *memory = malloc(sizeof(Table));
    if (!memory) {
      problem.set(RunFailed, "cannot allocate %zu bytes", sizeof(Table));
      return nullptr;
    }
    Table *table = static_cast<Table *>(memory);
    for (Column &column : table->columns)
      new (&column) Column;
    source.state = table;
  }
  return static_cast<Table *>(source.state);
}

void close_table(Source &source) {
  Table *table = static_cast<Table *>(source.state);
  for (Column &column : table->columns)
    column.~Column();
  free(table);
  source.state = nullptr;
}

// Rows of an array are an input's where extents agree but for those that are 1, or one of both is
// flat: [28, 28] for [1, 28, 28], [784] for [1, 28, 28], but not [32, 32, 3] for [3, 32, 32].
static bool rows_fit(const Array &array, const Input &input) {
  int64_t count = 1;
  for (int32_t i = 1; i < array.rank; ++i)
    count *= array.shape[i];
  if (count != input.count || array.rank <= 2 || input.rank <= 1)
    return count == input.count;
  int32_t a = 1, b = 0;
  for (;;) {
    while (a < array.rank && array.shape[a] == 1)
      ++a;
    while (b < input.rank && input.shape[b] == 1)
      ++b;
    if (a == array.rank || b == input.rank)
      return a == array.rank && b == input.rank;
    if (array.shape[a++] != input.shape[b++])
      return false;
  }
}

static bool check_column(const Source &source, const Column &column, const Input &input,
                         Problem &problem) {
  const Array &array = column.array;
  const Request &request = source.request;
  const char *path = input.label && request.labelPath && source.format != &npzFormat
                         ? request.labelPath
                         : request.path;
  char got[160], needed[160];
  if (array.rank < 1)
    return problem.set("'%s': expected rows for input '%s', got a single number", path, input.name);
  if (!rows_fit(array, input)) {
    print_shape(array.shape + 1, array.rank - 1, got, sizeof got);
    print_shape(input.shape, input.rank, needed, sizeof needed);
    return problem.set("'%s': expected rows of %s for input '%s', got %s", path, needed, input.name,
                       got);
  }
  return true;
}

// The first row that is used whose value is none of the classes.
static bool check_classes(const Source &source, const Column &column, const Input &input,
                          Problem &problem) {
  if (!input.classes)
    return true;
  const Array &array = column.array;
  int64_t bytes = symc_dtype_bytes(array.dtype);
  const uint8_t *at = array.bytes.data + source.first * input.count * bytes;
  const char *path =
      input.label && source.request.labelPath ? source.request.labelPath : source.request.path;
  for (int64_t i = 0; i < source.rows * input.count; ++i) {
    float value;
    symc_convert(at + i * bytes, array.dtype, &value, SYMC_F32, 1);
    if (!is_class(input, value * (array.dtype == SYMC_U8 ? column.scale : 1)))
      return problem.set("'%s': row %lld: %g is no value for input '%s', which takes 0..%lld", path,
                         (long long)(source.first + i / input.count), double(value), input.name,
                         (long long)input.classes - 1);
  }
  return true;
}

bool settle_table(Source &source, Problem &problem) {
  Table &table = *static_cast<Table *>(source.state);
  const Request &request = source.request;
  const Column *rowsOf = nullptr;
  const Input *named = nullptr;
  for (int32_t i = 0; i < request.nInputs; ++i) {
    const Column &column = table.columns[i];
    const Input &input = request.inputs[i];
    if (!column.given && input.label && request.labelPath == nullptr &&
        source.format != &npzFormat) {
      problem.addNote("name their file with --label-train or --label-val");
      return problem.set(Usage, "'%s': has no labels, which the network takes as '%s'",
                         request.path, input.name);
    }
    if (!column.given)
      return problem.set("'%s': has nothing for input '%s'", request.path, input.name);
    if (!check_column(source, column, input, problem))
      return false;
    if (rowsOf && rowsOf->array.shape[0] != column.array.shape[0])
      return problem.set("'%s': %lld rows for input '%s', %lld for '%s'", request.path,
                         (long long)rowsOf->array.shape[0], named->name,
                         (long long)column.array.shape[0], input.name);
    if (!rowsOf) {
      rowsOf = &column;
      named = &input;
    }
  }
  if (source.format != &libsvmFormat) { // which has cut the part out of its bytes
    if (!take_part(rowsOf->array.shape[0], source, problem))
      return false;
  } else {
    source.first = 0;
    source.rows = rowsOf->array.shape[0] < request.most ? rowsOf->array.shape[0] : request.most;
  }
  for (int32_t i = 0; i < request.nInputs; ++i)
    if (!check_classes(source, table.columns[i], request.inputs[i], problem))
      return false;
  return true;
}

bool fill_from_table(const Source &source, int64_t row, uint64_t, float *const *targets,
                     Problem &) {
  const Table &table = *static_cast<const Table *>(source.state);
  for (int32_t i = 0; i < source.request.nInputs; ++i) {
    if (!targets[i])
      continue;
    const Column &column = table.columns[i];
    int64_t count = source.request.inputs[i].count, bytes = symc_dtype_bytes(column.array.dtype);
    const uint8_t *from = column.array.bytes.data + (source.first + row) * count * bytes;
    float *to = targets[i];
    if (column.array.dtype == SYMC_F32)
      memcpy(to, from, size_t(count) * sizeof(float));
    else if (column.array.dtype == SYMC_U8 && column.scale != 1)
      for (int64_t k = 0; k < count; ++k)
        to[k] = float(from[k]) / column.scale;
    else
      symc_convert(from, column.array.dtype, to, SYMC_F32, count);
  }
  return true;
}

bool read_labels(const Request &request, int32_t label, Array &array, Problem &problem) {
  Bytes bytes;
  const char *path = request.labelPath;
  if (!read_data(path, bytes, problem))
    return false;
  if (is_npy(bytes.data, bytes.size))
    return read_npy(path, bytes.data, bytes.size, array, problem);
  if (bytes.size >= 4 && bytes.data[0] == 0 && bytes.data[1] == 0)
    return read_idx(path, bytes.data, bytes.size, array, problem);
  return read_csv(path, bytes.data, bytes.size, request.inputs[label].count, array, problem);
}

bool open_array(const Request &request, Source &source, ArrayReader read, float scale,
                Problem &problem) {
  int32_t data, label;
  Table *table = table_of(source, problem);
  if (!table || !find_inputs(request, data, label, problem))
    return false;
  Bytes bytes;
  Column &rows = table->columns[data];
  if (!read_data(request.path, bytes, problem) ||
      !read(request.path, bytes.data, bytes.size, rows.array, problem))
    return false;
  rows.given = true;
  rows.scale = scale;
  if (label >= 0 && request.labelPath) {
    if (!read_labels(request, label, table->columns[label].array, problem))
      return false;
    table->columns[label].given = true;
  }
  return settle_table(source, problem);
}

} // namespace symc::train
