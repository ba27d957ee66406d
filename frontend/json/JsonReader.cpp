//===- JsonReader.cpp - strict JSON with positions ------------------------===//
//
// A scanner with an explicit stack of open containers. The first mistake ends
// the reading: after it the structure of the rest is a guess.
//
//===----------------------------------------------------------------------===//
#include "frontend/json/JsonReader.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace symc::json {

StringRef describe(TokenKind kind) {
  switch (kind) {
  case TokenKind::Object:
    return "an object";
  case TokenKind::Array:
    return "an array";
  case TokenKind::String:
    return "a string";
  case TokenKind::Number:
    return "a number";
  case TokenKind::True:
    return "true";
  case TokenKind::False:
    return "false";
  case TokenKind::Null:
    return "null";
  }
  return "";
}

namespace {

class Scanner {
public:
  Scanner(const SourceText &source, std::vector<Token> &tokens, Diagnostics &diagnostics)
      : source(source), text(source.text()), tokens(tokens), diagnostics(diagnostics) {}

  bool run();

private:
  struct Open {
    uint32_t token;
    char closer;
  };

  /// What the character at `at` is, for a message.
  std::string found() const {
    if (at >= text.size())
      return "the end of the file";
    return inQuotes(text.substr(at, 1));
  }
  Diagnostic &fail(const Twine &message, uint32_t length = 1) {
    auto begin = static_cast<uint32_t>(at);
    return diagnostics.error(source.name(), source.position(begin, begin + length), message);
  }
  void skipSpace() {
    while (at < text.size() &&
           (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t'))
      ++at;
  }
  void push(TokenKind kind, size_t begin, bool escaped = false) {
    auto index = static_cast<uint32_t>(tokens.size());
    tokens.push_back(
        {static_cast<uint32_t>(begin), static_cast<uint32_t>(at), index + 1, kind, escaped});
  }
  bool scanString(StringRef what);
  bool scanNumber();
  bool scanWord(StringRef word, TokenKind kind);
  bool scanValue();
  bool scanKey();
  bool closeContainers();
  void warnOfRest();

  const SourceText &source;
  StringRef text;
  std::vector<Token> &tokens;
  Diagnostics &diagnostics;
  size_t at = 0;
  SmallVector<Open, 32> open;
};

bool Scanner::scanString(StringRef what) {
  if (at >= text.size() || text[at] != '"') {
    Diagnostic &error = fail("expected " + what + " in double quotes, got " + found());
    if (at < text.size() && text[at] == '\'')
      error.note("JSON strings are written with double quotes");
    return false;
  }
  size_t begin = at++;
  bool escaped = false;
  while (true) {
    if (at >= text.size()) {
      at = begin;
      fail("this string has no closing quote");
      return false;
    }
    char c = text[at];
    if (c == '"')
      break;
    if (c == '\n' || c == '\r') {
      fail("expected a closing quote before the end of the line");
      return false;
    }
    if (c == '\0') {
      fail("expected text, got a zero byte");
      return false;
    }
    if (c == '\\') {
      escaped = true;
      char code = at + 1 < text.size() ? text[at + 1] : '\0';
      if (!StringRef("\"\\nrt").contains(code) || code == '\0') {
        fail("unknown escape " + inQuotes(text.substr(at, 2)) + " in a string", 2)
            .note("MXNet reads only \\\" \\\\ \\n \\r \\t; other characters stand for themselves, "
                  "in UTF-8");
        return false;
      }
      ++at;
    }
    ++at;
  }
  ++at;
  push(TokenKind::String, begin, escaped);
  return true;
}

bool Scanner::scanNumber() {
  size_t begin = at;
  auto digits = [&] {
    size_t first = at;
    while (at < text.size() && isDigit(text[at]))
      ++at;
    return at != first;
  };
  if (text[at] == '-')
    ++at;
  size_t whole = at;
  bool good = digits() && (text[whole] != '0' || at == whole + 1);
  if (good && at < text.size() && text[at] == '.') {
    ++at;
    good = digits();
  }
  if (good && at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-'))
      ++at;
    good = digits();
  }
  if (!good || (at < text.size() && (isAlnum(text[at]) || text[at] == '_' || text[at] == '.'))) {
    while (at < text.size() && (isAlnum(text[at]) || StringRef("_+-.").contains(text[at])))
      ++at;
    size_t end = at;
    at = begin;
    fail("expected a number, got " + inQuotes(text.slice(begin, end)),
         static_cast<uint32_t>(end - begin));
    return false;
  }
  push(TokenKind::Number, begin);
  return true;
}

bool Scanner::scanWord(StringRef word, TokenKind kind) {
  size_t begin = at;
  while (at < text.size() && (isAlnum(text[at]) || text[at] == '_'))
    ++at;
  StringRef got = text.slice(begin, at);
  if (got != word) {
    at = begin;
    fail("expected a value, got " + inQuotes(got.empty() ? text.substr(at, 1) : got),
         static_cast<uint32_t>(std::max<size_t>(got.size(), 1)));
    return false;
  }
  push(kind, begin);
  return true;
}

bool Scanner::scanKey() {
  if (!scanString("a key"))
    return false;
  skipSpace();
  if (at >= text.size() || text[at] != ':') {
    fail("expected ':' after a key, got " + found());
    return false;
  }
  ++at;
  skipSpace();
  return true;
}

/// Scans one value; of a container only its opening bracket.
bool Scanner::scanValue() {
  if (at >= text.size()) {
    fail("expected a value, got the end of the file");
    return false;
  }
  char c = text[at];
  if (c == '{' || c == '[') {
    if (open.size() == Document::MaxDepth) {
      fail("expected at most " + Twine(Document::MaxDepth) + " levels of nesting, got more");
      return false;
    }
    open.push_back({static_cast<uint32_t>(tokens.size()), c == '{' ? '}' : ']'});
    size_t begin = at++;
    push(c == '{' ? TokenKind::Object : TokenKind::Array, begin);
    return true;
  }
  if (c == '"')
    return scanString("a string");
  if (c == '-' || isDigit(c))
    return scanNumber();
  if (c == '\'')
    return scanString("a string");
  if (c == 't')
    return scanWord("true", TokenKind::True);
  if (c == 'f')
    return scanWord("false", TokenKind::False);
  return scanWord("null", TokenKind::Null);
}

/// After a complete value: closes what ends here and passes the comma.
/// Returns false after an error; leaves `open` empty when the text's value ends.
bool Scanner::closeContainers() {
  while (!open.empty()) {
    skipSpace();
    char closer = open.back().closer;
    if (at < text.size() && text[at] == closer) {
      ++at;
      Token &container = tokens[open.back().token];
      container.end = static_cast<uint32_t>(at);
      container.next = static_cast<uint32_t>(tokens.size());
      open.pop_back();
      continue;
    }
    if (at < text.size() && text[at] == ',') {
      ++at;
      skipSpace();
      if (at < text.size() && text[at] == closer) {
        fail("expected a value after ',', got " + found()).note("remove the last comma");
        return false;
      }
      return true;
    }
    Token &container = tokens[open.back().token];
    fail("expected ',' or '" + Twine(closer) + "', got " + found())
        .note(source.position(container.begin, container.begin + 1),
              Twine(describe(container.kind)) + " begins here");
    return false;
  }
  return true;
}

bool Scanner::run() {
  skipSpace();
  if (at >= text.size()) {
    fail("the file is empty");
    return false;
  }
  do {
    if (!open.empty() && open.back().closer == '}' && !scanKey())
      return false;
    size_t depth = open.size();
    if (!scanValue())
      return false;
    skipSpace();
    bool opened = open.size() > depth;
    if (opened && !(at < text.size() && text[at] == open.back().closer))
      continue; // The first member follows.
    if (!closeContainers())
      return false;
  } while (!open.empty());
  skipSpace();
  if (at < text.size() && tokens.front().kind == TokenKind::Object) // else no graph at all
    warnOfRest();
  return true;
}

/// What stands behind the object, such as the rest of a buffer that was written as a whole.
void Scanner::warnOfRest() {
  size_t count = text.size() - at;
  auto begin = static_cast<uint32_t>(at);
  diagnostics.warning(source.name(), source.position(begin, begin + 1),
                      Twine(count) + (count == 1 ? " byte" : " bytes") +
                          " behind the end of the graph " + (count == 1 ? "is" : "are") +
                          " ignored");
}

} // namespace

std::optional<Document> Document::parse(std::shared_ptr<const SourceText> source,
                                        Diagnostics &diagnostics) {
  Document document;
  document.text = std::move(source);
  Scanner scanner(*document.text, document.tokens, diagnostics);
  if (!scanner.run())
    return std::nullopt;
  return document;
}

const Token &Value::token() const { return document->tokens[index]; }
TokenKind Value::kind() const { return token().kind; }
SourcePos Value::pos() const {
  const Token &t = token();
  bool container = t.kind == TokenKind::Object || t.kind == TokenKind::Array;
  return document->text->position(t.begin, container ? t.begin + 1 : t.end);
}
StringRef Value::raw() const { return document->text->text().slice(token().begin, token().end); }

std::string Value::string() const {
  StringRef inner = raw().drop_front().drop_back();
  if (!token().escaped)
    return inner.str();
  std::string result;
  result.reserve(inner.size());
  for (size_t i = 0; i < inner.size(); ++i) {
    char c = inner[i];
    if (c == '\\') {
      c = inner[++i];
      c = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
    }
    result.push_back(c);
  }
  return result;
}

std::optional<int64_t> Value::integer() const {
  int64_t result;
  if (!is(TokenKind::Number) || raw().getAsInteger(10, result))
    return std::nullopt;
  return result;
}

Value::Iterator Value::end() const { return Iterator(*document, token().next); }
size_t Value::count() const {
  size_t result = 0;
  for (Iterator it = begin(), last = end(); it != last; ++it)
    ++result;
  return result;
}
Value::Iterator &Value::Iterator::operator++() {
  index = document->tokens[index].next;
  return *this;
}

} // namespace symc::json
