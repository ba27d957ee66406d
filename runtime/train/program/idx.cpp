// idx.cpp: MNIST's format: two zeros, a type, a number of dimensions, big-endian extents, elements.
// Pixels, which are bytes, are divided by 255, as MXNet's train_mnist.py does.
#include "table.h"

#include <string.h>

namespace symc::train {

namespace {
struct Type {
  uint8_t code;
  int32_t dtype;
};
const Type types[] = {{8, SYMC_U8},   {9, SYMC_I8},   {11, SYMC_I16},
                      {12, SYMC_I32}, {13, SYMC_F32}, {14, SYMC_F64}};
} // namespace

static uint32_t big_endian(const uint8_t *at) {
  return uint32_t(at[0]) << 24 | uint32_t(at[1]) << 16 | uint32_t(at[2]) << 8 | uint32_t(at[3]);
}

bool read_idx(const char *name, const uint8_t *data, size_t bytes, Array &array, Problem &problem) {
  if (bytes < 4 || data[0] != 0 || data[1] != 0)
    return problem.set("'%s': expected an idx file, which begins with two zeros", name);
  const Type *type = nullptr;
  for (const Type &each : types)
    if (each.code == data[2])
      type = &each;
  if (!type)
    return problem.set("'%s': byte 2: expected an element type of 8, 9, 11, 12, 13 or 14, got %d",
                       name, data[2]);
  array.rank = data[3];
  array.dtype = type->dtype;
  if (array.rank < 1 || array.rank > SYMC_MAX_RANK)
    return problem.set("'%s': byte 3: expected 1 to %d dimensions, got %d", name, SYMC_MAX_RANK,
                       int(array.rank));
  size_t head = 4 + 4 * size_t(array.rank);
  if (bytes < head)
    return problem.set("'%s': the file ends at byte %zu, its head needs %zu", name, bytes, head);
  for (int32_t i = 0; i < array.rank; ++i)
    array.shape[i] = big_endian(data + 4 + 4 * i);
  int64_t element = symc_dtype_bytes(array.dtype);
  int64_t count = count_elements(array.shape, array.rank, element);
  if (count < 0 || uint64_t(count * element) != bytes - head) {
    char shape[160];
    print_shape(array.shape, array.rank, shape, sizeof shape);
    return problem.set("'%s': has %zu bytes of elements, its head claims %s", name, bytes - head,
                       shape);
  }
  if (!array.bytes.allocate(bytes - head, problem))
    return false;
  const uint8_t *from = data + head;
  uint8_t *to = array.bytes.data;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t b = 0; b < element; ++b)
      to[i * element + b] = from[i * element + element - 1 - b];
  return true;
}

static bool open_idx(const Request &request, Source &source, Problem &problem) {
  return open_array(request, source, read_idx, 255, problem);
}

const Format idxFormat = {"idx", open_idx, fill_from_table, close_table};

} // namespace symc::train
