// npy.h: NumPy's array files, read from memory and written.
#ifndef SYMC_RUNTIME_MAIN_NPY_H
#define SYMC_RUNTIME_MAIN_NPY_H

#include "files.h"
#include "symc/runtime.h"

namespace symc {

// A row-major array in memory of its own.
struct Array {
  Bytes bytes;
  int64_t shape[SYMC_MAX_RANK];
  int32_t rank = 0;
  int32_t dtype = SYMC_F32;
};

bool is_npy(const uint8_t *data, size_t bytes);

// `name` is the file's, for sentences. Any byte order and either element order is taken.
bool read_npy(const char *name, const uint8_t *data, size_t bytes, Array &array, Problem &problem);

// Writes a header for `tensor` (whose dtype must not be bf16) into `header`, of which it returns
// the length, a multiple of 64 and at most npyHeaderBytes.
constexpr size_t npyHeaderBytes = 320;
size_t write_npy_header(const symc_tensor &tensor, char *header);

// Elements of a shape, or -1 if their bytes do not fit 2^62.
int64_t count_elements(const int64_t *shape, int32_t rank, int64_t elementBytes);

} // namespace symc
#endif
