// arrays_file.cpp: see arrays_file.h. Every size is compared with the bytes that are left before it
// is used.
#include "arrays_file.h"

#include <stdlib.h>
#include <string.h>

namespace symc::train {

static constexpr uint64_t listMagic = 0x112;
static constexpr uint32_t magicV1 = 0xf993fac8, magicV2 = 0xf993fac9, magicV3 = 0xf993faca;

uint8_t *Growing::room(size_t bytes, Problem &problem) {
  if (bytes > memory.size - used) {
    Bytes larger;
    if (!larger.allocate(used + bytes + (used + bytes) / 2, problem))
      return nullptr;
    if (used)
      memcpy(larger.data, memory.data, used);
    memory.swap(larger);
  }
  uint8_t *at = memory.data + used;
  used += bytes;
  return at;
}

bool Growing::add(const void *data, size_t bytes, Problem &problem) {
  uint8_t *at = room(bytes, problem);
  if (at)
    memcpy(at, data, bytes);
  return at != nullptr;
}

// --- Writing -----------------------------------------------------------------

uint8_t *ArraysWriter::add(const char *prefix, const char *name, int32_t dtype,
                           const int64_t *shape, int32_t rank, Problem &problem) {
  uint64_t head[3] = {listMagic, 0, 0}, nameBytes = strlen(prefix) + strlen(name);
  if (count == 0 && !body.add(head, sizeof head, problem))
    return nullptr;
  ++count;
  const int32_t begin[3] = {int32_t(magicV2), 0, rank}, end[3] = {1, 0, dtype};
  if (!body.add(begin, sizeof begin, problem) ||
      !body.add(shape, size_t(rank) * sizeof(int64_t), problem) ||
      !body.add(end, sizeof end, problem) || !names.add(&nameBytes, sizeof nameBytes, problem) ||
      !names.add(prefix, strlen(prefix), problem) || !names.add(name, strlen(name), problem))
    return nullptr;
  int64_t elements = count_elements(shape, rank, symc_dtype_bytes(dtype));
  return body.room(size_t(elements * symc_dtype_bytes(dtype)), problem);
}

bool ArraysWriter::finish(Problem &problem) {
  if (!body.add(&count, sizeof count, problem) || !body.add(names.data(), names.size(), problem))
    return false;
  memcpy(const_cast<uint8_t *>(body.data()) + 2 * sizeof(uint64_t), &count, sizeof count);
  return true;
}

// --- Reading -----------------------------------------------------------------

namespace {
class Walk {
public:
  Walk(const char *name, const uint8_t *data, size_t bytes, Problem &problem)
      : name(name), begin(data), at(data), end(data + bytes), problem(problem) {}

  bool take(void *to, size_t bytes) {
    if (size_t(end - at) < bytes)
      return truncated();
    memcpy(to, at, bytes);
    at += bytes;
    return true;
  }
  bool truncated() {
    return problem.set("'%s': the file ends at byte %zu inside of an array", name,
                       size_t(end - begin));
  }
  bool damaged(const char *what, long long got) {
    return problem.set("'%s': byte %zu: expected %s, got %lld", name, size_t(at - begin), what,
                       got);
  }
  bool takeArray(NamedArray &array);
  bool takeNames(NamedArray *arrays, uint64_t n);

  const char *name;
  const uint8_t *begin, *at, *end;
  Problem &problem;

private:
  bool takeExtents(NamedArray &array, bool narrow);
};
} // namespace

bool Walk::takeExtents(NamedArray &array, bool narrow) {
  for (int32_t i = 0; i < array.rank; ++i) {
    uint32_t extent = 0;
    if (narrow ? !take(&extent, sizeof extent) : !take(&array.shape[i], sizeof(int64_t)))
      return false;
    array.shape[i] = narrow ? int64_t(extent) : array.shape[i];
  }
  return true;
}

bool Walk::takeArray(NamedArray &array) {
  uint32_t magic;
  int32_t context[2];
  if (!take(&magic, sizeof magic))
    return false;
  bool isNew = magic == magicV2 || magic == magicV3, narrow = !isNew && magic != magicV1;
  array.rank = int32_t(magic);
  if (isNew) {
    int32_t storage;
    if (!take(&storage, sizeof storage))
      return false;
    if (storage != 0)
      return damaged("a dense array", storage);
  }
  if (!narrow && !take(&array.rank, sizeof array.rank))
    return false;
  if (array.rank < 0 || array.rank > SYMC_MAX_RANK)
    return damaged("a number of dimensions of 0..8", array.rank);
  if (!takeExtents(array, narrow))
    return false;
  if (array.rank == 0 && magic != magicV3)
    return true; // empty: nothing follows
  if (!take(context, sizeof context) || !take(&array.dtype, sizeof array.dtype))
    return false;
  int64_t element = symc_dtype_bytes(array.dtype);
  if (!element)
    return damaged("an element type", array.dtype);
  array.count = count_elements(array.shape, array.rank, element);
  if (array.count < 0 || array.count > (end - at) / element)
    return truncated();
  array.data = at;
  at += array.count * element;
  return true;
}

bool Walk::takeNames(NamedArray *arrays, uint64_t n) {
  uint64_t names;
  if (!take(&names, sizeof names))
    return false;
  if (names != n && names != 0)
    return damaged("as many names as arrays", (long long)names);
  for (uint64_t i = 0; i < names; ++i) {
    uint64_t length;
    if (!take(&length, sizeof length))
      return false;
    if (length > size_t(end - at))
      return truncated();
    arrays[i].name = reinterpret_cast<const char *>(at);
    arrays[i].nameBytes = size_t(length);
    at += length;
  }
  return at == end || damaged("the end of the file", (long long)(end - at));
}

bool NamedArray::is(const char *prefix, const char *wanted) const {
  size_t first = strlen(prefix), second = strlen(wanted);
  return nameBytes == first + second && memcmp(name, prefix, first) == 0 &&
         memcmp(name + first, wanted, second) == 0;
}

ArraysReader::~ArraysReader() { free(arrays); }

bool ArraysReader::open(const char *name, const uint8_t *data, size_t bytes, Problem &problem) {
  Walk walk(name, data, bytes, problem);
  uint64_t head[3];
  if (bytes < sizeof head || memcmp(data, &listMagic, sizeof listMagic) != 0)
    return problem.set("'%s': no file of arrays of MXNet", name);
  walk.take(head, sizeof head);
  constexpr size_t least = 4; // bytes of an array
  if (head[2] > (bytes - sizeof head) / least)
    return problem.set("'%s': claims %llu arrays, more than its %zu bytes hold", name,
                       (unsigned long long)head[2], bytes);
  arrays = static_cast<NamedArray *>(calloc(size_t(head[2]) + 1, sizeof(NamedArray)));
  if (!arrays)
    return problem.set(RunFailed, "cannot allocate %zu bytes",
                       (size_t(head[2]) + 1) * sizeof(NamedArray));
  n = int64_t(head[2]);
  for (int64_t i = 0; i < n; ++i) {
    arrays[i] = NamedArray();
    if (!walk.takeArray(arrays[i]))
      return false;
  }
  return walk.takeNames(arrays, head[2]);
}

bool read_array(const char *name, const uint8_t *data, size_t bytes, NamedArray &array,
                Problem &problem) {
  Walk walk(name, data, bytes, problem);
  array = NamedArray();
  return walk.takeArray(array);
}

const NamedArray *ArraysReader::find(const char *prefix, const char *name) const {
  for (int64_t i = 0; i < n; ++i)
    if (arrays[i].is(prefix, name))
      return &arrays[i];
  return nullptr;
}

} // namespace symc::train
