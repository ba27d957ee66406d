// answers.cpp: outputs as text. A table [N, K] of floats is a list of answers for each
// row, the best first, with the names of the classes; where a row is a distribution,
// values are printed as probabilities. Anything else is a line: type, shape, range.
#include "outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace symc {

Labels::~Labels() {
  if (owned)
    free(names);
}

bool Labels::load(const symc_program *program, const char *path, Problem &problem) {
  if (!path) {
    if (program && program->labels) {
      names = const_cast<const char **>(program->labels);
      count = program->n_labels;
    }
    return true;
  }
  if (!read_file(path, size_t(1) << 28, text, problem))
    return false;
  char *at = reinterpret_cast<char *>(text.data), *end = at + text.size;
  constexpr char mark[] = "\xef\xbb\xbf"; // of UTF-8, which some editors write first
  size_t skipped = text.size >= 3 && memcmp(at, mark, 3) == 0 ? 3 : 0;
  int64_t lines = 1;
  for (char *c = at; c < end; ++c)
    lines += *c == '\n';
  names = static_cast<const char **>(malloc(size_t(lines) * sizeof(char *)));
  owned = true;
  Bytes copy; // one byte longer, so that the last line ends, too
  if (!names || !copy.allocate(text.size + 1, problem))
    return problem.set(RunFailed, "cannot allocate %lld labels", (long long)lines);
  memcpy(copy.data, text.data, text.size);
  copy.data[text.size] = '\n';
  text.swap(copy);
  at = reinterpret_cast<char *>(text.data) + skipped;
  end = reinterpret_cast<char *>(text.data) + text.size;
  while (at < end) {
    char *stop = static_cast<char *>(memchr(at, '\n', size_t(end - at)));
    char *next = stop + 1;
    if (stop > at && stop[-1] == '\r')
      --stop;
    if (next == end && stop == at) // the newline after the last line
      break;
    *stop = 0;
    names[count++] = at;
    at = next;
  }
  return count > 0 || problem.set(Usage, "'%s': expected a label a line, got none", path);
}

static bool is_float(int32_t dtype) {
  return dtype == SYMC_F32 || dtype == SYMC_F64 || dtype == SYMC_F16 || dtype == SYMC_BF16;
}

static bool is_table(const symc_tensor &tensor) {
  return tensor.rank == 2 && tensor.shape[0] > 0 && tensor.shape[1] > 1 && is_float(tensor.dtype);
}

static void print_head(const char *name, const symc_tensor &tensor) {
  printf("%s: %s [", name, symc_dtype_name(tensor.dtype));
  for (int32_t i = 0; i < tensor.rank; ++i)
    printf("%s%lld", i ? ", " : "", (long long)tensor.shape[i]);
  printf("]");
}

// Values from 0 to 1 that sum to 1, as far as the element type can represent.
static bool is_distribution(const double *row, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (!(row[i] >= 0 && row[i] <= 1.001))
      return false;
    sum += row[i];
  }
  return sum > 0.99 && sum < 1.01;
}

static void print_row(const double *row, int64_t classes, const Labels &labels, int64_t top,
                      const char *indent) {
  bool probabilities = is_distribution(row, classes);
  double lastValue = 0;
  int64_t last = -1;
  for (int64_t rank = 0; rank < top && rank < classes; ++rank) {
    // The next in order of falling values, ties by rising index.
    int64_t best = -1;
    for (int64_t i = 0; i < classes; ++i) {
      bool after = last < 0 || row[i] < lastValue || (row[i] == lastValue && i > last);
      if (after && row[i] == row[i] && (best < 0 || row[i] > row[best]))
        best = i;
    }
    if (best < 0) {
      if (rank == 0)
        printf("%sno answer: every value is NaN\n", indent);
      return;
    }
    if (probabilities)
      printf("%s%7.2f %%  ", indent, row[best] * 100);
    else
      printf("%s%12.6g  ", indent, row[best]);
    if (labels.count == classes)
      printf("%s\n", labels.names[best]);
    else
      printf("%lld\n", (long long)best);
    last = best;
    lastValue = row[best];
  }
}

static void print_summary(const double *values, int64_t count) {
  double low = 0, high = 0, sum = 0;
  int64_t seen = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (values[i] != values[i])
      continue;
    low = seen == 0 || values[i] < low ? values[i] : low;
    high = seen == 0 || values[i] > high ? values[i] : high;
    sum += values[i];
    ++seen;
  }
  if (seen)
    printf("  min %.6g  mean %.6g  max %.6g", low, sum / double(seen), high);
  if (seen < count)
    printf("  NaN %lld", (long long)(count - seen));
  printf("\n ");
  for (int64_t i = 0; i < count && i < 8; ++i)
    printf(" %.6g", values[i]);
  printf(count > 8 ? " ...\n" : "\n");
}

bool Outputs::print(const symc_model &model, const Labels &labels, int64_t top,
                    Problem &problem) const {
  bool fits = labels.count == 0, any = false;
  int64_t classes = 0;
  for (int32_t i = 0; i < count; ++i)
    if (is_table(tensors[i])) {
      any = true;
      classes = tensors[i].shape[1];
      fits |= labels.count == classes;
    }
  if (!fits && any)
    return problem.set(Usage, "expected %lld labels, one for each class, got %lld",
                       (long long)classes, (long long)labels.count);
  for (int32_t i = 0; i < count; ++i) {
    const symc_tensor &tensor = tensors[i];
    int64_t elements = count_elements(tensor.shape, tensor.rank, 8);
    Bytes wide;
    if (elements < 0 || !wide.allocate(size_t(elements) * 8, problem))
      return false;
    double *values = reinterpret_cast<double *>(wide.data);
    symc_convert(tensor.data, tensor.dtype, values, SYMC_F64, elements);
    print_head(model.outputs[i].name, tensor);
    if (!is_table(tensor)) {
      print_summary(values, elements);
      continue;
    }
    printf("\n");
    for (int64_t row = 0; row < tensor.shape[0]; ++row) {
      if (tensor.shape[0] > 1)
        printf("  row %lld\n", (long long)row);
      print_row(values + row * tensor.shape[1], tensor.shape[1], labels, top,
                tensor.shape[0] > 1 ? "  " : "");
    }
  }
  return true;
}

} // namespace symc
