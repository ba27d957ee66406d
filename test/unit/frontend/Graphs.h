//===- Graphs.h - small symbol texts, for tests ---------------------------===//
//
// Builds one-line symbol files from node texts, so that a test shows only the
// part that matters to it, and reads them.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_TEST_UNIT_FRONTEND_GRAPHS_H
#define SYMC_TEST_UNIT_FRONTEND_GRAPHS_H

#include "FakeCatalog.h"
#include "Messages.h"
#include "frontend/json/SymbolReader.h"

namespace symc::test {

inline std::optional<symbol::Graph> readText(llvm::StringRef text, Diagnostics &diagnostics,
                                             const symbol::OperatorCatalog *catalog = nullptr,
                                             bool upgrade = true) {
  json::ReadOptions options;
  options.catalog = catalog;
  options.upgrade = upgrade;
  return json::readSymbol(llvm::MemoryBuffer::getMemBufferCopy(text), "net.json", diagnostics,
                          options);
}

/// The messages of reading a text; a graph comes back only without errors.
inline std::string messageFor(llvm::StringRef text,
                              const symbol::OperatorCatalog *catalog = nullptr) {
  Diagnostics diagnostics;
  auto graph = readText(text, diagnostics, catalog);
  if (graph.has_value() == diagnostics.hasErrors())
    return "a graph and errors, or neither";
  return oneLine(diagnostics);
}

/// A graph of these node texts, with line breaks so that node i is on line
/// i + 2, and arg_nodes and heads on the line after the last node.
inline std::string graphText(llvm::ArrayRef<llvm::StringRef> nodes, llvm::StringRef argNodes,
                             llvm::StringRef heads, llvm::StringRef more = "") {
  std::string text = "{\"nodes\": [";
  for (size_t i = 0; i < nodes.size(); ++i)
    text += (i ? ",\n" : "\n") + nodes[i].str();
  return text + "],\n\"arg_nodes\": " + argNodes.str() + ", \"heads\": " + heads.str() +
         more.str() + "}";
}

inline std::string variable(llvm::StringRef name) {
  return ("{\"op\": \"null\", \"name\": \"" + name + "\", \"inputs\": []}").str();
}

constexpr const char *Version1 = ", \"attrs\": {\"mxnet_version\": [\"int\", 10901]}";

} // namespace symc::test

#endif // SYMC_TEST_UNIT_FRONTEND_GRAPHS_H
