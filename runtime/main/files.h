// files.h: whole files in memory, and files that appear whole or not at all, also where a
// signal ends the program while it writes.
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

// Writes header and body to a file beside `path`, whose name nobody can predict, and renames
// it; makes missing folders. A link stands for what it leads to. Devices, pipes and what lies in
// /proc are written through, and "-" is standard output.
bool write_file(const char *path, const void *header, size_t headerBytes, const void *body,
                size_t bodyBytes, Problem &problem);

// Writes all bytes to the open file; false with errno where it takes no more.
bool write_all(int file, const void *data, size_t bytes);

// Makes the missing folders in front of the last part of `path`, which is as before afterwards.
bool make_folders(char *path, Problem &problem);

// Distinguishes the files that outputs become: equal for two paths only where one file would be
// replaced by the other, whatever links and folders are between. 0 for what is written through.
bool file_identity(const char *path, uint64_t &identity, Problem &problem);

// Whether `path` ends in ".extension", letters of either case.
bool has_extension(const char *path, const char *extension);

bool file_exists(const char *path);

// How long a file may be that holds tensors of so many bytes: several times as long, and room for
// headers and pictures. An archive on disk may hold much else; a device or pipe may never end.
size_t limit_for(const char *path, int64_t tensorBytes);

} // namespace symc
#endif
