//===- Bytes.h - little-endian bytes and readers over them, for tests -----===//
//
// Builds files byte by byte, and reads arrays from bytes in memory.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_TEST_UNIT_FRONTEND_BYTES_H
#define SYMC_TEST_UNIT_FRONTEND_BYTES_H

#include "Messages.h"
#include "frontend/params/ParamsReader.h"
#include <cstring>

namespace symc::test {

/// Bytes that grow: `Bytes().u32(1).i64(2).text("abc")`.
class Bytes {
public:
  Bytes &u16(uint16_t value) { return raw(value); }
  Bytes &u32(uint32_t value) { return raw(value); }
  Bytes &i32(int32_t value) { return raw(value); }
  Bytes &u64(uint64_t value) { return raw(value); }
  Bytes &i64(int64_t value) { return raw(value); }
  Bytes &f32(float value) { return raw(value); }
  Bytes &text(llvm::StringRef value) {
    bytes += value.str();
    return *this;
  }
  Bytes &dims(std::vector<int64_t> values) {
    i32(static_cast<int32_t>(values.size()));
    for (int64_t value : values)
      i64(value);
    return *this;
  }
  Bytes &zeros(size_t count) {
    bytes.append(count, '\0');
    return *this;
  }
  operator llvm::StringRef() const { return bytes; }
  std::string bytes;

private:
  template <typename T> Bytes &raw(T value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(T));
    return *this;
  }
};

inline std::optional<params::ArrayFile> readBytes(llvm::StringRef bytes, Diagnostics &diagnostics,
                                                  const params::ReadOptions &options = {}) {
  return params::readArrays(llvm::MemoryBuffer::getMemBufferCopy(bytes), "net.params", diagnostics,
                            options);
}

inline std::string arraysMessage(llvm::StringRef bytes, const params::ReadOptions &options = {}) {
  Diagnostics diagnostics;
  auto file = readBytes(bytes, diagnostics, options);
  if (file.has_value() == diagnostics.hasErrors())
    return "arrays and errors, or neither";
  return oneLine(diagnostics);
}

template <typename T> std::vector<T> values(const params::Array &array) {
  std::vector<T> result(array.byteCount / sizeof(T));
  std::memcpy(result.data(), array.data, array.byteCount);
  return result;
}

} // namespace symc::test

#endif // SYMC_TEST_UNIT_FRONTEND_BYTES_H
