// sizes.cpp: see sizes.h.
#include "sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace symc {

Sizes::~Sizes() { free(chosen); }

bool Sizes::start(const symc_model &of, Problem &problem) {
  model = &of;
  size_t bytes = (size_t(of.n_dims) + 1) * sizeof(int64_t);
  chosen = static_cast<int64_t *>(malloc(bytes));
  if (!chosen)
    return problem.set(RunFailed, "cannot allocate %zu bytes", bytes);
  for (int32_t i = 0; i <= of.n_dims; ++i)
    chosen[i] = -1;
  return true;
}

static int32_t dim_of(int64_t extent) { return extent < 0 ? int32_t(-(extent + 1)) : -1; }

bool Sizes::takeOne(int32_t input, int32_t dimension, int64_t extent, Problem &problem) {
  const symc_tensor_info &info = model->inputs[input];
  int32_t dim = dim_of(info.shape[dimension]);
  if (dim < 0)
    return info.shape[dimension] == extent ||
           problem.set(Usage, "--shape: dimension %d of input '%s' is %lld, got %lld", dimension,
                       info.name, (long long)info.shape[dimension], (long long)extent);
  const symc_dim_info &range = model->dims[dim];
  // Several batch sizes make any sum of them; the run looks whether this is one.
  int64_t most = model->batches ? INT64_C(1) << 31 : range.max;
  if (extent < range.min || extent > most)
    return problem.set(Usage, "--shape: dimension %d of input '%s' takes %lld..%lld, got %lld",
                       dimension, info.name, (long long)range.min, (long long)most,
                       (long long)extent);
  if (chosen[dim] >= 0 && chosen[dim] != extent)
    return problem.set(Usage,
                       "--shape: dimension %d of input '%s' is the same size as another, which is "
                       "%lld, got %lld",
                       dimension, info.name, (long long)chosen[dim], (long long)extent);
  chosen[dim] = extent;
  return true;
}

// Reads "D,D,..."; the number of extents, or -1.
static int32_t read_extents(const char *text, int64_t *extents) {
  int32_t rank = 0;
  while (*text && rank < SYMC_MAX_RANK) {
    int64_t number = 0, digits = 0;
    for (; *text >= '0' && *text <= '9'; ++text, ++digits)
      if ((number = number * 10 + (*text - '0')) > INT64_C(1) << 40)
        return -1;
    if (!digits)
      return -1;
    extents[rank++] = number;
    if (*text == ',' && text[1])
      ++text;
    else if (*text)
      return -1;
  }
  return *text ? -1 : rank;
}

bool Sizes::take(const char *word, Problem &problem) {
  const char *equals = strrchr(word, '=');
  int64_t extents[SYMC_MAX_RANK];
  int32_t rank = equals && equals != word ? read_extents(equals + 1, extents) : -1;
  if (rank < 0)
    return problem.set(Usage, "--shape: expected NAME=D,D,..., got '%.400s'", word);
  for (int32_t i = 0; i < model->n_inputs; ++i) {
    const symc_tensor_info &info = model->inputs[i];
    if (strlen(info.name) != size_t(equals - word) ||
        strncmp(info.name, word, size_t(equals - word)))
      continue;
    if (rank != info.rank)
      return problem.set(Usage, "--shape: input '%s' has %d dimensions, got %d", info.name,
                         info.rank, rank);
    for (int32_t d = 0; d < rank; ++d)
      if (!takeOne(i, d, extents[d], problem))
        return false;
    return true;
  }
  return problem.set(Usage, "--shape: no input is called '%.*s'", int(equals - word), word);
}

void Sizes::take(int32_t input, const int64_t *shape, int32_t rank) {
  const symc_tensor_info &info = model->inputs[input];
  for (int32_t d = 0; d < rank && rank == info.rank; ++d)
    if (int32_t dim = dim_of(info.shape[d]); dim >= 0)
      chosen[dim] = shape[d];
}

int64_t Sizes::extent(int32_t input, int32_t dimension) const {
  int64_t extent = model->inputs[input].shape[dimension];
  int32_t dim = dim_of(extent);
  return dim < 0 ? extent : chosen[dim] >= 0 ? chosen[dim] : model->dims[dim].max;
}

bool Sizes::isLargest(int32_t input) const {
  const symc_tensor_info &info = model->inputs[input];
  for (int32_t d = 0; d < info.rank; ++d)
    if (int32_t dim = dim_of(info.shape[d]); dim >= 0 && chosen[dim] < 0)
      return true;
  return false;
}

// SplitMix64: a state that rises by a constant, and a mix of its bits.
static uint64_t next_bits(uint64_t &state) {
  uint64_t bits = state += UINT64_C(0x9e3779b97f4a7c15);
  bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
  return bits ^ (bits >> 31);
}

void draw_values(void *data, int32_t dtype, int64_t count, uint64_t seed) {
  constexpr int64_t most = 512;
  double values[most];
  bool isFloat = dtype == SYMC_F32 || dtype == SYMC_F64 || dtype == SYMC_F16 || dtype == SYMC_BF16;
  int64_t bytes = symc_dtype_bytes(dtype);
  uint64_t state = seed;
  for (int64_t done = 0; done < count; done += most) {
    int64_t n = count - done < most ? count - done : most;
    for (int64_t i = 0; i < n; ++i) {
      uint64_t bits = next_bits(state);
      values[i] = isFloat ? double(bits >> 11) / double(UINT64_C(1) << 52) - 1 : double(bits >> 62);
    }
    symc_convert(values, SYMC_F64, static_cast<char *>(data) + done * bytes, dtype, n);
  }
}

} // namespace symc
