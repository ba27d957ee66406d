// zip.h: the members of a zip archive in memory, as NumPy writes .npz files:
// stored or deflated, with or without the 64-bit fields; no encryption, one disk.
#ifndef SYMC_RUNTIME_MAIN_ZIP_H
#define SYMC_RUNTIME_MAIN_ZIP_H

#include "files.h"

namespace symc {

bool is_zip(const uint8_t *data, size_t bytes);

class Zip {
public:
  // Finds the central directory. The bytes must outlive the object.
  bool open(const char *name, const uint8_t *data, size_t bytes, Problem &problem);

  struct Member {
    char name[256]; // without ".npy"
    size_t offset;  // of the local header
    size_t packedBytes, bytes;
    uint32_t crc;
    int method;
  };
  int count() const { return members; }
  // Members are walked in the archive's order: next() until it returns false; `problem`
  // distinguishes an end (empty text) from a damaged entry.
  void rewind() { at = directory; }
  bool next(Member &member, Problem &problem);
  // Unpacks one; checks sizes before memory is taken, and the checksum after.
  bool extract(const Member &member, Bytes &bytes, Problem &problem) const;

private:
  const char *name = "";
  const uint8_t *data = nullptr;
  size_t bytes = 0, directory = 0, at = 0;
  int members = 0;
};

} // namespace symc
#endif
