//===- ByteReader.h - bounded little-endian reads -------------------------===//
//
// A cursor over bytes that never moves past the end, and arithmetic on sizes
// that reports when it overflows. Internal to the readers of arrays.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_PARAMS_BYTEREADER_H
#define SYMC_FRONTEND_PARAMS_BYTEREADER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

namespace symc::params {

class ByteReader {
public:
  explicit ByteReader(llvm::StringRef bytes, uint64_t at = 0) : bytes(bytes), at(at) {}

  uint64_t position() const { return at; }
  uint64_t left() const { return at < bytes.size() ? bytes.size() - at : 0; }

  /// Reads a little-endian number; false and no move if too few bytes are left.
  template <typename T> bool read(T &value) {
    if (left() < sizeof(T))
      return false;
    value = llvm::support::endian::read<T, llvm::endianness::little>(bytes.data() + at);
    at += sizeof(T);
    return true;
  }
  /// Takes `count` bytes; false and no move if too few are left.
  bool take(uint64_t count, llvm::StringRef &result) {
    if (left() < count)
      return false;
    result = bytes.substr(at, count);
    at += count;
    return true;
  }

private:
  llvm::StringRef bytes;
  uint64_t at;
};

/// Bytes of a dense array, or nothing if they do not fit 63 bits. Dimensions
/// must not be negative.
inline std::optional<uint64_t> arrayBytes(llvm::ArrayRef<int64_t> shape, unsigned elementBytes) {
  uint64_t count = elementBytes;
  bool overflow = false;
  for (int64_t dim : shape) {
    if (dim == 0)
      return 0;
    if (count > uint64_t(INT64_MAX) / static_cast<uint64_t>(dim))
      overflow = true;
    else
      count *= static_cast<uint64_t>(dim);
  }
  if (overflow)
    return std::nullopt;
  return count;
}

/// The message when there is no memory for so many bytes.
std::string outOfMemory(uint64_t bytes);

/// Zeroed memory, or null if there is none.
inline std::shared_ptr<char> allocateZeroed(uint64_t bytes) {
  return std::shared_ptr<char>(static_cast<char *>(std::calloc(bytes ? bytes : 1, 1)), std::free);
}

} // namespace symc::params

#endif // SYMC_FRONTEND_PARAMS_BYTEREADER_H
