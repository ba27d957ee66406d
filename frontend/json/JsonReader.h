//===- JsonReader.h - strict JSON with positions --------------------------===//
//
// Reads the JSON that MXNet's own reader accepts, strictly: one value, double
// quotes, no comments, no trailing commas, the escapes \" \\ \n \r \t. Bytes
// behind an object, which MXNet does not read, are worth a warning. The
// result is a flat list of tokens over the text (no tree, no copies), made
// without recursion: nesting is limited to 256 levels, memory is proportional
// to the length of the text, and each value has its place.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_JSON_JSONREADER_H
#define SYMC_FRONTEND_JSON_JSONREADER_H

#include "frontend/Diagnostics.h"
#include <optional>

namespace symc::json {

enum class TokenKind : uint8_t { Object, Array, String, Number, True, False, Null };

/// 'an object', 'a string', ... for messages.
llvm::StringRef describe(TokenKind kind);

/// One value, or one key of an object. The members of a container follow it in
/// the list; `next` is the index of the first token after the whole value.
struct Token {
  uint32_t begin;
  uint32_t end;
  uint32_t next;
  TokenKind kind;
  bool escaped;
};

class Document;

/// A value inside a document. Cheap to copy; valid as long as the document.
class Value {
public:
  Value(const Document &document, uint32_t index) : document(&document), index(index) {}

  TokenKind kind() const;
  bool is(TokenKind wanted) const { return kind() == wanted; }
  SourcePos pos() const;
  /// The text as written, quotes included.
  llvm::StringRef raw() const;
  /// The decoded text of a string.
  std::string string() const;
  /// The value of a number that is an integer within 64 bits.
  std::optional<int64_t> integer() const;

  /// Iterates the elements of an array, or keys and values of an object in turn.
  class Iterator {
  public:
    Iterator(const Document &document, uint32_t index) : document(&document), index(index) {}
    Value operator*() const { return Value(*document, index); }
    Iterator &operator++();
    bool operator!=(const Iterator &other) const { return index != other.index; }

  private:
    const Document *document;
    uint32_t index;
  };
  Iterator begin() const { return Iterator(*document, index + 1); }
  Iterator end() const;
  bool empty() const { return !(begin() != end()); }
  /// Elements of an array.
  size_t count() const;
  /// Calls visit(key, value) for each member of an object.
  template <typename Visit> void forEachMember(Visit visit) const {
    for (Iterator it = begin(), last = end(); it != last; ++it) {
      Value key = *it;
      ++it;
      visit(key, *it);
    }
  }

private:
  const Token &token() const;
  const Document *document;
  uint32_t index;
};

/// A parsed text: its tokens and the source that they point into.
class Document {
public:
  /// Parses the text. On a syntax error reports it and returns nothing.
  static std::optional<Document> parse(std::shared_ptr<const SourceText> source,
                                       Diagnostics &diagnostics);

  Value root() const { return Value(*this, 0); }
  const std::shared_ptr<const SourceText> &source() const { return text; }

  static constexpr unsigned MaxDepth = 256;

private:
  friend class Value;
  friend class Value::Iterator;
  std::shared_ptr<const SourceText> text;
  std::vector<Token> tokens;
};

} // namespace symc::json

#endif // SYMC_FRONTEND_JSON_JSONREADER_H
