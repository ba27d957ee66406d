//===- Npy.cpp - NumPy's .npy format --------------------------------------===//
//
// Magic, version, length of the header, and the header: a Python dictionary of
// descr, fortran_order and shape, which is parsed strictly. Little-endian
// numbers and booleans are read; column-major arrays are transposed.
//
//===----------------------------------------------------------------------===//
#include "frontend/params/ByteReader.h"
#include "frontend/params/Formats.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <cstring>

using namespace llvm;

namespace symc::params {

namespace {

/// The header's dictionary, consumed from the front.
class HeaderParser {
public:
  HeaderParser(StringRef text, NpyHeader &header, std::string &mistake)
      : text(text), header(header), mistake(mistake) {}

  bool run() {
    bool seenDescr = false, seenOrder = false, seenShape = false;
    if (!eat("{"))
      return fail("expected '{'");
    while (!eat("}")) {
      std::string key;
      if (!quotedText(key) || !eat(":"))
        return fail("expected a quoted key and ':'");
      bool *seen = key == "descr"           ? &seenDescr
                   : key == "fortran_order" ? &seenOrder
                   : key == "shape"         ? &seenShape
                                            : nullptr;
      if (!seen || *seen)
        return fail(seen ? "a key is given twice" : "unknown key " + inQuotes(key));
      *seen = true;
      if (seen == &seenDescr ? !descr() : seen == &seenOrder ? !order() : !shape())
        return false;
      if (!eat(",") && !text.ltrim().starts_with("}"))
        return fail("expected ',' or '}'");
    }
    if (!seenDescr || !seenOrder || !seenShape)
      return fail("expected descr, fortran_order and shape");
    if (!text.trim().empty())
      return fail("expected nothing after '}'");
    return true;
  }

private:
  bool fail(const Twine &what) {
    mistake = ("bad .npy header: " + what).str();
    return false;
  }
  bool eat(StringRef token) {
    text = text.ltrim();
    return text.consume_front(token);
  }
  bool quotedText(std::string &result) {
    text = text.ltrim();
    if (text.empty() || (text[0] != '\'' && text[0] != '"'))
      return false;
    size_t end = text.find(text[0], 1);
    if (end == StringRef::npos)
      return false;
    result = text.slice(1, end).str();
    text = text.drop_front(end + 1);
    return true;
  }
  bool descr() {
    std::string code;
    if (!quotedText(code)) {
      mistake = "expected one element type, got a record type";
      return false;
    }
    if (auto dtype = dtypeFromNumpyCode(code)) {
      header.dtype = *dtype;
      return true;
    }
    bool bigEndian = !code.empty() && code[0] == '>' &&
                     dtypeFromNumpyCode("<" + StringRef(code).drop_front().str());
    mistake = "element type " + inQuotes(code) + " is not supported" +
              (bigEndian ? ": it is big-endian" : "");
    return false;
  }
  bool order() {
    if (eat("True"))
      header.columnMajor = true;
    else if (!eat("False"))
      return fail("expected True or False as fortran_order");
    return true;
  }
  bool shape() {
    if (!eat("("))
      return fail("expected '(' before the shape");
    while (!eat(")")) {
      text = text.ltrim();
      uint64_t dim;
      if (text.empty() || !isDigit(text[0]) || text.consumeInteger(10, dim) || dim > INT64_MAX)
        return fail("expected dimensions of 0 or more");
      text.consume_front("L");
      header.shape.push_back(static_cast<int64_t>(dim));
      if (header.shape.size() > MaxDims)
        return fail("expected at most " + Twine(MaxDims) + " dimensions");
      if (!eat(",") && !text.ltrim().starts_with(")"))
        return fail("expected ',' or ')' in the shape");
    }
    return true;
  }

  StringRef text;
  NpyHeader &header;
  std::string &mistake;
};

/// Copies a column-major array into row-major order.
void transpose(const char *from, char *to, ArrayRef<int64_t> shape, unsigned bytes,
               uint64_t count) {
  SmallVector<int64_t, 8> index(shape.size(), 0), stride(shape.size());
  int64_t step = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    stride[d] = step;
    step *= shape[d];
  }
  uint64_t offset = 0;
  for (uint64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * bytes, from + offset * bytes, bytes);
    for (size_t d = shape.size(); d-- > 0;) {
      offset += stride[d];
      if (++index[d] < shape[d])
        break;
      offset -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
}

} // namespace

std::optional<NpyHeader> parseNpyHeader(StringRef bytes, std::string &mistake) {
  NpyHeader header;
  ByteReader reader(bytes, NpyMagic.size());
  uint8_t major, minor;
  uint32_t length = 0;
  uint16_t shortLength;
  StringRef text;
  if (!bytes.starts_with(NpyMagic)) {
    mistake = "expected a .npy, which begins with \\x93NUMPY";
    return std::nullopt;
  }
  bool good = reader.read(major) && reader.read(minor);
  if (good && (major < 1 || major > 3)) {
    mistake = ("expected .npy version 1, 2 or 3, got " + Twine(unsigned(major))).str();
    return std::nullopt;
  }
  if (good && major == 1) {
    good = reader.read(shortLength);
    length = good ? shortLength : 0;
  } else if (good) {
    good = reader.read(length);
  }
  if (!good || !reader.take(length, text)) {
    mistake = "the file ends within the .npy header";
    return std::nullopt;
  }
  if (!HeaderParser(text, header, mistake).run())
    return std::nullopt;
  header.dataOffset = reader.position();
  auto dataBytes = arrayBytes(header.shape, elementBytes(header.dtype));
  if (!dataBytes) {
    mistake = "shape " + shapeText(header.shape) + " needs more bytes than 64 bits can count";
    return std::nullopt;
  }
  header.dataBytes = *dataBytes;
  return header;
}

bool readNpy(StringRef bytes, uint64_t fileOffset, StringRef path, StringRef member,
             Diagnostics &diagnostics, Array &array) {
  std::string place = member.empty() ? "" : "member " + inQuotes(member) + ": ";
  std::string mistake;
  auto header = parseNpyHeader(bytes, mistake);
  if (header && header->dataBytes != bytes.size() - header->dataOffset) {
    mistake = ("data of shape " + shapeText(header->shape) + " and type " + name(header->dtype) +
               " needs " + Twine(header->dataBytes) + " bytes, got " +
               Twine(bytes.size() - header->dataOffset))
                  .str();
    header.reset();
  }
  if (!header) {
    diagnostics.error(path, {}, place + mistake);
    return false;
  }
  array.dtype = header->dtype;
  array.shape = std::move(header->shape);
  array.byteCount = header->dataBytes;
  array.data = bytes.data() + header->dataOffset;
  array.fileOffset = fileOffset + header->dataOffset;
  if (!header->columnMajor || array.shape.size() < 2)
    return true;
  std::shared_ptr<char> rows = allocateZeroed(array.byteCount);
  if (!rows) {
    diagnostics.error(path, {}, place + outOfMemory(array.byteCount));
    return false;
  }
  transpose(array.data, rows.get(), array.shape, elementBytes(array.dtype), array.elementCount());
  array.inFile = false;
  array.data = rows.get();
  array.owned = std::move(rows);
  return true;
}

} // namespace symc::params
