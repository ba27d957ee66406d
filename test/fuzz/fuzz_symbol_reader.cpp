//===- fuzz_symbol_reader.cpp - any bytes as a symbol file ----------------===//
//
// Reading must end with a graph or with errors, never both or neither. A graph
// that was read is written and read again, and must come back the same.
//
//===----------------------------------------------------------------------===//
#include "frontend/json/SymbolReader.h"
#include "frontend/json/SymbolWriter.h"
#include "test/unit/frontend/FakeCatalog.h"

using namespace symc;

namespace {

std::optional<symbol::Graph> read(llvm::StringRef text, Diagnostics &diagnostics) {
  static const test::FakeCatalog catalog;
  json::ReadOptions options;
  options.catalog = &catalog;
  return json::readSymbol(llvm::MemoryBuffer::getMemBufferCopy(text), "fuzz.json", diagnostics,
                          options);
}

void require(bool condition, const Diagnostics &diagnostics) {
  if (condition)
    return;
  diagnostics.render(llvm::errs());
  __builtin_trap();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Diagnostics diagnostics;
  auto graph = read(llvm::StringRef(reinterpret_cast<const char *>(data), size), diagnostics);
  require(graph.has_value() != diagnostics.hasErrors(), diagnostics);
  diagnostics.str();
  if (!graph)
    return 0;
  std::string text;
  llvm::raw_string_ostream os(text);
  json::writeSymbol(*graph, os);
  os.flush();
  Diagnostics second;
  auto again = read(text, second);
  if (!again || !symbol::sameGraph(*graph, *again))
    llvm::errs() << text << '\n';
  require(again.has_value(), second);
  require(symbol::sameGraph(*graph, *again), second);
  return 0;
}
