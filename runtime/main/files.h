// files.h: whole files in memory, and files that appear whole or not at all.
#ifndef SYMC_RUNTIME_MAIN_FILES_H
#define SYMC_RUNTIME_MAIN_FILES_H

#include "problem.h"

#include <stddef.h>
#include <stdint.h>

namespace symc {

// Owns memory from malloc.
struct Bytes {
  uint8_t *data = nullptr;
  size_t size = 0;
  Bytes() = default;
  Bytes(const Bytes &) = delete;
  Bytes &operator=(const Bytes &) = delete;
  ~Bytes();
  bool allocate(size_t bytes, Problem &problem);
  void swap(Bytes &other);
};

// Reads a file, or standard input for "-". At most `limit` bytes.
bool read_file(const char *path, size_t limit, Bytes &bytes, Problem &problem);

// Writes header and body to a file beside `path` and renames it; makes missing folders.
// "-" is standard output.
bool write_file(const char *path, const void *header, size_t headerBytes, const void *body,
                size_t bodyBytes, Problem &problem);

// Whether `path` ends in ".extension", letters of either case.
bool has_extension(const char *path, const char *extension);

bool file_exists(const char *path);

} // namespace symc
#endif
