// arrays_file.h: MXNet's files of named arrays (.params): written as MXNet 0.12 to 1.9.1 read them,
// read as any version wrote them. The state of a training lies in the same container.
//
//   u64 0x112, u64 0, u64 N, N arrays, u64 N, N names (u64 length, bytes); little-endian, no
//   padding an array: u32 0xF993FAC9, i32 0 (dense), u32 rank, i64 extents, i32 1, i32 0 (the CPU),
//   i32 element type, elements
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_ARRAYS_FILE_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_ARRAYS_FILE_H

#include "../../main/npy.h"

namespace symc::train {

// Bytes that grow.
class Growing {
public:
  bool add(const void *data, size_t bytes, Problem &problem);
  // Room for so many bytes more, to be written by the caller.
  uint8_t *room(size_t bytes, Problem &problem);
  const uint8_t *data() const { return memory.data; }
  size_t size() const { return used; }

private:
  Bytes memory;
  size_t used = 0;
};

class ArraysWriter {
public:
  // Memory for the elements of one array more, to be written before the next call; NULL with a
  // sentence.
  uint8_t *add(const char *prefix, const char *name, int32_t dtype, const int64_t *shape,
               int32_t rank, Problem &problem);
  // The whole file, once all arrays are there.
  bool finish(Problem &problem);
  const uint8_t *data() const { return body.data(); }
  size_t size() const { return body.size(); }

private:
  Growing body, names;
  uint64_t count = 0;
};

// An array of a file; pointers lead into its bytes.
struct NamedArray {
  const char *name = ""; // not ended by a zero
  size_t nameBytes = 0;
  int64_t shape[SYMC_MAX_RANK] = {};
  int32_t rank = 0;
  int32_t dtype = 0;
  int64_t count = 0;             // elements
  const uint8_t *data = nullptr; // not aligned
  bool is(const char *prefix, const char *name) const;
};

class ArraysReader {
public:
  ~ArraysReader();
  ArraysReader() = default;
  ArraysReader(const ArraysReader &) = delete;
  ArraysReader &operator=(const ArraysReader &) = delete;
  // The bytes must outlive the object. `name` is the file's, for sentences.
  bool open(const char *name, const uint8_t *data, size_t bytes, Problem &problem);
  int64_t count() const { return n; }
  const NamedArray &at(int64_t index) const { return arrays[index]; }
  // NULL where there is none.
  const NamedArray *find(const char *prefix, const char *name) const;

private:
  NamedArray *arrays = nullptr;
  int64_t n = 0;
};

// One array by itself, as MXNet pickles it. `name` is its file's, for sentences.
bool read_array(const char *name, const uint8_t *data, size_t bytes, NamedArray &array,
                Problem &problem);

} // namespace symc::train
#endif
