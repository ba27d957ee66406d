// batches.cpp: a number of rows as a sum of the sizes that a model has code for, and its run
// in parts. Larger sizes first, as long as the rest stays a sum; what a part writes is
// where a single run would have its rows.
#include "check.h"

namespace symc {

static bool is_sum_or_nothing(const symc_batches &batches, int64_t rows) {
  int64_t least = batches.least[rows % batches.sizes[batches.n_sizes - 1]];
  return least >= 0 && rows >= least;
}

bool is_sum_of_batches(const symc_batches &batches, int64_t rows) {
  return rows > 0 && is_sum_or_nothing(batches, rows);
}

} // namespace symc

int32_t symc_run_batches(const symc_frame *frame, const symc_batches *batches,
                         int32_t (*const *code)(const symc_frame *), void **io) {
  symc_frame part = *frame;
  part.io = io;
  for (int32_t i = 0; i < batches->n_io; ++i)
    io[i] = frame->io[i];
  int64_t left = frame->dims[0];
  for (int32_t i = 0; i < batches->n_sizes; ++i) {
    int64_t size = batches->sizes[i];
    while (left >= size && symc::is_sum_or_nothing(*batches, left - size)) {
      int32_t status = code[i](&part);
      if (status != SYMC_STATUS_OK)
        return status;
      left -= size;
      for (int32_t k = 0; k < batches->n_io; ++k)
        if (io[k])
          io[k] = static_cast<uint8_t *>(io[k]) + batches->row_bytes[k] * size;
    }
  }
  return SYMC_STATUS_OK;
}
