//===- DiagnosticsTest.cpp - how messages look ----------------------------===//
//
// The rendered form with source line and caret, windows into long lines, the
// limit of errors, and the messages about files that cannot be opened.
//
//===----------------------------------------------------------------------===//
#include "frontend/Diagnostics.h"

#include "Messages.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace symc;
using namespace symc::test;
using llvm::MemoryBuffer;

namespace {

std::shared_ptr<const SourceText> source(llvm::StringRef text) {
  return std::make_shared<const SourceText>("net.json", MemoryBuffer::getMemBufferCopy(text));
}

TEST(Diagnostics, ShowsTheSourceLineAndACaret) {
  auto text = source("{\n      \"op\": \"Convoluton\",\n}");
  Diagnostics diagnostics;
  diagnostics.addSource(text);
  diagnostics
      .error("net.json", text->position(14, 26), "unknown operator 'Convoluton' in node 'conv0'")
      .note("did you mean 'Convolution'?")
      .note({1, 1, 1}, "the graph begins here");
  EXPECT_EQ(diagnostics.str(),
            "net.json:2:13: error: unknown operator 'Convoluton' in node 'conv0'\n"
            "      \"op\": \"Convoluton\",\n"
            "            ^~~~~~~~~~~~\n"
            "net.json:2:13: note: did you mean 'Convolution'?\n"
            "net.json:1:1: note: the graph begins here\n"
            "{\n"
            "^\n");
}

TEST(Diagnostics, CountsColumnsOfUtf8ByCharacter) {
  auto text = source("\"\xc3\xa4\xc3\xb6\": x");
  Diagnostics diagnostics;
  diagnostics.addSource(text);
  diagnostics.error("net.json", text->position(8, 9), "here");
  EXPECT_EQ(diagnostics.str(), "net.json:1:9: error: here\n\"\xc3\xa4\xc3\xb6\": x\n      ^\n");
}

TEST(Diagnostics, ShowsAWindowOfALongLine) {
  auto text = source(std::string(1000, 'a') + "!" + std::string(1000, 'b'));
  Diagnostics diagnostics;
  diagnostics.addSource(text);
  diagnostics.error("net.json", text->position(1000, 1001), "here");
  EXPECT_EQ(diagnostics.str(), "net.json:1:1001: error: here\n..." + std::string(80, 'a') + "!" +
                                   std::string(79, 'b') + "...\n" + std::string(83, ' ') + "^\n");
}

TEST(Diagnostics, StopsShowingErrorsAtTheLimit) {
  Diagnostics diagnostics(/*maxErrors=*/1);
  for (int i = 0; i < 3; ++i)
    diagnostics.error("net.json", {}, "error " + llvm::Twine(i)).note("note");
  EXPECT_EQ(diagnostics.errorCount(), 3u);
  EXPECT_EQ(diagnostics.str(), "net.json: error: error 0\nnet.json: note: note\n"
                               "net.json: error: 2 more errors are not shown\n");
}

TEST(Diagnostics, StopsShowingWarningsAtTheLimit) {
  Diagnostics diagnostics(/*maxErrors=*/1);
  for (int i = 0; i < 3; ++i)
    diagnostics.warning("net.json", {}, "warning " + llvm::Twine(i));
  EXPECT_EQ(diagnostics.str(), "net.json: warning: warning 0\n"
                               "net.json: warning: 2 more warnings are not shown\n");
}

TEST(Diagnostics, AWarningIsNoError) {
  Diagnostics diagnostics;
  diagnostics.warning("net.json", {}, "odd");
  EXPECT_FALSE(diagnostics.hasErrors());
  EXPECT_EQ(diagnostics.str(), "net.json: warning: odd\n");
}

TEST(Diagnostics, QuotesControlCharactersAndCutsLongTexts) {
  EXPECT_EQ(inQuotes("a\nb\tc\x01"), "'a\\nb\\tc\\x01'");
  EXPECT_EQ(inQuotes(std::string(100, 'x')), "'" + std::string(80, 'x') + "...'");
}

TEST(OpenInput, SaysWhatIsWrongWithAFile) {
  auto open = [](llvm::StringRef path) {
    Diagnostics diagnostics;
    EXPECT_EQ(openInput(path, diagnostics), nullptr);
    return oneLine(diagnostics);
  };
  EXPECT_EQ(open("/does/not/exist"), "error: cannot open the file: no such file or directory");
  EXPECT_EQ(open("/"), "error: expected a file, got a folder");
  EXPECT_EQ(open("/dev/zero"), "error: expected a regular file, got a device, pipe or socket");
}

} // namespace
