//===- Wire.cpp - protobuf's wire format, read strictly --------------------===//
#include "frontend/onnx/Wire.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace symc::onnx {

bool Wire::fail(uint64_t at, const Twine &message) {
  if (!bad)
    diagnostics.error(path, {}, "byte " + Twine(at) + ": " + message);
  bad = true;
  return false;
}

// LLVM's reader takes padding of any length and shifts by what it counts, so it sees ten bytes.
bool Wire::varint(StringRef file, Span &rest, uint64_t &value) {
  constexpr uint64_t longest = 10;
  StringRef window = file.slice(rest.begin, std::min(rest.end, rest.begin + longest));
  DataExtractor extractor(window, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor cursor(0);
  value = extractor.getULEB128(cursor);
  rest.begin += cursor.tell();
  bool sound = static_cast<bool>(cursor);
  consumeError(cursor.takeError());
  return sound;
}

bool Wire::next(Message &message, Field &field) {
  Span &rest = message.rest;
  if (bad || rest.begin >= rest.end)
    return false;
  field.at = rest.begin;
  uint64_t tag;
  if (!varint(file, rest, tag))
    return fail(field.at,
                Twine(message.name) + " has a tag that is no number of at most ten bytes");
  uint64_t number = tag >> 3, type = tag & 7;
  if (number == 0 || number > 0x1fffffff)
    return fail(field.at, Twine(message.name) + " has the field number " + Twine(number) +
                              ", needs 1 to 536870911");
  field.number = static_cast<uint32_t>(number);
  uint64_t size = 0;
  switch (type) {
  case 0:
    field.span.begin = rest.begin;
    if (!varint(file, rest, field.bits))
      return fail(field.span.begin, "field " + Twine(number) + " of " + message.name +
                                        " is no number of at most ten bytes");
    field.span.end = rest.begin;
    field.type = WireType::Varint;
    return true;
  case 1:
    size = 8;
    break;
  case 2:
    if (!varint(file, rest, size))
      return fail(field.at, "field " + Twine(number) + " of " + message.name +
                                " has a length that is no number of at most ten bytes");
    break;
  case 5:
    size = 4;
    break;
  case 3:
  case 4:
    return fail(field.at, "field " + Twine(number) + " of " + message.name +
                              " is a group, which ONNX does not use");
  default:
    return fail(field.at, "field " + Twine(number) + " of " + message.name + " has the wire type " +
                              Twine(type) + ", needs 0, 1, 2 or 5");
  }
  field.type = static_cast<WireType>(type);
  if (size > rest.size())
    return fail(field.at, "field " + Twine(number) + " of " + message.name + " has " + Twine(size) +
                              " bytes, of which the message has " + Twine(rest.size()));
  field.span = {rest.begin, rest.begin + size};
  rest.begin += size;
  const char *bytes = file.data() + field.span.begin;
  if (field.type == WireType::Fixed64)
    field.bits = support::endian::read64le(bytes);
  if (field.type == WireType::Fixed32)
    field.bits = support::endian::read32le(bytes);
  return true;
}

bool Wire::expect(const Message &message, const Field &field, WireType type) {
  if (field.type == type)
    return true;
  return fail(field.at, "field " + Twine(field.number) + " of " + message.name +
                            " has the wire type " + Twine(int(field.type)) + ", needs " +
                            Twine(int(type)));
}

bool Wire::text(const Message &message, const Field &field, StringRef &value) {
  if (!expect(message, field, WireType::Length))
    return false;
  value = at(field.span);
  if (size_t zero = value.find('\0'); zero != StringRef::npos)
    return fail(field.span.begin + zero, "field " + Twine(field.number) + " of " + message.name +
                                             " has a zero byte in a text");
  return true;
}

bool Wire::texts(const Message &message, const Field &field, std::vector<StringRef> &values) {
  return text(message, field, values.emplace_back());
}

bool Wire::bytes(const Message &message, const Field &field, Span &span) {
  span = field.span;
  return expect(message, field, WireType::Length);
}

bool Wire::integer(const Message &message, const Field &field, int64_t &value) {
  value = static_cast<int64_t>(field.bits);
  return expect(message, field, WireType::Varint);
}

static float floatOf(uint64_t bits) { return bit_cast<float>(static_cast<uint32_t>(bits)); }

bool Wire::real(const Message &message, const Field &field, float &value) {
  if (!expect(message, field, WireType::Fixed32))
    return false;
  value = floatOf(field.bits);
  return true;
}

bool Wire::integers(const Message &message, const Field &field, std::vector<int64_t> &values) {
  if (field.type == WireType::Length) {
    Span rest = field.span;
    while (rest.begin < rest.end) {
      uint64_t begin = rest.begin, value;
      if (!varint(file, rest, value))
        return fail(begin, "field " + Twine(field.number) + " of " + message.name +
                               " has an element that is no number of at most ten bytes");
      values.push_back(static_cast<int64_t>(value));
    }
    return true;
  }
  return integer(message, field, values.emplace_back());
}

bool Wire::reals(const Message &message, const Field &field, std::vector<float> &values) {
  std::vector<Span> spans;
  if (!list(message, field, WireType::Fixed32, spans))
    return false;
  for (uint64_t at = spans[0].begin; at < spans[0].end; at += 4)
    values.push_back(floatOf(support::endian::read32le(file.data() + at)));
  return true;
}

bool Wire::list(const Message &message, const Field &field, WireType element,
                std::vector<Span> &spans) {
  if (field.type != WireType::Length && !expect(message, field, element))
    return false;
  spans.push_back(field.span);
  if (field.type != WireType::Length)
    return true;
  if (element == WireType::Varint) {
    std::vector<int64_t> values;
    return integers(message, field, values);
  }
  uint64_t each = element == WireType::Fixed32 ? 4 : 8;
  if (field.span.size() % each != 0)
    return fail(field.at, "field " + Twine(field.number) + " of " + message.name + " has " +
                              Twine(field.span.size()) + " bytes, needs a multiple of " +
                              Twine(each));
  return true;
}

bool Wire::inner(Message &message, const Field &field, Span &span) {
  if (!repeated(message, field, span))
    return false;
  uint64_t bit = uint64_t(1) << (field.number & 63);
  if (message.seen & bit)
    return fail(field.at, "field " + Twine(field.number) + " of " + message.name +
                              " is given twice, needs to be one message");
  message.seen |= bit;
  return true;
}

bool Wire::repeated(const Message &message, const Field &field, Span &span) {
  span = field.span;
  return expect(message, field, WireType::Length);
}

} // namespace symc::onnx
