//===- JsonReaderTest.cpp - what is JSON and what is not ------------------===//
//
// Every syntax error with its place and its text, and the values of good texts.
//
//===----------------------------------------------------------------------===//
#include "frontend/json/JsonReader.h"

#include "Messages.h"
#include "gtest/gtest.h"

using namespace symc;
using namespace symc::json;
using namespace symc::test;
using llvm::MemoryBuffer;

namespace {

std::optional<Document> parse(llvm::StringRef text, Diagnostics &diagnostics) {
  return Document::parse(
      std::make_shared<const SourceText>("net.json", MemoryBuffer::getMemBufferCopy(text)),
      diagnostics);
}

std::string messageFor(llvm::StringRef text) {
  Diagnostics diagnostics;
  auto document = parse(text, diagnostics);
  EXPECT_EQ(document.has_value(), !diagnostics.hasErrors());
  return oneLine(diagnostics);
}

TEST(JsonReader, ReportsSyntaxErrors) {
  EXPECT_EQ(messageFor(""), "1:1: error: the file is empty");
  EXPECT_EQ(messageFor(" \n "), "2:2: error: the file is empty");
  EXPECT_EQ(messageFor("{"),
            "1:2: error: expected a key in double quotes, got the end of the file");
  EXPECT_EQ(messageFor("["), "1:2: error: expected a value, got the end of the file");
  EXPECT_EQ(messageFor("[,1]"), "1:2: error: expected a value, got ','");
  EXPECT_EQ(messageFor("[1 2]"),
            "1:4: error: expected ',' or ']', got '2' | 1:1: note: an array begins here");
  EXPECT_EQ(messageFor("{\"a\": 1]"),
            "1:8: error: expected ',' or '}', got ']' | 1:1: note: an object begins here");
  EXPECT_EQ(messageFor("[1,]"),
            "1:4: error: expected a value after ',', got ']' | 1:4: note: remove the last comma");
  EXPECT_EQ(messageFor("{\"a\" 1}"), "1:6: error: expected ':' after a key, got '1'");
  EXPECT_EQ(messageFor("{'a': 1}"), "1:2: error: expected a key in double quotes, got ''' | "
                                    "1:2: note: JSON strings are written with double quotes");
  EXPECT_EQ(messageFor("['a']"), "1:2: error: expected a string in double quotes, got ''' | "
                                 "1:2: note: JSON strings are written with double quotes");
  EXPECT_EQ(messageFor("{a: 1}"), "1:2: error: expected a key in double quotes, got 'a'");
  EXPECT_EQ(messageFor("[nothing]"), "1:2: error: expected a value, got 'nothing'");
  EXPECT_EQ(messageFor("[#]"), "1:2: error: expected a value, got '#'");
  EXPECT_EQ(messageFor("// c\n{}"), "1:1: error: expected a value, got '/'");
}

// MXNet's reader stops there, so that files of programs that write whole buffers have them.
TEST(JsonReader, WarnsOfBytesBehindTheGraph) {
  EXPECT_EQ(messageFor("{} {}"), "1:4: warning: 2 bytes behind the end of the graph are ignored");
  EXPECT_EQ(messageFor("{}\n\n"), "");
  EXPECT_EQ(messageFor(llvm::StringRef("{\n}\0", 4)),
            "2:2: warning: 1 byte behind the end of the graph is ignored");
  EXPECT_EQ(messageFor("{\"a\": 1}x\xff\x80\n"),
            "1:9: warning: 4 bytes behind the end of the graph are ignored");
  EXPECT_EQ(messageFor("[1] x"), ""); // is refused as a graph
}

TEST(JsonReader, ReportsBadStrings) {
  EXPECT_EQ(messageFor("[\"ab"), "1:2: error: this string has no closing quote");
  EXPECT_EQ(messageFor("[\"a\nb\"]"),
            "1:4: error: expected a closing quote before the end of the line");
  EXPECT_EQ(messageFor(llvm::StringRef("[\"a\0b\"]", 7)),
            "1:4: error: expected text, got a zero byte");
  for (const char *escape : {"\\x", "\\u", "\\/", "\\b"})
    EXPECT_EQ(messageFor("[\"a" + std::string(escape) + "0031\"]"),
              "1:4: error: unknown escape '" + std::string(escape) +
                  "' in a string | 1:4: note: MXNet reads only \\\" \\\\ \\n \\r \\t; other "
                  "characters stand for themselves, in UTF-8");
  EXPECT_EQ(messageFor(llvm::StringRef("[\"a\\\0\"]", 7)).substr(0, 37),
            "1:4: error: unknown escape '\\\\x00' in");
}

TEST(JsonReader, ReportsBadNumbers) {
  for (const char *number : {"01", "1.", ".5", "1e", "+1", "1x", "--1", "0x10", "1_000", "1.5.2"}) {
    bool startsAsNumber = number[0] != '.' && number[0] != '+';
    std::string expected =
        startsAsNumber ? "1:2: error: expected a number, got '" + std::string(number) + "'"
                       : "1:2: error: expected a value, got '" + std::string(1, number[0]) + "'";
    EXPECT_EQ(messageFor("[" + std::string(number) + "]"), expected);
  }
  EXPECT_EQ(messageFor("[NaN]"), "1:2: error: expected a value, got 'NaN'");
}

TEST(JsonReader, LimitsNesting) {
  std::string deepest = std::string(256, '[') + std::string(256, ']');
  EXPECT_EQ(messageFor(deepest), "");
  EXPECT_EQ(messageFor("[" + deepest + "]"),
            "1:257: error: expected at most 256 levels of nesting, got more");
  EXPECT_EQ(messageFor(std::string(1000000, '[')),
            "1:257: error: expected at most 256 levels of nesting, got more");
}

TEST(JsonReader, GivesValuesWithPlaces) {
  Diagnostics diagnostics;
  auto document =
      parse("{\n  \"a\\n\\\"\\\\\": [1, -2, 1.5, true],\n  \"b\": {}, \"c\": \"\xc3\xa4\"\n}",
            diagnostics);
  ASSERT_TRUE(document);
  std::vector<std::string> keys;
  document->root().forEachMember([&](Value key, Value value) {
    keys.push_back(key.string());
    if (value.is(TokenKind::Array)) {
      std::vector<std::optional<int64_t>> numbers;
      for (Value element : value)
        numbers.push_back(element.integer());
      EXPECT_EQ(numbers, (std::vector<std::optional<int64_t>>{1, -2, std::nullopt, std::nullopt}));
      EXPECT_EQ(value.count(), 4u);
      EXPECT_EQ(value.pos().line, 2u);
      EXPECT_EQ(value.pos().column, 14u);
    }
    if (value.is(TokenKind::Object))
      EXPECT_TRUE(value.empty());
    if (value.is(TokenKind::String))
      EXPECT_EQ(value.string(), "\xc3\xa4");
  });
  EXPECT_EQ(keys, (std::vector<std::string>{"a\n\"\\", "b", "c"}));
}

TEST(JsonReader, IntegersOutsideOf64BitsAreNone) {
  Diagnostics diagnostics;
  auto document = parse("[9223372036854775807, 9223372036854775808, 1e3]", diagnostics);
  ASSERT_TRUE(document);
  std::vector<std::optional<int64_t>> numbers;
  for (Value element : document->root())
    numbers.push_back(element.integer());
  EXPECT_EQ(numbers, (std::vector<std::optional<int64_t>>{INT64_MAX, std::nullopt, std::nullopt}));
}

} // namespace
