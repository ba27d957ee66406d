// texts.cpp: texts of rows: numbers between commas, blanks or tabs, whose labels lie in a file of
// their own; and LibSVM's lines "label index:value index:value ...", as dense rows.
#include "lines.h"
#include "table.h"

#include <string.h>

namespace symc::train {

// Room for one row more: memory grows with what lines hold, not with what they claim.
static bool grow(Array &array, int64_t rows, int64_t count, Problem &problem) {
  size_t needed = size_t(rows + 1) * size_t(count) * sizeof(float);
  if (needed <= array.bytes.size)
    return true;
  Bytes larger;
  if (!larger.allocate(needed + needed / 2, problem))
    return false;
  if (array.bytes.data)
    memcpy(larger.data, array.bytes.data, array.bytes.size);
  array.bytes.swap(larger);
  return true;
}

static void settle(Array &array, int64_t rows, int64_t count) {
  array.dtype = SYMC_F32;
  array.rank = 2;
  array.shape[0] = rows;
  array.shape[1] = count;
}

// The numbers of a line, at most `most` of which are kept; -1 where something is none.
static int64_t take_row(const Lines &lines, float *row, int64_t most) {
  const char *at = lines.at;
  int64_t found = 0;
  for (;;) {
    float value;
    if (!take_number(at, lines.end, value))
      return -1;
    if (found < most)
      row[found] = value;
    ++found;
    bool comma = false;
    while (at < lines.end && (*at == ' ' || *at == '\t' || (*at == ',' && !comma)))
      comma = *at++ == ',' || comma;
    if (at == lines.end)
      return comma ? -1 : found;
    bool separated = comma || at[-1] == ' ' || at[-1] == '\t';
    if (!separated)
      return -1;
  }
}

static int shown(const Lines &lines) {
  constexpr ptrdiff_t most = 40;
  return int(lines.end - lines.at < most ? lines.end - lines.at : most);
}

bool read_csv(const char *name, const uint8_t *data, size_t bytes, int64_t count, Array &array,
              Problem &problem) {
  Lines lines(data, bytes);
  int64_t rows = 0;
  while (lines.step()) {
    if (!grow(array, rows, count, problem))
      return false;
    float *row = reinterpret_cast<float *>(array.bytes.data) + rows * count;
    int64_t found = take_row(lines, row, count);
    if (found < 0)
      return problem.set("'%s', line %lld: expected numbers between commas, got '%.*s'", name,
                         (long long)lines.number, shown(lines), lines.at);
    if (found != count)
      return problem.set("'%s', line %lld: expected %lld numbers, got %lld", name,
                         (long long)lines.number, (long long)count, (long long)found);
    ++rows;
  }
  settle(array, rows, count);
  return rows > 0 || problem.set("'%s': expected rows, got none", name);
}

static bool open_csv(const Request &request, Source &source, Problem &problem) {
  int32_t data, label;
  Table *table = table_of(source, problem);
  if (!table || !find_inputs(request, data, label, problem))
    return false;
  Bytes bytes;
  if (!read_data(request.path, bytes, problem) ||
      !read_csv(request.path, bytes.data, bytes.size, request.inputs[data].count,
                table->columns[data].array, problem))
    return false;
  table->columns[data].given = true;
  if (label >= 0 && request.labelPath) {
    if (!read_labels(request, label, table->columns[label].array, problem))
      return false;
    table->columns[label].given = true;
  }
  return settle_table(source, problem);
}

const Format csvFormat = {"csv", open_csv, fill_from_table, close_table};

// --- LibSVM ------------------------------------------------------------------

// Writes one row; false with a sentence.
static bool take_pairs(const char *name, const Lines &lines, const char *end, int64_t count,
                       float *row, float &label, Problem &problem) {
  const char *at = lines.at;
  memset(row, 0, size_t(count) * sizeof(float));
  auto bad = [&] {
    return problem.set("'%s', line %lld: expected a label and words index:value, got '%.*s'", name,
                       (long long)lines.number, shown(lines), lines.at);
  };
  auto blanks = [&] {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
      ++at;
  };
  if (!take_number(at, end, label))
    return bad();
  if (at < end && *at == ':') { // a weight of the row, which is not used
    float weight;
    ++at;
    if (!take_number(at, end, weight))
      return bad();
  }
  for (;;) {
    const char *before = at;
    blanks();
    if (at == end)
      return true;
    bool isQuery = end - at > 4 && memcmp(at, "qid:", 4) == 0;
    int64_t index = 0;
    float value;
    if (before == at)
      return bad();
    if (isQuery)
      at += 4;
    else if (!take_integer(at, end, index) || at == end || *at++ != ':')
      return bad();
    if (!take_number(at, end, value))
      return bad();
    if (isQuery)
      continue;
    if (index < 0 || index >= count)
      return problem.set("'%s', line %lld: index %lld is not one of 0..%lld", name,
                         (long long)lines.number, (long long)index, (long long)count - 1);
    row[index] = value;
  }
}

bool read_libsvm(const char *name, const uint8_t *data, size_t bytes, int64_t count, int64_t parts,
                 int64_t part, Array &array, Array &labels, Problem &problem) {
  Lines lines(data, bytes);
  size_t step = (bytes + size_t(parts) - 1) / size_t(parts);
  size_t begin = step * size_t(part), end = begin + step;
  int64_t rows = 0;
  while (lines.step()) {
    bool mine = (lines.place > begin && lines.place <= end) || (lines.place == 0 && begin == 0);
    const void *comment = memchr(lines.at, '#', size_t(lines.end - lines.at));
    const char *stop = comment ? static_cast<const char *>(comment) : lines.end;
    while (stop > lines.at && (stop[-1] == ' ' || stop[-1] == '\t'))
      --stop;
    if (!mine || stop == lines.at)
      continue;
    if (!grow(array, rows, count, problem) || !grow(labels, rows, 1, problem))
      return false;
    if (!take_pairs(name, lines, stop, count,
                    reinterpret_cast<float *>(array.bytes.data) + rows * count,
                    reinterpret_cast<float *>(labels.bytes.data)[rows], problem))
      return false;
    ++rows;
  }
  settle(array, rows, count);
  settle(labels, rows, 1);
  return rows > 0 || problem.set("'%s': expected rows, got none", name);
}

static bool open_libsvm(const Request &request, Source &source, Problem &problem) {
  int32_t data, label;
  Table *table = table_of(source, problem);
  if (!table || !find_inputs(request, data, label, problem))
    return false;
  Bytes bytes;
  Array labels;
  if (!read_data(request.path, bytes, problem) ||
      !read_libsvm(request.path, bytes.data, bytes.size, request.inputs[data].count, request.parts,
                   request.part, table->columns[data].array, labels, problem))
    return false;
  table->columns[data].given = true;
  if (label < 0)
    return settle_table(source, problem);
  Column &column = table->columns[label];
  column.given = true;
  if (request.labelPath && request.parts > 1)
    return problem.set(Usage, "'%s': a file of labels fits no part of the rows", request.path);
  if (request.labelPath) {
    if (!read_labels(request, label, column.array, problem))
      return false;
  } else {
    column.array.bytes.swap(labels.bytes);
    settle(column.array, labels.shape[0], 1);
  }
  return settle_table(source, problem);
}

const Format libsvmFormat = {"libsvm", open_libsvm, fill_from_table, close_table};

} // namespace symc::train
