//===- Wire.h - protobuf's wire format, read strictly ----------------------===//
//
// Fields of messages in a mapped file: bounds are checked before a byte is read,
// places stay numbers of bytes in the file, and the first mistake ends the reading.
// What ONNX does not use is refused: groups, field number 0, varints of more than
// ten bytes, lengths beyond their message, a known field of another wire type, a
// singular message given twice, names with a zero byte. Unknown fields are skipped.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_ONNX_WIRE_H
#define SYMC_FRONTEND_ONNX_WIRE_H

#include "frontend/Diagnostics.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace symc::onnx {

/// Bytes [begin, end) of the file.
struct Span {
  uint64_t begin = 0, end = 0;
  uint64_t size() const { return end - begin; }
};

enum class WireType : uint8_t { Varint = 0, Fixed64 = 1, Length = 2, Fixed32 = 5 };

struct Field {
  uint64_t at = 0; // of its tag
  uint32_t number = 0;
  WireType type = WireType::Varint;
  uint64_t bits = 0; // of a number
  Span span;         // of its bytes: those of a number, too
};

/// A message that is being read.
struct Message {
  const char *name;
  Span rest;
  uint64_t seen = 0; // singular messages, by number
};

class Wire {
public:
  Wire(llvm::StringRef file, llvm::StringRef path, Diagnostics &diagnostics)
      : file(file), path(path), diagnostics(diagnostics) {}

  /// The next field; false at the end and after a mistake.
  bool next(Message &message, Field &field);
  bool failed() const { return bad; }
  /// Reports a mistake at a byte; false.
  bool fail(uint64_t at, const llvm::Twine &message);

  // The value of a field. Each is false after a mistake.
  bool text(const Message &message, const Field &field, llvm::StringRef &value);
  bool texts(const Message &message, const Field &field, std::vector<llvm::StringRef> &values);
  /// Bytes that may hold zeros.
  bool bytes(const Message &message, const Field &field, Span &span);
  bool integer(const Message &message, const Field &field, int64_t &value);
  bool real(const Message &message, const Field &field, float &value);
  /// Lists, packed or not.
  bool integers(const Message &message, const Field &field, std::vector<int64_t> &values);
  bool reals(const Message &message, const Field &field, std::vector<float> &values);
  /// The places of such a list's elements, which are well-formed.
  bool list(const Message &message, const Field &field, WireType element, std::vector<Span> &spans);
  /// A message inside: one alone, or one of a list.
  bool inner(Message &message, const Field &field, Span &span);
  bool repeated(const Message &message, const Field &field, Span &span);

  llvm::StringRef at(Span span) const { return file.slice(span.begin, span.end); }
  /// The varint at the beginning of `rest`, which it takes; false beyond the end of that.
  static bool varint(llvm::StringRef file, Span &rest, uint64_t &value);

private:
  bool expect(const Message &message, const Field &field, WireType type);

  llvm::StringRef file;
  std::string path;
  Diagnostics &diagnostics;
  bool bad = false;
};

} // namespace symc::onnx

#endif // SYMC_FRONTEND_ONNX_WIRE_H
