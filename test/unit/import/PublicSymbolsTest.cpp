//===- PublicSymbolsTest.cpp - real symbols, where they are given ---------===//
//
// Imports every symbol file under SYMC_MODELS_DIR and every symbol of
// SYMC_CONFORMANCE_DIR whose operators are in the table; for those with stored
// facts, compares MXNet's lists. Skipped where the folders are not given.
//
//===----------------------------------------------------------------------===//
#include "Import.h"
#include "PublicFolder.h"
#include "frontend/import/Facts.h"
#include "frontend/import/TableCatalog.h"
#include "ir/GraphDialect.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace symc;
using namespace symc::test;

namespace {

bool isKnown(const symbol::Graph &graph, std::map<std::string, unsigned> &unknown) {
  bool known = true;
  for (const symbol::Node &node : graph.nodes)
    if (node.kind != symbol::NodeKind::Variable && !sg::lookupOp(node.op)) {
      ++unknown[node.op];
      known = false;
    }
  return known;
}

class PublicSymbols : public PublicFolder {
protected:
  void SetUp() override {
    PublicFolder::SetUp();
    context.loadDialect<sg::SGDialect>();
  }
  mlir::MLIRContext context;
};

TEST_P(PublicSymbols, AreImported) {
  TableCatalog catalog(context);
  std::map<std::string, unsigned> unknown;
  unsigned imported = 0;
  std::vector<std::string> files = filesUnder(folder, "symbol.json");
  for (const std::string &path : files) {
    if (llvm::StringRef(path).contains("/errors/"))
      continue;
    Diagnostics diagnostics;
    auto graph = json::readSymbolFile(path, diagnostics, {&catalog});
    if (!graph) {
      ADD_FAILURE() << diagnostics.str();
      continue;
    }
    if (!isKnown(*graph, unknown))
      continue;
    ImportOptions options;
    options.randomWeights = true;
    options.allowDuplicateNames = true;
    auto module = importGraph(*graph, options, context, diagnostics);
    EXPECT_TRUE(module) << path << "\n" << diagnostics.str();
    if (module)
      EXPECT_TRUE(mlir::succeeded(mlir::verify(*module))) << path;
    ++imported;
  }
  std::cout << imported << " of " << files.size()
            << " imported; operators that are not in the table:";
  for (const auto &[op, count] : unknown)
    std::cout << ' ' << op << ' ' << count;
  std::cout << '\n';
  EXPECT_GT(imported, 0u);
}

std::vector<std::string> strings(const llvm::json::Object &facts, llvm::StringRef key) {
  std::vector<std::string> result;
  for (const llvm::json::Value &value : *facts.getArray(key))
    result.push_back(value.getAsString()->str());
  return result;
}

TEST_P(PublicSymbols, FactsAreThoseOfMXNet) {
  TableCatalog catalog(context);
  std::map<std::string, unsigned> unknown;
  for (const std::string &path : filesUnder(folder, "facts.json")) {
    llvm::SmallString<128> symbol(path);
    llvm::sys::path::remove_filename(symbol);
    llvm::sys::path::append(symbol, "symbol.json");
    Diagnostics diagnostics;
    auto graph = json::readSymbolFile(symbol, diagnostics, {&catalog});
    if (!graph) {
      ADD_FAILURE() << diagnostics.str();
      continue;
    }
    if (!isKnown(*graph, unknown))
      continue;
    auto found = symbolFacts(*graph, context, diagnostics);
    if (!found) {
      ADD_FAILURE() << diagnostics.str();
      continue;
    }
    auto text = llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(path)));
    llvm::json::Value parsed = llvm::cantFail(llvm::json::parse(text->getBuffer()));
    const llvm::json::Object &facts = *parsed.getAsObject();
    EXPECT_EQ(found->arguments, strings(facts, "list_arguments")) << path;
    EXPECT_EQ(found->outputs, strings(facts, "list_outputs")) << path;
    EXPECT_EQ(found->auxiliaryStates, strings(facts, "list_auxiliary_states")) << path;
    EXPECT_EQ(found->inputs, strings(facts, "list_inputs")) << path;
    EXPECT_EQ(found->internalOutputs, strings(facts, "internal_outputs")) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Folders, PublicSymbols,
                         testing::Values("SYMC_MODELS_DIR", "SYMC_CONFORMANCE_DIR"));

} // namespace
