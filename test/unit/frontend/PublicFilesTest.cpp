//===- PublicFilesTest.cpp - real files, where they are given -------------===//
//
// Reads every symbol file and parameter file under SYMC_MODELS_DIR and
// SYMC_CONFORMANCE_DIR, writes the symbols and reads them again. Files under a
// folder called errors are read for the sake of not crashing. Skipped where the
// folders are not given.
//
//===----------------------------------------------------------------------===//
#include "frontend/json/SymbolWriter.h"
#include "frontend/params/ParamsReader.h"

#include "Graphs.h"
#include "PublicFolder.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace symc;
using namespace symc::test;

namespace {

using PublicFiles = PublicFolder;

bool isMalformed(llvm::StringRef path) { return path.contains("/errors/"); }

TEST_P(PublicFiles, SymbolsAreReadWrittenAndReadAgain) {
  const FakeCatalog catalog;
  for (const std::string &path : filesUnder(folder, "symbol.json")) {
    Diagnostics diagnostics;
    auto graph = json::readSymbolFile(path, diagnostics, {&catalog});
    if (isMalformed(path))
      continue;
    ASSERT_TRUE(graph) << diagnostics.str();
    EXPECT_EQ(diagnostics.str(), "");
    std::string text;
    llvm::raw_string_ostream os(text);
    json::writeSymbol(*graph, os, &catalog);
    if (graph->fileVersion == 10901) {
      auto given = llvm::MemoryBuffer::getFile(path);
      ASSERT_TRUE(given);
      EXPECT_EQ(text, (*given)->getBuffer()) << path;
    }
    auto again = readText(text, diagnostics, &catalog);
    ASSERT_TRUE(again) << diagnostics.str();
    EXPECT_TRUE(symbol::sameGraph(*graph, *again)) << path;
  }
}

TEST_P(PublicFiles, ParametersAreRead) {
  for (const std::string &path : filesUnder(folder, ".params")) {
    Diagnostics diagnostics;
    auto file = params::readArrays(path, diagnostics);
    if (isMalformed(path))
      continue;
    ASSERT_TRUE(file) << diagnostics.str();
    EXPECT_EQ(diagnostics.str(), "");
    for (const params::Array &array : file->arrays)
      EXPECT_FALSE(array.name.empty()) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Folders, PublicFiles,
                         testing::Values("SYMC_MODELS_DIR", "SYMC_CONFORMANCE_DIR"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
