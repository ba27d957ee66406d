// source.cpp: see source.h.
#include "source.h"

#include "gzip.h"
#include "records.h"

#include "../../main/zip.h"

#include <stdio.h>
#include <string.h>

namespace symc::train {

Source::~Source() {
  if (format && state)
    format->close(*this);
}

bool read_data(const char *path, Bytes &bytes, Problem &problem) {
  constexpr size_t most = size_t(1) << 46;
  if (!read_file(path, most, bytes, problem))
    return false;
  if (!is_gzip(bytes.data, bytes.size))
    return true;
  Bytes packed;
  packed.swap(bytes);
  return gunzip(path, packed.data, packed.size, bytes, problem);
}

static const Format *format_of(const char *path, const uint8_t *head, size_t bytes) {
  if (is_npy(head, bytes))
    return &npyFormat;
  if (is_zip(head, bytes))
    return &npzFormat;
  if (is_record(head, bytes))
    return &recordsFormat;
  // idx: two zeros, a type, a rank; .gz hides what is inside but for the name
  if (bytes >= 4 && head[0] == 0 && head[1] == 0 && head[2] >= 8 && head[2] <= 14 && head[3] > 0)
    return &idxFormat;
  char name[4096];
  snprintf(name, sizeof name, "%s", path);
  if (has_extension(name, "gz"))
    name[strlen(name) - 3] = 0;
  if (has_extension(name, "rec"))
    return &recordsFormat;
  if (has_extension(name, "csv") || has_extension(name, "txt") || has_extension(name, "tsv"))
    return &csvFormat;
  if (has_extension(name, "libsvm") || has_extension(name, "svm") || has_extension(name, "t"))
    return &libsvmFormat;
  if (strstr(name, "idx"))
    return &idxFormat;
  return nullptr;
}

bool Source::open(const Request &wanted, Problem &problem) {
  request = wanted;
  FILE *file = fopen(wanted.path, "rbe");
  uint8_t head[16] = {};
  size_t got = file ? fread(head, 1, sizeof head, file) : 0;
  if (file)
    fclose(file);
  format = format_of(wanted.path, head, got);
  if (!file || got == 0) { // reports why
    Bytes bytes;
    if (!read_file(wanted.path, SIZE_MAX >> 1, bytes, problem))
      return false;
    return problem.set("'%s': expected rows, got an empty file", wanted.path);
  }
  if (!format) {
    problem.addNote("formats are known by their first bytes or their names: idx, .csv, .libsvm, "
                    ".npy, .npz, .rec");
    return problem.set("'%s': unknown format", wanted.path);
  }
  if (wanted.labelPath && (format == &npzFormat || format == &recordsFormat))
    return problem.set(Usage, "'%s': has its labels inside, so that no file of labels fits",
                       wanted.path);
  return format->open(wanted, *this, problem);
}

bool find_inputs(const Request &request, int32_t &data, int32_t &label, Problem &problem) {
  data = label = -1;
  for (int32_t i = 0; i < request.nInputs; ++i) {
    int32_t &place = request.inputs[i].label ? label : data;
    if (place >= 0) {
      problem.addNote("an .npz archive may hold an array for each input, by its name");
      return problem.set("'%s': has rows for one input and one label, the network takes '%s' and "
                         "'%s'",
                         request.path, request.inputs[place].name, request.inputs[i].name);
    }
    place = i;
  }
  if (data < 0)
    return problem.set("'%s': the network takes no input but labels", request.path);
  return true;
}

bool take_part(int64_t rows, Source &source, Problem &problem) {
  const Request &request = source.request;
  double step = double(rows) / double(request.parts);
  int64_t begin = int64_t(step * double(request.part)),
          end = int64_t(step * double(request.part + 1));
  source.first = begin;
  source.rows = end - begin < request.most ? end - begin : request.most;
  return source.rows > 0 || problem.set("'%s': has %lld rows, too few for %lld parts", request.path,
                                        (long long)rows, (long long)request.parts);
}

void print_shape(const int64_t *shape, int32_t rank, char *text, size_t bytes) {
  size_t used = size_t(snprintf(text, bytes, "["));
  for (int32_t i = 0; i < rank && used < bytes; ++i)
    used +=
        size_t(snprintf(text + used, bytes - used, "%s%lld", i ? ", " : "", (long long)shape[i]));
  if (used < bytes)
    snprintf(text + used, bytes - used, "]");
}

} // namespace symc::train
